"""Cross-references: which section, of this document or another, a text points to."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.references.known_documents import Library, Mention
from policy_rag_parsers.references.number_patterns import (
    AND,
    BARE_NUMBER,
    BESIDE,
    HYPHEN,
    INSIDE,
    INSIDE_UNIT,
    LAST_ITEM,
    LED,
    NAMED,
    NEXT,
    NUMBER,
    OF,
    OWNED,
    THERE,
    THIS,
    THIS_UNIT,
    TO,
)
from policy_rag_parsers.references.other_texts import OwnNames, name_beside, named_at
from policy_rag_parsers.references.section_numbers import SectionNumbers
from policy_rag_parsers.structure.excluded_regions import Regions
from policy_rag_parsers.structure.line_features import end_of_line
from policy_rag_parsers.structure.toc import leads_to_page
from policy_rag_parsers.text.unit_words import FORMS

_AFTER_TITLE = re.compile(r"\)?,?\s{1,3}(?:\(|in\s{1,3})?(?:its\s{1,3})?|\s?\(")
_TITLE_REACH = 10
_BRACKETED = re.compile(r"[^().;:\d]{3,80}\((?:the\s)?[\"“„«]?(?=[A-Z])")
_MARKUP = re.compile(r"[^\w§]*")
# How far back "section 6 there" looks for the document that it means.
_THERE_REACH = 160
_ALIKE = 3  # first letters that forms of a word share, "paragraph" and "para."
_DEEPEST = 4  # units in units that are followed outwards
_BLANK = re.compile(r"[ \u00a0]{1,3}")
_FEWEST_SAID = 2
_SHARE_SAID = 0.8


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
    source: SourceText, sections: Sequence[Section], *, library: Library | None = None, doc_id: str | None = None
) -> tuple[Reference, ...]:
    """The references in a document's sections, in order of `start`, not overlapping.

    "Section 4.2", "Rules 1.1 and 1.3" (one each), "subject to 4.2(b)", "section 2 of Schedule 1", "section 3 of the
    Travel Policy", "Travel Policy, section 3", "GEN 3.3.1", and a title alone. Where a name stands for several editions
    of a document there is a reference to each, of one range. A number that belongs to a document which the library does
    not have ("section 42 of the Companies Act") is found but points nowhere. A bare number that this document has not
    is one of the document to which it gives all such numbers.

    Args:
        source: the document.
        sections: its sections in order. The number that a section begins with is no reference, nor is an entry of a
            table of contents.
        library: the documents that can be pointed to; without one only this document is.
        doc_id: this document's id in the library; its own names point nowhere else.
    """
    if not sections:
        return ()
    return tuple(_Scanner(source, sections, library, doc_id).scan())


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers that are referred to, and the documents that they are of: () for this one, None for one not known.

    `start` and `end` hold the document's name where it stands beside them. `reach` is one past what is counted inside
    them: "§ 4 Abs. 1".
    """

    match: re.Match[str]
    near: Section
    start: int
    end: int
    reach: int
    documents: tuple[str, ...] | None = ()

    @property
    def unit(self) -> str:
        """The word or sign in front of them as written, or ""."""
        found = self.match.groupdict()
        return found.get("unit") or (found.get("sign") or "")[:1]

    @property
    def counted_inside(self) -> bool:
        """Whether the word is one of what is counted inside a unit: a paragraph."""
        return INSIDE_UNIT.fullmatch(self.unit) is not None or self.by_ordinal

    @property
    def by_ordinal(self) -> bool:
        """Whether it is a paragraph of an article, "§ 2º", as Portuguese laws have them: no number without one."""
        return self.match.re is NAMED and self.match["sign"] is not None and "º" in self.match["numbers"]

    @property
    def series(self) -> str:
        """The unit that the word names, or ""."""
        return FORMS.get(self.unit.casefold(), self.unit.casefold())


