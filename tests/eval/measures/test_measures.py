"""Measures: by hand, against pytrec_eval, and where rankings are empty, repeated or unknown."""

import math

import pytest
import pytrec_eval
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.errors import MeasureError
from policy_rag_eval.measures.measures import (
    OF_HITS,
    OF_RETURNED,
    Measure,
    MeasureName,
    Scores,
    most_possible,
    score,
)

CUT = [name for name in MeasureName if name not in OF_HITS]


def one(measure: str, grades: dict[str, int], ranking: list[str]) -> float:
    wanted = Measure.parse(measure)
    return score({"q": grades}, {"q": ranking}, [wanted]).values[wanted][0]


# Three relevant labels a, b, c; the ranking finds a at rank 2, b at rank 4, never c.
GRADES = {"a": 1, "b": 1, "c": 1}
RANKING = ["x", "a", "y", "b", "z"]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("hit_rate@1", 0.0),
        ("hit_rate@2", 1.0),
        ("mrr@1", 0.0),
        ("mrr@5", 1 / 2),
        ("precision@4", 2 / 4),
        ("precision@10", 2 / 10),  # the list is short: still divided by 10
        ("recall@3", 1 / 3),
        ("recall@10", 2 / 3),
        ("ap@3", (1 / 2) / 3),
        ("ap@10", (1 / 2 + 2 / 4) / 3),
        ("ap@1", 0.0),
        ("ndcg@5", (1 / math.log2(3) + 1 / math.log2(5)) / (1 + 1 / math.log2(3) + 1 / math.log2(4))),
        ("ndcg@2", (1 / math.log2(3)) / (1 + 1 / math.log2(3))),  # the ideal is over its first two only
        ("f1@4", 2 * (2 / 4) * (2 / 3) / (2 / 4 + 2 / 3)),
        ("f1@1", 0.0),
        ("precision", 2 / 5),  # as returned: divided by the labels that there are
        ("recall", 2 / 3),
        ("f1", 2 * (2 / 5) * (2 / 3) / (2 / 5 + 2 / 3)),
    ],
)
def test_by_hand(measure: str, value: float) -> None:
    assert one(measure, GRADES, RANKING) == pytest.approx(value, abs=1e-12)


def test_ndcg_uses_grades_as_gains_and_a_grade_of_zero_or_less_is_not_relevant() -> None:
    grades = {"a": 2, "b": 1, "x": 0, "y": -1}
    expected = (1 + 2 / math.log2(3)) / (2 + 1 / math.log2(3))
    assert one("ndcg@10", grades, ["b", "a", "x", "y"]) == pytest.approx(expected)
    assert one("recall@10", grades, ["x", "y"]) == 0.0


def test_empty_and_missing_questions_count_zero_and_unknown_ones_nothing() -> None:
    wanted = Measure.parse("recall@10")
    qrels = {"found": {"a": 1}, "empty": {"a": 1}, "missing": {"a": 1}}
    scores = score(qrels, {"found": ["a"], "empty": [], "stranger": ["a"]}, [wanted])
    assert scores.questions == ("found", "empty", "missing")
    assert scores.values[wanted] == (1.0, 0.0, 0.0)
    assert scores.mean(wanted) == pytest.approx(1 / 3)


def test_nothing_found_at_all_is_zero_and_nothing_asked_is_no_figure() -> None:
    wanted = Measure.parse("mrr@10")
    assert score({"q": {"a": 1}}, {}, [wanted]).values[wanted] == (0.0,)
    assert score({"q": {}}, {"q": ["a"]}, [wanted]).values[wanted] == (0.0,)
    nothing = score({}, {}, [wanted])
    assert nothing.values[wanted] == ()
    with pytest.raises(ValueError, match="no questions"):
        nothing.mean(wanted)


labels = st.sampled_from([f"d{i}" for i in range(12)])


@given(
    grades=st.dictionaries(labels, st.integers(0, 3), min_size=1, max_size=8),
    ranking=st.lists(labels, max_size=15),
    k=st.integers(1, 12),
)
def test_equal_to_pytrec_eval_on_any_ranking(grades: dict[str, int], ranking: list[str], k: int) -> None:
    once = list(dict.fromkeys(ranking))
    run = {"q": {label: 1000.0 - i for i, label in enumerate(once)}}
    keys = {"hit_rate": f"success_{k}", "precision": f"P_{k}", "recall": f"recall_{k}", "ap": f"map_cut_{k}"}
    keys["ndcg"] = f"ndcg_cut_{k}"
    families = {f"{f}.{k}" for f in ("success", "P", "recall", "map_cut", "ndcg_cut")}
    oracle = pytrec_eval.RelevanceEvaluator({"q": grades}, {*families, "recip_rank", "set_P", "set_recall"})
    expected = oracle.evaluate(run)["q"] if once else {}
    ours = score({"q": grades}, {"q": ranking}, [Measure(name, k) for name in CUT])
    figures = {str(measure.name): values[0] for measure, values in ours.values.items()}
    for name, key in keys.items():
        assert figures[name] == pytest.approx(expected.get(key, 0.0), abs=1e-9), name
    reciprocal = expected.get("recip_rank", 0.0)
    assert figures["mrr"] == pytest.approx(reciprocal if reciprocal >= 1 / k - 1e-12 else 0.0, abs=1e-9)
    p, r = expected.get(f"P_{k}", 0.0), expected.get(f"recall_{k}", 0.0)
    assert figures["f1"] == pytest.approx(2 * p * r / (p + r) if p + r else 0.0, abs=1e-9)
    assert all(0.0 <= value <= 1.0 for value in figures.values())
    whole = score({"q": grades}, {}, [Measure.parse("precision"), Measure.parse("recall")], returned={"q": ranking})
    assert [v[0] for v in whole.values.values()] == pytest.approx(
        [expected.get("set_P", 0.0), expected.get("set_recall", 0.0)], abs=1e-9
    )


