"""Filters and days that a question itself holds."""
