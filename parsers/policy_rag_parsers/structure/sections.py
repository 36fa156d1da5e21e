"""The pure function from a document's text to its sections."""

import re
from dataclasses import dataclass

from policy_rag_parsers.records import FileFormat, Section, SourceText, page_at
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind, is_bare_unit
from policy_rag_parsers.structure.document_title import VISIBLE, find_title, is_title_heading
from policy_rag_parsers.structure.heading_candidates import find_candidates
from policy_rag_parsers.structure.heading_profiles import EVERY_KIND, Profile, custom_candidates
from policy_rag_parsers.structure.heading_selection import select
from policy_rag_parsers.structure.heading_tree import nest
from policy_rag_parsers.structure.toc import contents_entries
from policy_rag_parsers.structure.unmarked_titles import unmarked_titles

_INK = re.compile(r"\S")
_SLUG = re.compile(r"[^\w]+")
_LONGEST_SLUG = 60
_FEWEST_SAID = 2  # words of a sentence: "2.2 Reserved." is a title

_Named = tuple[str | None, str]  # the number and the title of a section


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """What a document is called, and its sections in order."""

    title: str
    sections: tuple[Section, ...]


def parse_document(
    source: SourceText, *, title: str | None = None, otherwise: str = "", profile: Profile | None = None
) -> ParsedDocument:
    r"""Return a document's title and its sections, of headings that are selected once.

    Args:
        source: the file as text.
        title: the title where it is declared.
        otherwise: the title of a document that has none.
        profile: which lines may be headings; detected where it is None.

    Raises:
        ProfileError: a pattern of a user's profile takes too long.

    >>> from policy_rag_parsers.records import FileFormat
    >>> parsed = parse_document(SourceText("# Travel policy\n\n## 1. Scope\n\nAll.\n", FileFormat.MARKDOWN))
    >>> parsed.title, [section.path for section in parsed.sections]
    ('Travel policy', [('Travel policy',), ('Travel policy', 'Scope')])
    """
    text = source.text.replace("\r", "\n")
    headings = _headings(source, text, profile)
    title = title or find_title(source, text, headings) or otherwise
    return ParsedDocument(title, _sections(source, text, headings, title))


def parse_sections(source: SourceText, *, title: str, profile: Profile | None = None) -> tuple[Section, ...]:
    """Return a document's sections in order: they tile its text from `body_start` on, blanks aside.

    Text before the first heading makes a section of its own, the preamble, at level 0. The document's own title, the
    only heading of the highest level, at the top and without a number, is part of it and no section beside it. A
    document without headings is one preamble; a document without visible text has no sections.

    Args:
        source: the file as text.
        title: the document's title, the first element of every path.
        profile: which lines may be headings; detected where it is None.

    Raises:
        ProfileError: a pattern of a user's profile takes too long.
    """
    text = source.text.replace("\r", "\n")
    return _sections(source, text, _headings(source, text, profile), title)


def document_title(source: SourceText) -> str | None:
    r"""Return what a document calls itself: its declared title, else its only top heading, else a lone line at its top.

    >>> from policy_rag_parsers.records import FileFormat
    >>> document_title(SourceText("# Travel policy\n\n## 1. Scope\n", FileFormat.MARKDOWN))
    'Travel policy'
    """
    text = source.text.replace("\r", "\n")
    return find_title(source, text, _headings(source, text, None))


def _sections(source: SourceText, text: str, headings: list[HeadingCandidate], title: str) -> tuple[Section, ...]:
    begin = _INK.search(text, source.body_start)
    if begin is None:
        return ()
    first = VISIBLE.search(text, source.body_start) or begin
    titled = is_title_heading(headings, text, source.body_start)
    preamble = headings[0] if titled else None
    headings = headings[1:] if titled else headings
    start = begin.start()
    has_preamble = preamble is not None or not headings or first.start() < headings[0].start
    return _Assembly(source, text, title, headings).sections(start, preamble, has_preamble=has_preamble)


def _headings(source: SourceText, text: str, profile: Profile | None) -> list[HeadingCandidate]:
    if profile is None:
        candidates = find_candidates(source, text)
        found = select(text, candidates, EVERY_KIND)
        unmarked = unmarked_titles(text, source.body_start) if source.format is FileFormat.TEXT else []
        if len(unmarked) <= sum(bool(one.title) or one.kind is not HeadingKind.SINGLE for one in found):
            return found
        known = {one.line_end: one for one in (*unmarked, *candidates)}
        return select(text, sorted(known.values()), EVERY_KIND)
    if not profile.patterns:
        return select(text, find_candidates(source, text), profile.kinds)
    candidates = custom_candidates(source, text, profile)
    entries = contents_entries(text, candidates)
    return [candidate for index, candidate in enumerate(candidates) if index not in entries]


