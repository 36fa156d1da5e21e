"""Cross-references: which section, of this document or another, a text points to."""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.structure.numbering import INVISIBLE, enclosing, number_key
from policy_rag_parsers.text.unit_words import FORMS, HYPHENED, INSERTED, ONE_SERIES, OWN_SERIES, words_pattern

_NAMES = (form for form, unit in FORMS.items() if unit in OWN_SERIES | ONE_SERIES and len(form) > 4)
_UNITS = (
    rf"{words_pattern(_NAMES)}|part|teil|rule|deel|sec\.|art\.|app\.|paragraphs?|paras?\.?|ziffern?|ziff\.|absatz|abs\.|"
    r"nr\.|alinéas?|apartados?|comma|leden|lid"
)
_GAP = rf"[\s{INVISIBLE}]{{0,6}}"
_AMOUNT = r"(?!\s{0,2}(?:%|€|\$|£|(?i:percent|per cent|euros?|eur|usd|million|hours?|days?|weeks?|months?|years?)\b))"
_ITEMS = rf"(?:\.?[ {INVISIBLE}]{{0,3}}\((?:[a-z]{{1,5}}|[A-Z]|\d{{1,3}})\)){{0,5}}"
_FIGURE = rf"\d{{1,4}}(?:{INSERTED}|{HYPHENED}|[A-Z]{{1,2}}(?!\w)|[a-z](?!\w)|er(?!\w))?"  # "13A", "2a", "3 bis", "1er"
_DIGITS = rf"(?:[A-Z]{{1,2}}\.?)?{_FIGURE}(?:\.{_FIGURE}){{0,7}}{_ITEMS}(?!\w|\.\d){_AMOUNT}"
_DOTTED = (
    rf"(?:[A-Z]{{1,2}}\.?)?{_FIGURE}"
    rf"(?:(?:\.{_FIGURE}){{1,7}}{_ITEMS}|\([a-z]{{1,5}}\))(?!\w|\.\d){_AMOUNT}"
)
_LETTERS = r"(?:[IVXLC]{1,7}|[A-Z])(?![\w.]\w|\w)"
_NAMED = re.compile(
    rf"(?:(?<!\w)(?P<unit>(?i:{_UNITS}))(?!\w)|(?P<sign>§§?)){_GAP}"
    rf"(?P<numbers>(?:{_DIGITS}|{_LETTERS})(?:{_GAP}(?:,|and|or|to|und|oder|bis|–){_GAP}{_DIGITS}){{0,20}})"
)
_LED = re.compile(
    r"(?<!\w)(?i:subject to|see(?: also)?|(?:as )?defined in|in accordance with|pursuant to|under|"
    r"set out in|referred to in|described in|specified in|required by|gemäß|nach|siehe)"
    rf"{_GAP}(?P<numbers>{_DOTTED})"
)
_NUMBER = re.compile(rf"{_DIGITS}|{_LETTERS}")
_BARE_NUMBER = re.compile(rf"{_GAP}(?P<numbers>{_DIGITS})")
_OF = re.compile(r",?\s{1,3}(?:of|in|to|under|der|des|von)\s{1,3}")
_DETERMINER = re.compile(r"(?i:the|our|its|that|die|der|des)\s{1,3}")
_THIS = re.compile(r"(?i:this|these|dieser|dieses|diesem)\b")
_THERE = re.compile(r"\s{1,3}(?i:there(?:of|in)?|ebenda|dort)\b")
_AFTER_TITLE = re.compile(r",?\s{1,3}(?:in\s{1,3})?(?:its\s{1,3})?")
_MARKUP = re.compile(r"[^\w§]*")
_IN_PARTS = re.compile(r"^(?:(?:part|chapter|kapitel|teil|titre|chapitre|capítulo)\d{1,3}[a-z]?\.)+(?=\d)")
# How far back "section 6 there" looks for the document that it means.
_THERE_REACH = 160


