"""From hits to gold: the design's rule case by case, and against a plain reading of it, by sets of characters."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import Corpus, Dataset, GoldPassage, Question
from policy_rag_eval.measures.gold_matching import GoldPlaces, QuestionGold, Range


def gold(*places: tuple[str, int, int], file: str = "f") -> GoldPlaces:
    return GoldPlaces(GoldPassage(label, "", file=file, start=start, end=end) for label, start, end in places)


def hits(*ranges: tuple[int, int], file: str = "f") -> list[Range]:
    return [Range(file, start, end) for start, end in ranges]


def test_half_the_characters_are_enough_and_one_less_is_not() -> None:
    assert gold(("a", 0, 10)).labels(hits((5, 30))) == ("a",)
    assert gold(("a", 0, 10)).labels(hits((6, 30))) == ("f:6-30",)
    assert gold(("a", 0, 11)).labels(hits((0, 5))) == ("f:0-5",)


def test_files_are_apart_and_gold_without_a_place_is_passed_over() -> None:
    places = GoldPlaces([GoldPassage("a", "x", file="f", start=0, end=5), GoldPassage("b", "x", file="f")])
    assert places.labels([Range("g", 0, 5), Range("f", 0, 5)]) == ("g:0-5", "a")
    assert places.labels([]) == ()


ranges = st.tuples(st.integers(0, 30), st.integers(1, 12)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@given(
    places=st.lists(st.tuples(st.sampled_from("abcd"), ranges).map(lambda p: (p[0], *p[1])), max_size=8),
    found=st.lists(ranges, max_size=8),
)
def test_the_same_as_counting_characters_one_by_one(
    places: list[tuple[str, int, int]], found: list[tuple[int, int]]
) -> None:
    covered: set[int] = set()
    expected: list[str] = []
    for start, end in found:
        covered |= set(range(start, end))
        ordered = sorted(places, key=lambda place: place[1:])
        new = [
            label
            for label, first, last in ordered
            if 2 * len(covered & set(range(first, last))) >= last - first and label not in expected
        ]
        for label in new or [f"f:{start}-{end}"]:
            if label not in expected:
                expected.append(label)
    assert list(gold(*places).labels(hits(*found))) == expected


def hit(file: str, start: int, end: int, *, doc_id: str = "d", section_id: str = "s") -> Hit:
    return Hit(1, 1.0, doc_id, None, file, section_id, None, "", (), start, end, start, end, None, "", {})


def data(passages: list[GoldPassage], qrels: dict[str, dict[str, int]]) -> Dataset:
    questions = tuple(Question(question_id, question_id) for question_id in qrels)
    return Dataset("made", Path(), (), questions, tuple(passages), qrels, "")


def test_by_hand() -> None:
    gold = QuestionGold(
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
    assert gold.characters("q", [hit("x", 14, 26)]) == (6 / 40, 6 / 12)
    # Hits that overlap count once: 10 to 30 of x, and all of b in a hit of sixty.
    assert gold.characters("q", [hit("x", 10, 25), hit("x", 20, 30), hit("y", 0, 60)]) == (1.0, 40 / 80)
    assert gold.characters("q", [hit("x", 50, 90), hit("z", 0, 10)]) == (0.0, 0.0)
    assert gold.characters("q", []) == (0.0, 0.0)
    assert gold.characters("unknown", [hit("x", 0, 10)]) == (0.0, 0.0)


def test_a_hit_of_a_whole_document_wins_nothing() -> None:
    gold = QuestionGold(data([GoldPassage("a", "", file="x", start=9000, end=9100)], {"q": {"a": 1}}), Corpus.FILES)
    assert gold.labels("q", [hit("x", 0, 20_000)]) == ("a",)
    assert gold.read("q", [hit("x", 0, 20_000)], 2000) == 0.0
    assert gold.read("q", [hit("x", 8900, 9300)], 2000) == 1.0


def test_a_label_with_several_places_is_won_at_the_one_that_is_covered_best() -> None:
    places = [GoldPassage("a", "", file="x", start=0, end=100), GoldPassage("a", "", file="y", start=0, end=10)]
    gold = QuestionGold(data(places, {"q": {"a": 1}}), Corpus.FILES)
    assert gold.characters("q", [hit("y", 0, 10)]) == (1.0, 1.0)
    assert gold.characters("q", [hit("x", 0, 50), hit("y", 0, 5)]) == (0.5, 1.0)  # of equals the first: 50 of 100


def test_passages_are_ranges_of_their_own() -> None:
    passages = [GoldPassage("a", "ten chars.", doc_id="d"), GoldPassage("b", "five!", doc_id="d")]
    gold = QuestionGold(data(passages, {"q": {"a": 1}, "r": {"a": 1, "b": 1}}), Corpus.PASSAGES)
    found = [hit("d", 100, 110, section_id="a"), hit("d", 112, 117, section_id="b")]
    assert gold.characters("q", found) == (1.0, 10 / 15)
    assert gold.characters("r", found[1:]) == (5 / 15, 1.0)
    assert gold.labels("q", found) == ("a", "b")


def test_passages_that_share_a_label_are_one_hit() -> None:
    passages = [GoldPassage(label, f"{n} {label}", doc_id="d") for n, label in enumerate("abac")]
    gold = QuestionGold(data(passages, {"q": {"a": 1}}), Corpus.PASSAGES)
    found = [hit("d", 0, 3, section_id=unit) for unit in ("b", "a", "b", "a~2", "c")]
    assert gold.labels("q", found) == ("b", "a", "c")


def test_blanks_around_a_passage_are_nothing_that_could_be_missed() -> None:
    passages = [GoldPassage("a", "Notice is given in writing. \n", doc_id="d")]
    gold = QuestionGold(data(passages, {"q": {"a": 1}}), Corpus.PASSAGES)
    assert gold.read("q", [hit("d", 0, 27, section_id="a")], 2000) == 1.0


spans = st.lists(
    st.tuples(st.sampled_from("xy"), st.integers(0, 30), st.integers(1, 12)).map(lambda s: (s[0], s[1], s[1] + s[2])),
    max_size=6,
)


@given(gold=st.lists(st.tuples(st.sampled_from("xy"), st.integers(0, 30), st.integers(1, 12)), min_size=1, max_size=4),
       found=spans)  # fmt: skip
def test_equal_to_sets_of_characters(gold: list[tuple[str, int, int]], found: list[tuple[str, int, int]]) -> None:
    places = [GoldPassage(str(i), "", file=f, start=s, end=s + n) for i, (f, s, n) in enumerate(gold)]
    ranges = QuestionGold(data(places, {"q": {p.gold_id: 1 for p in places}}), Corpus.FILES)
    recall, precision = ranges.characters("q", [hit(*span) for span in found])
    shown = {(file, at) for file, start, end in found for at in range(start, end)}
    relevant = [{(f, at) for at in range(s, s + n)} for f, s, n in gold]
    assert recall == pytest.approx(sum(len(r & shown) for r in relevant) / sum(map(len, relevant)))
    assert precision == pytest.approx(len(shown & set().union(*relevant)) / len(shown) if shown else 0.0)
    order = [(file, at) for file, start, end in found for at in range(start, end)]
    for characters in (1, 7, 30):
        read = set(order[:characters])
        wanted = sum(len(r & read) for r in relevant) / sum(map(len, relevant))
        assert ranges.read("q", [hit(*span) for span in found], characters) == pytest.approx(wanted)


others = st.dictionaries(st.sampled_from(["r", "s"]), st.sets(st.sampled_from("abcd"), min_size=1), max_size=2)


@given(
    places=st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("xy"), ranges), min_size=1, max_size=8),
    found=spans,
    asked=others,
)
def test_other_questions_change_nothing(
    places: list[tuple[str, str, tuple[int, int]]], found: list[tuple[str, int, int]], asked: dict[str, set[str]]
) -> None:
    passages = [GoldPassage(label, "", file=file, start=start, end=end) for label, file, (start, end) in places]
    own = {passages[0].gold_id: 1}
    alone = QuestionGold(data([p for p in passages if p.gold_id in own], {"q": own}), Corpus.FILES)
    qrels = {"q": own} | {question: dict.fromkeys(labels, 1) for question, labels in asked.items()}
    among = QuestionGold(data(passages, qrels), Corpus.FILES)
    hits = [hit(*span) for span in found]
    assert among.labels("q", hits) == alone.labels("q", hits)
    assert among.characters("q", hits) == alone.characters("q", hits)
    assert set(among.labels("q", hits)) <= {*own, *(f"{f}:{a}-{b}" for f, a, b in found)}
