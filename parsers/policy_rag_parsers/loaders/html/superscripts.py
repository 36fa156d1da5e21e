"""Raised text of an HTML page, which is written by the rule that holds for all formats (`raised`)."""

import re
from collections.abc import Sequence
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.superscripts import raised
from policy_rag_parsers.loaders.text_builder import one_line

_STYLE: Final = re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE)
_NEAR: Final = 8  # pieces of text before and behind that are looked at


class Raised(str):
    """A piece of raised text."""

    __slots__ = ()


def raised_text(element: etree._Element) -> Raised | None:
    """The text of a raised element, None for any other."""
    style = element.get("style")
    if element.tag != "sup" and (style is None or not _STYLE.search(style)):
        return None
    return Raised(one_line("".join(map(str, element.itertext()))))


def joined(pieces: Sequence[str]) -> str:
    """The pieces of a block as one text, those that are raised written so that they change no figure before them.

    >>> joined(["up to 150", Raised("1"), " euros"]), joined(["10 m", Raised("2")])
    ('up to 150[1] euros', '10 m²')
    """
    written: list[str] = []
    for at, piece in enumerate(pieces):
        if isinstance(piece, Raised):
            before, behind = "".join(written[-_NEAR:]), "".join(pieces[at + 1 : at + 1 + _NEAR])
            written.append(raised(before, piece, behind))
        else:
            written.append(piece)
    return "".join(written)
