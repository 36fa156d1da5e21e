"""What a section consists of: headings, paragraphs, list items, tables with their rows, notes, tables of contents.

It is decided once, when a document is taken in, and stored; see `policy_rag_parsers.records.Block`.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from policy_rag_parsers.blocks.contents import mark_contents
from policy_rag_parsers.blocks.line_wording import is_terminal, plain
from policy_rag_parsers.blocks.markers import Marker, marker_parts
from policy_rag_parsers.blocks.nesting import ListLine, nest
from policy_rag_parsers.blocks.notes import mark_of, marks_in
from policy_rag_parsers.blocks.table_blocks import find_tables, header_span, table_rows
from policy_rag_parsers.records import Block, BlockKind, FileFormat, Section, SourceText
from policy_rag_parsers.structure.drawn_tables import aligned_tables
from policy_rag_parsers.structure.excluded_regions import Regions, code_regions
from policy_rag_parsers.text.markdown_lines import comments, is_template, is_unread
from policy_rag_parsers.text.sentences import LIST_MARK, Span, is_wrapped, paragraph_spans, sentence_spans, trimmed

_RULE = re.compile(r"[\s|:=_*~-]+")
_NUMBERED = frozenset(
    ("part", "chapter", "section", "article", "rule", "schedule", "annex", "appendix", "guidance", "note", "notes")
)
_TITLE_WORDS = 4
_LINE_END, _MARK_CHARS = 20, 40  # as far as blanks behind a line, and the mark of a note, are looked for
_CODE_INDENT = 4  # columns
_LONGEST_ROW = 2000  # a longer one is prose in a frame


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the document: its header row, or None, and the rows below it."""

    header: Span | None
    rows: tuple[Span, ...]

    @property
    def start(self) -> int:
        return (self.header or self.rows[0])[0]


@dataclass(frozen=True, slots=True)
class _Layout:
    """How a document is laid out.

    Attributes:
        soft: whether a line end is a blank.
        comments: where comments stand.
        markdown: whether it is Markdown.
        contents: where marked tables of contents stand.
        code: where fenced code stands, of which no line is a heading or an item.
    """

    soft: bool = False
    comments: Regions = field(default_factory=lambda: Regions(()))
    markdown: bool = False
    contents: Regions = field(default_factory=lambda: Regions(()))
    code: Regions = field(default_factory=lambda: Regions(()))

    def shows(self, text: str, start: int, end: int) -> bool:
        """Whether a reader sees a paragraph."""
        if _RULE.fullmatch(text, start, end):
            return False
        if not self.markdown:
            return True
        mark = LIST_MARK.match(text, start, end)
        start, _ = trimmed(text, mark.end(), end) if mark and mark.end() < end else (start, end)
        return not (start in self.comments or is_unread(text, start, end) or is_template(text, start, end))


def find_blocks(source: SourceText, sections: Sequence[Section]) -> tuple[Block, ...]:
    r"""The blocks of a document, in order of `start`, a table before its rows; none crosses the end of a section.

    Together they hold all ink of the sections but for lines that only rule off, and of Markdown what no reader sees.
    A run-in heading belongs to its paragraph, lines that are only wrapped are one paragraph.

    >>> from policy_rag_parsers.structure.sections import parse_sections
    >>> source = SourceText("# Leave\n\nStaff may take:\n(a) days;\n(b) weeks.\n", FileFormat.MARKDOWN)
    >>> found = find_blocks(source, parse_sections(source, title=""))
    >>> [(block.kind.value, block.parent, block.marker) for block in found]
    [('heading', None, ''), ('paragraph', None, ''), ('item', 9, '(a)'), ('item', 9, '(b)')]
    """
    tables = _tables(source)
    titles = {plain(title) for section in sections for title in (*section.path, section.title)} - {""}
    markdown = source.format is FileFormat.MARKDOWN
    soft = markdown or (source.format is FileFormat.TEXT and is_wrapped(source.text))
    unseen, code = Regions(comments(source.text) if markdown else ()), code_regions(source, source.text)
    layout = _Layout(soft, unseen, markdown, Regions(source.contents), code)
    found: list[Block] = []
    for section in sections:
        own = (section.number or "", section.title)
        body = section.body if section.title and _begins_line(source.text, section.body) else section.start
        span = section.start, body, section.end
        found.extend(_section_blocks(source.text, span, own, tables, titles, layout))
    return tuple(found)


