"""What a document's head says of its version and validity, where nothing is declared.

Only the title block is read: the text before the first numbered or second heading, 2,500 characters at most; what it
leaves open is read in the page headers and footers, which are no part of the text. In either a statement must fill a
sentence, a table's cell, or the room between two commas, dashes or values of a line that is no prose: "Version 2.1 | in
force from 1 July 2026". Where two values contradict each other, none is taken. A date whose day and month could be
exchanged (03/04/2026) is no date.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.document_metadata.title_patterns import (
    CONTROL,
    COUNTED,
    LABEL,
    NUMBERED,
    POLICY,
    PROSE,
    SENTENCE,
    THEN,
    VALUE,
    TitlePatterns,
    first_match,
    title_patterns,
)
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.text.dates import date_of, date_pattern, weekday_names
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives

_HEAD_CHARS: Final = 2500
_HEAD_LINES: Final = 40
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(?P<title>.*)")
_WEEKDAY: Final = alternatives(name for language in LEXICONS for name in weekday_names(language))
# The day of the week tells nothing besides: "Date d'effet : lundi 4 mai 2026".
_DATE: Final = re.compile(rf"\b(?:(?:{_WEEKDAY}),?\s{{1,3}})?{date_pattern()}(?!\w)", re.IGNORECASE)
_MARKUP: Final = re.compile(r"[*_`]+|^[ \t]*[>|]+[ \t]*", re.MULTILINE)
_COLUMN: Final = re.compile(r"(?<=\S)[ ]*(?:\t|[ ]{3})\s*(?=[^\s|])")
# A row whose gaps are lost: "HR-020 Version 4.1 Effective 1 October 2025".
_VALUED: Final = re.compile(r"(?<=[\d>])\s+(?=[A-ZÄÖÜÉ])")
_SHORT_YEAR: Final = re.compile(r"(?<![\d.])(\d\d\.(?:0[1-9]|1[0-2])\.)(\d\d)(?![\d.])")


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """What the head of a text says.

    Attributes:
        version: "" where it says none.
        effective_from: first day on which it holds, or None; where none is given, the day after "Stand" or "Ausgabe".
        effective_to: last day on which it holds, or None.
        supersedes: what it replaces: "version 2.1" of the same title, "Travel Policy", "Travel Policy of 2023", or
            "Travel Policy, version 2.1"; nothing where it is a draft, which replaces nothing yet.
        is_draft: whether it calls itself a draft.
    """

    version: str = ""
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    supersedes: tuple[str, ...] = ()
    is_draft: bool = False


def read_title_block(source: SourceText) -> TitleBlock:
    r"""What the head of a document says of its version and validity.

    >>> from policy_rag_parsers.records import FileFormat
    >>> head = "# Travel Policy\nVersion 2.2, in force from 1 July 2026. It replaces version 2.1.\n\n## 1 Scope\n"
    >>> found = read_title_block(SourceText(head, FileFormat.MARKDOWN))
    >>> found.version, found.effective_from.isoformat(), found.supersedes
    ('2.2', '2026-07-01', ('version 2.1',))
    """
    found = _parse(_head(source))
    around = _parse("\n".join(source.margins[:_HEAD_LINES])[:_HEAD_CHARS])
    first, last = _in_order(found.effective_from or around.effective_from, found.effective_to or around.effective_to)
    if first is None and last is None:
        first, last = found.effective_from, found.effective_to
    is_draft = found.is_draft or around.is_draft
    return TitleBlock(found.version or around.version, first, last, found.supersedes or around.supersedes, is_draft)


def exchangeable_day(source: SourceText) -> str:
    r"""The day from which a document says that it holds, as written, if its day and month could be exchanged; else "".

    >>> from policy_rag_parsers.records import FileFormat
    >>> head = "# Site Rules\nIssue 5, valid from 01/09/2025\n\n## 1 Scope\n"
    >>> exchangeable_day(SourceText(head, FileFormat.MARKDOWN))
    '01/09/2025'
    """
    shown: dict[dt.date, str] = {}

    def stood_for(match: re.Match[str]) -> str:
        if date_of(match) is not None or not match["d4"]:
            return match[0]
        day = dt.date(int(match["y4"]), 1, 1) + dt.timedelta(len(shown))  # any: it only tells which date it was
        shown[day] = match[0]
        return day.isoformat()

    first = _parse(_DATE.sub(stood_for, _head(source))).effective_from
    return shown.get(first, "") if first else ""


def _parse(text: str) -> TitleBlock:
    """What a text states; nothing of what is stated twice in different ways."""
    rows = _SHORT_YEAR.sub(r"\g<1>20\g<2>", _COLUMN.sub(" | ", _MARKUP.sub("", text)))
    rest = COUNTED.sub(r"Version \g<number>", _DATE.sub(_marked, rows))
    supersedes: list[str] = []
    for patterns in title_patterns():
        rest, names = _without_replaced(rest, patterns)
        supersedes.extend(names)
    versions: set[str] = set()
    begins: set[dt.date] = set()
    ends: set[dt.date] = set()
    as_of: set[dt.date] = set()
    is_draft = False
    for statement in _statements(rest):
        for patterns in title_patterns():
            is_draft = is_draft or patterns.draft.fullmatch(statement) is not None
            if match := first_match(patterns.version, statement):
                versions.add(match["number"])
            if match := patterns.as_of.fullmatch(statement):
                as_of.add(dt.date.fromisoformat(match["day"]))
            if match := first_match(patterns.begins, statement):
                begins.add(dt.date.fromisoformat(match["day"]))
                if (last := match.groupdict().get("last")) is not None:
                    ends.add(dt.date.fromisoformat(last))
            if match := first_match(patterns.ends, statement):
                ends.add(dt.date.fromisoformat(match["last"]))
    first, last = _in_order(_only(begins or as_of), _only(ends))
    version = next(iter(versions)) if len(versions) == 1 else ""
    return TitleBlock(version, first, last, () if is_draft else tuple(dict.fromkeys(supersedes)), is_draft)


def with_title_block(declaration: Declaration, source: SourceText) -> Declaration:
    """A declaration with what the text states where nothing is declared; what is declared wins, key by key.

    Days under other keys ("effective date", "gültig bis") are those that such words mean in a head.
    """
    found = read_title_block(source)
    keyed = _parse("\n".join(f"{re.sub('[_-]', ' ', key)}: {value}" for key, value in declaration.extra))
    begins = declaration.effective_from or keyed.effective_from or found.effective_from
    ends = declaration.effective_to or keyed.effective_to or found.effective_to
    if begins is not None and ends is not None and ends < begins:
        begins, ends = declaration.effective_from, declaration.effective_to
    return replace(
        declaration,
        version=declaration.version or found.version,
        effective_from=begins,
        effective_to=ends,
        supersedes=declaration.supersedes or found.supersedes,
        is_draft=keyed.is_draft or found.is_draft,
    )


def _in_order(first: dt.date | None, last: dt.date | None) -> tuple[dt.date | None, dt.date | None]:
    """A first and a last day; none where they contradict each other."""
    return (None, None) if first is not None and last is not None and last < first else (first, last)


def _only(days: set[dt.date]) -> dt.date | None:
    return next(iter(days)) if len(days) == 1 else None


def _head(source: SourceText) -> str:
    """The text before the first numbered or the second heading; a heading over a control table ends nothing."""
    end = min(len(source.text), source.body_start + _HEAD_CHARS)
    marks = [m for m in source.headings if not CONTROL.search(source.text[m.start : m.end])]
    if len(marks) > 1:
        end = min(end, marks[1].start)
    lines: list[str] = []
    titles = 0
    for line in source.text[source.body_start : end].split("\n")[:_HEAD_LINES]:
        plain = line.strip()
        heading = _HEADING.fullmatch(plain)
        if heading and not CONTROL.search(heading["title"]):
            titles += 1
        if titles > 1 or (NUMBERED.fullmatch(plain) and not (_DATE.match(plain) or COUNTED.match(plain))):
            break
        lines.append(line)
    return "\n".join(lines)


def _marked(match: re.Match[str]) -> str:
    """A date as `<YYYY-MM-DD>`; what is none, or could be two, stays as it is."""
    day = date_of(match)
    return match[0] if day is None else f"<{day.isoformat()}>"


def _statements(text: str) -> Iterator[str]:
    """Sentences and cells; where they are no prose, their parts between commas and values; a label with its value."""
    for line in text.split("\n"):
        sentences = [part.strip(" \t.:,") for part in SENTENCE.split(line) if part and part.strip(" \t.:,")]
        for i, sentence in enumerate(sentences):
            yield from THEN.split(sentence)
            if not PROSE.search(sentence):
                yield from (part.strip(" \t.") for part in sentence.split(","))
                yield from _VALUED.split(sentence) if "<" in sentence else ()
            follower = sentences[i + 1] if i + 1 < len(sentences) else ""
            if LABEL.fullmatch(sentence) and VALUE.fullmatch(follower):
                yield f"{sentence} {follower}"


def _without_replaced(text: str, patterns: TitlePatterns) -> tuple[str, list[str]]:
    """A text without what it says that is replaced, which tells nothing of its own version and dates; and the names.

    An "and" in front of it goes too where what it joins is a statement, and what follows behind another one stays.
    """
    names: list[str] = []

    def cut(match: re.Match[str]) -> str:
        line = text[: match.start()].rpartition("\n")[2]
        join = match["join"] or ""
        own = bool(patterns.replacer.fullmatch(line + join)) or bool(join and _is_stated(SENTENCE.split(line)[-1]))
        if not own:
            return f"{join}; "
        if match["label"]:
            names.extend(_named(match["value"], patterns.listed))
        what, then = _parted(match["what"] or "", patterns)
        names.extend(_named(what, patterns.old))
        return f"; {then}"

    return patterns.replaces.sub(cut, text), names


def _is_stated(row: str) -> bool:
    """Whether a row states of this document what a title block may, and nothing else."""
    parts = [part.strip(" \t.") for part in row.split(",")]
    return all(
        any(first_match((*one.version, *one.begins, *one.ends), part) for one in title_patterns()) for part in parts
    )


def _parted(what: str, patterns: TitlePatterns) -> tuple[str, str]:
    """What is replaced, and the statement that an "and" joins to it: "version 2.1 and takes effect on ..."."""
    for join in patterns.then.finditer(what):
        if first_match((*patterns.begins, *patterns.ends), what[join.end() :].strip(" \t,")):
            return what[: join.start()], what[join.end() :]
    return what, ""


def _named(what: str, patterns: tuple[re.Pattern[str], ...]) -> list[str]:
    """The names of what a text says that it replaces; none where it names nothing certain."""
    match = first_match(patterns, " ".join(what.split()))
    if match is None:
        return []
    found = match.groupdict()
    title, number, year = found.get("title"), found["number"], found["full"] or found["year"]
    if title is None:
        return [f"version {number}"]
    if not POLICY.search(title):
        return []
    return [title.strip() + (f", version {number}" if number else f" of {year}" if year else "")]
