"""Calls of an LLM for metadata, and what came back."""
