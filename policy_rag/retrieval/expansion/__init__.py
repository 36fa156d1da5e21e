"""Sections that come along with a hit."""
