"""What a document's head says of its version and validity, where nothing is declared.

Only the title block is read: the text before the first numbered or second heading, 2,500 characters at most; what it
leaves open is read in the page headers and footers, which are no part of the text. In either a statement must fill a
sentence, a table's cell, or the room between two commas or dashes of a line that is no prose: "Version 2.1 | in force
from 1 July 2026". Where two values contradict each other, none is taken. A date whose day and month could be exchanged
(03/04/2026) is no date.
"""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.text.dates import date_of, date_pattern

_HEAD_CHARS: Final = 2500
_HEAD_LINES: Final = 40
_CONTROL: Final = re.compile(r"(?i)document (?:control|information|details)|dokument(?:enlenkung|information)")
_HEADING: Final = re.compile(r"#{1,6}[ \t]+(?P<title>.*)")
_NUMBERED: Final = re.compile(
    r"(?:#{1,6}\s*)?(?:(?:§+|art(?:icle|ikel)?\.?|section|part|chapter|clause|teil|abschnitt)\s*)?"
    r"(?:\d+(?:\.\d+)*[.)]?|[IVX]+\.)\s+\S.*",
    re.IGNORECASE,
)

_DATE: Final = re.compile(rf"\b{date_pattern()}(?!\w)", re.IGNORECASE)

# Once dates are replaced by marks, "<" and ">" around the ISO form, statements have few shapes.
_DAY: Final = r"<(?P<day>\d{4}-\d\d-\d\d)>"
_LAST: Final = r"(?:\s*(?:to|until|through|till|bis(?:\s+zum)?|-|–)\s*<(?P<last>\d{4}-\d\d-\d\d)>)?"
_NOUN: Final = (
    r"(?:policy|document|guideline|guidance|standard|procedure|code|charter|handbook|manual|agreement|schedule|version|"
    r"rules|terms|regulations?|richtlinie|leitlinie|ordnung|regelung|fassung|vereinbarung|betriebsvereinbarung|"
    r"dienstanweisung|dokument|satzung|version)"
)
_SUBJECT: Final = rf"(?:(?:and|und)\s+)?(?:(?:it|sie|this|diese[rs]?|the|die|der|das)(?:\s+{_NOUN})?\s+)?"
_BECOMES: Final = (
    r"(?:(?:is|becomes|became|shall be|will be|comes?|came|enters?|entered|takes?|took|shall enter|will enter|ist)\s+)?"
)
_FROM_WORDS: Final = (
    r"(?:effective(?:\s+(?:date|from|as of|as from|on|since))?|in force(?:\s+(?:from|since|as of|on))?|"
    r"into (?:force|effect)(?:\s+(?:on|from))?|effect(?:\s+(?:on|from))|valid\s+(?:from|as of|since)|"
    r"appl(?:ies|y) (?:from|as of)|applicable (?:from|as of)|with effect from|date of (?:entry into force|effect)|"
    r"gültig\s+(?:ab|seit|vom)(?:\s+dem)?|gilt\s+(?:ab|seit)(?:\s+dem)?|in kraft\s+(?:ab|seit)(?:\s+dem)?|"
    r"inkrafttreten|mit wirkung (?:vom|zum))"
)
_FROM: Final = (
    re.compile(rf"{_SUBJECT}{_BECOMES}{_FROM_WORDS}\s*[:=]?\s*{_DAY}{_LAST}", re.IGNORECASE),
    re.compile(rf"{_SUBJECT}(?:tritt|trat)\s+(?:am|zum)\s+{_DAY}\s+in kraft", re.IGNORECASE),
)
_TO: Final = (
    re.compile(
        rf"{_SUBJECT}{_BECOMES}(?:(?:valid|effective|in force)\s+(?:until|to|through|till)|expires(?:\s+on)?|"
        rf"expiry(?:\s+date)?|end of validity|gültig\s+bis(?:\s+zum)?|gilt\s+bis(?:\s+zum)?)\s*[:=]?\s*"
        rf"<(?P<last>\d{{4}}-\d\d-\d\d)>",
        re.IGNORECASE,
    ),
    re.compile(
        rf"{_SUBJECT}(?:tritt|trat)\s+(?:am|zum|mit ablauf des)\s+<(?P<last>\d{{4}}-\d\d-\d\d)>\s+außer kraft",
        re.IGNORECASE,
    ),
)
# What German documents print instead of a first day; it counts where none is given.
_AS_OF: Final = re.compile(rf"(?:stand|ausgabe|ausgabestand)(?:\s+vom)?\s*[:=]?\s*{_DAY}", re.IGNORECASE)
_NUMBER: Final = r"(?P<number>\d+(?:\.\d+){0,3}[a-z]?)"
_ISSUE: Final = r"(?:issue|edition|revision|ausgabe|auflage|fassung)"
_VERSION: Final = re.compile(
    rf"(?:(?:this|document|policy)\s+)?(?:version|versionsnummer|ver\.?|rev\.?|v\.?|{_ISSUE})"
    rf"(?:\s*(?:no\.?|number|nr\.?))?\s*[:=]?\s*{_NUMBER}(?:\s+(?:of|from|dated|vom|von)\s+<[\d-]+>)?",
    re.IGNORECASE,
)
_LETTERED: Final = re.compile(r"(?i:revision|rev\.?|issue|version|ausgabe)\s*[:=]?\s*(?P<number>[A-Z])")  # Rev. B
# "3rd edition" and "5. Ausgabe" are read as "Version 3" and "Version 5".
_COUNTED: Final = re.compile(rf"(?P<number>\d{{1,3}})(?:st|nd|rd|th|\.)\s+{_ISSUE}", re.IGNORECASE)
_LABEL: Final = re.compile(r"[^\d<>|]{3,40}")
_VALUE: Final = re.compile(r"<[\d-]+>|[vV]?\d+(?:\.\d+){0,3}|[A-Z]")

