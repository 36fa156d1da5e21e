"""How far what was found supports an answer."""
