"""Marks without width that word processors leave inside words and numbers."""

import re
from typing import Final

# Direction marks, joiners, soft hyphens, byte orders.
INVISIBLE: Final = "\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff"
"""What stands inside the brackets of a pattern."""
INVISIBLE_MARK: Final = re.compile(f"[{INVISIBLE}]")
