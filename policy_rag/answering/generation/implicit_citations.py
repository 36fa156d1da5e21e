"""Sentences of an LLM without a citation: what they may be taken to cite, which the check then holds them against.

Small models copy a sentence and forget the mark, and many write a paragraph with one mark at its end.
"""

import re
from collections.abc import Sequence

from policy_rag.answering.generation.reply_parser import ReplySentence
from policy_rag.records.search import Hit

_LEAST_WORDS = 4
_WORD = re.compile(r"\w+(?:[.,'’]\w+)*|[%€$£§]")


def section_with(sentence: str, given: Sequence[Hit]) -> int | None:
    """The number of the first section that holds all words of a sentence one after the other.

    Case, blanks and punctuation between words do not count; figures and signs of money and percent do. Of fewer than
    four words it is not said: they stand anywhere.

    Args:
        sentence: without citation marks.
        given: the sections; the first is number 1.

    >>> section_with("Ask HR.", ())
    """
    words = _words(sentence)
    if len(words) < _LEAST_WORDS:
        return None
    wanted = f" {' '.join(words)} "
    return next((n for n, hit in enumerate(given, 1) if wanted in f" {' '.join(_words(hit.text))} "), None)


def names_only(sentence: str, hit: Hit) -> bool:
    """Whether a sentence only says where a section stands: its document's title, and no word but those of its path.

    Args:
        sentence: without citation marks.
        hit: the section.
    """
    said, title = set(_words(sentence)), set(_words(hit.path[0] if hit.path else hit.file))
    return title <= said <= {*title, "section", *_words(" ".join((*hit.path, hit.number or "", hit.file)))}


def neighbours_marks(sentences: Sequence[ReplySentence]) -> list[tuple[int, ...]]:
    """What each sentence of a reply cites; one that cites nothing, what the next one with a mark does, or the last.

    An item of a list takes nothing from its neighbours, and gives nothing.
    """
    before: tuple[int, ...] = ()
    forward: list[tuple[int, ...]] = []
    for sentence in sentences:
        before = () if sentence.item else sentence.cited or before
        forward.append(before)
    behind: tuple[int, ...] = ()
    found: list[tuple[int, ...]] = []
    for sentence, last in zip(reversed(sentences), reversed(forward), strict=True):
        behind = () if sentence.item else sentence.cited or behind
        found.append(sentence.cited or behind or last)
    return found[::-1]


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