def _begins_line(text: str, at: int) -> bool:
    """Whether nothing but blanks stands before a place in its line."""
    return not text[text.rfind("\n", 0, at) + 1 : at].strip()


def section_blocks(text: str, section: Section) -> list[Block]:
    """The blocks of a section's body, its tables left in their paragraphs."""
    span = section.body, section.body, section.end
    return list(_section_blocks(text, span, (section.number or "", section.title), (), set(), _Layout()))


def text_blocks(
    text: str, *, number: str | None = None, title: str = "", titles: Sequence[str] = (), markdown: bool = False
) -> list[Block]:
    """The blocks of a text that is known by itself, such as a passage that somebody hands over.

    Args:
        text: one section, or a part of one.
        number: its section's, as printed.
        title: its section's.
        titles: those of its document's sections that are known.
        markdown: whether it is written in Markdown.
    """
    tables = _tables(SourceText(text, FileFormat.TEXT))
    code = code_regions(SourceText(text, FileFormat.MARKDOWN if markdown else FileFormat.TEXT), text)
    layout = _Layout(markdown, Regions(comments(text) if markdown else ()), markdown, code=code)
    own, known = (number or "", title), {plain(one) for one in titles}
    return list(_section_blocks(text, (0, _heading_end(text, own), len(text)), own, tables, known, layout))


def _tables(source: SourceText) -> list[_Table]:
    """The tables of a document in order: those with bars or tabs between the cells, then those that blanks draw."""
    text = source.text
    marks = find_tables(source)
    found = [
        _Table(header_span(text, mark), tuple(row for row in table_rows(text, mark) if not _RULE.fullmatch(text, *row)))
        for mark in marks
    ]
    drawn = [
        _Table(header, tuple(rows))
        for header, *rows in aligned_tables(text)
        if rows and not any(mark.start < rows[-1][1] and header[0] < mark.end for mark in marks)
    ]
    return sorted((table for table in (*found, *drawn) if table.rows), key=lambda table: table.start)


def _section_blocks(
    text: str,
    span: tuple[int, int, int],
    own: tuple[str, str],
    tables: Sequence[_Table],
    titles: Collection[str],
    layout: _Layout,
) -> Iterator[Block]:
    """The blocks of a section that begins, has its body and ends at `span`; its heading is no part of a paragraph."""
    start, body, end = span
    found = [line for part in ((start, body), (body, end)) for line in _lines(text, part, start, own, tables, layout)]
    lines = _with_notes(text, (start, end), _marked_from_above(text, found))
    mark_contents(text, lines, titles)
    for line in lines:
        if line.start in layout.contents:
            line.kind = BlockKind.CONTENTS
    for line in nest(text, lines):
        parent = None if line.parent is None else line.parent.start
        marker = line.marker.text if line.marker else line.note
        yield Block(line.kind, line.start, line.end, parent, marker)
        if line.kind is BlockKind.TABLE:
            if line.header:
                yield Block(BlockKind.HEADER_ROW, *line.header, line.start)
            yield from (Block(BlockKind.ROW, *row, line.start) for row in line.rows)


def _lines(
    text: str, span: Span, section: int, own: tuple[str, str], tables: Sequence[_Table], layout: _Layout
) -> Iterator[ListLine]:
    """The tables in a range of the section that begins at `section`, and what stands between them."""
    ink, _ = trimmed(text, section, len(text))
    at, end = span
    first = bisect_left(tables, at, key=lambda table: table.rows[-1][1])
    for table in tables[first:]:
        if table.start >= end:
            break
        header = table.header if table.header and at <= table.header[0] and table.header[1] <= end else None
        for rows in _short_rows([row for row in table.rows if at <= row[0] and row[1] <= end]):
            head = header if header and header[1] <= rows[0][0] and header[0] >= at else None
            start = (head or rows[0])[0]
            yield from _paragraphs(text, (at, start), ink, own, layout)
            yield ListLine(BlockKind.TABLE, start, rows[-1][1], header=head, rows=rows)
            at = rows[-1][1]
    yield from _paragraphs(text, (at, end), ink, own, layout)


