"""Raised text of an HTML page, which is written by the rule that holds for all formats (`with_superscripts`)."""

import re
from collections.abc import Sequence
from typing import Final

from lxml import etree

from policy_rag_parsers.loaders.superscripts import with_superscripts
from policy_rag_parsers.loaders.text_builder import one_line

_STYLE: Final = re.compile(r"vertical-align\s*:\s*super", re.IGNORECASE)


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
    apart = [part for piece in pieces for part in (piece, "")]  # each element is a mark of its own
    return "".join(with_superscripts(apart, {at for at, part in enumerate(apart) if isinstance(part, Raised)}))
