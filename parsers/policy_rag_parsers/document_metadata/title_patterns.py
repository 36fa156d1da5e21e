"""The shapes of what a title block states, made of the words of each language.

Dates stand in them as marks, "<" and ">" around the ISO form. A statement is read in one language as a whole: "a" is an
article in Portuguese and must not make a subject of it in English. What tells prose from a row is looked for in all.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS
from policy_rag_parsers.text.lexicon.title_block_words import TitleBlockWords
from policy_rag_parsers.text.unit_words import KIND_OF, UNIT_WORDS, words_pattern

_DAY: Final = r"<(?P<day>\d{4}-\d\d-\d\d)>"
_LAST: Final = r"<(?P<last>\d{4}-\d\d-\d\d)>"
_DASH: Final = "[–—-]"
_NUMBER: Final = r"(?P<number>\d+(?:\.\d+){0,3}[a-z]?)"
_SHORT: Final = r"v\.?|ver\.?"
_EQUALS: Final = r"\s*[:=]?\s*"
_UPPER: Final = "A-ZÀ-ÖØ-Þ"
_QUOTES: Final = "\"“”„'‘’«»"
# An apostrophe inside a word closes no title: "Politique d'achat".
_TITLE: Final = rf"(?P<title>[{_UPPER}](?:[^\"“”„«»'<>,:]|(?<=\w)'(?=\w)){{2,80}}?)"
_CONTENT: Final = r"[^.;()|\n–]*(?:\.\d[^.;()|\n–]*)*"
# A cell or what stands behind a colon: to its end, a dash, the end of a sentence, or another label behind a comma.
_CELL: Final = rf"(?:(?!\.\s|\s{_DASH}\s|,[^,:|\n]{{3,40}}:)(?:[^|;()\n]|\([^()\n]*\)))*"
_WORDS: Final = tuple(one.title_block for one in DOCUMENT_WORDS)


def _any(*words: str) -> str:
    """Alternatives as one group; of no words, what matches nothing."""
    known = "|".join(filter(None, words)).replace(" ", r"\s+")
    return f"(?:{known})" if known else "(?!)"


def _sections() -> Iterator[str]:
    """Words for sections; a document may be itself a book, a title, a rule or a regulation."""
    kinds = {"part", "chapter", "division", "section", "article", "clause"}
    return (word for word, unit in UNIT_WORDS.items() if KIND_OF.get(unit) in kinds)


_NOUN: Final = _any(*(one.nouns for one in _WORDS))

SENTENCE: Final = re.compile(
    rf"(?<=[^\d\s][.!?])\s+|(?<=\d[.!?])\s+(?=[{_UPPER}])|(?<=>[.!?])\s+|[|;()\n]"
    rf"|(?<!>)\s{_DASH}\s|\s{_DASH}\s(?!<)|\s•\s|\s·\s"
)
"""Between sentences and cells; a dash between two dates makes a period of them."""
THEN: Final = re.compile(rf"(?<=>)\s+{_any(*(one.joins for one in _WORDS))}\s+", re.IGNORECASE)
"""Between a day and another statement: "takes effect on 1 May 2025 and expires on 30 April 2027"."""
CONTROL: Final = re.compile(_any(*(one.control for one in _WORDS)), re.IGNORECASE)
"""What stands over a table of a document's own data."""
NUMBERED: Final = re.compile(
    rf"(?:#{{1,6}}\s*)?(?:(?:§+|(?:{words_pattern(_sections())})\.?)\s*)?"
    r"(?:\d+(?:\.\d+)*(?:er|\.?[ºª°])?[.)]?|[IVX]+\.)\s+\S.*",
    re.IGNORECASE,
)
"""The line of a numbered section."""
COUNTED: Final = re.compile(
    r"(?P<number>\d{1,3})" + _any(*(rf"(?:{one.counted})\s+(?:{one.issues})" for one in _WORDS)) + r"(?!\w)",
    re.IGNORECASE,
)
"""A version as an ordinal: "3rd edition"."""
PROSE: Final = re.compile(
    rf",\s+{_any(*(one.clauses for one in _WORDS))}\s|\b{_any(*(one.verbs for one in _WORDS))}\b", re.IGNORECASE
)
"""A finite verb, or a clause after a comma: no row of a title block."""
POLICY: Final = re.compile(rf"(?<!\w){_any(*(one.titles for one in _WORDS))}(?!\w)", re.IGNORECASE)
"""What a title must have to be one of a policy."""
LABEL: Final = re.compile(r"[^\d<>|]{3,40}")
VALUE: Final = re.compile(
    rf"<[\d-]+>(?:\s*(?:{_any(*(one.to for one in _WORDS))}|{_DASH})\s*<[\d-]+>)?|v?\d+(?:\.\d+){{0,3}}|(?-i:[A-Z])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TitlePatterns:
    """The statements of a title block in one language; the first ones must fill a statement.

    Attributes:
        begins: with `day`, and `last` where a last day follows.
        ends: with `last`.
        as_of: with `day`.
        version: with `number`.
        draft: that it is a draft, with a label or a number before it.
        replaces: what is replaced, to be searched for: `verb` with `what`, `label` with `value`, or neither where it is
            this document that is replaced; `join` is the "and" in front of a verb.
        replacer: the line in front of it, where it is this document that replaces.
        then: between what is replaced and another statement.
        old: names of what is replaced: `number`, or `title` with perhaps `number`, `full` (a day's year) or `year`.
        listed: the same behind a label.
    """

    begins: tuple[re.Pattern[str], ...]
    ends: tuple[re.Pattern[str], ...]
    as_of: re.Pattern[str]
    version: tuple[re.Pattern[str], ...]
    draft: re.Pattern[str]
    replaces: re.Pattern[str]
    replacer: re.Pattern[str]
    then: re.Pattern[str]
    old: tuple[re.Pattern[str], ...]
    listed: tuple[re.Pattern[str], ...]


def first_match(patterns: Iterable[re.Pattern[str]], text: str) -> re.Match[str] | None:
    """What fills a text, by the first pattern that does."""
    return next((found for pattern in patterns if (found := pattern.fullmatch(text))), None)


@cache
def title_patterns() -> tuple[TitlePatterns, ...]:
    """The patterns of every language."""
    return tuple(_patterns(one) for one in _WORDS)


def _patterns(words: TitleBlockWords) -> TitlePatterns:
    joins, this = _any(words.joins), _any(words.this)
    subject = (
        rf"(?:{joins}\s+)?"
        rf"(?:(?:{_any(words.pronouns)}|(?:{this}|{_any(words.articles)})(?:\s+{_NOUN})?)\s+)?(?:{_any(words.becomes)}\s+)?"
    )
    names = _any(words.versions, words.issues, _SHORT)
    then = rf"\s*(?:{_any(words.to)}|{_DASH})\s*{_LAST}"
    number = rf"(?:\s*{_any(words.number)})?{_EQUALS}{_NUMBER}"
    return TitlePatterns(
        begins=_compiled(
            rf"{subject}{_any(words.begins)}{_EQUALS}{_DAY}(?:{then})?",
            rf"{subject}{_any(words.periods)}{_EQUALS}{_DAY}{then}",
            rf"{subject}{_any(words.begins_before)}\s+{_DAY}\s+{_any(words.begins_behind)}",
        ),
        ends=_compiled(
            rf"{subject}{_any(words.ends)}{_EQUALS}{_LAST}",
            rf"{subject}{_any(words.ends_before)}\s+{_LAST}\s+{_any(words.ends_behind)}",
        ),
        as_of=re.compile(rf"{_any(words.as_of)}{_EQUALS}{_DAY}", re.IGNORECASE),
        version=_compiled(
            rf"(?:{_any(words.own)}\s+)?{names}{number}(?:\s+{_any(words.dated)}\s+<[\d-]+>)?",
            rf"{_any(words.versions, words.issues)}{_EQUALS}(?P<number>(?-i:[A-Z]))",
        ),
        draft=re.compile(rf"(?:[^\d:|]{{3,30}}:\s*)?(?:{names}\s*)?[\d.]*\s*{_any(words.draft)}", re.IGNORECASE),
        replaces=_replaces(words),
        replacer=re.compile(
            rf"(?:.*(?:[.;,(|–]|\s-))?\s*(?:(?:{_any(words.joins, words.which, words.pronouns)}|{this}\s+{_NOUN}"
            rf"|(?:{this}\s+)?{_any(words.versions, words.issues)}\s+\d+(?:\.\d+)*)\s+)*",
            re.IGNORECASE | re.DOTALL,
        ),
        then=re.compile(rf"\s+{joins}\s+", re.IGNORECASE),
        old=_old(words, names),
        listed=_listed(words, names),
    )


def _compiled(*patterns: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _replaces(words: TitleBlockWords) -> re.Pattern[str]:
    verbs = _any(words.replaces)
    blanks = r"[^\S\n]*"  # none that ends a line: the value of an empty cell is not the next row
    label = rf"(?:{verbs}|{_any(words.replaced_labels)})(?:\s+{_NOUN})?"
    return re.compile(
        rf"(?<!\w){_any(words.replaced_by)}(?!\w){blanks}[:=|]?{blanks}{_CELL}"
        rf"|(?<!\w)(?P<label>{label}){blanks}[:=|]{blanks}(?P<value>{_CELL})"
        rf"|(?P<join>\s{{1,3}}{_any(words.joins, words.which)}\s+)?(?<!\w)(?P<verb>{verbs})\s+(?P<what>{_CONTENT})",
        re.IGNORECASE,
    )


def _old(words: TitleBlockWords, names: str) -> tuple[re.Pattern[str], ...]:
    """What is named in a sentence: a title there has an article, or the sentence would have no end."""
    year = rf"(?:,?\s+{_any(words.dated)}\s+(?:<(?P<full>\d{{4}})-\d\d-\d\d>|(?P<year>(?:19|20)\d\d)))?"
    old = _any(words.old)
    return (
        re.compile(
            rf"(?:{_any(words.objects)}\s+)?(?:{old}\s+)?{names}(?:\s+{old})?\s*{_NUMBER}{year}\W*", re.IGNORECASE
        ),
        re.compile(
            rf"{_any(words.objects)}\s+[{_QUOTES}]?{_TITLE}[{_QUOTES}]?(?:,?\s+\(?(?i:{names})\s*{_NUMBER})?{year}\W*"
        ),
    )


def _listed(words: TitleBlockWords, names: str) -> tuple[re.Pattern[str], ...]:
    """What is named in a cell: a number may stand alone there, a title without an article, a year in brackets."""
    year = rf"(?:,?\s*\(?(?:{_any(words.dated)}\s+)?(?:<(?P<full>\d{{4}})-\d\d-\d\d>|(?P<year>(?:19|20)\d\d))\)?)?"
    objects, old, before = rf"(?:{_any(words.objects)}\s+)?", _any(words.old), rf"(?:\s*{_any(words.number)})?\s*"
    return (
        re.compile(rf"{objects}(?:{old}\s+)?{names}(?:\s+{old})?{before}{_NUMBER}{year}\W*", re.IGNORECASE),
        re.compile(rf"(?P<number>\d{{1,3}}|\d+(?:\.\d+){{1,3}}[a-z]?){year}\W*"),
        re.compile(
            rf"{objects}[{_QUOTES}]?(?!(?i:{old})\b){_TITLE}[{_QUOTES}]?"
            rf"(?:,?\s+\(?(?i:{names}){before}{_NUMBER}\)?)?{year}\W*"
        ),
    )
