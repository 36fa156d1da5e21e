"""Tables of contents: entries that look like headings but only point at them."""

import re

from policy_rag_parsers.structure.heading_candidates import Candidate

_LEADER = re.compile(r"(?:\.{3,}|(?:\. ){3,}|…+|_{3,})[ \t.]*(?:\d{1,4}|[ivxlc]{1,6})?[ \t]*$")
_PAGE = re.compile(r"(?:\t|[ ]{2,})[ \t]*(?:\d{1,4}|[ivxlc]{1,6})[ \t]*$")
_CONTENTS = re.compile(r"(?:table of )?contents$", re.IGNORECASE)
_SHORT = 160  # a line of a table of contents is no longer
_FEWEST = 3  # so many entries in a row make a table of contents


def contents_entries(text: str, candidates: list[Candidate]) -> set[int]:
    """Return the indices of candidates that belong to a table of contents.

    An entry shows itself by a dotted leader, by a page number (in a run of such lines), or by standing in a run of
    at least three headings with no text between them which all come again later. A heading "Contents" goes with its
    entries.
    """
    dropped: set[int] = set()
    run: list[int] = []
    last_seen = _last_seen(candidates)
    for index, candidate in enumerate(candidates):
        if run and not _adjoins(text, candidates[run[-1]], candidate):
            dropped |= _entries(text, candidates, run, last_seen)
            run = []
        run.append(index)
    dropped |= _entries(text, candidates, run, last_seen)
    for index, candidate in enumerate(candidates):
        titled = candidate.marker is None and _CONTENTS.match(candidate.title)
        if (
            titled
            and index + 1 < len(candidates)
            and (index + 1 in dropped or _lists_links(text, candidate, candidates[index + 1]))
        ):
            dropped.add(index)
    return dropped


def _lists_links(text: str, heading: Candidate, following: Candidate) -> bool:
    """Whether the body of a heading "Contents" holds nothing but a list."""
    lines = [line for line in text[heading.end : following.start].splitlines() if line.strip()]
    return bool(lines) and all(re.match(r"\s*(?:[-*+•]|\d+[.)]|\[)", line) or _is_paged(line) for line in lines)


def _is_paged(line: str) -> bool:
    return _LEADER.search(line) is not None or _PAGE.search(line) is not None


def _adjoins(text: str, one: Candidate, two: Candidate) -> bool:
    """Whether nothing but blanks, or other lines with a page number, stands between two candidates."""
    between = text[one.line_end : two.start] if two.start - one.line_end < 4 * _SHORT else "x"
    return not between.strip() or all(_is_paged(line) for line in between.splitlines() if line.strip())


def _last_seen(candidates: list[Candidate]) -> dict[object, int]:
    return {_key(candidate): index for index, candidate in enumerate(candidates)}


def _key(candidate: Candidate) -> object:
    if candidate.marker is None:
        return candidate.title.casefold()
    return tuple((part.word, part.value.casefold()) for part in candidate.marker.parts)


def _entries(text: str, candidates: list[Candidate], run: list[int], last_seen: dict[object, int]) -> set[int]:
    """Return the entries in one run of adjoining candidates."""
    lines = {index: text[candidates[index].start : candidates[index].line_end][-_SHORT:] for index in run}
    paged = {index for index in run if _is_paged(lines[index])}
    led = {
        index for index in paged if _LEADER.search(lines[index]) and re.search(r"\.{3}|(?:\. ){3}|…|_{3}", lines[index])
    }
    if len(paged) < _FEWEST:
        paged = led
    if len(run) < _FEWEST:
        return paged
    # the run's beginning, up to the first number that comes again in it: there the real headings begin
    keys = [_key(candidates[index]) for index in run]
    first_seen: dict[object, int] = {}
    length = next((place for place, key in enumerate(keys) if first_seen.setdefault(key, place) < place), len(keys))
    end = run[length - 1]
    again = [index for index, key in zip(run[:length], keys, strict=False) if last_seen[key] > end]
    if len(again) >= max(_FEWEST, 0.8 * length) and all(
        candidates[index].body >= candidates[index].line_end for index in again
    ):
        return paged | set(run[:length])
    return paged
