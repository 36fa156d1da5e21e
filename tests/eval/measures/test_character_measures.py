"""Characters of gold shown, by hand."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Corpus, Dataset, GoldPassage
from policy_rag_eval.measures.character_measures import GoldRanges


def hit(file: str, start: int, end: int, *, doc_id: str = "d", section_id: str = "s") -> Hit:
    return Hit(1, 1.0, doc_id, None, file, section_id, None, "", (), start, end, start, end, None, "", {})


def data(passages: list[GoldPassage], qrels: dict[str, dict[str, int]]) -> Dataset:
    return Dataset("made", Path(), (), (), tuple(passages), qrels, "")


def test_by_hand() -> None:
    gold = GoldRanges(
        data(
            [
                GoldPassage("a", "", file="x", start=10, end=20),
                GoldPassage("b", "", file="y", start=0, end=30),
                GoldPassage("other", "", file="x", start=50, end=90),
            ],
            {"q": {"a": 1, "b": 1}},
        ),
        Corpus.FILES,
    )
    # Six of a's ten characters, none of b's thirty; the hit has twelve, of which six are gold.
    assert gold.figures("q", [hit("x", 14, 26)]) == (6 / 40, 6 / 12)
    # Hits that overlap count once: 10 to 30 of x, and all of b in a hit of sixty.
    assert gold.figures("q", [hit("x", 10, 25), hit("x", 20, 30), hit("y", 0, 60)]) == (1.0, 40 / 80)
    assert gold.figures("q", [hit("x", 50, 90), hit("z", 0, 10)]) == (0.0, 0.0)
    assert gold.figures("q", []) == (0.0, 0.0)
    assert gold.figures("unknown", [hit("x", 0, 10)]) == (0.0, 0.0)


def test_a_label_with_several_places_is_won_at_the_one_that_is_covered_best() -> None:
    places = [GoldPassage("a", "", file="x", start=0, end=100), GoldPassage("a", "", file="y", start=0, end=10)]
    gold = GoldRanges(data(places, {"q": {"a": 1}}), Corpus.FILES)
    assert gold.figures("q", [hit("y", 0, 10)]) == (1.0, 1.0)
    assert gold.figures("q", [hit("x", 0, 50), hit("y", 0, 5)]) == (0.5, 1.0)  # of equals the first: 50 of 100


def test_passages_are_ranges_of_their_own() -> None:
    passages = [GoldPassage("a", "ten chars.", doc_id="d"), GoldPassage("b", "five!", doc_id="d")]
    gold = GoldRanges(data(passages, {"q": {"a": 1}, "r": {"a": 1, "b": 1}}), Corpus.PASSAGES)
    found = [hit("d", 100, 110, section_id="a"), hit("d", 112, 117, section_id="b")]
    assert gold.figures("q", found) == (1.0, 10 / 15)
    assert gold.figures("r", found[1:]) == (5 / 15, 1.0)


spans = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(0, 30), st.integers(1, 12)).map(lambda s: (s[0], s[1], s[1] + s[2])),
    max_size=6,
)


@given(gold=st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=4),
       found=spans)  # fmt: skip
def test_equal_to_sets_of_characters(gold: list[tuple[str, int, int]], found: list[tuple[str, int, int]]) -> None:
    places = [GoldPassage(str(i), "", file=f, start=s, end=s + n) for i, (f, s, n) in enumerate(gold)]
    ranges = GoldRanges(data(places, {"q": {p.gold_id: 1 for p in places}}), Corpus.FILES)
    recall, precision = ranges.figures("q", [hit(*span) for span in found])
    shown = {(file, at) for file, start, end in found for at in range(start, end)}
    relevant = [{(f, at) for at in range(s, s + n)} for f, s, n in gold]
    assert recall == pytest.approx(sum(len(r & shown) for r in relevant) / sum(map(len, relevant)))
    assert precision == pytest.approx(len(shown & set().union(*relevant)) / len(shown) if shown else 0.0)
