"""Candidate headings: every line that might be one, with what speaks for it. Which of them are real is `sequence`'s."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.drawn_titles import drawn_titles
from policy_rag_parsers.structure.excluded_regions import Regions, code_regions, table_regions
from policy_rag_parsers.structure.line_features import (
    LONG_LINE,
    clean_title,
    is_quantity,
    is_row,
    is_title,
    leads_on,
    weigh,
    wraps,
)
from policy_rag_parsers.structure.numbering import INVISIBLE, Closing, Marker, read_marker
from policy_rag_parsers.text.markdown_lines import breaks_hard
from policy_rag_parsers.text.unit_words import BACK_MATTER, PREAMBLES, UNIT_WORDS, words_pattern


class HeadingKind(StrEnum):
    """How a line shows that it may be a heading."""

    MARKED = "marked"  # by the file's format: <h2>, the style "Heading 2", a large font
    ATX = "atx"  # Markdown: ## Scope
    SETEXT = "setext"  # Markdown: underlined
    BOLD = "bold"  # Markdown: a whole line in bold
    WORDED = "worded"  # Part 6, Article IV, § 3.2
    ANNEXED = "annexed"  # Schedule 1, Appendix A, Annex II
    NUMBERED = "numbered"  # 4.2, A.3, 1.2.1.(2): two components or more
    SINGLE = "single"  # 1. or 1) or A. or IV.
    CAPITALS = "capitals"  # a line of its own in capitals
    CUSTOM = "custom"  # matched by a user's pattern


STRONG = frozenset({HeadingKind.MARKED, HeadingKind.ATX, HeadingKind.SETEXT, HeadingKind.BOLD, HeadingKind.CUSTOM})


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that may be a heading.

    Attributes:
        start: its first visible character.
        end: one past the heading's last line, without the line end.
        body: where its body begins: after the line, or behind the number where the text beside it is no title.
        kind: what makes it a candidate.
        title: its title, cleaned; empty for a clause whose text follows its number.
        marker: its number, or None. The marker's own offsets count from the start of the line.
        level: the level that its format or pattern gives it, from 1, or the depth of its list in Markdown; None where
            only the number tells.
        weight: 2 for the shape of a heading or clause, 1 for a doubtful one, 0 for running text.
        line_end: where its first line ends.
    """

    start: int
    end: int
    body: int
    kind: HeadingKind
    title: str
    marker: Marker | None
    level: int | None
    weight: int
    line_end: int

    @property
    def strong(self) -> bool:
        """Whether the format itself says that this is a heading."""
        return self.kind in STRONG


def is_bare_unit(heading: Candidate) -> bool:
    """Whether a heading has a unit's word and no number: "Schedule" and "Schedule of fees" are titles."""
    marker = heading.marker
    if marker is None or len(marker.parts) != 1 or marker.parts[0].value:
        return False
    return not heading.title or (marker.closing is Closing.NONE and marker.rest == marker.end + 1)


def is_list_item(candidate: Candidate) -> bool:
    """Whether a candidate is an item of a numbered list of Markdown, whose indentation tells where it lies."""
    return candidate.kind is HeadingKind.SINGLE and candidate.level is not None


