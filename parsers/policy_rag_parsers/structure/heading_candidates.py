"""Candidate headings: every line that might be one. Which of them are real is `heading_selection`'s."""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.excluded_regions import Regions, code_regions, table_regions
from policy_rag_parsers.structure.line_features import (
    CLOSING_DASHES,
    LONG_LINE,
    clean_title,
    end_of_line,
    is_quantity,
    is_row,
    is_title,
    leads_on,
    line_starts,
    weigh,
    wraps,
)
from policy_rag_parsers.structure.marked_candidates import marked_candidates
from policy_rag_parsers.structure.numbering import Closing, NumberMarker, read_marker
from policy_rag_parsers.structure.numbers_above import numbers_above
from policy_rag_parsers.text.dates import date_pattern
from policy_rag_parsers.text.invisible import INVISIBLE
from policy_rag_parsers.text.unit_words import BACK_MATTER, ORDINAL_WORD, PREAMBLES, UNIT_WORDS, words_pattern

_UNITS = words_pattern(UNIT_WORDS)
_BLANK = rf"[ \t\u00a0{INVISIBLE}]"
# A cheap look at each line, from line end to line end. A bare page number is none.
_NUMBER_LINE = re.compile(
    rf"\n(?={_BLANK}*(?:\d(?!\d*[ \t]*(?:\n|\Z))|§"
    rf"|[A-Za-z]\\?\.|[IVXLC]{{1,7}}\\?[.)]|[A-Z]\\?\)|(?:[A-Z]|[IVXLC]{{2,7}})[ \u00a0][–—-]|(?i:{_UNITS})(?:\b|\d)"
    rf"|[A-Z]\d{{1,2}}(?:\\?[.):]|[ \u00a0][–—-])"
    rf"|(?=[A-ZÀ-Þ]){ORDINAL_WORD}[ \u00a0](?i:{_UNITS})\b))"
)
_CAPITALS = re.compile(r"\n[ \t]*(?=[A-ZÀ-Þ][^a-z\n]{3,79}(?:\n|\Z))")
_ORDINAL = re.compile(r"\d(?:\.?[º°ª](?:-[A-Z])?|er|re)$")
_INDENT = 2  # a list inside another stands so many columns further in


def find_candidates(source: SourceText, text: str) -> list[HeadingCandidate]:
    """Return every line that may be a heading, in order of `start`, at most one a line.

    Args:
        source: the file; its heading marks are candidates as they stand.
        text: `source.text` with each CR made LF, so that offsets are the same.
    """
    tables = table_regions(source, text)
    code = code_regions(source, text)
    found: dict[int, HeadingCandidate] = {}
    for candidate in marked_candidates(source, text, code):
        found.setdefault(candidate.line_end, candidate)
    strong = Regions((candidate.start, candidate.end) for candidate in found.values())
    numbered = _number_candidates(text, source.body_start, tables, code)
    for candidate in _with_depth(text, numbered) if source.format is FileFormat.MARKDOWN else numbered:
        if candidate.start not in strong:
            found.setdefault(candidate.line_end, _without_marked_title(candidate, strong))
    if source.format is FileFormat.TEXT:
        for candidate in _candidates_above(text, source.body_start, tables):
            found[candidate.line_end] = candidate
    for candidate in _capital_candidates(text, source.body_start, tables, code):
        if candidate.start not in strong:
            found.setdefault(candidate.line_end, candidate)
    return _apart(sorted(found.values(), key=lambda candidate: (candidate.start, -candidate.end)))


def _without_marked_title(candidate: HeadingCandidate, strong: Regions) -> HeadingCandidate:
    """A unit whose title on the line below is marked as a heading of its own: "PART I" over an `<h2>`."""
    if candidate.end > candidate.line_end and candidate.end - 1 in strong:
        return candidate._replace(title="", end=candidate.line_end, body=candidate.line_end)
    return candidate


def _apart(candidates: list[HeadingCandidate]) -> list[HeadingCandidate]:
    """Leave out what lies in a candidate before it: the title under "CHAPTER I", a setext line that is also marked."""
    apart: list[HeadingCandidate] = []
    for candidate in candidates:
        if not apart or candidate.start >= apart[-1].end:
            apart.append(candidate)
    return apart


def _number_candidates(text: str, begin: int, tables: Regions, code: Regions) -> Iterator[HeadingCandidate]:
    before: NumberMarker | None = None
    for start in line_starts(_NUMBER_LINE, text, begin):
        line_end = end_of_line(text, start)
        line = text[start : min(line_end, start + LONG_LINE)]
        marker = read_marker(line)
        if marker is None or start in tables or start in code or (before and _answers(marker, before)):
            continue
        before = marker
        candidate = _numbered(text, start, line_end, line, marker)
        if candidate is not None:
            yield candidate


def _candidates_above(text: str, begin: int, tables: Regions) -> Iterator[HeadingCandidate]:
    for start, (title, end) in numbers_above(text, begin).items():
        line_end = end_of_line(text, start)
        marker = read_marker(text[start:line_end])
        if marker and start not in tables:
            kind = HeadingKind.NUMBERED if len(marker.parts) > 1 else HeadingKind.SINGLE
            yield HeadingCandidate(start, end, end, kind, title, marker, None, 2, line_end)