@dataclass(slots=True)
class _Assembly:
    """Makes section records of the headings of one document."""

    source: SourceText
    text: str
    title: str
    headings: list[HeadingCandidate]

    def sections(self, start: int, preamble: HeadingCandidate | None, *, has_preamble: bool) -> tuple[Section, ...]:
        """Return the records, the preamble first where there is one; `start` is the first character to cover."""
        headings = self.headings
        starts = [heading.start for heading in headings]
        if starts and not has_preamble:
            starts[0] = start
        ends = self._ends(starts)
        parents = nest(headings)
        over = set(parents)
        headings = [
            heading if index in over else self._as_clause(heading, ends[index])
            for index, heading in enumerate(headings)
        ]
        named = [(_number(heading), _title(heading)) for heading in headings]
        ids = _identifiers(named, has_preamble=has_preamble)
        levels, paths, subtree = self._walk(parents, ends, named)
        records = []
        if has_preamble:
            records.append(self._preamble(start, preamble, starts, ids))
        for index, heading in enumerate(headings):
            parent = parents[index]
            before = ids[index - 1] if index else ("preamble" if has_preamble else None)
            number, title = named[index]
            records.append(
                Section(
                    section_id=ids[index],
                    number=number,
                    title=title,
                    level=levels[index],
                    path=paths[index],
                    parent=None if parent is None else ids[parent],
                    previous=before,
                    next=ids[index + 1] if index + 1 < len(ids) else None,
                    start=starts[index],
                    end=ends[index],
                    body=min(self._body(heading.body), ends[index]),
                    subtree_end=subtree[index],
                    page=page_at(self.source.pages, starts[index]),
                )
            )
        return tuple(records)

    def _as_clause(self, heading: HeadingCandidate, end: int) -> HeadingCandidate:
        """A clause of a short sentence beside a number, with nothing under it: "1.2 No smoking."; else as it is."""
        marker = heading.marker
        if marker is None or heading.strong or not heading.title or heading.end != heading.line_end:
            return heading
        begin = heading.start + marker.rest - marker.start
        said = self.text[begin : heading.line_end].split()
        if len(said) < _FEWEST_SAID or not said[-1].endswith((".", "!")) or self._body(heading.body) < end:
            return heading
        return heading._replace(title="", end=begin, body=begin)

    def _preamble(self, start: int, heading: HeadingCandidate | None, starts: list[int], ids: list[str]) -> Section:
        end = self._trimmed(start, starts[0] if starts else len(self.text))
        body = start
        if heading is not None and not self.text[start : heading.start].strip():
            body = min(self._body(heading.body), end)
        return Section(
            section_id="preamble",
            number=None,
            title=heading.title if heading is not None else "",
            level=0,
            path=(self.title,),
            parent=None,
            previous=None,
            next=ids[0] if ids else None,
            start=start,
            end=end,
            body=body,
            subtree_end=end,
            page=page_at(self.source.pages, start),
        )

    def _ends(self, starts: list[int]) -> list[int]:
        following = [*starts, len(self.text)][1:]
        return [self._trimmed(start, end) for start, end in zip(starts, following, strict=False)]

    def _trimmed(self, start: int, end: int) -> int:
        """Return the end of `text[start:end]` without the blanks at its end."""
        return start + len(self.text[start:end].rstrip())

    def _body(self, after: int) -> int:
        """Return the first visible character from where the heading ends."""
        match = _INK.search(self.text, after)
        return match.start() if match else len(self.text)

    def _walk(
        self, parents: list[int | None], ends: list[int], named: list[_Named]
    ) -> tuple[list[int], list[tuple[str, ...]], list[int]]:
        """Return levels, paths and the ends of subtrees."""
        levels: list[int] = []
        paths: list[tuple[str, ...]] = []
        for (number, title), parent in zip(named, parents, strict=True):
            name = title or number or ""
            levels.append(1 if parent is None else levels[parent] + 1)
            paths.append((*((self.title,) if parent is None else paths[parent]), name))
        subtree = list(ends)
        for index in range(len(parents) - 1, -1, -1):
            parent = parents[index]
            if parent is not None:
                subtree[parent] = max(subtree[parent], subtree[index])
        return levels, paths, subtree


def _number(heading: HeadingCandidate) -> str | None:
    return heading.marker.number if heading.marker and not is_bare_unit(heading) else None


def _title(heading: HeadingCandidate) -> str:
    if heading.marker and is_bare_unit(heading):
        return f"{heading.marker.number} {heading.title}".strip()
    return heading.title


def _identifiers(named: list[_Named], *, has_preamble: bool) -> list[str]:
    """Return an identifier for each heading: its number, else a slug of its title; "~2" follows a repeated one."""
    taken = {"preamble"} if has_preamble else set()
    counts: dict[str, int] = {"preamble": 1} if has_preamble else {}
    identifiers = []
    for number, title in named:
        base = number or _slug(title)
        count = counts.get(base, 0) + 1
        name = base if count == 1 else f"{base}~{count}"
        while name in taken:
            count += 1
            name = f"{base}~{count}"
        counts[base] = count
        taken.add(name)
        identifiers.append(name)
    return identifiers


def _slug(title: str) -> str:
    return _SLUG.sub("-", title.casefold()).strip("-_")[:_LONGEST_SLUG].rstrip("-") or "section"
