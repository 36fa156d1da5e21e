"""Tables of contents inside a section: their entries name what stands elsewhere, and answer nothing."""

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence

from policy_rag_parsers.blocks.line_wording import governs, introduces, is_terminal, plain, points_on
from policy_rag_parsers.blocks.nesting import ListLine
from policy_rag_parsers.records import Block, BlockKind, Section
from policy_rag_parsers.text.contents_titles import names_contents
from policy_rag_parsers.text.markdown_lines import ends_with_page
from policy_rag_parsers.text.sentences import LIST_MARK

_LED = re.compile(r"(?:\.[ \t]?){4,}[ \t]*(?:\d{1,4}|[ivxl]{1,6})$|[…·_]{2,}[ \t]*\d{1,4}$|…[ \t]*\d{1,4}$")
_PAGE = re.compile(r"(?:\t| {2,})[ \t]*\d{1,4}$")
_ANCHOR = re.compile(r"\[(?P<title>[^\]]{1,200})\]\(#[^)\s]{0,200}\)")
_MOST_WORDS = 16  # a longer line is no title


def mark_contents(text: str, lines: Sequence[ListLine], titles: Collection[str]) -> None:
    """Makes the lines of a table of contents of the kind `CONTENTS`.

    An entry is known by dots that lead to a page, as nothing but a link into its own page, by the line "Contents" that
    it stands below, or as a title of the document. Titles count only where no line leads into their list, for "Paid
    are: hotels, meals" is a rule; and two of them, or half of the list, make all of its lines entries.

    Args:
        text: the document.
        lines: of one section, in order.
        titles: those of the document's sections that are known, as `plain` writes them.
    """
    at = 0
    while at < len(lines):
        below = _below_head(text, lines, at)
        after = max(at + 1, below)
        while not below and lines[at].kind is BlockKind.ITEM and after < len(lines):
            if lines[after].kind is not BlockKind.ITEM:
                break
            after += 1
        by_form = [_is_entry(text, line) for line in lines[at:after]]
        run = [line for line, is_entry in zip(lines[at:after], by_form, strict=True) if not is_entry]
        led = at > 0 and _leads(text, lines[at - 1])
        listed = bool(below) or (not led and _are_titles(text, run, titles))
        for line, is_entry in zip(lines[at:after], by_form, strict=True):
            if listed or is_entry:
                line.kind = BlockKind.CONTENTS
        at = after


def before_contents(text: str, section: Section, blocks: Sequence[Block]) -> int:
    """Where a table of contents at the end of a section begins; the section's end without one.

    It is the section's start where nothing else stands below its heading.
    A list that has neither the line "Contents" above it nor pages in it is none here: its titles may be all that is
    said of a matter.

    Args:
        text: the document.
        section: one of its sections.
        blocks: those of all of its sections, in order.
    """
    after = bisect_left(blocks, section.end, key=lambda block: block.start)
    first, told = after, False
    while first and blocks[first - 1].kind is BlockKind.CONTENTS and blocks[first - 1].start >= section.start:
        first -= 1
        start, end = blocks[first].start, blocks[first].end
        told = told or ends_with_page(text, start, end) or names_contents(text[start:end])
    if not told:
        return section.end
    start = blocks[first].start
    return start if text[section.body : start].strip() else section.start


def _below_head(text: str, lines: Sequence[ListLine], at: int) -> int:
    """One past the last entry below the line "Contents" at `at`; 0 where there is no such line, or nothing below."""
    after = at + 1
    if not names_contents(_words(text, lines[at])):
        return 0
    while after < len(lines) and lines[after].kind is not BlockKind.HEADING:
        if not all(map(_is_like_title, _entries(text, lines[after]))):
            break
        after += 1
    return after if after > at + 1 else 0


def _words(text: str, line: ListLine) -> str:
    return text[line.start : line.end]


def _entries(text: str, line: ListLine) -> list[str]:
    """The line, or the rows of a table."""
    rows = [*([line.header] if line.header else []), *line.rows]
    return [text[start:end] for start, end in rows] or [_words(text, line)]


def _is_entry(text: str, line: ListLine) -> bool:
    """Whether a line is an entry, or several, by its form."""
    if line.kind is BlockKind.TABLE:
        return False
    entries = _words(text, line).split("\n")
    return all(_LED.search(entry.rstrip()) or _ANCHOR.fullmatch(_body(entry.strip())) for entry in entries)


def _are_titles(text: str, run: Sequence[ListLine], titles: Collection[str]) -> bool:
    if not all(line.kind in (BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE) for line in run):
        return False
    entries = [entry for line in run for entry in _entries(text, line)]
    if not all(map(_is_like_title, entries)):
        return False
    bare = [_PAGE.sub("", entry) for entry in entries]
    known = sum(bool({plain(entry), plain(_body(entry))}.intersection(titles)) for entry in bare)
    return known > 1 or 2 * known >= len(entries) > 0


def _is_like_title(entry: str) -> bool:
    asks_or_open = entry.endswith("?") or not is_terminal(entry)
    return asks_or_open and "\n\n" not in entry and len(entry.split()) <= _MOST_WORDS


def _leads(text: str, before: ListLine) -> bool:
    """Whether the line before a list says how it is meant."""
    words = _words(text, before)
    if before.kind is BlockKind.HEADING:
        return governs(words)
    return introduces(words) or points_on(words) or not is_terminal(words)


def _body(entry: str) -> str:
    """An entry without the marker of its list."""
    mark = LIST_MARK.match(entry)
    return entry[mark.end() :].strip() if mark else entry
