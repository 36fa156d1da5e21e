"""Single numbers ("1.", "2)", "A.") in a document that has no compound ones: headings, numbered clauses, or lists?"""

from dataclasses import dataclass, field
from itertools import pairwise

from policy_rag_parsers.structure.heading_candidates import Candidate
from policy_rag_parsers.structure.numbering import Closing, Component, is_first, step


@dataclass(slots=True)
class _Run:
    """Candidates of one style whose numbers follow each other."""

    style: str
    items: list[Candidate] = field(default_factory=list)

    @property
    def last(self) -> Component:
        marker = self.items[-1].marker
        return marker.parts[0] if marker else Component("", "")


def single_headings(text: str, singles: list[Candidate], *, outline_only: bool = False) -> list[Candidate]:
    """Return those single numbers that are headings or numbered clauses, in order.

    A run (1, 2, 3, ...) is one of headings where its items are titles with text under them, and one of clauses where it
    spans the best part of the document. Steps that stand together are a list. Inside the outermost run another one is
    headings only if it is one of titles.

    Args:
        text: the document.
        singles: candidates with a single component, in order of `start`.
        outline_only: take a run only where it spans the best part of the document.
    """
    runs = [run for run in _runs(text, singles) if len(run.items) >= 2]
    extent = _extent(text)
    accepted = [run for run in runs if _spans(run, extent) or (not outline_only and _titled(text, run))]
    if not accepted:
        return []
    outer = max(accepted, key=lambda run: run.items[-1].start - run.items[0].start)
    kept = [run for run in accepted if run is outer or not _inside(run, outer) or _titled(text, run, strictly=True)]
    return sorted((item for run in kept for item in run.items), key=lambda item: item.start)


def _style(candidate: Candidate) -> str:
    marker = candidate.marker
    if marker is None:
        return ""
    value = marker.parts[0].value
    shape = "digit" if value[0].isdigit() else "letter"
    return f"{shape}{')' if marker.closing is Closing.BRACKET else '.'}"


def _runs(text: str, singles: list[Candidate]) -> list[_Run]:
    """Sort candidates into runs: each goes on with the innermost run that it fits, or begins one."""
    closed: list[_Run] = []
    opened: dict[str, list[_Run]] = {}
    for candidate in singles:
        stack = opened.setdefault(_style(candidate), [])
        part = candidate.marker.parts[0] if candidate.marker else Component("", "")
        fitting = _fitting(text, stack, candidate, part)
        if fitting is not None:
            closed += stack[fitting + 1 :]
            del stack[fitting + 1 :]
            stack[fitting].items.append(candidate)
        elif is_first(part):
            stack.append(_Run(_style(candidate), [candidate]))
            if len(stack) > 4:
                closed.append(stack.pop(1))
    return closed + [run for stack in opened.values() for run in stack]


def _fitting(text: str, stack: list[_Run], candidate: Candidate, part: Component) -> int | None:
    """Return the index of the run that a candidate goes on with: the outermost for a title, else the innermost."""
    fits = [index for index, run in enumerate(stack) if step(run.last, part) == 1]
    if not fits:
        fits = [index for index, run in enumerate(stack) if step(run.last, part) in {2, 3}]
    if not fits:
        return None
    innermost = stack[fits[-1]].items[-1]
    together = not text[innermost.line_end : candidate.start].strip()
    return fits[-1] if together and not candidate.title else fits[0]


def _titled(text: str, run: _Run, *, strictly: bool = False) -> bool:
    """Whether a run is one of titles with text under them."""
    share = 1.0 if strictly else 0.6
    titles = sum(bool(item.title) for item in run.items)
    filled = sum(bool(text[one.line_end : two.start].strip()) for one, two in pairwise(run.items))
    return titles >= share * len(run.items) and filled >= max(1.0, 0.5 * (len(run.items) - 1))


def _spans(run: _Run, extent: int) -> bool:
    """Whether numbered paragraphs make up the best part of a document."""
    return len(run.items) >= 4 and run.items[-1].start - run.items[0].start >= 0.5 * extent


def _inside(run: _Run, outer: _Run) -> bool:
    return outer.items[0].start < run.items[0].start < outer.items[-1].start


def _extent(text: str) -> int:
    return len(text.rstrip()) - (len(text) - len(text.lstrip()))
