"""Cells of CSV files that people open in a spreadsheet, which would run some texts as formulas."""

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_cell(text: str) -> str:
    """A text with an apostrophe before it where a spreadsheet would take it for a formula.

    >>> as_cell("=A1"), as_cell("Who pays?")
    ("'=A1", 'Who pays?')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


def from_cell(text: str) -> str:
    """The text that `as_cell` was given."""
    return text[1:] if text.startswith("'") and text[1:].startswith(_FORMULA) else text
