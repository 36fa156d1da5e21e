"""What can be quoted of a section: its sentences, list items and table rows, each with what it cannot stand without."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_rag.records import Hit
from policy_rag_parsers.sentences import LIST_MARK, sentence_spans

Span = tuple[int, int]

_TABLE_CHARS = 450  # a table up to this length is quoted whole
_LIST_CHARS = 1200  # a list of conditions up to this length is quoted whole
_RULE = re.compile(r"[\s|:=_*~-]+")
_MARKUP = re.compile(r"[\s#*_|>]+")
_JOINED = re.compile(r"(?:;|,)?\s*\b(?:and|or|und|oder|unless|except|if|provided that)\s*[;,:]?$", re.IGNORECASE)
_EXCEPTION = re.compile(
    r"(?:however|unless|except|but|otherwise|provided|nevertheless|exceptions?|the only exception|"
    r"th(?:is|ese|ey|at)(?: \w+){0,3} do(?:es)? not apply|this applies|"
    r"jedoch|es sei denn|ausgenommen|ausnahmen?|sonst|dies gilt (?:nicht|nur))\b",
    re.IGNORECASE,
)
_LEANS = re.compile(
    r"(?:they|them|it|he|she|these|those|this|that|such|both|in (?:this|that|these|such) (?:case|cases|event)|"
    r"sie|er|es|diese[rsmn]?|dies|dabei|hierzu)\b",
    re.IGNORECASE,
)
_NUMBERED = frozenset(
    ("part", "chapter", "section", "article", "rule", "schedule", "annex", "appendix", "guidance", "note", "notes")
)
_TITLE_WORDS = 4
_LABEL_WORDS = 4  # a run-in heading: "4.4 Working meals.", "**Buyers.**"
_TERMINAL = re.compile(r"[.!?…:;。！？][\"'”’»)\]*_]*$")


@dataclass(frozen=True, slots=True)
class Unit:
    """Something that may be quoted.

    Attributes:
        text: what it says, its introduction first; this is what is compared with a question.
        start: first character of its own words, in the document.
        end: one past its last.
        spans: the ranges to quote, in order: what introduces it, then itself.
    """

    text: str
    start: int
    end: int
    spans: tuple[Span, ...]

    @property
    def length(self) -> int:
        """Characters that it is counted with: of a table that is quoted whole, what leads into the row, and the row."""
        return min(len(self.text), sum(end - start for start, end in self.spans))


def units(hit: Hit) -> list[Unit]:
    """What may be quoted of a hit, in order. Headings and rules are left out.

    A list item or table row brings its introduction or header row; items that are joined by "and" or "or" are one
    unit while their list is short; a sentence brings the exception that follows it, and a line that ends without a
    full stop what reads on from it.
    """
    text, offset = hit.text, hit.start
    spans = [span for span in sentence_spans(text, 0, len(text)) if not _RULE.fullmatch(text[slice(*span)])]
    headings = _headings(hit, spans)
    found: list[Unit] = []
    at = 0
    while at < len(spans):
        if at in headings:
            at += 1
            continue
        run = _run(text, spans, at, headings)
        found.extend(_leaning(text, spans, at, headings, offset) or _units_of_run(text, run, offset))
        at += len(run)
    return found


def _leaning(text: str, spans: Sequence[Span], at: int, headings: set[int], offset: int) -> list[Unit]:
    """The sentence at `at` with the one before it, if it says "they" or "this" of something named there."""
    if not at or at - 1 in headings or not _LEANS.match(text, spans[at][0]):
        return []
    before, own = spans[at - 1], spans[at]
    if "\n\n" in text[before[1] : own[0]] or _is_row(text, before):
        return []
    run = _run(text, spans, at, headings)
    return [_unit(text, run, (before,), offset)] if not _is_mark(text, run[-1]) else []


def _headings(hit: Hit, spans: Sequence[Span]) -> set[int]:
    """The places of the spans that are headings: the hit's own, and lines marked as one."""
    own = {_plain(part) for part in (hit.title, hit.number or "", f"{hit.number or ''} {hit.title}") if part.strip()}
    found = set()
    for place, (start, end) in enumerate(spans):
        line = hit.text[start:end]
        marked = line.startswith("#") or (line.startswith("**") and line.endswith("**"))
        shouted = line.isupper() and not _TERMINAL.search(line) and not _is_row(hit.text, (start, end))
        bare = _is_bare(line) and not _is_row(hit.text, (start, end))
        named = _plain(line) in own or _plain(line) == "" or (place == 0 and _opens(line, hit))
        if marked or shouted or bare or named or _is_title(hit.text, (start, end)):
            found.add(place)
    return found


def _is_title(text: str, span: Span) -> bool:
    """Whether a line of a few words without a full stop stands above text, as a title does."""
    line = text[slice(*span)]
    alone = text[: span[0]].endswith("\n") and text[span[1] :].startswith("\n") and text[span[1] :].strip() != ""
    words = line.split()
    short = len(words) <= _TITLE_WORDS and line[:1].isupper() and not _TERMINAL.search(line)
    return alone and short and not _is_mark(text, span) and all(word.isalpha() for word in words)


def _is_bare(line: str) -> bool:
    """Whether a line is a number without words: "A2.4.Guidance.1.", "(b)"."""
    letters = re.findall(r"[^\W\d_]+", line)
    return all(len(word) <= 2 or word.casefold() in _NUMBERED for word in letters) and any(c.isdigit() for c in line)


def _opens(line: str, hit: Hit) -> bool:
    """Whether the first line of a hit is its heading with something around it ("Article 5 - Hotels")."""
    return (
        bool(hit.title)
        and "\n" not in line
        and _plain(line).endswith(_plain(hit.title))
        and len(line) < len(hit.title) + 30
    )


