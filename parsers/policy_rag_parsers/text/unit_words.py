"""The words that name a numbered unit of a text, "Chapter 2" or "Kapitel 2": one table for headings and references.

Those of all languages at once, from their lexicons: a heading does not say which language it is in.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS

ORDER: Final = (
    *("book", "title", "volume", "part", "subpart", "chapter", "division", "section", "article", "rule"),
    *("regulation", "clause", "subsection"),
)
"""The kinds of unit in their customary order from the outermost in."""


def _spellings(words: str) -> dict[str, str]:
    """Each spelling of a word with the first one, which stands for it when units are compared."""
    return {
        spelling.replace("_", " "): word.partition("/")[0].replace("_", " ")
        for word in words.split()
        for spelling in word.split("/")
    }


def _kinds() -> Iterator[tuple[str, str]]:
    return ((kind, words) for one in DOCUMENT_WORDS for kind, words in one.units.items())


_BACK: Final = " ".join(one.back_matter for one in DOCUMENT_WORDS)
UNIT_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {spelling: unit for _, words in _kinds() for spelling, unit in _spellings(words).items()} | _spellings(_BACK)
)
PREAMBLES: Final = frozenset(title for one in DOCUMENT_WORDS for title in one.preamble)
BACK_MATTER: Final = frozenset(_spellings(_BACK).values())
KIND_OF: Final[Mapping[str, str]] = MappingProxyType(
    {unit: kind for kind, words in _kinds() for unit in _spellings(words).values()}
)
# Section 4, Artikel 4, Abschnitt 4 and rule 4 are one number; Schedule 4 and Kapitel 4 are others.
ONE_SERIES: Final = frozenset(
    unit for unit, kind in KIND_OF.items() if kind in {"section", "article", "rule", "clause", "subsection"}
) | {"abschnitt"}
OWN_SERIES: Final = (
    frozenset(unit for unit, kind in KIND_OF.items() if kind in {"part", "chapter"})
    | BACK_MATTER
    | {"subpart", "division", "titre", "título", "titolo"}
)
# Each form of a word as it stands in running text, with the unit that it names.
FORMS: Final[Mapping[str, str]] = MappingProxyType(
    {f"{word}s": unit for word, unit in UNIT_WORDS.items()}
    | dict(UNIT_WORDS)
    | {form: unit for one in DOCUMENT_WORDS for form, _, unit in (pair.partition("/") for pair in one.forms.split())}
)


def words_pattern(words: Iterable[str]) -> str:
    """An alternation of words for a pattern that ignores the case of ASCII letters, the longest of a letter first.

    The first letters are written in both cases: most lines begin with none of them, which is seen without a look at
    the words.
    """
    by_letter: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        by_letter.setdefault(word[0], []).append(re.sub(r"[^\x00-\x7f]", _both_cases, word[1:]))
    return "|".join(f"(?-i:[{first}{first.upper()}])(?:{'|'.join(rest)})" for first, rest in by_letter.items())


def _both_cases(match: "re.Match[str]") -> str:
    return f"[{match[0]}{match[0].upper()}]"


# What stands for a figure behind a unit: "Article 1er", "Titre premier", "Artículo 1.º", "Artículo único".
_FIRST_WORD: Final = "|".join(one.first for one in DOCUMENT_WORDS if one.first)
_FIRST: Final = re.compile(_FIRST_WORD, re.IGNORECASE)
_ORDINALS: Final = {
    spelling: str(value + (value > 0))
    for one in DOCUMENT_WORDS
    for value, words in enumerate(one.ordinals)
    for spelling in filter(None, words.split("/"))
}
_CARDINALS: Final = {word: str(value) for one in DOCUMENT_WORDS for value, word in enumerate(one.cardinals, start=1)}
ORDINAL_WORD: Final = rf"(?i:{_FIRST_WORD}|{words_pattern(_ORDINALS)})\b(?!-)"
"""An ordinal in words, which stands before a unit or behind it."""
ORDINAL_VALUE: Final = (
    rf"(?:\d{{1,3}}(?:er|re|ère|\.?[ºª°](?:-[A-Z])?)|I(?:er|re)|{ORDINAL_WORD}|(?i:{words_pattern(_CARDINALS)})\b(?!-))"
)
# "Article L. 121-1": in the part of a code that was made by law
CODED: Final = (
    rf"(?:{'|'.join(one.codes for one in DOCUMENT_WORDS if one.codes)})\.?[ \u00a0]?\d{{1,4}}(?:-\d{{1,4}}){{1,4}}"
)
_CODED_VALUE: Final = re.compile(r"([A-Z]{1,2})\.?\s?(\d+(?:-\d+)+)")
# "3 bis" is inserted behind 3; in German "§ 3 bis 5" is a range.
INSERTED: Final = r"(?:[ -]?(?i:bis|ter|quater|quinquies)\b(?!\s{0,3}(?:§{1,2}\s?)?\d))"
# "Article 34-1" is inserted behind 34; "§ 10-100" is in chapter 10
HYPHENED: Final = r"-(?:\d{1,4}|[A-Z])(?!\w)"
_INSERTED_LETTERS: Final = {"bis": "A", "ter": "B", "quater": "C", "quinquies": "D"}
_INSERTED_VALUE: Final = re.compile(r"(\d+|[IVXLC]+)[ -]?(bis|ter|quater|quinquies)", re.IGNORECASE)
_HYPHENED_LETTER: Final = re.compile(r"(\d+)-([A-Z])")
_FIGURE_VALUE: Final = re.compile(r"(\d+|I)(?:er|re|ère|\.?[ºª°])(?:-([A-Z]))?")


def plain_value(value: str) -> str:
    """A number as it is compared: figures for ordinals, a letter for what was inserted.

    >>> [plain_value(value) for value in ("1er", "premier", "segundo", "Two", "3 bis", "3-A", "3.º-A", "IV")]
    ['1', '1', '2', '2', '3A', '3A', '3A', 'IV']
    >>> plain_value("L. 121-1")
    'L121-1'
    """
    if value.isdecimal() or not value:
        return value
    if match := _INSERTED_VALUE.fullmatch(value):
        return match[1] + _INSERTED_LETTERS[match[2].lower()]
    if match := _HYPHENED_LETTER.fullmatch(value) or _CODED_VALUE.fullmatch(value):
        return match[1] + match[2]
    if match := _FIGURE_VALUE.fullmatch(value):
        return match[1] + (match[2] or "")
    if worded := _ORDINALS.get(value.lower()) or _CARDINALS.get(value.lower()):
        return worded
    return "1" if _FIRST.fullmatch(value) else value
