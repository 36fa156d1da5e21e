"""Signs of Word's symbol fonts as characters that anybody can read.

Symbol, Wingdings and Wingdings 2 put their signs where other fonts have letters, or at U+F020 to U+F0FF, where Unicode
has none.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from policy_rag_parsers.loaders.list_numerals import BULLET

_PRIVATE: Final = 0xF000
_ENCODED: Final = 0x100

_SYMBOL: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…",
    "↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑",
)
_SYMBOL_STARTS: Final = (0x20, 0x61, 0xA0, 0xBF)
_WINGDINGS: Final = {
    0x20: " ", 0x28: "☎", 0x2A: "✉", 0x4A: "☺", 0x4C: "☹", 0x6C: BULLET, 0x6E: BULLET, 0x6F: "☐", 0x70: "☐", 0x71: "☐",
    0x72: "☐", 0x73: BULLET, 0x74: BULLET, 0x75: BULLET, 0x76: BULLET, 0x77: BULLET, 0x78: "☒", 0x9E: "·", 0x9F: BULLET,
    0xA1: "○", 0xA7: BULLET, 0xA8: "☐", 0xD8: BULLET, 0xDC: BULLET, 0xDF: "←", 0xE0: "→", 0xE1: "↑", 0xE2: "↓",
    0xE7: "←", 0xE8: "→", 0xE9: "↑", 0xEA: "↓", 0xEF: "⇐", 0xF0: "⇒", 0xF3: "⇔", 0xFB: "✗", 0xFC: "✓", 0xFD: "☒",
    0xFE: "☑",
}  # fmt: skip
_WINGDINGS_2: Final = {
    0x20: " ", 0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: BULLET, 0x98: BULLET,
    0xA3: "☐",
}  # fmt: skip
_FONTS: Final[Mapping[str, Mapping[int, str]]] = MappingProxyType(
    {
        "symbol": {
            start + at: sign
            for start, signs in zip(_SYMBOL_STARTS, _SYMBOL, strict=True)
            for at, sign in enumerate(signs)
        },
        "wingdings": _WINGDINGS,
        "wingdings 2": _WINGDINGS_2,
        # Nothing of these is mapped: they draw.
        "wingdings 3": {},
        "webdings": {},
        "mt extra": {},
        "marlett": {},
    }
)


def readable(text: str, font: str) -> tuple[str, int]:
    r"""Text in a font, with the signs of symbol fonts as Unicode has them.

    Args:
        text: characters as the file has them.
        font: the font's name, in any case; "" where the file names none.

    Returns:
        The text without what no character stands for, and how many signs that were.

    >>> readable("\uf0a3 150", "Symbol"), readable("\uf0fe", "Wingdings"), readable("\uf04e", "Webdings")
    (('≤ 150', 0), ('☑', 0), ('', 1))
    """
    # Word shows signs that are in none of these fonts in Symbol.
    signs = _FONTS.get(font.casefold(), _FONTS["symbol"])
    # A single letter of such a font is a sign; words were given the font by mistake.
    as_letter = font.casefold() in _FONTS and len(text.strip()) == 1
    if text.isascii() and not as_letter:
        return text, 0
    lost = 0
    written: list[str] = []
    for character in text:
        code = ord(character)
        if _PRIVATE <= code < _PRIVATE + _ENCODED or (as_letter and code < _ENCODED):
            sign = signs.get(code % _ENCODED, "")
            lost += not sign
            written.append(sign)
        else:
            written.append(character)
    return "".join(written), lost
