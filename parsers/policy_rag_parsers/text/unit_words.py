"""The words that name a numbered unit of a text, "Chapter 2" or "Kapitel 2": one table for headings and references.

English, German, French, Spanish, Portuguese, Italian and Dutch.
"""

import re
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

# The kinds of unit in their customary order from the outermost in, each with its words; the first spelling of a word
# stands for it when units are compared.
_KINDS: Final[Mapping[str, str]] = MappingProxyType({
    "book": "book buch livre libro livro boek",
    "title": "title titel titre título/titulo titolo",
    "volume": "volume tome tomo",
    "part": "part teil partie parte deel",
    "subpart": "subpart",
    "chapter": "chapter kapitel chapitre capítulo/capitulo capo hoofdstuk",
    "division": "division abschnitt afdeling",
    "section": "section/sec sección/seccion seção/secção/seccao sezione",
    "article": "article/art artikel artículo/articulo artigo articolo",
    "rule": "rule",
    "regulation": "regulation",
    "clause": "clause cláusula/clausula clausola",
    "subsection": "subsection",
})  # fmt: skip
_BACK: Final = (
    "schedule appendix/app annex/annexure exhibit attachment anlage anhang annexe anexo apéndice/apendice allegato "
    "appendice bijlage"
)
_PLURALS: Final = (
    "appendices/appendix annexes/annex anlagen/anlage anhänge/anhang anhängen/anhang kapiteln/kapitel teile/teil "
    "teilen/teil abschnitte/abschnitt abschnitten/abschnitt abschnitts/abschnitt artikeln/artikel artikels/artikel "
    "secciones/sección articoli/articolo sezioni/sezione allegati/allegato hoofdstukken/hoofdstuk artikelen/artikel "
    "bijlagen/bijlage"
)


def _spellings(words: str) -> dict[str, str]:
    return {spelling: word.partition("/")[0] for word in words.split() for spelling in word.split("/")}


UNIT_WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {spelling: unit for words in (*_KINDS.values(), _BACK) for spelling, unit in _spellings(words).items()}
)
BACK_MATTER: Final = frozenset(_spellings(_BACK).values())
KIND_OF: Final[Mapping[str, str]] = MappingProxyType(
    {unit: kind for kind, words in _KINDS.items() for unit in _spellings(words).values()}
)
ORDER: Final = tuple(_KINDS)
# Section 4, Artikel 4, Abschnitt 4 and rule 4 are one number; Schedule 4 and Kapitel 4 are others.
ONE_SERIES: Final = frozenset(
    unit for unit, kind in KIND_OF.items() if kind in {"section", "article", "rule", "clause", "subsection"}
) | {"abschnitt"}
OWN_SERIES: Final = (
    frozenset(unit for unit, kind in KIND_OF.items() if kind in {"part", "chapter"})
    | BACK_MATTER
    | {"titre", "título", "titolo"}
)
# Each form of a word as it stands in running text, with the unit that it names.
FORMS: Final[Mapping[str, str]] = MappingProxyType(
    {f"{word}s": unit for word, unit in UNIT_WORDS.items()}
    | dict(UNIT_WORDS)
    | {plural: unit for plural, _, unit in (pair.partition("/") for pair in _PLURALS.split())}
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
ORDINAL_VALUE: Final = (
    r"(?:\d{1,3}(?:er|re|ère|\.?[ºª°])|I(?:er|re)|"
    r"(?i:premier|premi[èÈ]re|primero|primera|[úÚ]nico|[úÚ]nica|primo|prima)\b)"
)
# "3 bis" is inserted behind 3; in German "§ 3 bis 5" is a range.
INSERTED: Final = r"(?:[ -]?(?i:bis|ter|quater|quinquies)\b(?!\s{0,3}(?:§{1,2}\s?)?\d))"
_INSERTED_LETTERS: Final = {"bis": "A", "ter": "B", "quater": "C", "quinquies": "D"}
_INSERTED_VALUE: Final = re.compile(r"(\d+)[ -]?(bis|ter|quater|quinquies)", re.IGNORECASE)
_FIGURE_VALUE: Final = re.compile(r"(\d+|I)(?:er|re|ère|\.?[ºª°])")


def plain_value(value: str) -> str:
    """A number as it is compared: figures for ordinals, a letter for what was inserted.

    >>> [plain_value(value) for value in ("1er", "premier", "3 bis", "3A", "IV")]
    ['1', '1', '3A', '3A', 'IV']
    """
    if value.isdecimal() or not value:
        return value
    if match := _INSERTED_VALUE.fullmatch(value):
        return match[1] + _INSERTED_LETTERS[match[2].lower()]
    if match := _FIGURE_VALUE.fullmatch(value):
        return match[1]
    return "1" if value.lower().startswith(("premi", "prim", "únic")) else value
