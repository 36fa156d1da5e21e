"""Frozen data that searching, asking and ingesting take and return."""