@dataclass(frozen=True, slots=True)
class Reference:
    """A place in a text that points to a section or a document.

    Attributes:
        start: first character, of the unit's word where there is one.
        end: one past the number, or past the title that follows it.
        text: exactly `[start, end)`.
        target_document: the `doc_id` of the other document; None for this document, and where nothing was resolved.
        target_section_id: the section pointed to, in this document or the other; None where it is not known. For
            "4.2(b)" that is the section 4.2 where (b) is only an item in it.
    """

    start: int
    end: int
    target_document: str | None
    target_section_id: str | None
    text: str


def find_references(
    source: SourceText,
    sections: Sequence[Section],
    *,
    doc_id: str | None = None,
    titles: Mapping[str, str] | None = None,
    others: Mapping[str, Sequence[Section]] | None = None,
) -> tuple[Reference, ...]:
    """The references in a document's sections, in order of `start`, not overlapping.

    "Section 4.2", "Rules 1.1 and 1.3" (one each), "subject to 4.2(b)", "section 2 of Schedule 1", "section 3 of the
    Travel Policy", "Travel Policy, section 3", and a title alone. A number that belongs to a document which is not
    among `titles` ("section 42 of the Companies Act") is found but points nowhere.

    Args:
        source: the document.
        sections: its sections in order. The number that a section begins with is no reference.
        doc_id: this document's id; its own title points nowhere else.
        titles: `doc_id` to title of the documents that can be pointed to.
        others: `doc_id` to sections, for resolving numbers in other documents.
    """
    if not sections:
        return ()
    own_title = doc_id if titles and doc_id in titles else None
    scanner = _ReferenceScanner(source.text, sections, own_title, dict(titles or {}), dict(others or {}))
    return tuple(scanner.scan())


