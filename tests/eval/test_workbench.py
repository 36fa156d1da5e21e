"""The workbench in one call each, as a notebook uses it."""

from pathlib import Path

import pytest
from small_dataset import WordHashes

import policy_rag_eval
from policy_rag.errors import UsageError
from policy_rag_eval import Found, compare, evaluate, load_dataset

pytestmark = pytest.mark.usefixtures("no_reranker")


def test_the_public_names_are_these() -> None:
    assert policy_rag_eval.__all__ == [
        "AnswerResults", "Answerer", "ExistingIndex", "Found", "JudgeResults", "Results", "Retriever", "Verdict",
        "compare", "evaluate", "evaluate_answers", "evaluate_judges", "load_dataset",
    ]  # fmt: skip
    assert all(getattr(policy_rag_eval, name) is not None for name in policy_rag_eval.__all__)
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        policy_rag_eval.evalute  # noqa: B018


def test_ours_and_others_in_one_call(folder: Path, model: WordHashes, tmp_path: Path) -> None:
    found = evaluate(
        load_dataset(folder),
        {
            "vector": {"search": "vector"},
            "keyword": {"search": "keyword"},
            "fixed": lambda _: [Found(text="Employees have thirty days of paid holiday a year.")],
        },
        index=tmp_path / "i",
    )
    assert [row["configuration"] for row in found.table()][-1] == "fixed"
    assert str(found.sweep.measure) == "recall@2000chars"
    assert found.scores("fixed")["q1"] == 1.0
    assert found.scores("fixed", "ndcg@10")["q2"] == 0.0
    assert [str(one) for one in found.verdicts] == list(found.sweep.verdicts)
    assert {one.comparison.second for one in compare(found, against="vector", measure="ndcg@10")} <= {
        "vector", "keyword", "fixed",
    }  # fmt: skip
    with pytest.raises(UsageError, match="recall@3 was not measured"):
        compare(found, measure="recall@3")
    with pytest.raises(UsageError, match="there is no ndcg@10 of nobody: there are vector, keyword, fixed"):
        found.scores("nobody", "ndcg@10")


def test_a_grid_and_a_sample(folder: Path, model: WordHashes, tmp_path: Path) -> None:
    found = evaluate(
        folder, grid={"search": ["vector", "keyword"]}, index=tmp_path / "i", questions=4, measure="mrr@10"
    )
    assert len(found.sweep.evaluations) == 2
    assert str(found.sweep.measure) == "mrr@10"
    assert found.sweep.questions + len(found.dataset.unanswerable) <= 4
    with pytest.raises(UsageError, match="two configurations are called search=vector"):
        evaluate(folder, {"search=vector": lambda _: []}, grid={"search": ["vector", "or"]}, index=tmp_path / "i")
