"""The sections of a document by number: which one a reference such as "Rule 4.2(b)" means, near where it stands."""

import re
from bisect import bisect_left
from collections.abc import Sequence

from policy_rag_parsers.records import Section
from policy_rag_parsers.references.number_patterns import INSIDE_UNIT
from policy_rag_parsers.structure.numbering import enclosing, number_key, read_marker
from policy_rag_parsers.text.lexicon import reference_words
from policy_rag_parsers.text.unit_words import BACK_MATTER, FORMS, KIND_OF, ONE_SERIES, OWN_SERIES, words_pattern

# "Part 4.33", where sections run on over parts, and "Appendix 4.A4.6", whose numbers are told by their letter.
_IN_PARTS = re.compile(
    r"^(?:(?:part|chapter|kapitel|teil|titre|chapitre|capítulo)\d{1,3}[a-z]?\.)+(?=\d)"
    r"|^(?:appendix|annex|schedule)\d{1,3}\.(?=[a-z]\d)"
)
_MOST_IN_RANGE = 30
_OWN_UNIT = words_pattern(OWN_SERIES)
_LAST_UNIT = re.compile(rf"(?:{_OWN_UNIT})[^a-z]\w*$|(?:{_OWN_UNIT})[a-z]$")
_UNIT_WORD = re.compile(_OWN_UNIT)
_SPELT = re.compile(
    rf"\b(?:{words_pattern(form for form, unit in FORMS.items() if unit in OWN_SERIES)})(?=[a-z]?[\d.])"
)
# no paragraph of a chapter: "§ 1"
_WORDED = re.compile(rf"§|(?!par|abs|(?:{reference_words('inside')})\b)[^\W\d]{{2,}}[ .]", re.IGNORECASE)
_FIRST_ITEM = re.compile(r"(.+)\((?:1|a|i)\)")


