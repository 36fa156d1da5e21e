"""Tables of contents: entries that look like headings but only point at them."""

import re
from collections.abc import Iterator
from itertools import pairwise

from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.text.contents_titles import names_contents

_NUMBER = r"(?:\d{1,4}|[ivxlc]{1,6})"
# Dots, or rules, that lead to a page or to the end of the line; three dots at its end are an ellipsis.
_LED = re.compile(
    rf"(?:(?:\.{{2,}}|(?:\. ){{2,}}|…+|_{{3,}})[ \t.]*{_NUMBER}|\.{{4,}}|(?:\. ){{3,}}\.?|……+|_{{3,}})[ \t]*$"
)
_LEADERS = ("..", ". .", "…", "___")  # one of these is in all that leads
_PAGE = re.compile(rf"(?:\t| {{2,}})[ \t]*{_NUMBER}[ \t]*$")
_PAGE_BEHIND = re.compile(rf"(?<=\S)\s+{_NUMBER}$")
_LAST = frozenset("0123456789ivxlc._…")  # how an entry ends
_TAIL = 24  # characters in which it shows that an entry leads to a page
_SHORT = 160  # a line of a table of contents is no longer
_FEWEST = 3  # so many entries in a row make a table of contents
_SHARE = 0.8  # of the entries are found again below

_UNITS = frozenset({HeadingKind.WORDED, HeadingKind.ANNEXED})


def contents_entries(text: str, candidates: list[HeadingCandidate]) -> set[int]:
    """Return the indices of candidates that belong to a table of contents.

    An entry shows itself by dots that lead to a page, by a page number (in a run of such lines), or by standing in a
    run of headings without text between them that are found again later, and not before: three at least, or lines
    that only look like headings where later ones are marked. A heading "Contents" goes with its entries. What the
    format marks as a heading and what is not found again stays.
    """
    seen = _Seen(candidates)
    dropped = {index for run in _runs(text, candidates) for index in _entries(text, candidates, run, seen)}
    for index, (candidate, below) in enumerate(pairwise(candidates)):
        titled = candidate.marker is None and names_contents(candidate.title)
        if titled and (index + 1 in dropped or _lists_links(text, candidate, below)):
            dropped.add(index)
    return dropped


def leads_to_page(line: str) -> bool:
    """Whether a line ends as an entry of a table of contents does, with dots or a rule and perhaps a page.

    >>> leads_to_page("4.2 Trains ........ 7"), leads_to_page("Trains, see 4.2 ...")
    (True, False)
    """
    tail = line.rstrip()[-_TAIL:]
    return tail[-1:] in _LAST and any(leader in tail for leader in _LEADERS) and _LED.search(tail) is not None


def _runs(text: str, candidates: list[HeadingCandidate]) -> Iterator[list[int]]:
    """Yield the indices of candidates that stand together, with no text between them."""
    run: list[int] = []
    for index, candidate in enumerate(candidates):
        if run and not _adjoins(text, candidates[run[-1]], candidate):
            yield run
            run = []
        run.append(index)
    if run:
        yield run


class _Seen:
    """The key of each candidate, where each is found first and last, and which of them the format marks."""

    def __init__(self, candidates: list[HeadingCandidate]) -> None:
        self.first: dict[int, int] = {}
        self.last: dict[int, int] = {}
        known: dict[object, int] = {}
        self.keys = [known.setdefault(_key(candidate), len(known)) for candidate in candidates]
        for index, key in enumerate(self.keys):
            self.first.setdefault(key, index)
            self.last[key] = index
        self.marked = {key for key, one in zip(self.keys, candidates, strict=True) if one.strong}


def _lists_links(text: str, heading: HeadingCandidate, following: HeadingCandidate) -> bool:
    """Whether the body of a heading "Contents" holds nothing but a list."""
    lines = [line for line in text[heading.end : following.start].splitlines() if line.strip()]
    return bool(lines) and all(re.match(r"\s*(?:[-*+•]|\d+[.)]|\[)", line) or _is_paged(line) for line in lines)


def _is_paged(line: str) -> bool:
    tail = line.rstrip()[-_TAIL:]
    return leads_to_page(line) or (("\t" in tail or "  " in tail) and _PAGE.search(tail) is not None)


def _adjoins(text: str, one: HeadingCandidate, two: HeadingCandidate) -> bool:
    """Whether nothing but blanks, or other lines with a page number, stands between two candidates."""
    if two.start - one.line_end >= 4 * _SHORT:
        return False
    between = text[one.line_end : two.start]
    return not between.strip() or all(_is_paged(line) for line in between.splitlines() if line.strip())


def _key(candidate: HeadingCandidate) -> object:
    """What tells that two candidates are one: the number, or the title; for "1." both, as every list has one.

    A number at the end of such a title may be its page: "2 Rotas 2".
    """
    if candidate.marker is None:
        return candidate.title.casefold()
    number = tuple([(word, value.casefold()) for word, value in candidate.marker.parts])
    single = len(number) == 1 and not number[0][0]
    return (number, _PAGE_BEHIND.sub("", candidate.title.casefold())) if single else number


def _entries(text: str, candidates: list[HeadingCandidate], run: list[int], seen: _Seen) -> set[int]:
    """Return the entries in one run of adjoining candidates."""
    lines = {index: text[candidates[index].start : candidates[index].line_end][-_SHORT:] for index in run}
    paged = {index for index in run if _is_paged(lines[index])}
    if len(paged) < _FEWEST:
        paged = {index for index in paged if _LED.search(lines[index])}
    if len(run) < _FEWEST and not any(candidates[index].kind in _UNITS for index in run):
        return paged
    keys = seen.keys
    whole = _beginning(run, keys)
    again = {
        index
        for index in whole
        if seen.last[keys[index]] > whole[-1]
        and seen.first[keys[index]] >= run[0]
        and candidates[index].body >= candidates[index].line_end
    }
    if len(again) >= max(_FEWEST, _SHARE * len(whole)):
        return paged | {index for index in whole if index in again or not candidates[index].strong}
    plain = {index for index in run if candidates[index].kind in _UNITS}
    listed = 2 * sum(keys[index] in seen.marked for index in plain) >= len(plain)
    return paged | plain if listed else paged


def _beginning(run: list[int], keys: list[int]) -> list[int]:
    """Return a run up to the first number that comes again in it: there the real headings begin."""
    seen: set[int] = set()
    for place, index in enumerate(run):
        if keys[index] in seen:
            return run[:place]
        seen.add(keys[index])
    return run
