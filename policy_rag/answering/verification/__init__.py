"""Whether a statement holds by what it cites."""
