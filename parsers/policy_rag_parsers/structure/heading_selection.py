"""Which candidate headings are real: numbers that run on and nest are headings, those that do not are not."""

from itertools import pairwise

from policy_rag_parsers.structure.bare_number_runs import single_headings
from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.numbering import (
    Closing,
    Component,
    Siblings,
    follows,
    is_coded,
    is_first,
    is_next,
    step,
)
from policy_rag_parsers.structure.toc import contents_entries
from policy_rag_parsers.text.unit_words import BACK_MATTER, PREAMBLES

Parts = tuple[Component, ...]
_SOUND = 2  # the weight of a line with the shape of a heading or clause
_FEWEST_MARKED = 2  # one marked heading is the title
_FEWEST_CAPITALS = 2  # one line in capitals is emphasis; beside other headings all are that do not group them


def select(text: str, candidates: list[HeadingCandidate], kinds: frozenset[HeadingKind]) -> list[HeadingCandidate]:
    """Return the candidates that are headings, in order.

    Args:
        text: the text that the candidates come from.
        candidates: in order of `start`.
        kinds: the kinds of heading that the profile knows.
    """
    known = [candidate for candidate in candidates if candidate.kind in kinds]
    entries = contents_entries(text, known)
    known = [candidate for index, candidate in enumerate(known) if index not in entries]
    compound = _runs_on(known)
    chosen = _Selection(known, _certain_singles(text, known, compound=compound), compound=compound).run()
    capitals = {one.start for one in chosen if one.kind is HeadingKind.CAPITALS}
    others = [one for one in chosen if one.kind is not HeadingKind.CAPITALS]
    if len(others) >= _FEWEST_CAPITALS and not _outnumber(capitals, others):
        groups = _groups(text, chosen)
        capitals = groups if 2 * len(groups) > len(capitals) else set()
    if len(capitals) < _FEWEST_CAPITALS:
        capitals = set()
    capitals |= {one.start for one in chosen if one.title.casefold() in PREAMBLES} | _back_matter(chosen)
    return [one for one in chosen if one.kind is not HeadingKind.CAPITALS or one.start in capitals]


def _outnumber(capitals: set[int], others: list[HeadingCandidate]) -> bool:
    """Whether the titles of a text are in capitals: there are more than of other headings, and the format marks none.

    Single numbers without a title are no other headings: they number paragraphs.
    """
    others = [one for one in others if one.title or one.kind is not HeadingKind.SINGLE]
    return len(capitals) > len(others) and not any(one.strong for one in others)


def _groups(text: str, chosen: list[HeadingCandidate]) -> set[int]:
    """Return the starts of lines in capitals that stand right above a number: "THE STATE" over "ARTICLE 4"."""
    groups: set[int] = set()
    for one, two in reversed(list(pairwise(chosen))):
        over = two.marker is not None or two.start in groups
        if one.kind is HeadingKind.CAPITALS and over and not text[one.line_end : two.start].strip():
            groups.add(one.start)
    return groups


def _back_matter(chosen: list[HeadingCandidate]) -> set[int]:
    """Return the starts of lines in capitals behind all numbers, where the titles of the highest numbers are too.

    Behind the number of an annex they are its own captions.
    """
    titled = [(len(one.marker.parts), one) for one in chosen if one.marker and one.title]
    shortest = min((length for length, _ in titled), default=0)
    highest = [one for length, one in titled if length == shortest]
    if len(highest) < _FEWEST_CAPITALS or not all(one.title.isupper() for one in highest):
        return set()
    last = next(one for one in reversed(chosen) if one.marker)
    if last.marker and last.marker.parts[0].word in BACK_MATTER:
        return set()
    return {one.start for one in chosen if one.kind is HeadingKind.CAPITALS and one.start > last.start}


def _certain_singles(text: str, known: list[HeadingCandidate], *, compound: bool) -> set[int]:
    """Return the starts of single numbers whose run makes them headings, whatever stands between them.

    Beside compound numbers "1." is judged by those; "1)" is counted apart from them and may be the outline itself.
    Beside headings that the format marks, single numbers are lists, unless one run of titles is the outline.
    """
    singles = [one for one in known if one.kind is HeadingKind.SINGLE and one.marker]
    if compound:
        singles = [one for one in singles if one.marker and one.marker.closing is Closing.BRACKET]
    marked = [one.start for one in known if one.strong]
    if len(marked) < _FEWEST_MARKED:
        marked = _capitals_over_lists(known)
    beside = marked if len(marked) >= _FEWEST_MARKED else None
    return {one.start for one in single_headings(text, singles, outline_only=compound, marked=beside)}


def _capitals_over_lists(known: list[HeadingCandidate]) -> list[int]:
    """Return the starts of lines in capitals under which single numbers begin anew and never go on."""
    begun, last = False, None
    for before, one in pairwise(known):
        if one.kind is not HeadingKind.SINGLE or one.marker is None:
            continue
        part = one.marker.parts[0]
        if before.kind is HeadingKind.CAPITALS and last is not None:
            if not is_first(part):
                return []
            begun = True
        last = part
    return [one.start for one in known if one.kind is HeadingKind.CAPITALS] if begun else []


