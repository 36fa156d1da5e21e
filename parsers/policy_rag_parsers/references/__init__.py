"""Clause numbers, cross-references and defined terms."""
