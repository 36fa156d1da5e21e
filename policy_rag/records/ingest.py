"""What an ingest did."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from policy_rag_parsers.metadata.extraction_report import KindCounts, MetadataFailure


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that was not taken in, and why; `failed` when it should have been readable."""

    file: str
    reason: str
    failed: bool


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What one ingest did. Counts are documents unless named otherwise; `sections` and `chunks` are of those taken in.

    `documents` is how many the index now holds, those of other ingests among them. Ids of documents that keep an old
    text: `gone` where the file is no more; `kept` where it is there and was not taken in; `withheld` where nobody may
    read that text besides, as it cannot be known who may. `metadata` counts what was extracted, by kind, and
    `metadata_failures` says what sections are left without. All but the first are in the JSON form where there is any.
    """

    added: int
    updated: int
    unchanged: int
    removed: int
    sections: int
    chunks: int
    embedded: int
    seconds: Mapping[str, float]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()
    documents: int = 0
    gone: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    metadata: Mapping[str, KindCounts] = field(default_factory=dict)
    metadata_failures: tuple[MetadataFailure, ...] = ()

    @property
    def taken_in(self) -> int:
        """Documents that the index now holds because of this ingest, changed or not."""
        return self.added + self.updated + self.unchanged