class _Scanner:
    """Walks the references of a document in order."""

    def __init__(
        self, source: SourceText, sections: Sequence[Section], library: Library | None, own: str | None
    ) -> None:
        self.text, self.sections, self.library, self.own = source.text, sections, library, own
        self.contents = Regions(source.contents)
        self.here = SectionNumbers(sections)
        self.own_names = OwnNames.of(sections)
        self.mentions = library.mentions(self.text, own) if library is not None else []
        self.starts = {mention.start: mention for mention in self.mentions}
        self.ends = {mention.end: mention for mention in self.mentions}

    def scan(self) -> list[Reference]:
        found = [*self._found()]
        held = self._held(found)
        free = self._joined([one for one in found if one.match.start() not in held])
        units = {one.match.start(): one for one in (*found, *free)}
        outers = {start: outer for start, one in units.items() if (outer := self._outer(one, units, held))}
        resolved = [(one, [*self._resolved(one, outers)]) for one in free]
        usual = _usual_documents(resolved)
        references: list[Reference] = []
        for numbers, pointing in resolved:
            documents = usual.get(numbers.series, ())
            if numbers.documents == () and any(self._better(document, numbers) for document in documents):
                units[numbers.match.start()] = replace(numbers, documents=documents)
                references += self._resolved(units[numbers.match.start()], outers)
            else:
                references += pointing
        for start, at in held.items():
            outers[start] = units[at]
            if units[start].documents == ():
                units[start] = replace(units[start], documents=units[at].documents)
            references += self._resolved(units[start], outers)
        return self._with_mentions([*self._apart(references)])

    def _better(self, document: str, numbers: _Numbers) -> bool:
        """Whether another document has a number that this one has not, or only a part of it."""
        if self._first_target(numbers, whole=True):
            return False
        there = self._first_target(numbers, document, whole=self._first_target(numbers) is not None)
        return there is not None

    def _found(self) -> Iterator[_Numbers]:
        for section in self.sections:
            head = _head_end(self.text, section)
            for match in self._matches(section):
                if match.start() >= head and not self._is_entry(match.start()):
                    start = match.start("numbers") if match.re is LED else match.start()
                    inside = INSIDE.match(self.text, match.end(), section.end)
                    reach = inside.end() if inside else match.end()
                    numbers = _Numbers(match, section, start, match.end(), reach)
                    documents, start, end = self._documents(numbers)
                    if documents and self.own in documents:
                        documents = ()
                    yield replace(numbers, documents=documents, start=start, end=end)

    def _is_entry(self, at: int) -> bool:
        """Whether a table of contents stands there: its entries are no references."""
        return at in self.contents or leads_to_page(self.text[at : end_of_line(self.text, at)])

    def _matches(self, section: Section) -> list[re.Match[str]]:
        """Numbers that are referred to in a section, none inside another.

        What stands at the end of one section and at the head of the next is none.
        """
        begin, end = section.start, section.end
        found = [*NAMED.finditer(self.text, begin, end), *LED.finditer(self.text, begin, end)]
        first = bisect_left(self.mentions, begin, key=_begins)
        mentions = self.mentions[first : bisect_left(self.mentions, end, lo=first, key=_begins)]
        found += [match for one in mentions if (match := BARE_NUMBER.match(self.text, one.end, end))]
        kept: list[re.Match[str]] = []
        for match in sorted(found, key=lambda m: (m.start("numbers"), -m.end("numbers"), m.start())):
            if not kept or match.start("numbers") >= kept[-1].end("numbers"):
                kept.append(match)
        return kept

    def _held(self, found: Sequence[_Numbers]) -> dict[int, int]:
        """What is counted inside the unit in front of it, "§ 4 Abs. 1", by where each begins."""
        held: dict[int, int] = {}
        for before, one in pairwise(found):
            start, at = one.match.start(), before.match.start()
            if not one.counted_inside or before.near is not one.near:
                continue
            beside = any(BESIDE.fullmatch(self.text, end, start) for end in (before.match.end(), before.end))
            alike = before.unit[:_ALIKE].casefold() == one.unit[:_ALIKE].casefold()
            if at in held and (AND.fullmatch(self.text, before.match.end(), start) or (beside and alike)):
                held[start] = held[at]
            elif beside and not alike:
                held[start] = at
        return held

    def _documents(self, numbers: _Numbers) -> tuple[tuple[str, ...] | None, int, int]:
        """The documents that numbers are of, and the range of both; see `_Numbers`."""
        start, end, reach = numbers.start, numbers.end, numbers.reach
        before = self._title_before(numbers.match)
        if before is not None:
            return before.documents, before.start, end
        if THERE.match(self.text, end):
            last = bisect_left(self.mentions, start, key=_begins)
            meant = [one for one in self.mentions[max(0, last - 1) : last] if one.start >= end - _THERE_REACH]
            return (meant[-1].documents if meant else None), start, end
        behind = self._abbreviation_behind(reach)
        if behind is not None:
            return behind.documents, start, behind.end
        return (None, start, end) if self._other_text_beside(numbers) else self._owner(start, end, reach)

    def _owner(self, start: int, end: int, reach: int) -> tuple[tuple[str, ...] | None, int, int]:
        """The documents that are named behind numbers with a preposition, "section 3 of the Travel Policy"."""
        of = OF.match(self.text, reach)
        if of is None or THIS.match(self.text, of.end()):
            return (), start, end
        at = of.end()
        if at in self.starts:
            return self.starts[at].documents, start, self.starts[at].end
        owned = OWNED.match(self.text, reach) is not None and named_at(self.text, at, self.own_names)
        if not owned or NAMED.match(self.text, at):
            return (), start, end
        bracketed = _BRACKETED.match(self.text, at)  # "section 4.1 of the Rules on Markets (“MKT”)"
        known = self.starts.get(bracketed.end()) if bracketed else None
        return (known.documents, start, known.end) if known else (None, start, end)

    def _abbreviation_behind(self, end: int) -> Mention | None:
        """The abbreviation that follows numbers, "Rule 4 GEN", where it has no number of its own behind it."""
        blank = _BLANK.match(self.text, end)
        found = self.starts.get(blank.end()) if blank else None
        if found is None or found.alone or not self.text[found.start : found.end].isupper():
            return None
        after = _BLANK.match(self.text, found.end)
        numbered = BARE_NUMBER.match(self.text, found.end) or (after and NAMED.match(self.text, after.end()))
        return None if numbered else found

    def _other_text_beside(self, numbers: _Numbers) -> bool:
        """Whether the name of a text that is no document stands right beside numbers, "Article 5 GDPR".

        Of "section 4 GDPR training" it is the title of the section.
        """
        name = name_beside(self.text, numbers.match.start(), numbers.reach, worded=numbers.unit, own=self.own_names)
        target = self._first_target(numbers) if name else None
        return name is not None and not (target and target.title.casefold().startswith(name.casefold()))

    def _title_before(self, match: re.Match[str]) -> Mention | None:
        """The name that numbers follow, "Travel Policy, section 3"."""
        if match.start() in self.ends:
            return self.ends[match.start()]
        lead = self.text[max(0, match.start() - _TITLE_REACH) : match.start()]
        for back in range(1, len(lead) + 1):
            found = self.ends.get(match.start() - back)
            if found is not None and _AFTER_TITLE.fullmatch(lead[len(lead) - back :]):
                return found
        return None

    def _joined(self, found: list[_Numbers]) -> list[_Numbers]:
        """Those of "section 4 or section 5 of the Travel Policy" and "GEN Rule 4 and Rule 5" in one document."""
        for i in reversed(range(len(found) - 1)):
            one, behind = found[i], found[i + 1]
            named = behind.documents is None or behind.end > behind.match.end()
            if named and self._together(one, behind, AND):
                found[i] = replace(one, documents=behind.documents)
        for i in range(1, len(found)):
            before, one = found[i - 1], found[i]
            if before.documents and self._together(one, before, NEXT) and self._first_target(one) is None:
                found[i] = replace(one, documents=before.documents)
        return found

    def _together(self, one: _Numbers, other: _Numbers, joint: re.Pattern[str]) -> bool:
        """Whether one without a document of its own and another are units of one kind with a joint between them."""
        between = sorted((each.match.start(), each.reach) for each in (one, other))
        return (
            one.documents == ()
            and one.series == other.series
            and joint.fullmatch(self.text, between[0][1], between[1][0]) is not None
        )

    def _resolved(self, numbers: _Numbers, outers: Mapping[int, _Numbers]) -> Iterator[Reference]:
        """A reference for each number and document, and for each section in a range of numbers.

        Of what is counted inside a unit only where it is found in it: the reference to the unit tells the rest.
        """
        documents, outer = numbers.documents, outers.get(numbers.match.start())
        if outer is None and numbers.by_ordinal:
            return
        if documents == () and outer is not None:
            documents = outer.documents
        each = [*NUMBER.finditer(self.text, *numbers.match.span("numbers"))]
        ranges = [[one.start(), one.end()] for one in each]
        ranges[0][0], ranges[-1][1] = numbers.start, numbers.end
        for document in documents or (None,):
            targets = [] if documents is None else [*self._targets(numbers, each, document, outers)]
            led = {at for at, _ in targets}
            if outer is not None and numbers.counted_inside:
                if not led and "." in each[0].group():  # "Section 3, paragraph 4.2" is told by its form
                    yield from self._resolved(replace(numbers, documents=documents), {})
                    return
                led.update(range(len(each)))
            for at, section_id in [*targets, *((at, None) for at in range(len(each)) if at not in led)]:
                start, end = ranges[at]
                yield Reference(start, end, document, section_id, self.text[start:end])

    def _targets(
        self, numbers: _Numbers, each: Sequence[re.Match[str]], document: str | None, outers: Mapping[int, _Numbers]
    ) -> Iterator[tuple[int, str]]:
        """The sections that numbers lead to in a document (None: this one), each with the number's place."""
        known, near = self._known(document), numbers.near if document is None else None
        home = self._home(numbers) if near else None
        within = home or self._within(numbers, document, outers)
        if numbers.match.start() in outers and within is None:
            return
        written, last = "", None
        for at, number in enumerate(each):
            item = number.group().startswith("(")  # "4.2(b) and (c)"
            written = LAST_ITEM.sub("", written) + number.group() if item else number.group()
            target = known.resolve(numbers.unit, written, near, within, whole=item)
            if within is not None and numbers.counted_inside and not item:
                target = known.inside(within, numbers.unit, written)
            hyphen = HYPHEN.fullmatch(written)
            if hyphen and known.resolve(numbers.unit, written, near, within, whole=True) is None:
                last, target = (known.resolve(numbers.unit, one, near, within) for one in hyphen.groups())
                if last:
                    yield at, last.section_id
            if last and target and (hyphen or TO.fullmatch(self.text, each[at - 1].end(), number.start())):
                yield from ((at, one.section_id) for one in known.between(last, target))
            target = target or home
            if target:
                yield at, target.section_id
            last = target

    def _home(self, numbers: _Numbers) -> Section | None:
        """The unit around numbers that they are said to be in: "paragraph 1 of this Schedule"."""
        this = THIS_UNIT.match(self.text, numbers.reach)
        return self.here.around(numbers.near, FORMS[this["unit"].casefold()]) if this else None

    def _within(
        self, numbers: _Numbers, document: str | None, outers: Mapping[int, _Numbers], deep: int = _DEEPEST
    ) -> Section | None:
        """The section that numbers must lie in: the nearest one to them of those that their outer unit names."""
        outer = outers.get(numbers.match.start())
        if outer is None or not deep:
            return None
        above = self._within(outer, document, outers, deep - 1)
        each = [*NUMBER.finditer(self.text, *outer.match.span("numbers"))]
        number = each[-1 if outer.match.start() < numbers.match.start() else 0].group()
        if above is not None and outer.counted_inside:
            return self._known(document).inside(above, outer.unit, number)
        if outer.match.start() in outers and above is None:
            return None
        near = outer.near if document is None else None
        return self._known(document).resolve(outer.unit, number, near, above)

    def _known(self, document: str | None) -> SectionNumbers:
        return self.here if document is None or self.library is None else self.library.numbers(document)

    def _first_target(self, numbers: _Numbers, document: str | None = None, *, whole: bool = False) -> Section | None:
        """The section that the first of the numbers leads to in a document (None: this one)."""
        number = NUMBER.match(self.text, *numbers.match.span("numbers"))
        near = numbers.near if document is None else None
        return self._known(document).resolve(numbers.unit, number.group(), near, whole=whole) if number else None

    def _outer(self, numbers: _Numbers, units: Mapping[int, _Numbers], held: Mapping[int, int]) -> _Numbers | None:
        """The unit that the numbers lie in: Schedule 1, for "section 2 of Schedule 1", § 4, for "§ 4 Abs. 1"."""
        if numbers.match.start() in held:
            return units.get(held[numbers.match.start()])
        of = OF.match(self.text, numbers.match.end())
        return units.get(of.end()) if of else None

    def _apart(self, references: Sequence[Reference]) -> Iterator[Reference]:
        """In order, a range cut where the next one begins: a name behind "§ 4 Abs. 1" is in the last one's."""
        starts = sorted({one.start for one in references})
        for one in sorted(references, key=lambda one: (one.start, one.end)):
            after = bisect_right(starts, one.start)
            cut = after < len(starts) and starts[after] < one.end
            text = self.text[one.start : starts[after]].rstrip(" ,(\n\t\u00a0") if cut else one.text
            yield replace(one, end=one.start + len(text), text=text)

    def _with_mentions(self, references: list[Reference]) -> list[Reference]:
        """With the titles that no number belongs to, each a reference to the whole document."""
        spans = sorted((reference.start, reference.end) for reference in references)
        for mention in self.mentions:
            if mention.alone and self.own not in mention.documents and not _overlaps(spans, mention.start, mention.end):
                text = self.text[mention.start : mention.end]
                references += [Reference(mention.start, mention.end, one, None, text) for one in mention.documents]
        return sorted(references, key=lambda reference: (reference.start, reference.end))


def _usual_documents(
    resolved: Sequence[tuple[_Numbers, Sequence[Reference]]],
) -> Mapping[str, tuple[str, ...]]:
    """To what document a text gives nearly all numbers of a series that are named with a document, by series."""
    said: dict[str, Counter[tuple[str, ...]]] = {}
    for numbers, pointing in resolved:
        if numbers.documents is None or (numbers.documents and any(one.target_section_id for one in pointing)):
            said.setdefault(numbers.series, Counter())[numbers.documents or ()] += 1
    usual = {series: counts.most_common(1)[0] for series, counts in said.items()}
    return {
        series: documents
        for series, (documents, count) in usual.items()
        if documents and count >= max(_FEWEST_SAID, _SHARE_SAID * said[series].total())
    }


def _begins(mention: Mention) -> int:
    return mention.start


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
