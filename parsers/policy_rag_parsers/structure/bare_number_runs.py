"""Single numbers ("1.", "2)", "A.") in a document that has no compound ones: headings, numbered clauses, or lists?"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from policy_rag_parsers.structure.candidate import HeadingCandidate
from policy_rag_parsers.structure.numbering import Closing, Component, is_first, step

_FIGURES = "1"  # the shape of a run of figures
_SHARE = 0.6  # of the items of a run are titles
# "Remedies. Employee agrees ...", "**Fees.** Unless ...", "<b>Fees</b> ..."
_RUN_IN = re.compile(
    r"\s*(?:(?:<[^<>]{1,80}>)?[*_]{0,3}\w[^.:\n]{0,80}[.:][*_]{0,3}(?:</\w{1,8}>)?|\*\*[^*\n]{1,80}\*\*)\s+\S"
)


@dataclass(slots=True)
class _Run:
    """Candidates of one style whose numbers follow each other; in Markdown those of one list, `depth` lists deep."""

    style: str
    depth: int
    items: list[HeadingCandidate] = field(default_factory=list)

    @property
    def last(self) -> Component:
        marker = self.items[-1].marker
        return marker.parts[0] if marker else Component("", "")


def single_headings(
    text: str, singles: list[HeadingCandidate], *, outline_only: bool = False, marked: Sequence[int] | None = None
) -> list[HeadingCandidate]:
    """Return those single numbers that are headings or numbered clauses, in order.

    A run (1, 2, 3, ...) is one of headings where its items are titles with text under them, and one of clauses where it
    spans the best part of the document. Steps that stand together are a list. Inside the outermost run another one is
    headings only if it is one of titles. In Markdown a list inside an item of these is one of clauses, unless a line
    leads into it.

    Args:
        text: the document.
        singles: candidates with a single component, in order of `start`.
        outline_only: take a run only where it spans the best part of the document.
        marked: where the format marks headings, in order; a run beside these must span the best part of the document,
            with none of them inside, and its items begin with titles.
    """
    runs = [run for run in _runs(text, singles) if len(run.items) >= 2 or run.depth > 1]
    extent = _extent(text)
    outermost = [run for run in runs if run.depth <= 1]
    if marked is None:
        accepted = [run for run in outermost if _spans(run, extent) or (not outline_only and _titled(text, run))]
    else:
        outermost = [run for run in outermost if not _holds(run, marked) or _titled(text, run, strictly=True)]
        accepted = [run for run in outermost if _spans(run, extent) and _headed(text, run)]
        accepted += [run for run in outermost if accepted and run not in accepted and _titled(text, run, strictly=True)]
    if not accepted:
        return []
    outer = max(accepted, key=lambda run: run.items[-1].start - run.items[0].start)
    kept = [run for run in accepted if run is outer or not _inside(run, outer) or _titled(text, run, strictly=True)]
    found = {item.start: item for run in kept for item in run.items}
    for run in sorted((run for run in runs if run.depth > 1), key=lambda run: run.depth):
        if _is_clauses(text, run, found):
            found |= {item.start: item for item in run.items}
    return [found[start] for start in sorted(found)]


def _is_clauses(text: str, run: _Run, found: Mapping[int, HeadingCandidate]) -> bool:
    """Whether a list inside a heading or clause is one of clauses: of figures, and no line leads into it."""
    first = run.items[0]
    around = max((start for start in found if start < first.start), default=None)
    if around is None or run.style[0] != _FIGURES or (found[around].level or 0) != run.depth - 1:
        return False
    outer = found[around]
    lead = text[outer.body : first.start].rstrip()
    return not lead or (bool(outer.title) and outer.body >= outer.line_end) or lead[-1] in ".!?"


def _headed(text: str, run: _Run) -> bool:
    """Whether most items of a run begin with a title, on a line of its own or run into their text."""
    headed = sum(bool(item.title) or _RUN_IN.match(text, item.body, item.line_end) is not None for item in run.items)
    return headed >= _SHARE * len(run.items)


def _holds(run: _Run, marked: Sequence[int]) -> bool:
    """Whether a marked heading stands between the first item of a run and its last."""
    return bisect_left(marked, run.items[0].start) < bisect_left(marked, run.items[-1].start)


def _style(candidate: HeadingCandidate) -> str:
    marker = candidate.marker
    if marker is None:
        return ""
    shape = _FIGURES if marker.parts[0].value[0].isdigit() else "a"
    return f"{shape}{')' if marker.closing is Closing.BRACKET else '.'}"


def _runs(text: str, singles: list[HeadingCandidate]) -> list[_Run]:
    """Sort candidates into runs: each goes on with the innermost run that it fits, or begins one."""
    closed: list[_Run] = []
    opened: dict[tuple[int, str], list[_Run]] = {}
    for candidate in singles:
        depth, style = candidate.level or 0, _style(candidate)
        for deeper in [key for key in opened if key[0] > depth]:
            closed += opened.pop(deeper)
        stack = opened.setdefault((depth, style), [])
        part = candidate.marker.parts[0] if candidate.marker else Component("", "")
        fitting = _fitting(text, stack, candidate, part)
        if fitting is not None:
            closed += stack[fitting + 1 :]
            del stack[fitting + 1 :]
            stack[fitting].items.append(candidate)
        elif is_first(part):
            stack.append(_Run(style, depth, [candidate]))
            if len(stack) > 4:
                closed.append(stack.pop(1))
    return closed + [run for stack in opened.values() for run in stack]


def _fitting(text: str, stack: list[_Run], candidate: HeadingCandidate, part: Component) -> int | None:
    """Return the index of the run that a candidate goes on with: the innermost where they stand together.

    A title stands together with what is on the line above it, or with two that have nothing between them either.
    """
    fits = [index for index, run in enumerate(stack) if step(run.last, part) == 1]
    if not fits:
        fits = [index for index, run in enumerate(stack) if step(run.last, part) in {2, 3}]
    if not fits:
        return None
    items = [*stack[fits[-1]].items[-2:], candidate]
    between = [text[one.line_end : two.start] for one, two in pairwise(items)]
    together = not between[-1].strip()
    if candidate.title and between[-1].count("\n") > 1:
        together = len(between) > 1 and not "".join(between).strip()
    return fits[-1] if together else fits[0]


def _titled(text: str, run: _Run, *, strictly: bool = False) -> bool:
    """Whether a run is one of titles with text under them."""
    share = 1.0 if strictly else _SHARE
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