def _plain(line: str) -> str:
    words = re.sub(r"[^\w\s.()]", " ", _MARKUP.sub(" ", line)).casefold()
    return " ".join(part.strip(".()") for part in words.split()).strip()


def _run(text: str, spans: Sequence[Span], at: int, headings: set[int]) -> list[Span]:
    """The spans from `at` that belong together: a table, a list with its introduction, or a sentence with its rest."""
    after = at + 1
    if _is_label(text, spans[at]) and after < len(spans) and after not in headings and not _is_mark(text, spans[after]):
        after += 1
        while after < len(spans) and after not in headings and _reads_on(text, spans[after - 1], spans[after]):
            after += 1
        return list(spans[at:after])
    opens = _is_mark(text, spans[at])
    kind = _is_row if _is_row(text, spans[at]) else _is_item
    if not opens and _introduces(text, spans[at]) and after < len(spans):
        opens = _is_item(text, spans[after]) or _is_row(text, spans[after])
        kind = _is_row if opens and _is_row(text, spans[after]) else _is_item
    while after < len(spans) and after not in headings:
        inside = kind(text, spans[after]) if opens else _reads_on(text, spans[after - 1], spans[after])
        if not inside:
            break
        after += 1
    return list(spans[at:after])


def _units_of_run(text: str, run: Sequence[Span], offset: int) -> list[Unit]:
    if len(run) == 1:
        return [_unit(text, run, (), offset)]
    if _is_row(text, run[-1]):
        return _rows(text, run, offset)
    joined = any(_JOINED.search(text[slice(*item)]) for item in run[:-1])
    if not _is_item(text, run[-1]) or (joined and run[-1][1] - run[0][0] <= _LIST_CHARS):
        return [_unit(text, run, (), offset)]
    found: list[Unit] = []
    outer: tuple[Span, ...] = ()
    inner: tuple[Span, ...] = ()
    for item in run:
        if inner and _shape(text, item) == _shape(text, inner[0]) and found and found[-1].start >= inner[0][1] + offset:
            inner = ()  # the list inside is over: "(iii)" after "(ii) ...: A. ... B. ..."
        if not _introduces(text, item):
            held = _held_on_to(text, found, item, offset)
            if held:
                found.pop()
            found.append(_unit(text, (*held, item), (*outer, *inner), offset))
        elif _is_item(text, item) and outer:
            inner = (item,)
        else:
            outer, inner = (item,), ()
    return found


def _held_on_to(text: str, found: Sequence[Unit], item: Span, offset: int) -> tuple[Span, ...]:
    """The item before, where it ends in "and" or "or" and so cannot stand without this one."""
    if not found:
        return ()
    before = (found[-1].start - offset, found[-1].end - offset)
    follows = not text[before[1] : item[0]].strip()
    joined = _JOINED.search(text[slice(*before)]) is not None
    return (before,) if follows and joined and item[1] - before[0] <= _LIST_CHARS else ()


def _shape(text: str, item: Span) -> str:
    """How an item is marked, letters and digits alike: "(1)" for "(12)", "A." for "B."."""
    mark = LIST_MARK.match(text, *item)
    kinds = ((r"[a-z]+", "a"), (r"[A-Z]+", "A"), (r"[0-9]+", "1"))
    shape = mark[0].strip() if mark else ""
    for pattern, kind in kinds:
        shape = re.sub(pattern, kind, shape)
    return shape


def _rows(text: str, run: Sequence[Span], offset: int) -> list[Unit]:
    """The rows of a table, each with what introduces the table and the header row; a small table is quoted whole."""
    lead = run[: 1 if _is_row(text, run[0]) or len(run) == 2 else 2]
    rows = run[len(lead) :]
    if run[-1][1] - run[0][0] > _TABLE_CHARS:
        return [_unit(text, (row,), lead, offset) for row in rows]
    whole = ((run[0][0] + offset, run[-1][1] + offset),)
    return [replace(_unit(text, (row,), lead, offset), spans=whole) for row in rows]


def _introduces(text: str, span: Span) -> bool:
    return text[slice(*span)].rstrip("*_ ").endswith((":", "—", "–"))


def _unit(text: str, own: Sequence[Span], lead: Sequence[Span], offset: int) -> Unit:
    spans = (*lead, (own[0][0], own[-1][1]))
    return Unit(
        text=" ".join(text[slice(*span)] for span in spans),
        start=own[0][0] + offset,
        end=own[-1][1] + offset,
        spans=tuple((start + offset, end + offset) for start, end in spans),
    )


def _is_row(text: str, span: Span) -> bool:
    line = text[slice(*span)]
    return " | " in line or line.startswith("|") or line.count("\t") > 1


def _is_item(text: str, span: Span) -> bool:
    return LIST_MARK.match(text, *span) is not None


def _is_mark(text: str, span: Span) -> bool:
    return _is_item(text, span) or _is_row(text, span)


def _is_label(text: str, span: Span) -> bool:
    """Whether a span is a numbered or bold name for what follows it in the same line."""
    line = text[slice(*span)]
    mark = LIST_MARK.match(line)
    if mark is None and not line.startswith("**"):
        return False
    words = line[mark.end() if mark else 0 :].split()
    goes_on = "\n\n" not in text[span[1] : span[1] + 2]
    return len(words) <= _LABEL_WORDS and line.rstrip("* ").endswith(".") and goes_on


def _reads_on(text: str, before: Span, span: Span) -> bool:
    """Whether a span limits the sentence before it, or goes on with it."""
    line, following = text[slice(*before)], text[slice(*span)]
    if _is_item(text, span) or _is_row(text, span):
        return False
    return bool(_EXCEPTION.match(following)) or (not _TERMINAL.search(line) and following[:1].islower())
