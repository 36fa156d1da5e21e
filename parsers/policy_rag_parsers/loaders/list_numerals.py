"""How a list's numbers are written: 4, d, D, iv, IV."""

from typing import Final

BULLET: Final = "•"

_MOST_LETTERS: Final = 50  # nobody counts to 1,300 in letters; a start of 999,999 would fill the memory
_ROMAN: Final = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"),
    (50, "l"), (40, "xl"), (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


def roman(number: int) -> str:
    """A number from 1 to 3999 in lower-case Roman numerals; others in digits.

    >>> roman(14)
    'xiv'
    """
    if not 0 < number < 4000:
        return str(number)
    written = ""
    for value, sign in _ROMAN:
        written += sign * (number // value)
        number %= value
    return written


def letters(number: int, *, doubled: bool = False) -> str:
    """A number from 1 in lower-case letters; below 1 in digits.

    Args:
        number: what to write.
        doubled: after z comes aa, bb, cc, as in word processors; otherwise aa, ab, ac, as in browsers. More than
            `_MOST_LETTERS` of one letter are written in digits.

    >>> letters(3), letters(28), letters(28, doubled=True)
    ('c', 'ab', 'bb')
    """
    if number < 1:
        return str(number)
    if doubled:
        times, place = divmod(number - 1, 26)
        if times >= _MOST_LETTERS:
            return str(number)
        return chr(ord("a") + place) * (times + 1)
    written = ""
    while number:
        number, place = divmod(number - 1, 26)
        written = chr(ord("a") + place) + written
    return written


def numeral(number: int, style: str, *, doubled: bool = False) -> str:
    """Write a number in a style of Word's numbering formats; an unknown style gives digits.

    >>> numeral(4, "lowerRoman"), numeral(2, "upperLetter"), numeral(7, "decimalZero"), numeral(3, "decimal")
    ('iv', 'B', '07', '3')
    """
    match style:
        case "lowerRoman" | "upperRoman":
            written = roman(number)
        case "lowerLetter" | "upperLetter":
            written = letters(number, doubled=doubled)
        case "decimalZero":
            written = f"{number:02d}"
        case "ordinal":
            ending = "th" if number % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
            written = f"{number}{ending}"
        case _:
            written = str(number)
    return written.upper() if style.startswith("upper") else written
