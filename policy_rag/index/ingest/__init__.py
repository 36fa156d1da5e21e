"""From files to an index, in one transaction."""
