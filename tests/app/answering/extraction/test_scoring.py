"""What is known of each candidate: here what the reader says of it, by the shipped weights."""

import numpy as np
import pytest
from made_hits import flat_idf, parsed_hit

from policy_rag.answering.extraction.quotable_units import units
from policy_rag.answering.extraction.scoring import UnitFeatures, borne_out, own_words, unit_features
from policy_rag.answering.extraction.selection import QuoteCandidate
from policy_rag.models.reader import Reader

QUESTION = "Who signs the travel form?"
BEFORE, FOUND, BEHIND = (
    "The form is blue and has two pages.\n\n",
    "The travel form is signed by the treasurer.",
    "\n\nIt is kept for ten years by the finance team.",
)


@pytest.fixture(scope="module")
def reader() -> Reader:
    return Reader.load()


def candidates_of(text: str) -> list[QuoteCandidate]:
    hit = parsed_hit(text, start=50, title="Forms", path=("Travel", "Forms"))
    return [QuoteCandidate(unit, hit, 0) for unit in units(hit)]


def features_of(question: str, candidates: list[QuoteCandidate], reader: Reader) -> UnitFeatures:
    """Near to the question is what says "signed"."""
    return unit_features(
        question,
        candidates,
        embed=lambda texts: np.array([[float("signed" in text)] for text in texts], dtype=np.float32),
        embed_query=lambda _: np.ones(1, dtype=np.float32),
        idf=flat_idf,
        reader=reader,
        languages=["english"],
    )


@pytest.mark.parametrize(("question", "read"), [(QUESTION, True), ("Wer unterschreibt das Reiseformular?", False)])
def test_what_the_reader_says_counts_where_it_knows_the_language(question: str, read: bool, reader: Reader) -> None:
    found = features_of(question, candidates_of(BEFORE + FOUND + BEHIND), reader)
    assert (found.read is not None) is read
    if found.read is not None:
        assert found.read.argmax() == 1
        below = found.matrix[:, 3]
        assert below.max() == 0
        assert below.min() >= -8


def test_of_many_candidates_the_likeliest_are_read_and_the_others_count_as_far_below(reader: Reader) -> None:
    candidates = candidates_of("".join(f"Form {n} is kept by office {n}.\n\n" for n in range(40)) + FOUND)
    found = features_of(QUESTION, candidates, reader)
    assert len(candidates) == 41
    assert found.read is not None
    assert np.isfinite(found.read).sum() == 30
    assert np.isfinite(found.read[40])
    assert (found.matrix[~np.isfinite(found.read), 3] == -8).all()


def test_what_a_question_takes_for_granted_is_borne_out_or_contradicted(reader: Reader) -> None:
    def borne(text: str, question: str = QUESTION) -> float:
        (candidate,) = candidates_of(text)
        return borne_out(question, own_words(candidate), reader)

    assert borne(FOUND) > 0 > borne("The travel form is never signed.")
    assert borne("The travel form is never signed.", "Is the travel form signed?") >= 0  # it is answered
    assert all(-7 <= borne(text) <= 7 for text in (FOUND, "Dogs are not allowed.", "Signed."))


def test_markup_says_nothing(reader: Reader) -> None:
    marked = "The **travel form** is signed by [the treasurer](https://example.org/people?id=7#treasurer)."
    plain, other = (features_of(QUESTION, candidates_of(text), reader) for text in (FOUND, marked))
    assert plain.read is not None
    assert other.read is not None
    assert plain.read.tolist() == other.read.tolist()
