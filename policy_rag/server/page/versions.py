"""The documents that a caller may read, the versions of one policy together."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from policy_rag.index.store.stored_documents import DocumentInfo


@dataclass(frozen=True, slots=True)
class PolicyVersions:
    """A policy and its versions.

    Attributes:
        title: of the version in force, else of the latest.
        versions: latest first.
        current: the one that is in force on the day that was asked for, or None.
    """

    title: str
    versions: tuple[DocumentInfo, ...]
    current: DocumentInfo | None


def policies(documents: Sequence[DocumentInfo], today: dt.date) -> tuple[PolicyVersions, ...]:
    """Documents in order of title, those that supersede each other or have one title together."""
    home = {document.doc_id: document.doc_id for document in documents}

    def root(doc_id: str) -> str:
        while home[doc_id] != doc_id:
            doc_id = home[doc_id]
        return doc_id

    named = _named(documents)
    for document in documents:
        for name in (document.title, *document.supersedes):
            for other in named.get(name.casefold(), ()):
                home[root(other)] = root(document.doc_id)
    groups: dict[str, list[DocumentInfo]] = {}
    for document in documents:
        groups.setdefault(root(document.doc_id), []).append(document)
    made = (_of(group, today) for group in groups.values())
    return tuple(sorted(made, key=lambda one: (one.title.casefold(), one.versions[0].doc_id)))


def _named(documents: Sequence[DocumentInfo]) -> Mapping[str, list[str]]:
    named: dict[str, list[str]] = {}
    for document in documents:
        bare = document.file.rpartition("/")[2]
        for name in {document.doc_id, document.file, bare, document.title}:
            named.setdefault(name.casefold(), []).append(document.doc_id)
    return named


def _of(group: Sequence[DocumentInfo], today: dt.date) -> PolicyVersions:
    versions = sorted(group, key=lambda one: (one.effective_from or dt.date.min, one.version or ""), reverse=True)
    current = next((one for one in versions if one.in_force(today)), None)
    return PolicyVersions((current or versions[0]).title, tuple(versions), current)
