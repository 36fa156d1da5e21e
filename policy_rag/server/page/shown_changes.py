"""What changed between two versions, as a page shows it."""

from dataclasses import dataclass

from policy_rag.index.maintenance.compared_texts import ComparedText
from policy_rag.index.maintenance.version_diff import ChangeKind, Clause, ClauseChange, VersionDiff, Words, shortened

_SAID = {
    ChangeKind.ADDED: "New",
    ChangeKind.REMOVED: "Taken out",
    ChangeKind.CHANGED: "Changed",
    ChangeKind.RENUMBERED: "Renumbered",
    ChangeKind.MOVED: "Moved",
}


@dataclass(frozen=True, slots=True)
class ShownChange:
    """What became of a clause.

    Attributes:
        kind: the first of what became of it, as a name for styles.
        said: all of it, in words.
        name: number and title of the clause, in the new version where it is there.
        was: its number and title in the old one, where they differ.
        words: what stayed, what went and what came.
    """

    kind: str
    said: str
    name: str
    was: str
    words: tuple[Words, ...]


def shown_changes(found: VersionDiff, old: ComparedText, new: ComparedText) -> tuple[ShownChange, ...]:
    """The changes in order of the new version."""
    return tuple(_shown(change, old.title, new.title) for change in found.changes)


def _shown(change: ClauseChange, old_title: str, new_title: str) -> ShownChange:
    before = _name(change.old, old_title) if change.old else ""
    after = _name(change.new, new_title) if change.new else ""
    said = ", ".join(_SAID[kind] for kind in change.kinds).capitalize()
    was = before if after and before and before != after else ""
    return ShownChange(change.kinds[0].value, said, after or before, was, tuple(shortened(change.words, "…")))


def _name(clause: Clause, title: str) -> str:
    """Number and title; what stands before the first heading is called the beginning."""
    named = " ".join(part for part in (clause.number, clause.title) if part)
    return "The beginning" if not named or named == title else named
