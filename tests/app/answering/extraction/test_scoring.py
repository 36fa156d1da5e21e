"""What is known of each candidate: here what the reader says of it, by the shipped weights."""

import numpy as np

from policy_rag.answering.confidence.readings import readings
from policy_rag.answering.extraction.scoring import unit_features
from policy_rag.answering.extraction.selection import Candidate
from policy_rag.answering.extraction.units import units
from policy_rag.models.reader import Reader
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

QUESTION = "Who signs the travel form?"
BEFORE, FOUND, BEHIND = (
    "The head signs it.\n\n",
    "The travel form is signed by the treasurer.",
    "\n\nThe dean signs it.",
)


def a_hit(text: str, begin: int, end: int) -> Hit:
    return Hit(
        rank=1, score=1.0, doc_id="d", version=None, file="d.md", section_id="s", number=None, title="Forms",
        path=("Travel", "Forms"), start=50, end=50 + len(text), chunk_start=50 + begin, chunk_end=50 + end, page=None,
        text=text, found_by={},
    )  # fmt: skip


LONG = a_hit(BEFORE + FOUND + BEHIND, len(BEFORE), len(BEFORE) + len(FOUND))


def test_what_was_found_of_a_long_section_is_read_and_nothing_around_it() -> None:
    reader = Reader.load()
    assert readings(QUESTION, [LONG], reader) == readings(QUESTION, [a_hit(FOUND, 0, len(FOUND))], reader)


def test_a_span_counts_for_the_candidate_that_it_lies_in() -> None:
    (hit,) = with_parsed_blocks([LONG])
    candidates = [Candidate(unit, hit, 0) for unit in units(hit)]
    assert [one.unit.text for one in candidates] == ["The head signs it.", FOUND, "The dean signs it."]
    cosines = np.zeros(3, dtype=np.float32)
    found = unit_features(QUESTION, candidates, cosines, reader=Reader.load(), languages=["english"])
    assert found.span[[0, 2]].tolist() == [-8, -8]
    assert found.span[1] > 0
