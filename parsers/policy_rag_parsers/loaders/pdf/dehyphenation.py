"""Lines of a PDF joined: words that are divided at a line's end are put together, those written with a hyphen stay."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from policy_rag_parsers.loaders.pdf.lines import TextLine
from policy_rag_parsers.text.lexicon import JOINING, LEXICONS, alternatives
from policy_rag_parsers.text.tokenizer import language_of

_HYPHENS: Final = "-\u2010\u2011"
_DIVIDED: Final = re.compile(rf"(?P<head>[^\W\d_]+)(?P<hyphen>[{_HYPHENS}])\Z")
_CLOSED_UP: Final = re.compile(rf"[^\W_][{_HYPHENS}]\Z")
_WORD: Final = re.compile(rf"[^\W\d_]+(?:[{_HYPHENS}][^\W\d_]+)*")
_DASHED: Final = str.maketrans({"\u2010": "-", "\u2011": "-"})
_BETWEEN: Final = LEXICONS["german"].document.reference_words
_JOINING: Final = re.compile(rf"(?:{alternatives(JOINING)}|{_BETWEEN.and_}|{_BETWEEN.to})(?!\w)")
# Where words with a hyphen before a small letter are rare, so that one at a line's end divides a word.
_DIVIDING: Final = frozenset(("german", "spanish"))
# "Rule 4.2.1.(3)" may be divided before a bracket.
_CLAUSE_HEAD: Final = re.compile(r"\d(?:\.\d+)+[A-Z]?\.?(?:\([0-9A-Za-z]{1,5}\))*\Z")
_CLAUSE_TAIL: Final = re.compile(r"\([0-9A-Za-z]{1,5}\)")


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a document, which tell those that are divided at a line's end from those written with a hyphen.

    Attributes:
        words: all that stand whole on a line, in lower case, with "-" for any hyphen in them.
        divides: whether U+2010 only divides words: browsers put it there and nowhere else.
        dividing: whether its language has hardly a hyphen before a small letter.
    """

    words: frozenset[str]
    divides: bool = True
    dividing: bool = False


def vocabulary(lines: Iterable[TextLine]) -> Vocabulary:
    """The words of all lines."""
    written: set[str] = set()
    divides = True
    texts = [line.text.rstrip(_HYPHENS) for line in lines]
    for text in texts:
        divides = divides and "\u2010" not in text
        written.update(_WORD.findall(text))
    words = {word.casefold().translate(_DASHED) for word in written}
    return Vocabulary(frozenset(words), divides, dividing=language_of(" ".join(texts)) in _DIVIDING)


def join_lines(lines: Sequence[str], known: Vocabulary) -> str:
    """Lines of a paragraph as one.

    A word divided at a line's end is put together without its hyphen where the document has the whole word elsewhere
    and does not have it with the hyphen, where the sign does nothing but divide, or in German and Spanish before a
    small letter; else the hyphen stays, without a blank after it: "long-term", "2024-25". "Vor-" and "und" keep their
    blank.

    >>> join_lines(["Inform-", "ation is kept in long-", "term storage."], Vocabulary(frozenset({"information"})))
    'Information is kept in long-term storage.'
    """
    text = lines[0]
    for line in lines[1:]:
        tail = text[-80:]
        if _whole(tail, line, known):
            text = text[:-1] + line
        elif divided_clause(tail, line) or (_CLOSED_UP.search(tail) and not _joining(line)):
            text += line
        else:
            text += f" {line}"
    return text


def is_divided(before: str, after: str) -> bool:
    """Whether a line ends in the middle of a word, or behind the hyphen of one, that goes on in the next."""
    return before[-1:] in _HYPHENS and (after[:1].islower() or after[:1].isdigit()) and bool(_CLOSED_UP.search(before))


def divided_clause(before: str, after: str) -> bool:
    """Whether a line ends in the middle of the number of a clause."""
    return _CLAUSE_TAIL.match(after) is not None and _CLAUSE_HEAD.search(before) is not None


def _joining(line: str) -> bool:
    return _JOINING.match(line) is not None


def _whole(before: str, after: str, known: Vocabulary) -> bool:
    """Whether the two parts are one word without a hyphen."""
    if before[-1:] not in _HYPHENS or "://" in before.rsplit(maxsplit=1)[-1]:
        return False
    divided, first = _DIVIDED.search(before), _WORD.match(after)
    if divided is None or first is None or not after[0].islower() or _joining(after):
        return False
    head, tail = divided["head"], first.group().casefold().translate(_DASHED)
    hyphenated = f"{head.casefold()}-{tail}" in known.words
    if head.casefold() + tail in known.words:
        return not hyphenated
    only_divides = known.dividing or (known.divides and divided["hyphen"] == "\u2010")
    return only_divides and not hyphenated and not head.isupper()