def _short_rows(rows: Sequence[Span]) -> Iterator[list[Span]]:
    """Runs of rows that are no prose in a frame."""
    run: list[Span] = []
    for row in rows:
        if row[1] - row[0] <= _LONGEST_ROW:
            run.append(row)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _paragraphs(text: str, span: Span, ink: int, own: tuple[str, str], layout: _Layout) -> list[ListLine]:
    """What stands between tables; fenced code is one paragraph."""
    found: list[ListLine] = []
    code: ListLine | None = None
    for start, end in paragraph_spans(text, *span, soft=layout.soft):
        for part in _parts(text, start, end):
            if not layout.shows(text, *part):
                code = None
            elif part[0] not in layout.code:
                *outer, item = _items(text, part)
                found += (_item(text, one, one[1]) for one in outer)
                found.append(_line(text, item, own, first=item[0] == ink))
            elif code is not None:
                code.end = part[1]
            else:
                code = ListLine(BlockKind.PARAGRAPH, *part)
                found.append(code)
    return found


def _parts(text: str, start: int, end: int) -> Iterator[Span]:
    """A paragraph, cut where a note begins and where flush words follow an item on a line of their own."""
    at = start
    if "\n" in text[start:end]:
        item = LIST_MARK.match(text, start, end) is not None
        indent = _indent(text, start)
        sentences = {first for first, _ in sentence_spans(text, start, end, soft=True)}
        for line in re.finditer(r"\n[ \t]*(?=\S)", text[start:end]):
            before, first = start + line.start(), start + line.end()
            ends = first in sentences or text[max(at, before - _LINE_END) : before].rstrip().endswith((";", ":"))
            flush = item and ends and _indent(text, first) <= indent
            if flush or (first in sentences and mark_of(text[first : min(end, first + _MARK_CHARS)])):
                yield trimmed(text, at, before)
                at, item = first, False
    yield at, end


def _items(text: str, span: Span) -> Iterator[Span]:
    """A paragraph, cut between the markers of items that begin in one place: "(b) (i) in writing"."""
    at, end = span
    while (mark := LIST_MARK.match(text, at, end)) and mark[0].startswith("("):
        inner, _ = trimmed(text, mark.end(), end)
        if text[inner : inner + 1] != "(" or LIST_MARK.match(text, inner, end) is None:
            break
        yield at, mark.end()
        at = inner
    yield at, end


def _indent(text: str, at: int) -> int:
    """Columns before a place, where it begins its line, else 0."""
    before = text[text.rfind("\n", 0, at) + 1 : at]
    return 0 if before.strip() else len(before)


def _line(text: str, span: Span, own: tuple[str, str], *, first: bool) -> ListLine:
    if _is_heading(text, span, own, first=first):
        return ListLine(BlockKind.HEADING, *span)
    mark = LIST_MARK.match(text, *span)
    if mark is None:
        return ListLine(BlockKind.PARAGRAPH, *span)
    inner = LIST_MARK.match(text, *trimmed(text, mark.end(), span[1]))
    is_bullet = not marker_parts(mark[0])
    return _item(text, span, inner.end() if is_bullet and inner else mark.end())


def _item(text: str, span: Span, mark_end: int) -> ListLine:
    return ListLine(BlockKind.ITEM, *span, marker=Marker(text[span[0] : mark_end].strip(), _indent(text, span[0])))


