"""The headline of a sweep, its failures and its tables, from figures that are known."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from policy_rag_eval.data.dataset import Corpus, Dataset, Document, GoldPassage, Question
from policy_rag_eval.measures.measures import DECIDED_BY, Scores
from policy_rag_eval.reports.failures import failures
from policy_rag_eval.reports.retrieval_page import headline, retrieval_page
from policy_rag_eval.reports.table_files import SweepTable
from policy_rag_eval.statistics.intervals import bootstrap_intervals
from policy_rag_eval.sweep.evaluation import Evaluation, Latency
from policy_rag_eval.sweep.sweep import Sweep
from policy_rag_eval.sweep.verdicts import compare, verdict


def evaluation(name: str, values: list[float], **more: Any) -> Evaluation:
    scores = Scores(tuple(f"q{i}" for i in range(len(values))), {DECIDED_BY: tuple(values)})
    return Evaluation(name, {"search": name}, bootstrap_intervals(scores.values, resamples=50), {}, scores, **more)


def sweep(*evaluations: Evaluation, against: str | None = None) -> Sweep:
    made = compare(evaluations, draws=500, resamples=50, against=against)
    questions = len(evaluations[0].scores.questions)
    return Sweep(
        "made",
        Corpus.FILES,
        questions,
        evaluations,
        DECIDED_BY,
        tuple(verdict(one, questions) for one in made),
        {},
        made,
    )


def figures(mean: float, seed: int) -> list[float]:
    noise = np.random.default_rng(seed).normal(0, 0.02, 60)
    return [float(value) for value in np.clip(mean + noise - noise.mean(), 0, 1)]


def test_the_headline_says_the_choice_its_lead_and_what_is_undecided() -> None:
    best, other, near = (
        evaluation("a", figures(0.8, 1)),
        evaluation("b", figures(0.5, 2)),
        evaluation("c", figures(0.799, 3)),
    )
    assert headline(sweep(best)).startswith("a: 0.800 ndcg@10 (0.79")
    assert headline(sweep(best, other)) == (
        "Take a: 0.800 ndcg@10, 0.300 ahead of the next, b (p < 0.001); nothing is undecided"
    )
    assert headline(sweep(best, other, near)) == (
        "Take a: 0.800 ndcg@10, ahead of 1 of 2 others; undecided against c, 1 of them no worse than 0.02"
    )
    assert headline(sweep(best, near)) == (
        "a: 0.800 ndcg@10, ahead of none for certain; undecided against c, 1 of them no worse than 0.02"
    )
    assert headline(sweep(best, other, near, against="b")).startswith(
        "Take a: 0.800 ndcg@10, 0.300 ahead of the baseline b (p = 0.002)"
    )


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    (tmp_path / "documents").mkdir()
    text = "The first rule stands here. The second rule stands there.\n"
    (tmp_path / "documents" / "f.md").write_text(text)
    passages = (
        GoldPassage("g0", text[:27], file="f.md", start=0, end=27),
        GoldPassage("g1", text[28:57], file="f.md", start=28, end=57),
    )
    questions = (Question("q0", "What is first?"), Question("q1", "What is second?"))
    return Dataset(
        "made",
        tmp_path,
        (Document("f", "f.md", "F"),),
        questions,
        passages,
        {"q0": {"g0": 1}, "q1": {"g1": 1}},
        "d" * 64,
    )


def test_a_failure_shows_gold_and_hit(dataset: Dataset) -> None:
    one = evaluation("a", [1.0, 0.0], rankings={"q0": ("g0",), "q1": ("f.md:0-9", "g1")})
    (failure,) = failures(dataset, Corpus.FILES, one, DECIDED_BY)
    assert (failure.question_id, failure.question, failure.told) == ("q1", "What is second?", "ndcg@10 0.00")
    assert failure.left == ("gold: f.md, 28 to 57", "The second rule stands there.")
    assert failure.right == ("found first: f.md, 0 to 9", "The first")
    nothing = evaluation("a", [1.0, 0.0], rankings={"q0": ("g0",)})
    assert failures(dataset, Corpus.FILES, nothing, DECIDED_BY)[0].right == ("nothing was found", "")
    assert failures(dataset, Corpus.FILES, evaluation("a", [1.0, 1.0]), DECIDED_BY) == ()


def test_forty_five_are_as_readable_as_four(dataset: Dataset) -> None:
    def shown(count: int) -> str:
        many = [evaluation(f"configuration {i}", [i / count, 0.5], rankings={}) for i in range(count)]
        return retrieval_page(sweep(*many), dataset).html()

    def unfolded(html: str) -> str:
        head, *parts = html.split("<details>")
        return head + "".join(part.split("</details>")[1] for part in parts)

    assert unfolded(shown(45)).count("<tr") == unfolded(shown(5)).count("<tr")
    assert abs(len(unfolded(shown(45))) - len(unfolded(shown(5)))) < 600


def test_tables_for_other_programs() -> None:
    best = evaluation("a_b & c", [1.0, 0.5], latencies_ms={"total": Latency(1.25, 2.5)}, tokens=120.5, cost=0.25)
    csv = SweepTable([evaluation("x,y", [0.0, 0.5]), best], DECIDED_BY).csv().splitlines()
    assert csv[0] == "configuration,ndcg@10,ndcg@10_low,ndcg@10_high,ms_median,ms_p95,tokens,cost_of_1000"
    assert csv[1].startswith("a_b & c,0.75,")
    assert csv[1].endswith(",1.25,2.5,120.5,0.25")
    assert csv[2].startswith('"x,y",0.25,')
    latex = SweepTable([best, evaluation("x,y", [0.0, 0.5])], DECIDED_BY).latex()
    assert r"a\_b \& c & \textbf{0.750}" in latex
    assert latex.startswith(r"\begin{tabular}{lrrr}")
