"""Which document takes the place of which, and from what day.

A document names what it supersedes by file (its own folder first; where there is none, one of that name in another
format), by title, or as texts do: "version 2.1" (of its own
title), "Travel Policy, version 2.1", "Travel Policy of 2023" (the year in which that one began).
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from policy_rag_parsers.loaders import SUFFIXES
from policy_rag_parsers.references.document_names import name_key

_VERSION = re.compile(r"(?:(?P<title>.+?),\s*)?version\s+(?P<version>[\w.]+)", re.IGNORECASE)
_YEAR = re.compile(r"(?P<title>.+?)\s+of\s+(?P<year>\d{4})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Edition:
    """What a succession is known by."""

    key: int
    root: str
    file: str
    title: str
    version: str | None
    effective_from: dt.date | None
    supersedes: tuple[str, ...]


def successions(editions: Sequence[Edition]) -> Iterator[tuple[Edition, Edition]]:
    """Each successor with each edition whose place it takes.

    One that is named by title or version must not have begun later than what is said to take its place: all editions
    of a policy may have one title. A file that is named is taken at its word. Nothing supersedes itself.
    """
    by_file: dict[tuple[str, str], list[Edition]] = {}
    by_stem: dict[tuple[str, str], list[Edition]] = {}
    by_title: dict[str, list[Edition]] = {}
    for edition in editions:
        by_file.setdefault((edition.root, edition.file), []).append(edition)
        by_stem.setdefault((edition.root, _stem(edition.file)), []).append(edition)
        by_title.setdefault(name_key(edition.title), []).append(edition)
    for successor in editions:
        for target in successor.supersedes:
            for old in _named(target, successor, by_file, by_stem, by_title):
                if old.key != successor.key:
                    yield successor, old


def superseded_from(editions: Sequence[Edition]) -> Mapping[int, dt.date]:
    """Document key to the first day of its successor; a successor without a first day has always been there."""
    ends: dict[int, dt.date] = {}
    for successor, old in successions(editions):
        day = successor.effective_from or dt.date.min
        ends[old.key] = min(day, ends.get(old.key, day))
    return ends


def _named(
    target: str,
    successor: Edition,
    by_file: Mapping[tuple[str, str], Sequence[Edition]],
    by_stem: Mapping[tuple[str, str], Sequence[Edition]],
    by_title: Mapping[str, Sequence[Edition]],
) -> Iterable[Edition]:
    folder = successor.file.rpartition("/")[0]
    files = dict.fromkeys((f"{folder}/{target}" if folder else target, target))
    filed = [e for file in files for e in by_file.get((successor.root, file), ())]
    if not filed and PurePosixPath(target).suffix in SUFFIXES:
        filed = [e for file in files for e in by_stem.get((successor.root, _stem(file)), ())]
    yield from filed
    titled = list(by_title.get(name_key(target), ()))
    if not titled and (match := _VERSION.fullmatch(target)):
        title = match["title"] or successor.title
        titled = [e for e in by_title.get(name_key(title), ()) if e.version == match["version"]]
    elif not titled and (match := _YEAR.fullmatch(target)):
        year = int(match["year"])
        titled = [
            e for e in by_title.get(name_key(match["title"]), ()) if e.effective_from and e.effective_from.year == year
        ]
    begins = successor.effective_from
    yield from (e for e in titled if begins is None or e.effective_from is None or e.effective_from <= begins)


def _stem(file: str) -> str:
    return str(PurePosixPath(file).with_suffix(""))
