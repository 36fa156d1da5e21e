"""Which heading a number goes on from, and so where it lies: "2.2" beside "2.1", whatever stands between the two."""

from policy_rag_parsers.structure.candidate import HeadingCandidate, is_bare_unit, is_list_item
from policy_rag_parsers.structure.numbering import Component, NumberMarker, step

_FURTHEST = 3  # numbers that may have been deleted between two, and one more
_Run = dict[int | None, int]  # the last heading of a run on each level, and at None on any


class Succession:
    """The last heading of each run of numbers, and where the next one of a run lies.

    Args:
        headings: all of them, in order.
        parents: of those placed so far; it grows with each heading that is placed.
    """

    def __init__(self, headings: list[HeadingCandidate], parents: list[int | None]) -> None:
        self._headings = headings
        self._parents = parents
        self._runs: dict[tuple[tuple[Component, ...], str], _Run] = {}

    def place(self, index: int, placed: int | None) -> int | None:
        """Where the next heading lies, as `_parent` says; it is remembered as the last one of its run.

        Args:
            index: of the heading.
            placed: where it would lie by what is open before it.
        """
        marker = self._headings[index].marker
        if marker is None or is_list_item(self._headings[index]):
            return placed
        run = self._runs.setdefault((marker.parts[:-1], marker.parts[-1].word), {})
        level = self._level(index) or 0
        before = self._before(marker, run, level) if run else None
        run[level] = run[None] = index
        return placed if before is None else self._parent(index, placed, before)

    def _parent(self, index: int, placed: int | None, before: int) -> int | None:
        """Where a heading lies whose number goes on from another one's.

        It takes the parent of that one where it would else lie under it, or outside the chapter that its own number
        names ("2.2" outside "2"). Headings between the two that group numbers running on ("Part II", or titles above
        them by their format) keep it.
        """
        home = self._parents[before]
        if placed == home:
            return placed
        chain = self.chain(placed)
        if before in chain:
            return home
        if home is not None and home in chain:
            return placed
        if home is not None and self._names(index, home):
            return home
        around = set(self.chain(home))
        between = [self._headings[at] for at in chain if at not in around]
        if not between:
            return home if self._level(index) is not None and self._level(index) == self._level(before) else placed
        return placed if self._group(between, index, home) else home

    def chain(self, index: int | None) -> list[int]:
        """A heading and those that it lies under, from the outermost in; empty for None."""
        chain: list[int] = []
        while index is not None:
            chain.append(index)
            index = self._parents[index]
        return chain[::-1]

    def _before(self, marker: NumberMarker, run: _Run, level: int) -> int | None:
        """The heading that a number goes on from: of the same level where there is one, else of any."""
        for last in (run.get(level), run[None]):
            other = self._headings[last].marker if last is not None else None
            gap = None if other is None else step(other.parts[-1], marker.parts[-1])
            if gap is not None and 1 <= gap <= _FURTHEST:
                return last
        return None

    def _level(self, index: int) -> int | None:
        heading = self._headings[index]
        return heading.level if heading.strong else None

    def _names(self, index: int, home: int) -> bool:
        """Whether a heading's number names the one that it would lie under: "2.2" names "2" and "Section 2"."""
        inner, outer = self._headings[index].marker, self._headings[home].marker
        if inner is None or outer is None:
            return False
        return [part.value for part in inner.parts[:-1]] == [part.value for part in outer.parts]

    def _group(self, between: list[HeadingCandidate], index: int, home: int | None) -> bool:
        """Whether headings between two numbers of a run are above the second one rather than an aside."""
        heading = self._headings[index]
        if not heading.title or any(one.marker and not is_bare_unit(one) for one in between):
            return True
        group = self._headings[home] if home is not None else None
        if group is not None and group.marker is None and group.level == between[0].level:
            return True
        level = self._level(index)
        return level is not None and all(one.strong and one.level is not None and one.level < level for one in between)