class SectionNumbers:
    """The sections of a document by number."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self._by_id = {section.section_id: section for section in sections}
        self._sections = sections
        self._by_key: tuple[dict[str, list[Section]], ...] = ({}, {}, {})  # the surest first
        for section in sections:
            word = _word(section)
            for known, keys in zip(self._by_key, _keys(section.number or ""), strict=True):
                for key in [*keys, *(f"{word} {key}" for key in keys if word in ONE_SERIES)]:
                    known.setdefault(key, []).append(section)
        self._series = {FORMS[word] for key in self._by_key[0] for word in _UNIT_WORD.findall(key)}

    def resolve(
        self,
        unit: str,
        number: str,
        near: Section | None = None,
        within: Section | None = None,
        *,
        whole: bool = False,
    ) -> Section | None:
        """The section with that number; of "4.2(b)" the section 4.2 where (b) is no section of its own.

        "Chapter 4" is the section 4, with others under it, of a document that calls none a chapter. "Paragraph 4" is
        no "Article 4" and no "Section 4": it is counted inside one.

        Args:
            unit: the word in front of the number, or "".
            number: as written.
            near: where it is written, if in the same document: of several sections the one is meant that shares most
                of its ancestors with this one; none where several do, unless one holds the others.
            within: the unit that the section must lie in.
            whole: whether no part of the number may be left out.
        """
        named = FORMS.get(unit.casefold(), "")
        plain = number_key(number)
        outer = KIND_OF.get(named) in {"part", "chapter"} and named not in self._series
        own = named in OWN_SERIES and not outer
        counted_inside = INSIDE_UNIT.fullmatch(unit) is not None
        key: str | None = f"{named}{plain}" if own else plain
        word = "section" if unit == "§" else FORMS.get(unit.casefold().rstrip("."), "")
        while key:
            for known in self._by_key:
                # of § 2 and an item 2 of an annex "§ 2" means the first, also in the annex
                worded = self._among(known.get(f"{word} {key}", []), within, outer=outer)
                target = self._nearest(worded, near) if worded else None
                if target is not None and (within is not None or self._is_of_text(target, near)):
                    return target
                found = self._among(known.get(key, []), within, outer=outer)
                if counted_inside:
                    found = [section for section in found if not _WORDED.match(section.number or "")]
                if found:
                    return self._nearest(found, near)
            key = None if whole else enclosing(key)
        return None

    def _among(self, found: list[Section], within: Section | None, *, outer: bool) -> list[Section]:
        """Those inside a section, of parts and chapters those that hold others."""
        if within is not None:
            found = [section for section in _under(within, found) if section is not within]
        return [section for section in found if section.subtree_end > section.end] if outer else found

    def _is_of_text(self, section: Section, near: Section | None) -> bool:
        """Whether a section is none of an annex, unless of that in which `near` is too."""
        above: Section | None = section
        while above is not None:
            if _word(above) in BACK_MATTER:
                return near is not None and above.start <= near.start < above.subtree_end
            above = self._by_id.get(above.parent or "")
        return True

    def inside(self, within: Section, unit: str, number: str) -> Section | None:
        """The section with a number that is counted inside another: (2) of § 4, for "§ 4 Abs. 2"."""
        for form in (f"{within.number}({number})", f"{within.number}.{number}"):
            if within.number and (found := self.resolve("", form, None, within, whole=True)):
                return found
        found = self.resolve(unit, number, None, within)
        return None if found is None or _WORDED.match(found.number or "") else found

    def around(self, near: Section, unit: str) -> Section | None:
        """The section that a text in `near` calls "this Schedule": itself, or the nearest around it that is one.

        Sections, articles and clauses are often numbered without their word: then it is `near` itself.
        """
        above: Section | None = near
        while above is not None:
            if _word(above) == unit:
                return above
            above = self._by_id.get(above.parent or "")
        return near if unit in ONE_SERIES else None

    def between(self, first: Section, last: Section) -> Sequence[Section]:
        """The sections of one level from one to another in "4.2 to 4.6", both left out; none of more than thirty."""
        found = [one for one in self._sections if first.start < one.start < last.start and one.level == first.level]
        return found if first.level == last.level and len(found) <= _MOST_IN_RANGE else ()

    def _nearest(self, found: list[Section], near: Section | None) -> Section | None:
        """Of sections in order of `start`; those that share most lie under the lowest ancestor that holds any.

        Of several the outermost, where it is one.
        """
        best, above, seen = found, near, set[str]()
        while len(found) > 1 and above is not None and above.section_id not in seen:
            seen.add(above.section_id)
            if inside := _under(above, found):
                best = inside
                break
            above = self._by_id.get(above.parent or "")
        if best[-1].start < best[0].subtree_end or len(best) == 1:
            return best[0]
        outermost = min(section.level for section in best)
        top = [section for section in best if section.level == outermost]
        return top[0] if len(top) == 1 else None


def _under(above: Section, found: list[Section]) -> list[Section]:
    """Those of sections in order of `start` that are a section or lie under it."""
    begin = bisect_left(found, above.start, key=_start)
    return found[begin : bisect_left(found, above.subtree_end, lo=begin, key=_start)]


def _word(section: Section) -> str:
    """The unit that a section's number names, or "": "section" for a sign too."""
    marker = read_marker(section.number or "")
    return marker.parts[-1].word if marker else ""


def _start(section: Section) -> int:
    return section.start


def _keys(number: str) -> tuple[list[str], list[str], list[str]]:
    """The keys under which a section's number is looked up: sure ones, less sure ones, and one for want of a better.

    "Part 6 Chapter 2" is also "Chapter 2"; "Part 4.33.(1)" also "33(1)", where sections run on over parts. Of "33(1)",
    "33(2)", ... only the first stands for 33.
    """
    key = _SPELT.sub(lambda match: FORMS[match.group()], number_key(number))
    if not key:
        return [], [], []
    last = _LAST_UNIT.search(key)
    tail = _IN_PARTS.sub("", key)
    item = _FIRST_ITEM.fullmatch(tail)
    return (
        [key, last.group()] if last and last.start() else [key],
        [tail] if tail != key and tail else [],
        [item.group(1)] if item else [],
    )