def test_the_list_as_returned_may_be_shorter_than_the_ranking() -> None:
    wanted = [Measure.parse(text) for text in ("precision", "recall", "recall@5", "precision@2")]
    found = score({"q": GRADES}, {"q": RANKING}, wanted, returned={"q": ["x", "a"]})
    assert [values[0] for values in found.values.values()] == [1 / 2, 1 / 3, 2 / 3, 1 / 2]
    nothing = score({"q": GRADES}, {"q": RANKING}, wanted, returned={})
    assert [values[0] for values in nothing.values.values()] == [0.0, 0.0, 2 / 3, 1 / 2]


def test_the_most_that_a_measure_can_be_by_hand() -> None:
    # q1 has one gold label and q2 two; 4 labels are returned for q1 and 1 for q2.
    qrels = {"q1": {"a": 1, "z": 0}, "q2": {"b": 1, "c": 2}, "q3": {"d": 1}}
    returned = {"q1": ("x", "y", "z", "a"), "q2": ("b",), "q3": ()}
    names = ("precision@5", "precision@1", "recall@1", "recall@10", "f1@5", "ndcg@10", "precision", "recall", "hits")
    measures = [Measure.parse(name) for name in (*names, "char_recall", "char_precision")]
    # 30 of 60 characters of gold are found, in 100 of which 30 are gold: the gold is 60 of 100 characters long.
    figures = dict.fromkeys(measures, (0.0, 0.0)) | {measures[-2]: (0.5, 0.0), measures[-1]: (0.3, 0.0)}
    found = most_possible(Scores(("q1", "q2"), figures), qrels, returned)
    assert {str(measure): value for measure, value in found.items()} == pytest.approx(
        {
            "precision@5": 2 / 5,
            "precision@1": 1.0,
            "recall@1": 1.0,
            "recall@10": 1.0,
            "f1@5": 2 * 0.4 / 1.4,
            "ndcg@10": 1.0,
            "precision": 1.0,  # q2's one label could be gold
            "recall": 1.0,
            "char_precision": 0.6,
        }
    )
    only = most_possible(Scores(("q1",), dict.fromkeys(measures, (0.0,))), qrels, returned)
    told = {str(measure): value for measure, value in only.items()}
    assert (told["precision@5"], told["precision"], told["char_precision"]) == (pytest.approx(0.2), 0.25, 1.0)


def test_what_labels_do_not_tell_is_taken_as_counted() -> None:
    hits = Measure.parse("hits")
    qrels = {"a": {"x": 1}, "b": {"y": 1}}
    assert score(qrels, {}, [hits], counted={hits: [3, 0]}).values == {hits: (3, 0)}
    with pytest.raises(ValueError, match="char_recall cannot be told from labels"):
        score(qrels, {}, [Measure.parse("char_recall")], counted={hits: [3, 0]})


measures = st.one_of(
    st.builds(Measure, st.sampled_from(CUT), st.integers(1, 9999)),
    st.builds(Measure, st.sampled_from([*OF_RETURNED, *OF_HITS])),
)


@given(measures)
def test_a_measure_reads_what_it_writes(measure: Measure) -> None:
    assert Measure.parse(str(measure)) == measure
    assert Measure.from_mlflow_key(measure.mlflow_key) == measure
    assert "@" not in measure.mlflow_key


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ndcg", "ndcg@10"),
        ("hits@5", "hits"),
        ("char_recall@10", "char_recall"),
        ("recall@0", "recall@10"),
        ("rekall@20", "recall@20"),
        ("NDCG@5", "ndcg@5"),
        ("ndcg@10@5", "ndcg@10"),
        ("recal@500chars", "recall@500chars"),
    ],
)
def test_a_slip_of_the_pen_is_answered_with_what_was_likely_meant(text: str, meant: str) -> None:
    with pytest.raises(MeasureError, match=f"there is no measure '{text}': did you mean {meant}\\?$"):
        Measure.parse(text)


@pytest.mark.parametrize(
    "text",
    ["found@10", "", "@10", "None@10"],
)
def test_what_is_no_measure_is_answered_with_those_there_are(text: str) -> None:
    with pytest.raises(MeasureError, match=r"hit_rate@K.*recall@10"):
        Measure.parse(text)


def test_measures_compare_and_sort() -> None:
    written = ["recall@10", "ap@10", "recall@5"]
    assert sorted(map(Measure.parse, written)) == [Measure.parse(t) for t in ("ap@10", "recall@5", "recall@10")]
    assert len({Measure.parse("ap@10"), Measure.parse("ap@10")}) == 1
