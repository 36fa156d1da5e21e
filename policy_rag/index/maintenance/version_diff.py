"""Two versions of a document, clause by clause: what was added, removed, renumbered, moved and changed.

Clauses are paired in two rounds. First those whose words are the same, the one of the same number before others, then
in the order of the text. Then the most alike of what is left: alike is the Bhattacharyya coefficient of two bags of
words and of pairs of neighbouring words, `sum(sqrt(p(w) * q(w)))`, 0 to 1 (Bhattacharyya 1943), with a bonus for the
same number and for the same title. What finds no partner was removed or added.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import pairwise
from math import sqrt

from policy_rag_parsers.records import Section
from policy_rag_parsers.structure.numbering import number_key

# Two clauses less alike than this are two. Of the sample company's rewritten policies, pairs above 0.4 all belong
# together, and above 0.25 those of one number do.
_ALIKE = 0.4
_ALIKE_WHEN_NAMED = 0.25
_BONUS = 0.1
_CONTEXT = 12  # words that are shown on either side of a change
_WORD = re.compile(r"\w+(?:[.,]\d+)*|[^\w\s]")


class ChangeKind(StrEnum):
    """What can become of a clause; the last three can happen to one clause together."""

    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"
    RENUMBERED = "renumbered"
    MOVED = "moved"


class Edit(StrEnum):
    """What became of a run of words."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Clause:
    """A section's own text, without the sections under it: `[start, end)` of its document's text."""

    section_id: str
    number: str | None
    title: str
    path: tuple[str, ...]
    start: int
    end: int
    page: int | None


@dataclass(frozen=True, slots=True)
class Words:
    """A run of words, single blanks between them, that is the same in both versions or stands in one only."""

    edit: Edit
    text: str


@dataclass(frozen=True, slots=True)
class ClauseChange:
    """What became of one clause.

    Attributes:
        kinds: in order of `ChangeKind`; never empty.
        old: the clause in the old version; None when it was added.
        new: the clause in the new version; None when it was removed.
        words: title and body; of a clause whose words stayed there are none.
    """

    kinds: tuple[ChangeKind, ...]
    old: Clause | None
    new: Clause | None
    words: tuple[Words, ...]


@dataclass(frozen=True, slots=True)
class _Unit:
    section: Section
    title: tuple[str, ...]
    body: tuple[str, ...]
    key: str | None
    position: int

    @property
    def words(self) -> tuple[str, ...]:
        return self.title + self.body


@dataclass(frozen=True, slots=True)
class VersionDiff:
    """Two versions of a document, compared.

    Attributes:
        changes: in order of the new version; removed clauses stand where they stood.
        unchanged: how many clauses stayed as they were.
    """

    changes: tuple[ClauseChange, ...]
    unchanged: int


def compare(old: Sequence[Section], old_text: str, new: Sequence[Section], new_text: str) -> VersionDiff:
    """What changed between two versions, of the sections in their order and the texts. Blanks are no change."""
    before, after = _units(old, old_text), _units(new, new_text)
    partner = _pairs(before, after)
    still = _in_order(partner)
    changes: list[tuple[tuple[float, int], ClauseChange]] = []
    unchanged = 0
    for i, j in partner.items():
        change = _of_pair(before[i], after[j], moved=i not in still or not _same_parent(before, after, partner, i, j))
        if change is None:
            unchanged += 1
        else:
            changes.append(((j, 1), change))
    changes.extend(((_place(i, partner), 2), _gone(unit)) for i, unit in enumerate(before) if i not in partner)
    taken = set(partner.values())
    changes.extend(((j, 1), _come(unit)) for j, unit in enumerate(after) if j not in taken)
    return VersionDiff(tuple(change for _, change in sorted(changes, key=lambda pair: pair[0])), unchanged)


def _units(sections: Sequence[Section], text: str) -> list[_Unit]:
    units: list[_Unit] = []
    for section in sections:
        title, body = tuple(section.title.split()), tuple(text[section.body : section.end].split())
        if title or body or section.number:
            key = number_key(section.number) if section.number else None
            units.append(_Unit(section, title, body, key, len(units)))
    return units


def _pairs(old: Sequence[_Unit], new: Sequence[_Unit]) -> dict[int, int]:
    """Position in the old version to position in the new one."""
    partner = _same_words(old, new)
    left = [unit for unit in old if unit.position not in partner]
    taken = set(partner.values())
    right = [unit for unit in new if unit.position not in taken]
    scored = []
    bags = {unit.position: _bag(unit.words) for unit in right}
    for a in left:
        bag = _bag(a.words)
        for b in right:
            score = _score(a, b, bag, bags[b.position])
            if score:
                scored.append((-score, abs(a.position - b.position), a.position, b.position))
    for _, _, i, j in sorted(scored):
        if i not in partner and j not in taken:
            partner[i] = j
            taken.add(j)
    return partner


