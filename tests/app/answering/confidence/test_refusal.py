"""What must be refused whatever the weights, the threshold and the model say."""

from collections.abc import Sequence
from dataclasses import fields

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from made_hits import flat_idf as flat
from made_hits import made_hit
from numpy.typing import NDArray

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, Features, SupportPiece, Weights, confidence, features
from policy_rag.answering.context import AnswerContext
from policy_rag.answering.pipeline import answer_from_result
from policy_rag.records.answer import Status
from policy_rag.records.search import Hit, SearchRank, SearchResult

QUESTION = "Which employees may claim the cost of a hotel?"


class NeverAsked:
    """An embedding model that may not be needed for a refusal."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(texts)

    embed_queries = embed


_PIECES = st.builds(
    SupportPiece,
    feature=st.sampled_from([field.name for field in fields(Features)]),
    weight=st.floats(0, 50),
    low=st.floats(0, 0.5),
    high=st.floats(0.5, 2),
)
_WEIGHTS = st.builds(
    Weights,
    intercept=st.floats(-50, 50),
    pieces=st.lists(_PIECES, max_size=5).map(tuple),
    threshold=st.floats(0, 1),
    provenance=st.just("made up"),
    by_size=st.floats(0, 2),
) | st.just(DEFAULT_WEIGHTS)


@given(weights=_WEIGHTS, threshold=st.floats(0, 1), question=st.text(min_size=1, max_size=60))
def test_without_sections_every_question_is_refused(weights: Weights, threshold: float, question: str) -> None:
    context = AnswerContext(
        embedder=NeverAsked(), idf=flat, languages=("english",), weights=weights, threshold=threshold
    )
    answer = answer_from_result(SearchResult(question, (), {}), context)
    assert (answer.status, answer.citations, answer.nearest) == (Status.REFUSED, (), ())
    assert answer.confidence == 0


_TEXTS = st.lists(st.sampled_from(["employees", "claim", "cost", "hotel", "sensor", "of", "the"]), max_size=8)
_FOUND = st.none() | st.tuples(st.integers(1, 50), st.floats(-0.2, 1))


@st.composite
def _hits(draw: st.DrawFn) -> list[Hit]:
    hits = []
    for rank in range(1, draw(st.integers(1, 7)) + 1):
        searches = {name: draw(_FOUND) for name in ("vector", "keyword")}
        found = {name: SearchRank(*place) for name, place in searches.items() if place is not None}
        hits.append(made_hit(" ".join(draw(_TEXTS)) or ".", rank=rank, found_by=found, title="", path=()))
    return hits


@given(weights=_WEIGHTS, hits=_hits(), data=st.data())
def test_with_any_weights_fewer_or_wrong_sections_never_raise_the_support(
    weights: Weights, hits: list[Hit], data: st.DataObject
) -> None:
    before = confidence(features(QUESTION, hits, idf=flat), weights)
    at = data.draw(st.integers(0, len(hits) - 1))
    assert confidence(features(QUESTION, hits[:at] + hits[at + 1 :], idf=flat), weights) <= before
    wrong = made_hit("Calibrated sensors.", rank=hits[at].rank, title="", path=())
    assert confidence(features(QUESTION, [*hits[:at], wrong, *hits[at + 1 :]], idf=flat), weights) <= before
