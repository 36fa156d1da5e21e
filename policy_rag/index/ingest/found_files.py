"""Which files an ingest reads, each known by its place in the folder of which the index holds documents.

Else a file that is ingested by itself, or with the folder that it lies in, would be another document than the one that
the ingest of its whole library made of it: both would answer, and entries of a `policies.yaml` above would not hold.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.loaders.discovery import Discovery, FoundFile, discover


def find_files(
    paths: Sequence[Path], documents: Sequence[DocumentInfo], *, follow_links: bool
) -> tuple[Discovery, tuple[str, ...]]:
    """The files, and a note for each folder whose files are named from a folder above it.

    Args:
        paths: files and folders.
        documents: what the index holds.
        follow_links: see `discover`.

    Raises:
        UsageError: a path is not there.
    """
    found = discover(paths, follow_links=follow_links)
    roots = {file.root: file.root.resolve() for file in found.files}
    held: defaultdict[Path, list[DocumentInfo]] = defaultdict(list)
    for document in documents:
        if document.root:
            held[Path(document.root)].append(document)
    homes = {root: _home(place, held) for root, place in roots.items()}
    above = {root: home for root, home in homes.items() if home != roots[root]}
    notes = tuple(
        f"the index holds documents of {home}, in which {roots[root]} lies: files are named from there"
        for root, home in sorted(above.items())
    )
    files = tuple(_named_from(above[file.root], file) if file.root in above else file for file in found.files)
    return replace(found, files=files), notes


def _home(root: Path, held: Mapping[Path, Sequence[DocumentInfo]]) -> Path:
    """The outermost folder that was ingested and of which the index holds documents that lie in `root`."""
    for folder in sorted(held, key=lambda one: len(one.parts)):
        if root.is_relative_to(folder) and any(d.place.is_relative_to(root) for d in held[folder]):
            return folder
    return root


def _named_from(home: Path, file: FoundFile) -> FoundFile:
    place = file.root.resolve() / file.relative
    return FoundFile(place, home, place.relative_to(home).as_posix())