_UNITS = words_pattern(UNIT_WORDS)
_BLANK = rf"[ \t\u00a0{INVISIBLE}]"
# A cheap look at each line, from line end to line end. A bare page number is none.
_NUMBER_LINE = re.compile(
    rf"\n(?={_BLANK}*(?:\d(?!\d*[ \t]*(?:\n|\Z))|§"
    rf"|[A-Za-z]\\?\.|[IVXLC]{{1,7}}\\?[.)]|[A-Z]\\?\)|(?:[A-Z]|[IVXLC]{{2,7}})[ \u00a0][–—-]|(?i:{_UNITS})(?:\b|\d)))"
)
_ATX = re.compile(r"\n(?= {0,3}#{1,6}(?:[ \t]|\n|\Z))")
_ATX_LINE = re.compile(r" {0,3}(#{1,6})[ \t]*(.*?)(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r"\n {0,3}(?P<line>=+|-{2,})[ \t]*(?=\n|\Z)")
_BOLD = re.compile(r"\n(?= {0,3}(?:\*\*|__)\S)")
_BOLD_LINE = re.compile(r" {0,3}(\*\*|__)(?P<inner>(?:(?!\1).){1,200})\1[ \t]*(?P<rest>.*)$")
_INK = re.compile(r"\S")
_BLANK_TO_FILL = re.compile(r"\s*\[[^\]]*\]\s*")
_TAG = re.compile(r"\n(?= {0,3}<[hH][1-6][ >])")
_TAG_LINE = re.compile(
    r" {0,3}<h([1-6])(?:\s[^<>]{0,200})?>(?:\s*<[^<>]{1,200}>){0,4}\s*(?P<inner>.*?)"
    r"(?:</[a-z]{1,6}>\s*){0,4}</h\1>\s*$",
    re.IGNORECASE,
)
_CAPITALS = re.compile(r"\n[ \t]*(?=[A-ZÀ-Þ][^a-z\n]{3,79}(?:\n|\Z))")
_ORDINAL = re.compile(r"\d(?:\.?[º°ª]|er|re)$")
_ABUTTING = re.compile(r"\d{1,3}(?:\.\d{1,3})+(?=[A-Z][a-z]|[A-Z]{3})", re.ASCII)

_INDENT = 2  # a list inside another stands so many columns further in
_HABIT = 2  # a plain text with so many lines of Markdown is written in it


def find_candidates(source: SourceText, text: str) -> list[Candidate]:
    """Return every line that may be a heading, in order of `start`, at most one a line.

    Args:
        source: the file; its heading marks are candidates as they stand.
        text: `source.text` with each CR made LF, so that offsets are the same.
    """
    tables = table_regions(source, text)
    code = code_regions(source, text)
    found: dict[int, Candidate] = {}
    for candidate in _strong_candidates(source, text, code):
        found.setdefault(candidate.line_end, candidate)
    strong = Regions((candidate.start, candidate.end) for candidate in found.values())
    numbered = _number_candidates(text, source.body_start, tables, code)
    for candidate in _with_depth(text, numbered) if source.format is FileFormat.MARKDOWN else numbered:
        if candidate.start not in strong:
            found.setdefault(candidate.line_end, _without_marked_title(candidate, strong))
    for candidate in _capital_candidates(text, source.body_start, tables, code):
        if candidate.start not in strong:
            found.setdefault(candidate.line_end, candidate)
    return _apart(sorted(found.values(), key=lambda candidate: (candidate.start, -candidate.end)))


def _without_marked_title(candidate: Candidate, strong: Regions) -> Candidate:
    """A unit whose title on the line below is marked as a heading of its own: "PART I" over an `<h2>`."""
    if candidate.end > candidate.line_end and candidate.end - 1 in strong:
        return replace(candidate, title="", end=candidate.line_end, body=candidate.line_end)
    return candidate


def _apart(candidates: list[Candidate]) -> list[Candidate]:
    """Leave out what lies in a candidate before it: the title under "CHAPTER I", a setext line that is also marked."""
    apart: list[Candidate] = []
    for candidate in candidates:
        if not apart or candidate.start >= apart[-1].end:
            apart.append(candidate)
    return apart


def _line_starts(pattern: re.Pattern[str], text: str, begin: int) -> Iterator[int]:
    """Yield where the lines start that a pattern finds; the pattern begins with the line end before."""
    if pattern.match("\n" + text[begin : begin + LONG_LINE]):
        yield begin
    for match in pattern.finditer(text, begin):
        yield match.end()


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return len(text) if end < 0 else end


def _strong_candidates(source: SourceText, text: str, code: Regions) -> Iterator[Candidate]:
    for mark in source.headings:
        content = text[mark.start : mark.end].strip()
        written = source.format is FileFormat.HTML and len(content) <= LONG_LINE  # `<h2>`, whatever it says
        if mark.start >= source.body_start and content and (written or not _is_sentence(content)):
            yield _strong(text, mark.start, mark.end, mark.end, HeadingKind.MARKED, mark.level)
    markdown = source.format is FileFormat.MARKDOWN
    if not markdown and source.format is not FileFormat.TEXT:
        return
    if not markdown:
        for start, end, body, level in drawn_titles(text, source.body_start, code):
            yield _strong(text, start, end, body, HeadingKind.SETEXT, level, line_end=end)
    if markdown or len(_ATX.findall(text)) >= _HABIT:
        yield from _atx(source, text, code)
    if markdown:
        yield from _setext(source, text, code)
        yield from _tagged(source, text, code)
    if markdown or len(_BOLD.findall(text)) >= _HABIT:
        yield from _bold(source, text, code)


def _is_sentence(content: str) -> bool:
    """Whether a marked line is text after all: a sentence without a number, in bold or in the style of a heading."""
    return read_marker(content) is None and (
        len(content) > LONG_LINE or (content.endswith((".", ";")) and content.count(" ") > 12)
    )


def _atx(source: SourceText, text: str, code: Regions) -> Iterator[Candidate]:
    for start in _line_starts(_ATX, text, source.body_start):
        line_end = _line_end(text, start)
        match = _ATX_LINE.match(text[start : min(line_end, start + LONG_LINE)])
        if match and match[2] and start not in code:
            inner = start + match.start(2)
            yield _strong(text, inner, start + match.end(2), line_end, HeadingKind.ATX, len(match[1]), first=start)


def _tagged(source: SourceText, text: str, code: Regions) -> Iterator[Candidate]:
    """Yield the lines of Markdown that are a heading of HTML: `<h3>2.1 Exceptions</h3>`."""
    for start in _line_starts(_TAG, text, source.body_start):
        line_end = _line_end(text, start)
        match = _TAG_LINE.match(text[start : min(line_end, start + LONG_LINE)])
        if match and match["inner"] and start not in code:
            inner, end = start + match.start("inner"), start + match.end("inner")
            yield _strong(text, inner, end, line_end, HeadingKind.ATX, int(match[1]), first=start)


def _setext(source: SourceText, text: str, code: Regions) -> Iterator[Candidate]:
    for match in _SETEXT.finditer(text, source.body_start):
        start = max(text.rfind("\n", source.body_start, match.start()) + 1, source.body_start)
        line = text[start : min(match.start(), start + LONG_LINE)]
        alone = start - source.body_start < 2 or text[start - 2 : start] == "\n\n"
        if not line.strip() or start in code or match.start() - start > 200 or line.lstrip()[:1] in "|->#*":
            continue
        level = 1 if match["line"][0] == "=" else 2
        if level == 2 and (not alone or not is_title(clean_title(line))) and read_marker(line) is None:
            continue  # a rule under a paragraph
        yield _strong(text, start, match.start(), match.end(), HeadingKind.SETEXT, level, line_end=match.start())


def _bold(source: SourceText, text: str, code: Regions) -> Iterator[Candidate]:
    for start in _line_starts(_BOLD, text, source.body_start):
        line_end = _line_end(text, start)
        match = _BOLD_LINE.match(text[start : min(line_end, start + LONG_LINE)])
        if match is None or start in code:
            continue
        inner, inner_end = start + match.start("inner"), start + match.end("inner")
        marker = read_marker(match["inner"])
        if match["rest"]:
            # "**2.1 Scope.** This policy ...": a heading that runs into its text
            if marker is None or (line_end - start > LONG_LINE and not is_title(match["inner"])):
                continue
            body = start + match.start("rest")
            yield _strong(text, inner, inner_end, body, HeadingKind.BOLD, None, first=start, line_end=line_end)
        elif marker is not None or (_stands_as_title(match["inner"]) and not _is_inside(text, start, line_end)):
            yield _strong(text, inner, inner_end, line_end, HeadingKind.BOLD, None, first=start)


def _stands_as_title(inner: str) -> bool:
    return not (inner.rstrip().endswith((":", ".", ";", ",", "!")) or _BLANK_TO_FILL.fullmatch(inner)) and is_title(
        inner
    )


def _is_inside(text: str, start: int, line_end: int) -> bool:
    """Whether a line goes on with an item, begins an address or another block of broken lines, or ends the text."""
    goes_on = text[start] == " " and text[max(0, start - 2) : start].strip(" \t") != "\n\n"
    block = breaks_hard(text, line_end) and breaks_hard(text, _line_end(text, line_end + 1))
    return goes_on or block or _INK.search(text, line_end) is None


def _strong(
    text: str,
    start: int,
    end: int,
    body: int,
    kind: HeadingKind,
    level: int | None,
    *,
    first: int | None = None,
    line_end: int | None = None,
) -> Candidate:
    """Make a candidate of a heading whose words are `text[start:end]`, whatever they are."""
    content = text[start:end]
    inner = content.lstrip(" \t*_")
    marker = read_marker(inner) or _abutting(inner, kind)
    if marker and not _is_number(marker):
        marker = None
    first = start if first is None else first
    while first < end and text[first].isspace():
        first += 1
    title = clean_title(inner[marker.rest :] if marker else inner)
    if (
        marker
        and kind is HeadingKind.MARKED
        and not is_title(inner[marker.rest :])
        and len(title.split()) > 8
        and inner.rstrip()[-1] in ".;:"
    ):
        # a clause whose whole paragraph has the style of a heading
        title, body = "", end - len(inner) + marker.rest
        end = body
        line_end = start + len(content.rstrip())
    line_end = end if line_end is None else line_end
    return Candidate(first, max(end, body), max(body, end), kind, title, marker, level, 2, _line_end(text, line_end))


def _abutting(inner: str, kind: HeadingKind) -> Marker | None:
    """Read the number of "1.1Review": a tab that a program lost between a number that it counted and the title."""
    match = _ABUTTING.match(inner) if kind is HeadingKind.MARKED else None
    return read_marker(match.group()) if match else None


def _is_number(marker: Marker) -> bool:
    """Whether the number at the head of a marked heading counts its sections: "2024 results" and "3 ways" do not."""
    first = marker.parts[0]
    if first.word or marker.closing is not Closing.NONE or marker.tab or len(marker.parts) > 1:
        return True
    return len(first.value) <= 2


def _number_candidates(text: str, begin: int, tables: Regions, code: Regions) -> Iterator[Candidate]:
    for start in _line_starts(_NUMBER_LINE, text, begin):
        line_end = _line_end(text, start)
        line = text[start : min(line_end, start + LONG_LINE)]
        marker = read_marker(line)
        if marker is None or start in tables or start in code:
            continue
        candidate = _numbered(text, start, line_end, line, marker)
        if candidate is not None:
            yield candidate


def _with_depth(text: str, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
    """Give each item of a numbered list the depth of its list, which the indentation shows."""
    columns: list[int] = []
    for candidate in candidates:
        if candidate.kind is HeadingKind.SINGLE:
            line = text[text.rfind("\n", 0, candidate.start) + 1 : candidate.start]
            column = len(line.expandtabs(4))
            while columns and column < columns[-1] + _INDENT:
                columns.pop()
            columns.append(column)
            yield replace(candidate, level=len(columns))
        else:
            yield candidate


def _numbered(text: str, start: int, line_end: int, line: str, marker: Marker) -> Candidate | None:
    rest = line[marker.rest :].strip()
    if is_row(rest) or is_quantity(marker, rest):
        return None
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
    return Candidate(start + marker.start, end, body, kind, title, marker, None, weight, line_end)


def _as_title(marker: Marker, rest: str) -> str:
    """The text beside a number; behind "Article 2 :" a title may begin with a small letter."""
    small = marker.parts[0].word and marker.closing is Closing.COLON
    return rest[:1].upper() + rest[1:] if small else rest


def _clause_of_unit(marker: Marker, rest: str) -> bool:
    """Whether a worded number carries a clause: set off by punctuation, or compound or an ordinal before a capital."""
    if marker.tab or marker.closing not in {Closing.NONE, Closing.DASH}:
        return True
    # "Art. 1º Esta Lei"; "§ 1º" counts the paragraphs within an article
    ordinal = _ORDINAL.search(marker.number) is not None and marker.number[0] != "§"
    return (len(marker.parts) > 1 or ordinal) and rest[:1].isupper()


def _title_below(text: str, line_end: int) -> tuple[str, int]:
    """Return the title on the line below "CHAPTER I", and where the heading then ends.

    A blank line may stand between the two, where another one sets the title off from its text.
    """
    start = line_end + 1
    end = _line_end(text, start)
    if start < len(text) and not text[start:end].strip():
        start, end = end + 1, _line_end(text, end + 1)
        if text[end + 1 : _line_end(text, end + 1)].strip():
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


def _capital_candidates(text: str, begin: int, tables: Regions, code: Regions) -> Iterator[Candidate]:
    """Yield lines in capitals with a blank line, or the text's edge, before them."""
    for match in _CAPITALS.finditer("\n" + text if begin == 0 else text, max(begin - 1, 0)):
        start = match.end() - (begin == 0)
        line_end = _line_end(text, start)
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
            yield Candidate(start, line_end, line_end, HeadingKind.CAPITALS, clean_title(line), None, None, 1, line_end)