_REPLACES: Final = re.compile(
    r"(?P<verb>\b(?:replaces|supersedes|replacing|superseding|ersetzt)\b)\s+(?P<what>[^.;()|\n–]*(?:\.\d[^.;()|\n–]*)*)",
    re.IGNORECASE,
)
_REPLACER: Final = re.compile(
    rf"(?:.*(?:[.;,(|–]|\s-))?\s*(?:(?:and|und|which|die|it|sie|(?:this|diese[rs]?)\s+{_NOUN}|"
    rf"(?:this\s+|diese\s+)?(?:version|fassung)\s+[\d.]+\d)\s+)*",
    re.IGNORECASE | re.DOTALL,
)
_YEAR: Final = r"(?:,?\s+(?:of|from|dated|vom|von|aus)\s+(?:<(?P<full>\d{4})-\d\d-\d\d>|(?P<year>(?:19|20)\d\d)))?"
_OLD_VERSION: Final = re.compile(
    rf"(?:the\s+|die\s+)?(?:previous\s+|earlier\s+|bisherige\s+)?(?:version|fassung)\s+{_NUMBER}{_YEAR}\W*",
    re.IGNORECASE,
)
_OLD_TITLE: Final = re.compile(
    r"(?:the|die|das|den|our|unsere)\s+[\"“„'‘]?(?P<title>[A-ZÄÖÜ][^\"“”„'<>,:]{2,80}?)[\"”“'’]?"
    rf"(?:,?\s+(?:\(?version|fassung)\s+{_NUMBER})?{_YEAR}\W*"
)
_POLICY: Final = re.compile(
    r"(?i:polic(?:y|ies)|guidelines?|standard|code|procedures?|rules|handbook|charter|schedule|terms|manual|\w*richtlinie|"
    r"\w*leitlinie|\w*ordnung|\w*vereinbarung|\w*anweisung)"
)
# A finite verb, or a clause after a comma: no row of a title block.
_PROSE: Final = re.compile(
    r",\s+(?:the|an?|all|each|every|no|any|der|die|das|alle|jede[rs]?|kein\w*)\s|\b(?:is|are|was|were|has|have|will|shall|must|may|can|should|would|applies|apply|rises?|ist|sind|war|wird|werden|"
    r"muss|müssen|kann|können|darf|dürfen|hat|haben|soll|sollen|gelten)\b",
    re.IGNORECASE,
)
_MARKUP: Final = re.compile(r"[*_`]+|^[ \t]*[>|]+[ \t]*", re.MULTILINE)
_SENTENCE: Final = re.compile(
    r"(?<=[^\d\s][.!?])\s+|(?<=\d[.!?])\s+(?=[A-ZÄÖÜ])|(?<=>[.!?])\s+|[|;()\n]|\s[–—-]\s|\s•\s|\s·\s"
)


@dataclass(frozen=True, slots=True)
class TitleBlock:
    """What the head of a text says.

    Attributes:
        version: "" where it says none.
        effective_from: first day on which it holds, or None; where none is given, the day after "Stand" or "Ausgabe".
        effective_to: last day on which it holds, or None.
        supersedes: what it replaces: "version 2.1" of the same title, "Travel Policy", "Travel Policy of 2023", or
            "Travel Policy, version 2.1".
    """

    version: str = ""
    effective_from: dt.date | None = None
    effective_to: dt.date | None = None
    supersedes: tuple[str, ...] = ()


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
    return TitleBlock(found.version or around.version, first, last, found.supersedes or around.supersedes)


