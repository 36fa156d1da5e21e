"""Checks, repairs, excerpts and comparisons of what an index holds."""
