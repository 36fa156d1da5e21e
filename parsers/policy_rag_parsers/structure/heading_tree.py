"""Nesting: which heading lies under which."""

from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind, is_list_item
from policy_rag_parsers.structure.heading_selection import family
from policy_rag_parsers.structure.number_successor import Succession
from policy_rag_parsers.structure.numbering import Component, roman_value, step, without_noughts
from policy_rag_parsers.text.unit_words import BACK_MATTER, KIND_OF, ORDER, PREAMBLES

_FIGURES, _LETTERS = "#", "A"  # the families of numbers without a word
_ROMAN = "roman"  # the word that sets Roman numerals apart from letters


def nest(headings: list[HeadingCandidate]) -> list[int | None]:
    """Return for each heading the index of the one that it lies under, or None at the top.

    A number decides where there is one: "4.2" lies under "4" whatever the format says of the two, and "4.3" beside the
    "4.2" that it goes on from, whatever stands between them. Between headings without a common number the level that
    the format gives decides, and plain numbered clauses lie under any heading that the format marks.

    Args:
        headings: in order.
    """
    headings = _with_roman_numerals(_as_chapters(headings))
    ranks = _ranks(headings)
    parents: list[int | None] = []
    succession = Succession(headings, parents)
    stack: list[int] = []
    for index, heading in enumerate(headings):
        while stack and not _encloses(headings[stack[-1]], heading, ranks):
            stack.pop()
        placed = stack[-1] if stack else None
        parent = succession.place(index, placed)
        if parent != placed:
            stack = succession.chain(parent)
        parents.append(parent)
        stack.append(index)
    return parents


def _as_chapters(headings: list[HeadingCandidate]) -> list[HeadingCandidate]:
    """Headings with "3.0" counted as the chapter "3", where no other heading is that."""
    numbers = {one.marker.parts for one in headings if one.marker}
    found = []
    for one in headings:
        parts = without_noughts(one.marker.parts) if one.marker else ()
        plain = one.marker is not None and parts not in numbers
        found.append(one._replace(marker=one.marker._replace(parts=parts)) if one.marker and plain else one)
    return found


def _with_roman_numerals(headings: list[HeadingCandidate]) -> list[HeadingCandidate]:
    """Headings with Roman numerals told from letters, where both number them: "A" lies under "II"."""
    found, last, letter = list(headings), 0, ""
    for index, one in enumerate(headings):
        if one.marker is None or len(one.marker.parts) != 1 or one.marker.parts[0].word:
            continue
        value = one.marker.parts[0].value
        number = roman_value(value)
        is_next = len(value) == 1 and bool(letter) and ord(value) - ord(letter) == 1  # "I" behind "H"
        if number is not None and not is_next and (len(value) > 1 or number in {1, last + 1}):
            last = number
            found[index] = one._replace(marker=one.marker._replace(parts=(Component(_ROMAN, value),)))
        elif len(value) == 1 and value.isalpha():
            letter = value
    return found if last and letter else headings


def _encloses(outer: HeadingCandidate, inner: HeadingCandidate, ranks: dict[str, int]) -> bool:
    if outer.marker and inner.marker:
        one, two = outer.marker.parts, inner.marker.parts
        if len(one) < len(two) and _begins(two, one):
            return True
        if family(one) == family(two):
            return _restarts_under(outer, inner)
        if not (outer.strong and inner.strong and outer.level and inner.level and outer.level != inner.level):
            return _rank(one, ranks) < _rank(two, ranks)
    if outer.strong:
        return not inner.strong or _level(outer) < _level(inner)
    if outer.kind is HeadingKind.CAPITALS:
        return inner.kind is not HeadingKind.CAPITALS and outer.title.casefold() not in PREAMBLES
    return outer.marker is None and inner.marker is not None


def _level(heading: HeadingCandidate) -> int:
    """The level that the format gives; a line in bold is lower than any heading proper."""
    return heading.level if heading.level is not None else 90


def _restarts_under(outer: HeadingCandidate, inner: HeadingCandidate) -> bool:
    """Whether numbering begins anew under a heading of the same family: "## 2. Rules" over "### 1. First rule"."""
    if is_list_item(outer) and is_list_item(inner):
        return _level(outer) < _level(inner)
    if not (outer.strong and inner.strong and outer.level and inner.level and outer.level < inner.level):
        return False
    one, two = outer.marker, inner.marker
    if one is None or two is None:
        return True
    siblings = len(one.parts) == len(two.parts) and one.parts[:-1] == two.parts[:-1]
    return not (siblings and step(one.parts[-1], two.parts[-1]) in {1, 2, 3})


def _begins(number: tuple[Component, ...], outer: tuple[Component, ...]) -> bool:
    """Whether a number begins with another one, with or without the word before it."""
    head = number[: len(outer)]
    return head == outer or (bool(head[0].word or outer[0].word) and _normal(head) == _normal(outer))


def _normal(parts: tuple[Component, ...]) -> tuple[Component, ...]:
    """A number without the word before it, so that "Section 4.1" encloses "4.1.1"; back matter keeps its word."""
    first = parts[0]
    if first.word and first.value and first.word not in BACK_MATTER and len(parts) > 1 and not parts[1].word:
        return (Component("", first.value), *parts[1:])
    return parts


def _rank(parts: tuple[Component, ...], ranks: dict[str, int]) -> int:
    return ranks.get(family(parts), len(ranks))


def _ranks(headings: list[HeadingCandidate]) -> dict[str, int]:
    """Rank the families of numbers from the outermost in: back matter, worded units, then others as they come."""
    counts: dict[str, int] = {}
    for heading in headings:
        if heading.marker:
            name = family(heading.marker.parts)
            counts[name] = counts.get(name, 0) + 1
    units = _units(counts)
    others = [name for name in counts if name not in BACK_MATTER and name not in units]
    ranks = dict.fromkeys(BACK_MATTER, 0)
    ranks |= {name: rank for rank, name in enumerate([*units, *others], 1)}
    if _LETTERS in ranks and _FIGURES in ranks and any(map(_is_lettered, headings)):
        ranks[_LETTERS] = min(ranks[_LETTERS], ranks[_FIGURES])  # "A" with "A.1" stands beside "9" with "9.1"
    return ranks


def _is_lettered(heading: HeadingCandidate) -> bool:
    """Whether a number is one of several components from a letter on: "A.1"."""
    return heading.marker is not None and family(heading.marker.parts) == _LETTERS and len(heading.marker.parts) > 1


def _units(counts: dict[str, int]) -> list[str]:
    """Return the worded units of a document from the outermost in; `counts` has them in order of appearance.

    The customary order holds except where a unit that should be inside another comes before it and less often:
    American by-laws have sections inside articles, European law has articles inside sections.
    """
    seen = list(counts)
    units = sorted((name for name in counts if name in KIND_OF), key=lambda name: ORDER.index(KIND_OF[name]))
    for _ in units:
        for place in range(len(units) - 1):
            outer, inner = units[place], units[place + 1]
            if seen.index(inner) < seen.index(outer) and counts[inner] < counts[outer]:
                units[place], units[place + 1] = inner, outer
    return units
