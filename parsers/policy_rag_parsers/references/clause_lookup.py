"""Clauses by reference: the range of "4.2", "section 4.2(b)(ii)" or "Part 6 Chapter 2" in a document.

List items such as (a) and (i) are no sections; they stay inside theirs and are found here.
"""

import re
from collections.abc import Iterator, Sequence

from policy_rag_parsers.blocks.list_items import ListItem, list_items
from policy_rag_parsers.records import Section
from policy_rag_parsers.references.clause_query import ClauseQuery, as_item, clause_queries
from policy_rag_parsers.structure.numbering import Component, number_key, read_marker, roman_value
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.sentences import blanked
from policy_rag_parsers.text.unit_words import ONE_SERIES, plain_value

_LOOSE_ITEM = re.compile(r"(?<=[\d)])\.([a-z])\b|(?<=[\dIVXLC)])\s+([a-z]{1,4})\)")  # "4.2.b", "4.2 b)"
_DOTTED_NUMERAL = re.compile(r"\b([IVXLC]{1,7})\.(\d{1,3})\b")  # "III.2"
_BARE_NUMBER = re.compile(r"\d|(?:[IVXLC]{1,7}|[ivx]{2,7}|[A-Z])(?![\w'’-])")
_UNREAD = re.compile(r"\d|\b(?:[IVXLC]{1,7}|[ivx]{2,7})\b(?!['’])|\b\w\)")
_ITEMS_BEHIND = re.compile(r"(?:\s*\([A-Za-z\d]+\))+\Z")
_LABEL = re.compile(r"\w+")
_TOKEN = re.compile(r"\s*[.,]?\s*\(?([A-Za-z0-9]+)\)?")
_TITLE_UNIT = re.compile(r"\W*([^\W\d]+)\s+(\d{1,3}[A-Za-z]?|[IVXL]{1,6}|[A-Z])(?![\w.]\w|\w)")


def find_clause(text: str, sections: Sequence[Section], reference: str) -> tuple[int, int] | None:
    r"""Return the range of the clause that a reference names, or None where the document has none of that number.

    A section's range is that of the section with all under it. Where two sections have the number the first one counts.
    Case and punctuation do not matter: "Section 4.2 (B)" finds "4.2(b)" where there is no "(B)".

    Args:
        text: the document.
        sections: its sections, in order.
        reference: such as "4.2(b)(ii)", "section 4.2", "Rule 7", "Part 6 Chapter 2", "§ 3 Abs. 2 Nr. 1",
            "paragraph (b) of section 4.2".

    >>> from policy_rag_parsers.records import FileFormat, SourceText
    >>> from policy_rag_parsers.structure.sections import parse_sections
    >>> text = "4.1 Trains\nAny class.\n4.2 Flights\n(a) economy;\n(b) business over six hours.\n"
    >>> found = parse_sections(SourceText(text, FileFormat.TEXT), title="Travel")
    >>> start, end = find_clause(text, found, "section 4.2(b)")
    >>> text[start:end]
    '(b) business over six hours.'
    """
    plain = INVISIBLE_MARK.sub("", reference).strip().rstrip(".,;:")
    written = _LOOSE_ITEM.sub(lambda match: f"({match[1] or match[2]})", _DOTTED_NUMERAL.sub(r"\1(\2)", plain))
    base = _ITEMS_BEHIND.sub("", written)
    for number, items in ((plain, []), (base, _LABEL.findall(written[len(base) :]))):
        key = number_key(number)
        same = [one for one in sections if key and number_key(one.number or "") == key]
        for section in sorted(same, key=lambda one: (one.number or "").casefold() != number.casefold()):
            found = _inside(text, sections, section, items)
            if found is not None:
                return found
    asked = f"section {written}" if _BARE_NUMBER.match(written) else written
    queries = clause_queries(asked)
    if len(queries) != 1 or _UNREAD.search(blanked(asked, [(queries[0].start, queries[0].end)])):
        return None
    return clause_range(text, sections, queries[0])


def clause_range(text: str, sections: Sequence[Section], query: ClauseQuery) -> tuple[int, int] | None:
    """The range of a clause as it is asked for in running text, or None where the document has none.

    Sections of the unit's number are looked into in order, Roman and Arabic numerals being the same, and those that
    have it in their title ("Anlage 1: Kontakte") behind them. In each the items are list items, or sections under it:
    "section 4 paragraph 2" may be 4.2, and "paragraph 3 of Schedule 2" the 3 in that schedule. Where there is no 4.2,
    it is the second item of a list in section 4.
    """
    *outer, (word, number) = query.units
    for count in range(len(query.items), -1, -1):  # of "4.2(b)(ii)" all of it may be a section's number, or a part
        units = [*outer, (word, number + "".join(f"({item})" for item in query.items[:count]))]
        for section in _units_of(sections, [Component(*unit) for unit in units]):
            found = _inside(text, sections, section, query.items[count:])
            if found is not None:
                return found
    listed = as_item(query)
    return clause_range(text, sections, listed) if listed else None


