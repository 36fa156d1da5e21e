"""Answers that an LLM writes."""