def _is_heading(text: str, span: Span, own: tuple[str, str], *, first: bool) -> bool:
    """Whether a line is its section's own heading, or one inside it."""
    line, (number, title) = text[slice(*span)], own
    names = {plain(part) for part in (title, number, f"{number} {title}") if part.strip()}
    bold = line.startswith("**") and line.endswith("**") and line.count("**") == 2
    shouted = line.isupper() and not is_terminal(line)
    named = plain(line) in {*names, ""} or (first and _opens(line, title))
    hashed = line.startswith("#") and _indent(text, span[0]) < _CODE_INDENT
    return hashed or bold or shouted or named or _is_bare(line) or _is_title(text, span)


def _heading_end(text: str, own: tuple[str, str]) -> int:
    """One past the line with the heading of the section that a text is, 0 where it does not begin with one."""
    start, _ = trimmed(text, 0, len(text))
    stop = text.find("\n", start)
    number, title = own
    line = text[start:stop] if stop > 0 and title else ""
    return stop if line and (plain(line) in {plain(title), plain(f"{number} {title}")} or _opens(line, title)) else 0


def _opens(line: str, title: str) -> bool:
    """Whether a section's first line is its title with something around it ("Article 5 - Hotels")."""
    around = len(line) < len(title) + 30 and "\n" not in line
    return bool(title) and around and plain(line).endswith(plain(title))


def _is_bare(line: str) -> bool:
    """Whether a line is a number without words: "A2.4.Guidance.1.", "(b)"."""
    mark = LIST_MARK.match(line)
    rest = line[mark.end() :].strip() if mark else ""
    if rest and LIST_MARK.fullmatch(rest) is None:
        return False
    if not all(len(word[0]) <= 2 or word[0].casefold() in _NUMBERED for word in re.finditer(r"[^\W\d_]+", line)):
        return False
    return any(char.isdigit() for char in line) or LIST_MARK.fullmatch(line) is not None


def _is_title(text: str, span: Span) -> bool:
    """Whether a line of a few words without a full stop stands above text, as a title does."""
    line = text[slice(*span)]
    words = line.split()
    short = len(words) <= _TITLE_WORDS and line[:1].isupper() and not is_terminal(line)
    if not short or not all(word.isalpha() for word in words) or LIST_MARK.match(line) is not None:
        return False
    alone = text[span[0] - 1 : span[0]] == "\n" and text[span[1] : span[1] + 1] == "\n"
    below, end = trimmed(text, span[1], len(text))
    mark = LIST_MARK.match(text, below)
    leads = mark is not None and len(re.findall(r"\w+", mark[0])) < 2  # into a list; "3.2" begins a clause
    return alone and below < end and not leads


def _marked_from_above(text: str, lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines, those below a list's marker that stands alone as items with that marker."""
    marked: list[ListLine] = []
    for line in lines:
        above = marked[-1] if marked else None
        bare = above and above.kind is BlockKind.HEADING and LIST_MARK.fullmatch(text, above.start, above.end)
        if above and bare and line.kind is BlockKind.PARAGRAPH:
            marker = Marker(text[above.start : above.end], _indent(text, above.start))
            marked[-1] = replace(line, kind=BlockKind.ITEM, marker=marker)
        else:
            marked.append(line)
    return marked


def _leads_from_above(text: str, start: int, mark: str) -> bool:
    """Whether a mark in brackets stands behind words above a note, be it in another section."""
    at = text.rfind(f"[{mark}]", 0, start)
    return at > 0 and text[at - 1] != "\n"


def _with_notes(text: str, span: Span, lines: Sequence[ListLine]) -> list[ListLine]:
    """The lines, the notes among them known as such; a sign that begins several lines is a bullet and no mark."""
    marks = {id(line): mark_of(text[line.start : line.end]) for line in lines if line.kind is not BlockKind.TABLE}
    counts = Counter(marks.values())
    led = set(marks_in(text[slice(*span)])) if counts.total() > counts[None] else set()
    led |= {mark for line in lines if (mark := marks.get(id(line))) and _leads_from_above(text, line.start, mark)}
    return [
        replace(line, kind=BlockKind.NOTE, marker=None, note=mark)
        if (mark := marks.get(id(line))) and counts[mark] == 1 and (mark in led or text.startswith("[^", line.start))
        else line
        for line in lines
    ]
