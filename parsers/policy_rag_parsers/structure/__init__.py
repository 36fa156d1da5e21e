"""Which lines are headings, and how sections nest."""