def _with_depth(text: str, candidates: Iterable[HeadingCandidate]) -> Iterator[HeadingCandidate]:
    """Give each item of a numbered list the depth of its list, which the indentation shows."""
    columns: list[int] = []
    for candidate in candidates:
        if candidate.kind is HeadingKind.SINGLE:
            line = text[text.rfind("\n", 0, candidate.start) + 1 : candidate.start]
            column = len(line.expandtabs(4))
            while columns and column < columns[-1] + _INDENT:
                columns.pop()
            columns.append(column)
            yield candidate._replace(level=len(columns))
        else:
            yield candidate


def _numbered(text: str, start: int, line_end: int, line: str, marker: NumberMarker) -> HeadingCandidate | None:
    rest = line[marker.rest :].strip()
    if is_row(rest) or is_quantity(marker, rest) or _is_edition(marker, rest):
        return None
    if marker.number[0] == "§" and _ORDINAL.search(marker.number):
        return None  # "§ 1º" is a paragraph of an article
    first = marker.parts[0]
    if first.word:
        kind = HeadingKind.ANNEXED if first.word in BACK_MATTER else HeadingKind.WORDED
    else:
        kind = HeadingKind.NUMBERED if len(marker.parts) > 1 else HeadingKind.SINGLE
    weight = weigh(marker, rest, text, start)
    if weight == 0:
        return None
    whole = line_end - start <= LONG_LINE and not wraps(text, start, line_end)
    titled = whole and is_title(_as_title(marker, rest)) and not leads_on(rest, text, line_end)
    title, end = (clean_title(rest), line_end) if titled else ("", start + marker.rest)
    body = line_end if titled or not rest else start + marker.rest
    if not rest:
        end = line_end
        if first.word:
            title, end = _title_below(text, line_end)
            body = end
    if first.word and rest and not titled and not _clause_of_unit(marker, rest):
        return None  # "Rule 7.2 requires ...", "Part 3 firms must ..."
    if marker.closing is Closing.DASH and (not titled or (not first.word and ";" in rest)):
        return None  # an item: "II - o respeito à privacidade;"
    return HeadingCandidate(start + marker.start, end, body, kind, title, marker, None, weight, line_end)


def _answers(marker: NumberMarker, before: NumberMarker) -> bool:
    """Whether "A1:" stands behind "Q1:", and belongs to what is asked there."""
    letter, *figures = marker.parts
    return bool(figures) and letter.value == "A" and before.parts[0].value > "A" and [*before.parts[1:]] == figures


def _is_edition(marker: NumberMarker, rest: str) -> bool:
    """Whether a line is a row of a history of versions: "1.1  1 June 2023  JS  Rail added"."""
    figures = len(marker.parts) > 1 and all(part.value.isdecimal() and not part.word for part in marker.parts)
    return figures and _dated().match(rest) is not None


@cache
def _dated() -> re.Pattern[str]:
    """A date that no sentence goes on from."""
    return re.compile(rf"(?i:{date_pattern()})(?!\d)(?!,? [a-zà-ÿ])")


def _as_title(marker: NumberMarker, rest: str) -> str:
    """The text beside a number; behind "Article 2 :" and in "§ 2 - repealed -" it may begin with a small letter."""
    if not marker.parts[0].word:
        return rest
    enclosed = marker.closing is Closing.DASH and rest.endswith(CLOSING_DASHES)
    title = clean_title(rest) if enclosed else rest
    return title[:1].upper() + title[1:] if enclosed or marker.closing is Closing.COLON else rest


def _clause_of_unit(marker: NumberMarker, rest: str) -> bool:
    """Whether a worded number carries a clause: set off by punctuation, or compound or an ordinal before a capital."""
    if marker.tab or marker.closing not in {Closing.NONE, Closing.DASH}:
        return True
    ordinal = _ORDINAL.search(marker.number) is not None  # "Art. 1º Esta Lei"
    return (len(marker.parts) > 1 or ordinal) and rest[:1].isupper()


def _title_below(text: str, line_end: int) -> tuple[str, int]:
    """Return the title on the line below "CHAPTER I", and where the heading then ends.

    A blank line may stand between the two, where another one sets the title off from its text.
    """
    start = line_end + 1
    end = end_of_line(text, start)
    if start < len(text) and not text[start:end].strip():
        start, end = end + 1, end_of_line(text, end + 1)
        if text[end + 1 : end_of_line(text, end + 1)].strip():
            return "", line_end
    line = text[start : min(end, start + LONG_LINE)] if start < len(text) else ""
    if (
        0 < len(line.strip()) <= 120
        and line.lstrip()[0] not in "#*|>-=_"
        and read_marker(line) is None
        and is_title(line)
        and line.strip()[-1] not in ".!:"
        and not is_row(line.strip())
    ):
        return clean_title(line), end
    return "", line_end


def _capital_candidates(text: str, begin: int, tables: Regions, code: Regions) -> Iterator[HeadingCandidate]:
    """Yield lines in capitals with a blank line, or the text's edge, before them."""
    for match in _CAPITALS.finditer("\n" + text if begin == 0 else text, max(begin - 1, 0)):
        start = match.end() - (begin == 0)
        line_end = end_of_line(text, start)
        line = text[start:line_end]
        set_off = not text[max(0, start - 2) : start].strip("\n") or line.strip().casefold() in PREAMBLES
        if start in tables or start in code or not set_off:
            continue
        if (
            line.isupper()
            and sum(char.isalpha() for char in line) >= 4
            and is_title(line)
            and line.rstrip()[-1] not in ".,;:"
        ):
            yield HeadingCandidate(
                start, line_end, line_end, HeadingKind.CAPITALS, clean_title(line), None, None, 1, line_end
            )