def _units_of(sections: Sequence[Section], units: Sequence[Component]) -> Iterator[Section]:
    """The sections that have these units' number, the surest first."""
    numbered = [(section, _own_parts(section.number)) for section in sections if section.number is not None]
    yield from (section for section, own in numbered if _agree(own, units))
    if units[0].word:  # "Chapter 2" of "Part 6 Chapter 2"
        yield from (section for section, own in numbered if len(own) > len(units) and _agree(own[-len(units) :], units))
    for index, section in enumerate(sections):
        for count in range(len(units) - 1, 0, -1):  # a section for each: "Chapter 2" under "Part 6"
            if section.number is not None and _agree(_own_parts(section.number), units[:count]):
                yield from _units_of(_under(sections, index), units[count:])
        if units[0].word and section.number is None and _titled(section.title, units[0]):
            yield from _units_of(_under(sections, index), units[1:]) if len(units) > 1 else (section,)


def _own_parts(number: str) -> tuple[Component, ...]:
    marker = read_marker(number)
    return marker.parts if marker else (Component("", number),)


def _agree(own: Sequence[Component], query: Sequence[Component]) -> bool:
    """Whether a section's number is the one asked for; a dotted value is several components."""
    parts = [part for unit in query for part in _components(unit)]
    return len(own) == len(parts) and all(_same_number(one, two) for one, two in zip(own, parts, strict=True))


def _components(unit: Component) -> list[Component]:
    value = plain_value(unit.value)
    first, *rest = _values(value) or (Component("", value),)
    return [Component(unit.word, first.value), *rest]


def _same_number(own: Component, query: Component) -> bool:
    if own.word != query.word and (query.word or own.word not in ONE_SERIES):
        return False
    return own.value.casefold() == query.value.casefold() or _figure(own.value) == _figure(query.value) is not None


def _figure(value: str) -> int | None:
    """What a numeral says; a single letter is one only where it is hardly anything else."""
    if value.isdecimal():
        return int(value)
    return roman_value(value) if len(value) > 1 or value in "IVX" else None


def _titled(title: str, unit: Component) -> bool:
    """Whether a title begins with a unit that the parser reads no number of: "Anlage 1: Kontakte"."""
    found = _TITLE_UNIT.match(title)
    if found is None or found[1].casefold() != unit.word:
        return False
    return _same_number(Component("", found[2]), Component("", unit.value))


def _under(sections: Sequence[Section], index: int) -> list[Section]:
    outer = sections[index]
    return [section for section in sections[index + 1 :] if section.start < outer.subtree_end]


def _inside(text: str, sections: Sequence[Section], outer: Section, items: Sequence[str]) -> tuple[int, int] | None:
    """The items inside a section: of its lists, else in the sections under it."""
    if not items:
        return outer.start, outer.subtree_end
    found = _item(list_items(text, outer), [plain_value(item) for item in items])
    if found is not None:
        return found.start, found.end
    own = _numbers(outer)
    for count in range(len(items), 0, -1):
        wanted = tuple(part.value.casefold() for item in items[:count] for part in _values(plain_value(item)))
        for section in _under(sections, sections.index(outer)):
            if wanted and _numbers(section) in {wanted, (*own, *wanted)}:
                deeper = _inside(text, sections, section, items[count:])
                if deeper is not None:
                    return deeper
    return None


def _numbers(section: Section) -> tuple[str, ...]:
    return tuple(part.value.casefold() for part in _own_parts(section.number)) if section.number else ()


def _item(items: Sequence[ListItem], labels: list[str]) -> ListItem | None:
    wanted = tuple(labels)
    folded = tuple(label.casefold() for label in labels)
    exact = next((item for item in items if item.labels == wanted), None)
    return exact or next((item for item in items if tuple(map(str.casefold, item.labels)) == folded), None)


def _values(text: str) -> tuple[Component, ...]:
    """Read bare components: "4.2(b)" gives 4, 2 and b."""
    parts: list[Component] = []
    position = 0
    while match := _TOKEN.match(text, position):
        parts.append(Component("", match[1]))
        position = match.end()
    return tuple(parts) if position >= len(text.rstrip()) else ()
