"""Data sets: read, checked, indexed."""
