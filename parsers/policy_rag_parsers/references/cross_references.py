"""Cross-references: which section, of this document or another, a text points to."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.references.known_documents import Library, Mention
from policy_rag_parsers.references.section_numbers import SectionNumbers
from policy_rag_parsers.structure.numbering import INVISIBLE
from policy_rag_parsers.text.unit_words import CODED, FORMS, HYPHENED, INSERTED, ONE_SERIES, OWN_SERIES, words_pattern

_NAMES = (form for form, unit in FORMS.items() if unit in OWN_SERIES | ONE_SERIES and len(form) > 4)
_UNITS = (
    rf"{words_pattern(_NAMES)}|part|teil|rule|deel|sec\.|art\.|app\.|paragraphs?|paras?\.?|ziffern?|ziff\.|absatz|abs\.|"
    r"nr\.|alinéas?|apartados?|comma|leden|lid|(?-i:APP|App)"
)
_GAP = rf"[\s{INVISIBLE}]{{0,6}}"
_AMOUNT = r"(?!\s{0,2}(?:%|€|\$|£|(?i:percent|per cent|euros?|eur|usd|million|hours?|days?|weeks?|months?|years?)\b))"
_ITEMS = rf"(?:\.?[ {INVISIBLE}]{{0,3}}\((?:[a-z]{{1,5}}|[A-Z]|\d{{1,3}})\)){{0,5}}"
_FIGURE = rf"\d{{1,4}}(?:{INSERTED}|{HYPHENED}|[A-Z]{{1,2}}(?!\w)|[a-z](?!\w)|er(?!\w))?"  # "13A", "2a", "3 bis", "1er"
_STEP = rf"\.(?:{_FIGURE}|[A-Z](?=\.\d))"
_END = rf"(?!\w|\.\d){_AMOUNT}"
_DIGITS = rf"(?:{CODED}|(?:[A-Z]{{1,2}}\.?)?{_FIGURE}(?:{_STEP}){{0,7}}){_ITEMS}{_END}"
_DOTTED = rf"(?:[A-Z]{{1,2}}\.?)?{_FIGURE}(?:(?:{_STEP}){{1,7}}{_ITEMS}|\([a-z]{{1,5}}\)){_END}"
_LETTERS = r"(?:[IVXLC]{1,7}|[A-Z])(?![\w.]\w|\w)"
_ITEM = r"\((?:[a-z]{1,5}|\d{1,3})\)(?!\w)"
_TO = re.compile(rf"{_GAP}(?:to|through|bis|[-–]){_GAP}")
_MORE = rf"(?:{_GAP}(?:,|and|or|to|through|und|oder|bis|[-–]){_GAP}(?:{_DIGITS}|{_ITEM})){{0,20}}"
_NAMED = re.compile(
    rf"(?:(?<!\w)(?P<unit>(?i:{_UNITS}))(?![^\W\d])|(?P<sign>§§?)){_GAP}(?P<numbers>(?:{_DIGITS}|{_LETTERS}){_MORE})"
)
_LED = re.compile(
    r"(?<!\w)(?i:subject to|see(?: also)?|(?:as )?defined in|in accordance with|pursuant to|under|"
    r"set out in|referred to in|described in|specified in|required by|(?:for )?the purposes of|gemäß|nach|siehe)"
    rf"{_GAP}(?P<numbers>{_DOTTED})"
)
_NUMBER = re.compile(rf"{_DIGITS}|{_LETTERS}|{_ITEM}")
_LAST_ITEM = re.compile(r"\([^()]*\)\s*$")
_HYPHEN = re.compile(r"([A-Z]?\d[\d.]*)-([A-Z]?\d[\d.]*)")
_BARE_NUMBER = re.compile(rf"{_GAP}(?P<numbers>{_DIGITS}{_MORE})")
_OF = re.compile(r",?\s{1,3}(?:of|in|to|under|der|des|von)\s{1,3}")
_OWNING = frozenset(("of", "der", "des", "von"))
_DETERMINER = re.compile(r"(?i:the|our|its|that|die|der|des)\s{1,3}")
_THIS = re.compile(r"(?i:this|these|dieser|dieses|diesem)\b")
_THERE = re.compile(r"\s{1,3}(?i:there(?:of|in)?|ebenda|dort)\b")
_AND = re.compile(r"\s{1,3}(?:and|or|und|oder|et|ou)\s{1,3}")
_NEXT = re.compile(rf"[,;]\s{{1,3}}(?:(?:and|or|und|oder|et|ou)\s{{1,3}})?|{_AND.pattern}")
_AFTER_TITLE = re.compile(r"\)?,?\s{1,3}(?:\(|in\s{1,3})?(?:its\s{1,3})?|\s?\(")
_TITLE_REACH = 10
_BRACKETED = re.compile(r"[^().;:\d]{3,80}\((?:the\s)?[\"“„«]?(?=[A-Z])")
_MARKUP = re.compile(r"[^\w§]*")
# How far back "section 6 there" looks for the document that it means.
_THERE_REACH = 160
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
        sections: its sections in order. The number that a section begins with is no reference.
        library: the documents that can be pointed to; without one only this document is.
        doc_id: this document's id in the library; its own names point nowhere else.
    """
    if not sections:
        return ()
    return tuple(_Scanner(source.text, sections, library, doc_id).scan())


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Numbers that are referred to, and the documents that they are of: () for this one, None for one not known.

    `start` and `end` hold the document's name where it stands beside them.
    """

    match: re.Match[str]
    near: Section
    start: int
    end: int
    documents: tuple[str, ...] | None

    @property
    def unit(self) -> str:
        """The word in front of them as written, or ""."""
        return self.match.groupdict().get("unit") or ""

    @property
    def series(self) -> str:
        """The unit that the word names, or ""."""
        return FORMS.get(self.unit.casefold(), self.unit.casefold())


class _Scanner:
    """Walks the references of a document in order."""

    def __init__(self, text: str, sections: Sequence[Section], library: Library | None, own: str | None) -> None:
        self.text, self.sections, self.library, self.own = text, sections, library, own
        self.here = SectionNumbers(sections)
        self.mentions = library.mentions(text, own) if library is not None else []
        self.starts = {mention.start: mention for mention in self.mentions}
        self.ends = {mention.end: mention for mention in self.mentions}

    def scan(self) -> list[Reference]:
        found = self._joined([*self._found()])
        units = {numbers.match.start(): numbers for numbers in found}
        resolved = [(numbers, [*self._resolved(numbers, units)]) for numbers in found]
        usual = _usual_documents(resolved)
        references: list[Reference] = []
        for numbers, pointing in resolved:
            documents = usual.get(numbers.series, ())
            if numbers.documents == () and any(self._better(document, numbers) for document in documents):
                references += self._resolved(replace(numbers, documents=documents), units)
            else:
                references += pointing
        return self._with_mentions(references)

    def _better(self, document: str, numbers: _Numbers) -> bool:
        """Whether another document has a number that this one has not, or only a part of it."""
        if self._first_target(numbers, whole=True):
            return False
        there = self._first_target(numbers, document, whole=self._first_target(numbers) is not None)
        return there is not None

    def _found(self) -> Iterator[_Numbers]:
        section = 0
        for match in self._matches():
            while section + 1 < len(self.sections) and self.sections[section + 1].start <= match.start():
                section += 1
            if match.start() >= _head_end(self.text, self.sections[section]):
                documents, start, end = self._documents(match)
                if documents and self.own in documents:
                    documents = ()
                yield _Numbers(match, self.sections[section], start, end, documents)

    def _matches(self) -> list[re.Match[str]]:
        """Numbers that are referred to, none inside another."""
        begin, end = self.sections[0].start, self.sections[-1].end
        found = [*_NAMED.finditer(self.text, begin, end), *_LED.finditer(self.text, begin, end)]
        found += [m for mention in self.mentions if (m := _BARE_NUMBER.match(self.text, mention.end, end))]
        kept: list[re.Match[str]] = []
        for match in sorted(found, key=lambda m: (m.start("numbers"), -m.end("numbers"), m.start())):
            if not kept or match.start("numbers") >= kept[-1].end("numbers"):
                kept.append(match)
        return kept

    def _documents(self, match: re.Match[str]) -> tuple[tuple[str, ...] | None, int, int]:
        """The documents that numbers are of, and the range of both; see `_Numbers`."""
        start = match.start("numbers") if match.re is _LED else match.start()
        end = match.end()
        before = self._title_before(match)
        if before is not None:
            return before.documents, before.start, end
        if _THERE.match(self.text, end):
            last = bisect_left(self.mentions, match.start(), key=_begins)
            meant = [one for one in self.mentions[max(0, last - 1) : last] if one.start >= end - _THERE_REACH]
            return (meant[-1].documents if meant else None), start, end
        of = _OF.match(self.text, end)
        if of is None or _THIS.match(self.text, of.end()):
            return (), start, end
        determiner = _DETERMINER.match(self.text, of.end())
        at = determiner.end() if determiner else of.end()
        if at in self.starts:
            return self.starts[at].documents, start, self.starts[at].end
        capital = self.text[at : at + 1].isupper() and of.group().strip(" ,\n\t") in _OWNING
        if not capital or _NAMED.match(self.text, at):
            return (), start, end
        bracketed = _BRACKETED.match(self.text, at)  # "section 4.1 of the Rules on Markets (“MKT”)"
        known = self.starts.get(bracketed.end()) if bracketed else None
        return (known.documents, start, known.end) if known else (None, start, end)

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
            if behind.end > behind.match.end() and self._together(one, behind, _AND):
                found[i] = replace(one, documents=behind.documents)
        for i in range(1, len(found)):
            before, one = found[i - 1], found[i]
            if before.documents and self._together(one, before, _NEXT) and self._first_target(one) is None:
                found[i] = replace(one, documents=before.documents)
        return found

    def _together(self, one: _Numbers, other: _Numbers, joint: re.Pattern[str]) -> bool:
        """Whether one without a document of its own and another are units of one kind with a joint between them."""
        between = sorted((one.match.span(), other.match.span()))
        return (
            one.documents == ()
            and one.series == other.series
            and joint.fullmatch(self.text, between[0][1], between[1][0]) is not None
        )

    def _resolved(self, numbers: _Numbers, units: Mapping[int, _Numbers]) -> Iterator[Reference]:
        """A reference for each number and document, and for each section in a range of numbers."""
        documents, outer = numbers.documents, self._outer(numbers, units)
        if documents == () and outer is not None:
            documents = outer.documents
        each = [*_NUMBER.finditer(self.text, *numbers.match.span("numbers"))]
        ranges = [[one.start(), one.end()] for one in each]
        ranges[0][0], ranges[-1][1] = numbers.start, numbers.end
        for document in documents or (None,):
            targets = [] if documents is None else [*self._targets(numbers, each, document, outer)]
            led = {at for at, _ in targets}
            for at, section_id in [*targets, *((at, None) for at in range(len(each)) if at not in led)]:
                start, end = ranges[at]
                yield Reference(start, end, document, section_id, self.text[start:end])

    def _targets(
        self, numbers: _Numbers, each: Sequence[re.Match[str]], document: str | None, outer: _Numbers | None
    ) -> Iterator[tuple[int, str]]:
        """The sections that numbers lead to in a document (None: this one), each with the number's place."""
        known, near = self._known(document), numbers.near if document is None else None
        within = self._first_target(outer, document) if outer else None
        if outer and within is None:
            return
        written, last = "", None
        for at, number in enumerate(each):
            item = number.group().startswith("(")  # "4.2(b) and (c)"
            written = _LAST_ITEM.sub("", written) + number.group() if item else number.group()
            target = known.resolve(numbers.unit, written, near, within, whole=item)
            hyphen = _HYPHEN.fullmatch(written)
            if hyphen and known.resolve(numbers.unit, written, near, within, whole=True) is None:
                last, target = (known.resolve(numbers.unit, one, near, within) for one in hyphen.groups())
                if last:
                    yield at, last.section_id
            if last and target and (hyphen or _TO.fullmatch(self.text, each[at - 1].end(), number.start())):
                yield from ((at, one.section_id) for one in known.between(last, target))
            if target:
                yield at, target.section_id
            last = target

    def _known(self, document: str | None) -> SectionNumbers:
        return self.here if document is None or self.library is None else self.library.numbers(document)

    def _first_target(self, numbers: _Numbers, document: str | None = None, *, whole: bool = False) -> Section | None:
        """The section that the first of the numbers leads to in a document (None: this one)."""
        number = _NUMBER.match(self.text, *numbers.match.span("numbers"))
        near = numbers.near if document is None else None
        return self._known(document).resolve(numbers.unit, number.group(), near, whole=whole) if number else None

    def _outer(self, numbers: _Numbers, units: Mapping[int, _Numbers]) -> _Numbers | None:
        """The unit that the numbers lie in: Schedule 1, for "section 2 of Schedule 1"."""
        of = _OF.match(self.text, numbers.match.end())
        return units.get(of.end()) if of else None

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
        if numbers.documents is None or (numbers.documents and _leads(pointing)):
            said.setdefault(numbers.series, Counter())[numbers.documents or ()] += 1
    usual = {series: counts.most_common(1)[0] for series, counts in said.items()}
    return {
        series: documents
        for series, (documents, count) in usual.items()
        if documents and count >= max(_FEWEST_SAID, _SHARE_SAID * said[series].total())
    }


def _leads(references: Sequence[Reference]) -> bool:
    return any(reference.target_section_id for reference in references)


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