def _runs_on(candidates: list[HeadingCandidate]) -> bool:
    """Whether compound numbers run on from each other or from a single one: a lone "2.5" proves no numbering."""
    numbered = [(one.marker.parts, one.weight) for one in candidates if one.kind is HeadingKind.NUMBERED and one.marker]
    if any(follows(one, two) for (one, _), (two, _) in pairwise(numbered)):
        return True
    digits = {one.marker.parts for one in candidates if one.kind is HeadingKind.SINGLE and one.marker}
    return any(weight == _SOUND and is_first(parts[-1]) and parts[:1] in digits for parts, weight in numbered)


class _Selection:
    """One pass over the candidates that keeps, for each family of numbers, the one that was last found to be real."""

    def __init__(self, candidates: list[HeadingCandidate], certain: set[int], *, compound: bool) -> None:
        self._candidates = candidates
        self._certain = certain
        self._compound = compound
        self._current: dict[str, Parts] = {}
        self._siblings = Siblings()
        self._real: set[Parts] = set()
        self._following = _following(candidates)
        self._listed: list[HeadingCandidate] = []  # the run of list items that may go on
        self._chosen: list[HeadingCandidate] = []

    def run(self) -> list[HeadingCandidate]:
        """Return the candidates that are headings."""
        for index, candidate in enumerate(self._candidates):
            noted = self._as_note(candidate)
            if noted is not None or self._accepts(index, candidate):
                heading = noted or candidate
                self._chosen.append(heading)
                self._listed = []
                if heading.marker:
                    self._note(heading.marker.parts)
        return self._chosen

    def _as_note(self, candidate: HeadingCandidate) -> HeadingCandidate | None:
        """Return "2.Introduction" under an open "2" as a part of it: its title belongs to its number."""
        marker = candidate.marker
        if marker is None or candidate.strong or not (marker.abuts and candidate.title):
            return None
        current = self._current.get(family(marker.parts))
        if current is None or current[: len(marker.parts)] != marker.parts:
            return None
        parts = (*marker.parts, Component(candidate.title.casefold(), ""))
        number = f"{marker.number}.{candidate.title}"
        return candidate._replace(marker=marker._replace(parts=parts, number=number), title="")

    def _note(self, parts: Parts) -> None:
        self._current[family(parts)] = parts
        for length in range(len(parts), 0, -1):
            if parts[:length] in self._real:
                break  # and so are those above it
            self._real.add(parts[:length])
        self._siblings.note(parts)

    def _accepts(self, index: int, candidate: HeadingCandidate) -> bool:
        if candidate.strong or candidate.marker is None or candidate.start in self._certain:
            return True
        parts = candidate.marker.parts
        if candidate.kind is HeadingKind.SINGLE:
            return self._compound and self._accepts_single(index, candidate, parts)
        current = self._current.get(family(parts))
        if parts[0].word and len(parts) == 1:
            return self._accepts_unit(index, candidate, parts, current)
        return self._accepts_compound(index, candidate, parts, current)

    def _next(self, index: int) -> Parts | None:
        """Return the next number of the same family behind candidate `index`."""
        after = self._following[index]
        marker = self._candidates[after].marker if after is not None else None
        return marker.parts if marker else None

    def _accepts_compound(self, index: int, candidate: HeadingCandidate, parts: Parts, current: Parts | None) -> bool:
        if current is None:
            return self._begins(index, candidate, parts)
        following = self._next(index)
        if follows(current, parts, self._siblings):
            return not _is_bare(candidate) or is_next(current, parts) or bool(following and is_next(parts, following))
        if following and following != parts and follows(current, following, self._siblings):
            # the one behind it fits better where we stand: this one is out of line
            return candidate.weight == _SOUND and _is_glued(candidate) and _is_ahead(current, parts)
        goes_on = following is not None and follows(parts, following)
        if all(is_first(part) for part in parts):
            return candidate.weight == _SOUND  # numbering that begins anew
        if not _is_ahead(current, parts):
            return self._accepts_backward(candidate, parts)
        return candidate.weight == _SOUND and (goes_on or _is_tabbed(candidate) or bool(candidate.title))

    def _begins(self, index: int, candidate: HeadingCandidate, parts: Parts) -> bool:
        """Accept the first number of its family where others run on from it, or where it has the shape of one."""
        following = self._next(index)
        sound = candidate.weight == _SOUND
        if not (all(is_first(part) for part in parts[1:]) or (sound and _is_glued(candidate))):
            return sound and following is not None and follows(parts, following)
        if following is not None and (follows(parts, following) or following[0] == parts[0]):
            return True
        return sound and (_is_tabbed(candidate) or bool(parts[0].word))

    def _accepts_backward(self, candidate: HeadingCandidate, parts: Parts) -> bool:
        """Accept a number that lies behind where we stand only as the next sibling of one that was real."""
        *above, own = parts
        if candidate.weight < _SOUND or not _is_tabbed(candidate):
            return False
        if _is_glued(candidate) and len(above) >= 3 and parts not in self._real and tuple(above) in self._real:
            return True  # a note on a clause that comes late: "4.7.12.Guidance.2" behind "4.7.13"
        last = self._siblings.last(tuple(above), own)
        gap = step(last, own) if last else None
        return gap is not None and 1 <= gap <= 3

    def _accepts_unit(self, index: int, candidate: HeadingCandidate, parts: Parts, current: Parts | None) -> bool:
        """Accept "Part 3", "Article IV", "Schedule": first of its kind, or next, or followed by the next."""
        if candidate.weight < _SOUND and not candidate.title and self._next(index) is None and current is None:
            return False
        if is_first(parts[0]):
            return candidate.weight == _SOUND or bool(candidate.title)
        if current is not None:
            gap = step(current[0], parts[0])
            if gap is not None and 1 <= gap <= 3:
                return True
        following = self._next(index)
        gap = step(parts[0], following[0]) if following else None
        if gap is not None and 0 <= gap <= 3:
            return current is None or step(current[0], parts[0]) not in {0, None} or candidate.weight == _SOUND
        unlike = current is None or is_coded(parts[0])  # "R. 111-1" begins a part of a code of its own
        return candidate.weight == _SOUND and unlike and (bool(candidate.title) or is_coded(parts[0]))

    def _accepts_single(self, index: int, candidate: HeadingCandidate, parts: Parts) -> bool:
        """Accept "3." beside "3.1": as the next chapter, but not as the third step of a list."""
        marker = candidate.marker
        if marker is None or marker.closing is Closing.BRACKET:
            return False
        current = self._current.get(family(parts))
        following = self._next(index)
        nests = following is not None and len(following) > 1 and following[0] == parts[0]
        if nests and not self._is_step(candidate, parts):
            return current is None or current[0] != parts[0] or is_first(parts[0])
        if self._goes_on(parts) and not self._stands_apart(candidate):
            self._listed.append(candidate)
            return False
        gap = step(current[0], parts[0]) if current else None
        begins = current is None and is_first(parts[0])
        if (begins or (gap is not None and 1 <= gap <= 3)) and (
            candidate.title or (marker.tab and candidate.weight == _SOUND)
        ):
            return True
        self._listed = [candidate]
        return False

    def _goes_on(self, parts: Parts) -> bool:
        """Whether a number is the next one of the list that stands open."""
        last = self._listed[-1].marker if self._listed else None
        return last is not None and step(last.parts[0], parts[0]) == 1

    def _stands_apart(self, candidate: HeadingCandidate) -> bool:
        """Whether a title is set off by a blank line from a list whose items stand line under line."""
        lines = [*self._listed, candidate]
        together = all(two.start <= one.line_end + 1 for one, two in pairwise(self._listed))
        untitled = not any(item.title for item in self._listed)
        adjoins = candidate.start <= lines[-2].line_end + 1
        return bool(candidate.title) and not adjoins and (untitled or (together and len(self._listed) > 1))

    def _is_step(self, candidate: HeadingCandidate, parts: Parts) -> bool:
        """Whether a number is the third step of a list, though "3.1" comes next: "3." is then no chapter's title."""
        return len(self._listed) >= 2 and not candidate.title and self._goes_on(parts)


