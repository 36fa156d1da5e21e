"""What an extraction did, in numbers: the same record for both routes."""

from collections.abc import Mapping
from dataclasses import dataclass

from policy_rag_parsers.metadata.extraction_results import DocumentMetadata, Kind


@dataclass(frozen=True, slots=True)
class KindCounts:
    """Counts of one kind, by section (by document for the kinds of documents).

    `wanted = extracted + skipped + failed`, and `cached` of the extracted needed no call in this run.

    Attributes:
        wanted: how many there are to extract from.
        extracted: how many have a result, an empty one included.
        cached: of these, how many came from an earlier run or from an equal section.
        skipped: how many have too little text to ask about.
        failed: how many are left without this kind.
        calls: requests sent in this run, those without an answer included.
        unanswered: of these, how many were dropped, refused or timed out.
        repaired: replies that were valid only after repair.
        asked_again: replies that were not valid, those of earlier runs included; the LLM was asked again, or given up.
        shortened: results from a part of the text only.
        seconds: spent in calls (summed over concurrent ones), or computing offline.
    """

    wanted: int = 0
    extracted: int = 0
    cached: int = 0
    skipped: int = 0
    failed: int = 0
    calls: int = 0
    unanswered: int = 0
    repaired: int = 0
    asked_again: int = 0
    shortened: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MetadataFailure:
    """One kind that one section (a document, where `section_id` is None) is left without, and why, on one line."""

    doc_id: str
    section_id: str | None
    kind: Kind
    reason: str


@dataclass(frozen=True, slots=True)
class MetadataOutcome:
    """The results: `documents` in the order given, `counts` for each kind that was asked for, `failures` in order."""

    documents: tuple[DocumentMetadata, ...]
    counts: Mapping[Kind, KindCounts]
    failures: tuple[MetadataFailure, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is: `done` of `total` steps (calls; sections offline), of them `failed`, after `seconds`."""

    done: int
    total: int
    failed: int
    seconds: float
