"""Prompt templates as files, and the typed loader that refuses a missing variable."""
