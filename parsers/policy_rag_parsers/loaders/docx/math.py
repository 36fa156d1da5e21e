"""Formulas of a Word document (OMML) in one line: "A = 15×d/(n+1)"."""

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.docx.xml import MATH, SKIPPED

_ONE_TERM: Final = re.compile(r"[\w.,√]*|\([^()]*\)")
_DEEPEST: Final = 100
# What stands before each argument of an element; arguments that it does not name stand one after another.
_SIGNS: Final = {
    "f": {"den": "/"},
    "sSup": {"sup": "^"},
    "sSub": {"sub": "_"},
    "sSubSup": {"sub": "_", "sup": "^"},
    "sPre": {"sub": "_", "sup": "^"},
    "nary": {"sub": "_", "sup": "^"},
    "limLow": {"lim": "_"},
    "limUpp": {"lim": "^"},
}
_GROUPED: Final = frozenset({"num", "den", "sup", "sub", "lim"})


def formula(element: etree._Element, depth: int = 0) -> str:
    """A formula, or a part of one, as it is typed in a line; what is nested deeper than anybody writes is left out."""
    if element.tag in SKIPPED or depth > _DEEPEST:
        return ""
    name = _name(element)
    if name == "t":
        return element.text or ""
    parts = [(_name(node), formula(node, depth + 1)) for node in element.iterchildren(etree.Element)]
    if name == "d":
        opening, closing, between = _marks(element)
        return opening + between.join(text for part, text in parts if part == "e") + closing
    if name == "rad":
        degree = "".join(text for part, text in parts if part == "deg")
        return f"{degree}√{_bracketed(''.join(text for part, text in parts if part == 'e'))}"
    lead = _operator(element) if name == "nary" else ""
    return lead + "".join(_written(_SIGNS.get(name, {}), parts))


def _written(signs: dict[str, str], parts: list[tuple[str, str]]) -> Iterator[str]:
    for part, text in parts:
        grouped = _bracketed(text) if part in _GROUPED else text
        # A script without its text (an integral without limits) leaves no sign.
        yield signs.get(part, "") + grouped if text else ""


def _bracketed(text: str) -> str:
    return text if _ONE_TERM.fullmatch(text) else f"({text})"


def _marks(element: etree._Element) -> tuple[str, str, str]:
    """The brackets of a pair of them, and what stands between its arguments."""
    found = element.find(MATH + "dPr")
    given = [None if found is None else found.find(MATH + name) for name in ("begChr", "endChr", "sepChr")]
    marks = [
        usual if one is None else one.get(MATH + "val", "") for one, usual in zip(given, ("(", ")", "|"), strict=True)
    ]
    return marks[0], marks[1], marks[2]


def _operator(element: etree._Element) -> str:
    sign = element.find(f"{MATH}naryPr/{MATH}chr")
    return "∫" if sign is None else sign.get(MATH + "val", "∫")


def _name(element: etree._Element) -> str:
    return str(element.tag).removeprefix(MATH)