@dataclass(slots=True)
class _Numbers:
    """The sections of a document by number."""

    sections: Sequence[Section]
    by_key: dict[str, list[Section]] = field(default_factory=dict)
    by_id: dict[str, Section] = field(default_factory=dict)
    less_exact: dict[str, list[Section]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for section in self.sections:
            self.by_id[section.section_id] = section
            if section.number:
                for key in _keys(section.number):
                    self.by_key.setdefault(key, []).append(section)
                for key in _less_exact_keys(section.number):
                    self.less_exact.setdefault(key, []).append(section)

    def resolve(self, unit: str, number: str, near: Section | None, within: Section | None) -> Section | None:
        """The section with that number: in `within` where given, else the one that shares most with `near`."""
        named = FORMS.get(unit.casefold(), "")
        key: str | None = f"{named if named in OWN_SERIES else ''}{number_key(number)}"
        while key:
            for known in (self.by_key, self.less_exact):
                found = known.get(key, [])
                if within is not None:
                    found = [section for section in _under(within, found) if section is not within]
                if found:
                    return self._nearest(found, near)
            key = enclosing(key)
        return None

    def _nearest(self, found: list[Section], near: Section | None) -> Section | None:
        """The one that shares most of its ancestors with `near`; None where several do, unless one holds the others.

        `found` is in order of `start`. Those that share most lie under the lowest ancestor of `near` that holds any.
        """
        best, above, seen = found, near, set[str]()
        while len(found) > 1 and above is not None and above.section_id not in seen:
            seen.add(above.section_id)
            if inside := _under(above, found):
                best = inside
                break
            above = self.by_id.get(above.parent or "")
        return best[0] if best[-1].start < best[0].subtree_end or len(best) == 1 else None


def _under(above: Section, found: list[Section]) -> list[Section]:
    """Those of sections in order of `start` that are a section or lie under it."""
    begin = bisect_left(found, above.start, key=_start)
    return found[begin : bisect_left(found, above.subtree_end, lo=begin, key=_start)]


def _start(section: Section) -> int:
    return section.start


def _keys(number: str) -> list[str]:
    """The possible_keys under which a section's number is looked up: "Part 6 Chapter 2" is also "Chapter 2"."""
    key = number_key(number)
    words = words_pattern(OWN_SERIES)
    last = re.search(rf"(?:{words})[^a-z]\w*$|(?:{words})[a-z]$", key)
    return [key, last.group()] if last and last.start() else [key]


def _less_exact_keys(number: str) -> list[str]:
    """Spellings for want of a better one: "33(1)" and "33" for "Part 4.33.(1)", where sections run on over parts.

    Of "33(1)", "33(2)", ... only the first stands for 33.
    """
    key = number_key(number)
    tail = _IN_PARTS.sub("", key)
    keys = [tail] if tail != key and tail else []
    item = re.fullmatch(r"(.+)\((?:1|a|i)\)", tail)
    return [*keys, item.group(1)] if item else keys


@dataclass(slots=True)
class _ReferenceScanner:
    """Walks the matches of a document in order."""

    text: str
    sections: Sequence[Section]
    own: str | None
    titles: dict[str, str]
    others: dict[str, Sequence[Section]]
    numbers: dict[str | None, _Numbers] = field(default_factory=dict)
    mentions: list[tuple[int, int, str]] = field(default_factory=list)
    starts: dict[int, tuple[int, str]] = field(default_factory=dict)

    def scan(self) -> list[Reference]:
        self.numbers = {None: _Numbers(self.sections)}
        self.numbers |= {doc: _Numbers(sections) for doc, sections in self.others.items()}
        self.mentions = list(self._mentions())
        self.starts = {start: (end, doc) for start, end, doc in self.mentions}
        named = self._matches()
        by_start = {match.start(): match for match in named}
        ends = {end: (start, doc) for start, end, doc in self.mentions}
        references: list[Reference] = []
        section = 0
        for match in named:
            while section + 1 < len(self.sections) and self.sections[section + 1].start <= match.start():
                section += 1
            if match.start() >= _head_end(self.text, self.sections[section]):
                references += self._references(match, self.sections[section], by_start, ends)
        return self._with_mentions(references)

    def _matches(self) -> list[re.Match[str]]:
        """Numbers that are referred to, none inside another."""
        begin, end = self.sections[0].start, self.sections[-1].end
        found = [*_NAMED.finditer(self.text, begin, end), *_LED.finditer(self.text, begin, end)]
        found += [m for _, stop, _ in self.mentions if (m := _BARE_NUMBER.match(self.text, stop, end))]
        kept: list[re.Match[str]] = []
        for match in sorted(found, key=lambda m: (m.start("numbers"), -m.end("numbers"), m.start())):
            if not kept or match.start("numbers") >= kept[-1].end("numbers"):
                kept.append(match)
        return kept

    def _mentions(self) -> Iterator[tuple[int, int, str]]:
        """Places where a known title stands: start, end, `doc_id`."""
        known = {" ".join(title.split()).casefold(): doc for doc, title in self.titles.items() if len(title) > 2}
        if not known:
            return
        longest_first = sorted(known, key=len, reverse=True)
        pattern = "|".join(r"\s+".join(re.escape(word) for word in title.split()) for title in longest_first)
        for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", self.text, re.IGNORECASE):
            written = " ".join(match.group().split())
            doc = known.get(written.casefold())
            # A title of one word is also an ordinary word: it counts only as it is written.
            if doc is not None and (" " in written or written == self.titles[doc].strip()):
                yield match.start(), match.end(), doc

    def _references(
        self, match: re.Match[str], near: Section, by_start: dict[int, re.Match[str]], ends: dict[int, tuple[int, str]]
    ) -> Iterator[Reference]:
        known, doc, begin, end = self._document(match, ends)
        within = None
        if known and doc is None:
            outer = self._outer(match, by_start)
            within = self._target(outer, near) if outer else None
            known = outer is None or within is not None
        numbers = list(_NUMBER.finditer(self.text, *match.span("numbers")))
        unit = match.groupdict().get("unit") or ""
        for index, number in enumerate(numbers):
            start = begin if index == 0 else number.start()
            stop = end if index == len(numbers) - 1 else number.end()
            target = None
            if known and doc in self.numbers:
                home = near if doc is None else None
                target = self.numbers[doc].resolve(unit, number.group(), home, within)
            section_id = target.section_id if target else None
            yield Reference(start, stop, doc if known else None, section_id, self.text[start:stop])

    def _target(self, match: re.Match[str], near: Section) -> Section | None:
        number = _NUMBER.match(self.text, *match.span("numbers"))
        unit = match.groupdict().get("unit") or ""
        return self.numbers[None].resolve(unit, number.group(), near, None) if number else None

    def _outer(self, match: re.Match[str], by_start: dict[int, re.Match[str]]) -> re.Match[str] | None:
        """The unit that the number lies in: Schedule 1, for "section 2 of Schedule 1"."""
        of = _OF.match(self.text, match.end())
        return by_start.get(of.end()) if of else None

    def _document(self, match: re.Match[str], ends: dict[int, tuple[int, str]]) -> tuple[bool, str | None, int, int]:
        """Whether it is known which document a number belongs to, which (None: this one), and the reference's range."""
        start = match.start("numbers") if match.re is _LED else match.start()
        end = match.end()
        before = self._title_before(match, ends)
        if before is not None:
            return True, self._other(before[1]), before[0], end
        if _THERE.match(self.text, end):
            last = bisect_left(self.mentions, (match.start(), 0, ""))
            meant = [doc for at, _, doc in self.mentions[max(0, last - 1) : last] if at >= end - _THERE_REACH]
            return (True, self._other(meant[-1]), start, end) if meant else (False, None, start, end)
        of = _OF.match(self.text, end)
        if of is None or _THIS.match(self.text, of.end()):
            return True, None, start, end
        determiner = _DETERMINER.match(self.text, of.end())
        at = determiner.end() if determiner else of.end()
        if at in self.starts:
            stop, doc = self.starts[at]
            return True, self._other(doc), start, stop
        capital = self.text[at : at + 1].isupper() and of.group().strip(" ,\n\t") in {"of", "der", "des", "von"}
        foreign = capital and _NAMED.match(self.text, at) is None
        return not foreign, None, start, end

    def _title_before(self, match: re.Match[str], ends: dict[int, tuple[int, str]]) -> tuple[int, str] | None:
        """The title that a number follows, "Travel Policy, section 3": where it begins, and its document."""
        if match.start() in ends:
            return ends[match.start()]
        lead = self.text[max(0, match.start() - 10) : match.start()]
        for back in range(1, len(lead) + 1):
            found = ends.get(match.start() - back)
            if found is not None and _AFTER_TITLE.fullmatch(lead[len(lead) - back :]):
                return found
        return None

    def _other(self, doc: str) -> str | None:
        return None if doc == self.own else doc

    def _with_mentions(self, references: list[Reference]) -> list[Reference]:
        """With the titles that no number belongs to, each a reference to the whole document."""
        spans = sorted((reference.start, reference.end) for reference in references)
        for start, end, doc in self.mentions:
            covered = _overlaps(spans, start, end)
            if doc != self.own and not covered:
                references.append(Reference(start, end, doc, None, self.text[start:end]))
        return sorted(references, key=lambda reference: (reference.start, reference.end))


def _overlaps(spans: list[tuple[int, int]], start: int, end: int) -> bool:
    """Whether a range overlaps one of `spans`, which are in order and do not overlap."""
    at = bisect_left(spans, (end, 0))
    return at > 0 and spans[at - 1][1] > start


def _head_end(text: str, section: Section) -> int:
    """Where the number that a section begins with ends, markup before it included."""
    if section.number is None:
        return section.start
    found = _MARKUP.match(text, section.start, section.end)
    return (found.end() if found else section.start) + len(section.number)
