"""What is known of each candidate: here what the reader says of it, by the shipped weights."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag.answering.extraction.quotable_units import units
from policy_rag.answering.extraction.scoring import borne_out, unit_features
from policy_rag.answering.extraction.selection import QuoteCandidate
from policy_rag.models.reader import Reader
from policy_rag.records.search import Hit
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

QUESTION = "Who signs the travel form?"
BEFORE, FOUND, BEHIND = (
    "The form is blue and has two pages.\n\n",
    "The travel form is signed by the treasurer.",
    "\n\nIt is kept for ten years by the finance team.",
)


def a_hit(text: str, begin: int, end: int) -> Hit:
    return Hit(
        rank=1, score=1.0, doc_id="d", version=None, file="d.md", section_id="s", number=None, title="Forms",
        path=("Travel", "Forms"), start=50, end=50 + len(text), chunk_start=50 + begin, chunk_end=50 + end, page=None,
        text=text, found_by={},
    )  # fmt: skip


LONG = a_hit(BEFORE + FOUND + BEHIND, len(BEFORE), len(BEFORE) + len(FOUND))


@pytest.mark.parametrize(("question", "read"), [(QUESTION, True), ("Wer unterschreibt das Reiseformular?", False)])
def test_what_the_reader_says_counts_where_it_knows_the_language(question: str, read: bool) -> None:
    (hit,) = with_parsed_blocks([LONG])
    candidates = [QuoteCandidate(unit, hit, 0) for unit in units(hit)]
    found = unit_features(
        question,
        candidates,
        embed=lambda texts: np.zeros((len(texts), 2), dtype=np.float32),
        embed_query=lambda _: np.zeros(2, dtype=np.float32),
        idf=lambda stems: np.full(len(stems), 6.0, dtype=np.float32),
        reader=Reader.load(),
        languages=["english"],
    )
    assert (found.read is not None) is read
    if found.read is not None:
        assert found.read.argmax() == 1
        below = found.matrix[:, 3]
        assert below.max() == 0
        assert below.min() >= -8


def test_of_many_candidates_the_likeliest_are_read_and_the_others_count_as_far_below() -> None:
    said = "".join(f"Form {number} is kept by office {number}.\n\n" for number in range(40)) + FOUND
    (hit,) = with_parsed_blocks([a_hit(said, 0, len(said))])
    candidates = [QuoteCandidate(unit, hit, 0) for unit in units(hit)]
    found = unit_features(
        QUESTION,
        candidates,
        embed=lambda texts: np.array([[float("signed" in text)] for text in texts], dtype=np.float32),
        embed_query=lambda _: np.ones(1, dtype=np.float32),
        idf=lambda stems: np.full(len(stems), 6.0, dtype=np.float32),
        reader=Reader.load(),
        languages=["english"],
    )
    assert len(candidates) == 41
    assert found.read is not None
    assert np.isfinite(found.read).sum() == 30
    assert np.isfinite(found.read[40])
    assert (found.matrix[~np.isfinite(found.read), 3] == -8).all()


def test_what_a_question_takes_for_granted_is_borne_out_or_contradicted() -> None:
    reader = Reader.load()

    def borne(text: str, question: str = QUESTION) -> float:
        (hit,) = with_parsed_blocks([a_hit(text, 0, len(text))])
        (unit,) = units(hit)
        return borne_out(question, QuoteCandidate(unit, hit, 0), reader)

    assert borne(FOUND) > 0 > borne("The travel form is never signed.")
    assert borne("The travel form is never signed.", "Is the travel form signed?") >= 0  # it is answered
    assert all(-7 <= borne(text) <= 7 for text in (FOUND, "Dogs are not allowed.", "Signed."))


def test_markup_says_nothing() -> None:
    asked: list[list[str]] = []

    def embed(texts: Sequence[str]) -> NDArray[np.float32]:
        asked.append(list(texts))
        return np.zeros((len(texts), 2), dtype=np.float32)

    read = []
    for said in (FOUND, "The **travel form** is signed by [the treasurer](https://example.org/people?id=7#treasurer)."):
        (hit,) = with_parsed_blocks([a_hit(said, 0, len(said))])
        found = unit_features(
            QUESTION,
            [QuoteCandidate(unit, hit, 0) for unit in units(hit)],
            embed=embed,
            embed_query=lambda _: np.zeros(2, dtype=np.float32),
            idf=lambda stems: np.full(len(stems), 6.0, dtype=np.float32),
            reader=Reader.load(),
            languages=["english"],
        )
        assert found.read is not None
        read.append(found.read.tolist())
    assert asked[0] == asked[1] == [f"Travel > Forms: {FOUND}"]
    assert read[0] == read[1]