def _parse(text: str) -> TitleBlock:
    """What a text states; nothing of what is stated twice in different ways."""
    head = _COUNTED.sub(r"Version \g<number>", _DATE.sub(_marked, _MARKUP.sub("", text)))
    supersedes: list[str] = []

    def cut(match: re.Match[str]) -> str:
        line = head[: match.start()].rpartition("\n")[2]
        if _REPLACER.fullmatch(line):
            supersedes.extend(_replaced(match["what"]))
        return ". "  # what is replaced says nothing of this document's own version and dates

    rest = _REPLACES.sub(cut, head)
    versions: set[str] = set()
    begins: set[dt.date] = set()
    ends: set[dt.date] = set()
    as_of: set[dt.date] = set()
    for statement in _statements(rest):
        if match := _VERSION.fullmatch(statement) or _LETTERED.fullmatch(statement):
            versions.add(match["number"])
        if match := _AS_OF.fullmatch(statement):
            as_of.add(dt.date.fromisoformat(match["day"]))
        for pattern in _FROM:
            if match := pattern.fullmatch(statement):
                begins.add(dt.date.fromisoformat(match["day"]))
                if (last := match.groupdict().get("last")) is not None:
                    ends.add(dt.date.fromisoformat(last))
        for pattern in _TO:
            if match := pattern.fullmatch(statement):
                ends.add(dt.date.fromisoformat(match["last"]))
    first, last = _in_order(_only(begins or as_of), _only(ends))
    version = next(iter(versions)) if len(versions) == 1 else ""
    return TitleBlock(version, first, last, tuple(dict.fromkeys(supersedes)))


def with_title_block(declaration: Declaration, source: SourceText) -> Declaration:
    """A declaration with what the text states where nothing is declared; what is declared wins, key by key."""
    found = read_title_block(source)
    begins = declaration.effective_from or found.effective_from
    ends = declaration.effective_to or found.effective_to
    if begins is not None and ends is not None and ends < begins:
        begins, ends = declaration.effective_from, declaration.effective_to
    return replace(
        declaration,
        version=declaration.version or found.version,
        effective_from=begins,
        effective_to=ends,
        supersedes=declaration.supersedes or found.supersedes,
    )


def _in_order(first: dt.date | None, last: dt.date | None) -> tuple[dt.date | None, dt.date | None]:
    """A first and a last day; none where they contradict each other."""
    return (None, None) if first is not None and last is not None and last < first else (first, last)


def _only(days: set[dt.date]) -> dt.date | None:
    return next(iter(days)) if len(days) == 1 else None


def _head(source: SourceText) -> str:
    """The text before the first numbered or the second heading; a heading over a control table ends nothing."""
    end = min(len(source.text), source.body_start + _HEAD_CHARS)
    marks = [m for m in source.headings if not _CONTROL.search(source.text[m.start : m.end])]
    if len(marks) > 1:
        end = min(end, marks[1].start)
    lines: list[str] = []
    titles = 0
    for line in source.text[source.body_start : end].split("\n")[:_HEAD_LINES]:
        plain = line.strip()
        heading = _HEADING.fullmatch(plain)
        if heading and not _CONTROL.search(heading["title"]):
            titles += 1
        if titles > 1 or (_NUMBERED.fullmatch(plain) and not (_DATE.match(plain) or _COUNTED.match(plain))):
            break
        lines.append(line)
    return "\n".join(lines)


def _marked(match: re.Match[str]) -> str:
    """A date as `<YYYY-MM-DD>`; what is none, or could be two, stays as it is."""
    day = date_of(match)
    return match[0] if day is None else f"<{day.isoformat()}>"


def _statements(text: str) -> Iterator[str]:
    """Sentences and cells; where they are no prose, their parts between commas too; a label with its value."""
    for line in text.split("\n"):
        sentences = [part.strip(" \t.:,") for part in _SENTENCE.split(line) if part and part.strip(" \t.:,")]
        for i, sentence in enumerate(sentences):
            yield sentence
            if "," in sentence and not _PROSE.search(sentence):
                yield from (part.strip(" \t.") for part in sentence.split(","))
            follower = sentences[i + 1] if i + 1 < len(sentences) else ""
            if _LABEL.fullmatch(sentence) and _VALUE.fullmatch(follower):
                yield f"{sentence} {follower}"


def _replaced(what: str) -> list[str]:
    """The names of what a text says that it replaces; none where it names nothing certain."""
    plain = " ".join(what.split())
    if match := _OLD_VERSION.fullmatch(plain):
        return [f"version {match['number']}"]
    match = _OLD_TITLE.fullmatch(plain)
    if match is None or not _POLICY.search(match["title"]):
        return []
    year = match["full"] or match["year"]
    version = f", version {match['number']}" if match["number"] else ""
    return [match["title"].strip() + (version or (f" of {year}" if year else ""))]
