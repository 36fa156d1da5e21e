"""Measures, and how hits become gold labels."""