def _same_words(old: Sequence[_Unit], new: Sequence[_Unit]) -> dict[int, int]:
    places: dict[tuple[tuple[str, ...], tuple[str, ...]], list[_Unit]] = {}
    for unit in new:
        places.setdefault((unit.title, unit.body), []).append(unit)
    partner: dict[int, int] = {}
    waiting = []
    for unit in old:
        found = places.get((unit.title, unit.body), [])
        same = next((other for other in found if other.key == unit.key), None)
        if same is None:
            waiting.append(unit)
        else:
            found.remove(same)
            partner[unit.position] = same.position
    for unit in waiting:
        found = places.get((unit.title, unit.body), [])
        if found and unit.words:
            partner[unit.position] = found.pop(0).position
    return partner


def _bag(words: Sequence[str]) -> Mapping[str, float]:
    """The words and the neighbouring pairs of a text, each with the square root of its share."""
    parts = [part.casefold() for word in words for part in _WORD.findall(word)]
    counts = Counter(parts) + Counter(f"{a} {b}" for a, b in pairwise(parts))
    total = sum(counts.values())
    return {part: sqrt(count / total) for part, count in counts.items()}


def _score(old: _Unit, new: _Unit, a: Mapping[str, float], b: Mapping[str, float]) -> float:
    """How alike two clauses are; 0 when they are two."""
    preambles = (old.section.level == 0) + (new.section.level == 0)
    if preambles == 1:
        return 0.0
    same_number = old.key is not None and old.key == new.key
    same_title = bool(old.title) and [w.casefold() for w in old.title] == [w.casefold() for w in new.title]
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    alike = sum(share * large.get(part, 0.0) for part, share in small.items())
    least = _ALIKE_WHEN_NAMED if same_number or same_title else _ALIKE
    if alike < least and not preambles:  # of preambles there is one a document
        return 0.0
    return max(alike, 1e-9) + _BONUS * same_number + _BONUS * same_title


def _in_order(partner: Mapping[int, int]) -> set[int]:
    """The old positions of a longest run of pairs that kept their order."""
    pairs = sorted(partner.items())
    tails: list[int] = []  # smallest last new position of a run of each length
    where: list[int] = []
    previous: list[int | None] = []
    for k, (_, j) in enumerate(pairs):
        length = bisect_left(tails, j)
        previous.append(where[length - 1] if length else None)
        if length == len(tails):
            tails.append(j)
            where.append(k)
        else:
            tails[length], where[length] = j, k
    kept: set[int] = set()
    at = where[-1] if where else None
    while at is not None:
        kept.add(pairs[at][0])
        at = previous[at]
    return kept


def _same_parent(old: Sequence[_Unit], new: Sequence[_Unit], partner: Mapping[int, int], i: int, j: int) -> bool:
    above = next((u for u in old if u.section.section_id == old[i].section.parent), None)
    wanted = new[partner[above.position]].section.section_id if above and above.position in partner else None
    if above is not None and wanted is None:
        return True  # the heading above is gone: it says so itself
    return wanted == new[j].section.parent


def _of_pair(old: _Unit, new: _Unit, *, moved: bool) -> ClauseChange | None:
    changed = old.title != new.title or old.body != new.body
    kinds = tuple(
        kind
        for kind, holds in (
            (ChangeKind.CHANGED, changed),
            (ChangeKind.RENUMBERED, old.key != new.key),
            (ChangeKind.MOVED, moved),
        )
        if holds
    )
    if not kinds:
        return None
    return ClauseChange(kinds, _clause(old), _clause(new), word_diff(old.words, new.words) if changed else ())


def _gone(unit: _Unit) -> ClauseChange:
    return ClauseChange((ChangeKind.REMOVED,), _clause(unit), None, word_diff(unit.words, ()))


def _come(unit: _Unit) -> ClauseChange:
    return ClauseChange((ChangeKind.ADDED,), None, _clause(unit), word_diff((), unit.words))


def _place(i: int, partner: Mapping[int, int]) -> float:
    """Where a removed clause is listed: behind the nearest clause before it that is still there."""
    before = [k for k in partner if k < i]
    return partner[max(before)] if before else -1


def _clause(unit: _Unit) -> Clause:
    s = unit.section
    return Clause(s.section_id, s.number, s.title, s.path, s.start, s.end, s.page)


def shortened(words: Sequence[Words], ellipsis: str) -> Iterator[Words]:
    """The same where what stayed is cut to 12 words on either side of a change."""
    for i, run in enumerate(words):
        parts = run.text.split()
        if run.edit is not Edit.SAME or len(parts) <= 2 * _CONTEXT:
            yield run
            continue
        head = [] if i == 0 else parts[:_CONTEXT]
        tail = [] if i == len(words) - 1 else parts[-_CONTEXT:]
        yield Words(Edit.SAME, " ".join([*head, ellipsis, *tail]))


def word_diff(old: Sequence[str], new: Sequence[str]) -> tuple[Words, ...]:
    """Two texts word by word; what was removed stands before what was added in its place.

    >>> [(run.edit.value, run.text) for run in word_diff("at most 120 euros".split(), "at most 140 euros".split())]
    [('same', 'at most'), ('removed', '120'), ('added', '140'), ('same', 'euros')]
    """
    runs: list[Words] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            runs.append(Words(Edit.SAME, " ".join(old[i1:i2])))
            continue
        if i2 > i1:
            runs.append(Words(Edit.REMOVED, " ".join(old[i1:i2])))
        if j2 > j1:
            runs.append(Words(Edit.ADDED, " ".join(new[j1:j2])))
    return tuple(runs)