def _is_glued(candidate: HeadingCandidate) -> bool:
    return candidate.marker is not None and candidate.marker.glued


def _is_tabbed(candidate: HeadingCandidate) -> bool:
    return candidate.marker is not None and candidate.marker.tab


def _is_bare(candidate: HeadingCandidate) -> bool:
    """Whether a number of two components stands alone on its line, as one does in a cell of a table."""
    return candidate.weight < _SOUND and not candidate.title and candidate.body >= candidate.line_end


def _is_ahead(current: Parts, parts: Parts) -> bool:
    """Whether a number lies ahead of the current one, however far."""
    for one, two in zip(current, parts, strict=False):
        if one != two:
            gap = step(one, two)
            return gap is None or gap > 0
    return len(parts) > len(current)


def family(parts: Parts) -> str:
    """Return what a number is counted with: its first word, or whether it begins with digits or with a letter."""
    first = parts[0]
    if first.word:
        return first.word
    return "#" if first.value[0].isdigit() else "A"


def _following(candidates: list[HeadingCandidate]) -> list[int | None]:
    """For each candidate the index of the next one whose number is of the same family."""
    following: list[int | None] = [None] * len(candidates)
    seen: dict[str, int] = {}
    for index in range(len(candidates) - 1, -1, -1):
        marker = candidates[index].marker
        if marker is not None and marker.closing is not Closing.BRACKET:
            name = family(marker.parts)
            following[index] = seen.get(name)
            seen[name] = index
    return following
