"""Answers from hits: generated or quoted, every statement with a citation that was checked, or a refusal."""
