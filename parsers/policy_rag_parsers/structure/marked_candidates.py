"""Candidate headings that the format marks: by the loader, in Markdown, or drawn in plain text."""

import re
from collections.abc import Iterator

from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.drawn_titles import drawn_titles
from policy_rag_parsers.structure.excluded_regions import Regions
from policy_rag_parsers.structure.line_features import LONG_LINE, clean_title, end_of_line, is_title, line_starts
from policy_rag_parsers.structure.numbering import Closing, NumberMarker, read_marker
from policy_rag_parsers.text.markdown_lines import breaks_hard

_ATX = re.compile(r"\n(?= {0,3}#{1,6}(?:[ \t]|\n|\Z))")
_ATX_LINE = re.compile(r" {0,3}(?P<level>#{1,6})[ \t]*(?P<inner>.*?)(?:[ \t]+#+)?[ \t]*$")
_SETEXT = re.compile(r"\n {0,3}(?P<line>=+|-{2,})[ \t]*(?=\n|\Z)")
_BOLD = re.compile(r"\n(?= {0,3}(?:\*\*|__)\S)")
_BOLD_LINE = re.compile(r" {0,3}(\*\*|__)(?P<inner>(?:(?!\1).){1,200})\1[ \t]*(?P<rest>.*)$")
_INK = re.compile(r"\S")
_BLANK_TO_FILL = re.compile(r"\s*\[[^\]]*\]\s*")
_TAG = re.compile(r"\n(?= {0,3}<[hH][1-6][ >])")
_TAG_LINE = re.compile(
    r" {0,3}<h(?P<level>[1-6])(?:\s[^<>]{0,200})?>(?:\s*<[^<>]{1,200}>){0,4}\s*(?P<inner>.*?)"
    r"(?:</[a-z]{1,6}>\s*){0,4}</h(?P=level)>\s*$",
    re.IGNORECASE,
)
_ABUTTING = re.compile(r"\d{1,3}(?:\.\d{1,3})+(?=[A-Z][a-z]|[A-Z]{3})", re.ASCII)
_HABIT = 2  # a plain text with so many lines of Markdown is written in it


def marked_candidates(source: SourceText, text: str, code: Regions) -> Iterator[HeadingCandidate]:
    """Yield the lines that the format marks as headings, kind by kind; `code` holds none but for the loader's."""
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
        yield from _in_a_line(source, text, code, _ATX, _ATX_LINE)
    if markdown:
        yield from _setext(source, text, code)
        yield from _in_a_line(source, text, code, _TAG, _TAG_LINE)
    if markdown or len(_BOLD.findall(text)) >= _HABIT:
        yield from _bold(source, text, code)


def _is_sentence(content: str) -> bool:
    """Whether a marked line is text after all: a sentence without a number, in bold or in the style of a heading."""
    return read_marker(content) is None and (
        len(content) > LONG_LINE or (content.endswith((".", ";")) and content.count(" ") > 12)
    )


def _in_a_line(
    source: SourceText, text: str, code: Regions, begins: re.Pattern[str], whole: re.Pattern[str]
) -> Iterator[HeadingCandidate]:
    """Yield the lines of Markdown that say their level: `### 2.1 Exceptions` or `<h3>2.1 Exceptions</h3>`."""
    for start in line_starts(begins, text, source.body_start):
        line_end = end_of_line(text, start)
        match = whole.match(text[start : min(line_end, start + LONG_LINE)])
        if match and match["inner"] and start not in code:
            inner, end = start + match.start("inner"), start + match.end("inner")
            level = int(match["level"]) if match["level"].isdigit() else len(match["level"])
            yield _strong(text, inner, end, line_end, HeadingKind.ATX, level, first=start)


def _setext(source: SourceText, text: str, code: Regions) -> Iterator[HeadingCandidate]:
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


def _bold(source: SourceText, text: str, code: Regions) -> Iterator[HeadingCandidate]:
    for start in line_starts(_BOLD, text, source.body_start):
        line_end = end_of_line(text, start)
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
    block = breaks_hard(text, line_end) and breaks_hard(text, end_of_line(text, line_end + 1))
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
) -> HeadingCandidate:
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
    return HeadingCandidate(
        first, max(end, body), max(body, end), kind, title, marker, level, 2, end_of_line(text, line_end)
    )


def _abutting(inner: str, kind: HeadingKind) -> NumberMarker | None:
    """Read the number of "1.1Review": a tab that a program lost between a number that it counted and the title."""
    match = _ABUTTING.match(inner) if kind is HeadingKind.MARKED else None
    return read_marker(match.group()) if match else None


def _is_number(marker: NumberMarker) -> bool:
    """Whether the number at the head of a marked heading counts its sections: "2024 results" and "3 ways" do not."""
    first = marker.parts[0]
    if first.word or marker.closing is not Closing.NONE or marker.tab or len(marker.parts) > 1:
        return True
    return len(first.value) <= 2
