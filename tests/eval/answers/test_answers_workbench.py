"""Answers in one call, as a notebook uses it: ours and anybody's, judged alike."""

import tomllib
from pathlib import Path

import pytest
from ollama_server import OllamaStandIn
from small_dataset import WordHashes, jsonl

from policy_rag import Answer
from policy_rag.errors import UsageError
from policy_rag.records.answer import Status
from policy_rag_eval import compare, evaluate_answers, load_dataset

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


def half_right(question: str) -> str | Answer:
    """Knows the days of leave, takes first class for second, and refuses what it does not know."""
    if "holiday" in question.lower():
        return "Thirty days, I think."
    if "train" in question.lower():
        return Answer(
            question=question, status=Status.ANSWERED, answer="First class.", citations=(), confidence=1.0, llm="mine"
        )
    return "Not answered."


OURS = {"llm": "extractive", "offline": True}


def test_ours_and_a_callable_in_one_call(answered: Path, model: WordHashes, tmp_path: Path) -> None:
    found = evaluate_answers(
        load_dataset(answered),
        {"ours": {"search": "vector", "sections": 3}, "mine": half_right},
        settings=OURS,
        index=tmp_path / "i",
        judges=["accepted_span", "token_f1", "refusal_status"],
    )
    rows = {row["configuration"]: row for row in found.table()}
    assert set(rows) == {"ours", "mine"}
    # One of its two answers that have accepted spans holds its span. What it read is not known, nor what it would
    # answer with the right sections.
    mine = rows["mine"]
    assert (mine["accepted_span"], mine["ceiling"], mine["floor"], mine["gold given"]) == (0.5, None, None, None)
    assert (rows["ours"]["ceiling"], rows["ours"]["floor"]) == (1.0, 0.0)
    assert found.scores("mine") == {"q1": 1.0, "q3": 0.0}
    (other,) = (one for one in found.run.evaluations if one.name == "mine")
    assert other.latency is not None
    assert 0 < other.latency.median <= other.latency.p95 < 1000
    said = {row["id"]: row for row in found.answers("mine")}
    assert (said["q3"]["answer"], said["q3"]["right"], said["q3"]["score"]) == (
        "First class.", "Employees travel by train in second class.", 0.0,
    )  # fmt: skip
    assert said["q6"]["right"] == "the policies do not answer it"
    assert found.scores("mine", "refusal_status")["q6"] == 1.0
    assert [one.comparison.wins + one.comparison.losses for one in found.verdicts] == [
        sum(found.scores("ours")[key] != found.scores("mine")[key] for key in ("q1", "q3"))
    ]
    assert {str(one) for one in found.verdicts} == set(found.run.verdicts)
    (by_words,) = compare(found, against="mine", measure="token_f1")
    assert "mine" in str(by_words)
    assert "token_f1" in str(by_words)
    page = found.page().html()
    assert found.headline in page
    assert "0.500" in page[page.index("mine") :]


@pytest.mark.parametrize(("common", "decided"), [(3, False), (8, True)])
def test_configurations_are_ranked_by_the_questions_that_all_could_be_judged_on(
    folder: Path, model: WordHashes, tmp_path: Path, common: int, decided: bool
) -> None:
    """One that cannot be judged where it is bad has the higher mean of its own, and is the worse one all the same."""
    asked = [{"_id": f"n{place}", "text": f"What of number {place}?"} for place in range(10)]
    jsonl(folder / "queries.jsonl", asked)
    (folder / "qrels.tsv").write_text("".join(f"{one['_id']}\tholiday\t1\n" for one in asked))
    data = load_dataset(folder)
    right = data.reference(data.questions[0]) or ""
    judged = {str(one["text"]) for one in asked[:common]}
    found = evaluate_answers(
        data,
        {
            "wordy": lambda question: f"{right} Or so." if question in judged else "word " * 2_001,  # not judged
            "right": lambda question: right if question in judged else "nothing",
        },
        index=tmp_path / "i",
        judges=["rouge_l"],
    )
    rows = found.table()
    assert [row["configuration"] for row in rows] == ["right", "wordy"]
    assert rows[0]["rouge_l"] == common / 10 < rows[1]["rouge_l"] < 1
    assert found.run.means["right"] == 1.0
    assert found.headline.startswith("Take right: 1.000 rouge_l" if decided else "right: 1.000 rouge_l, ahead of none")
    (one,) = found.verdicts
    assert (one.comparison.first, one.comparison.decided) == ("right", decided)
    assert f"rouge_l could judge {common} questions for every configuration" in found.page().html()


def test_what_cannot_be_told_is_said_in_a_line(answered: Path, model: WordHashes, tmp_path: Path) -> None:
    found = evaluate_answers(answered, {"mine": half_right}, judges=["accepted_span"], index=tmp_path / "i")
    assert found.headline == "mine: 0.500 accepted_span"
    assert "First class." in found.page().html(), "what it answers wrongly is shown"
    with pytest.raises(UsageError, match="mine, is no configuration of ours: there are no settings to save"):
        found.save_best(tmp_path / "policy_rag.toml")
    with pytest.raises(UsageError, match="there is no hers: there are mine"):
        found.scores("hers")
    with pytest.raises(UsageError, match="no judge token_f1 judged: there are accepted_span"):
        found.answers("mine", "token_f1")
    with pytest.raises(UsageError, match=r"token_f1 did not judge: evaluate_answers with judges=\['token_f1'\]"):
        compare(found, measure="token_f1")
    with pytest.raises(UsageError, match=r"mine fails on the question q1: ZeroDivisionError"):
        evaluate_answers(answered, {"mine": lambda _: str(1 // 0)}, judges=["accepted_span"], index=tmp_path / "i")
    with pytest.raises(UsageError, match="mine answers q1 with dict: give a text"):
        evaluate_answers(answered, {"mine": lambda _: {}}, judges=["accepted_span"], index=tmp_path / "i")  # type: ignore[dict-item, return-value]


def test_the_best_of_a_grid_is_saved_and_kept(
    answered: Path, stored: Path, model: WordHashes, ollama: OllamaStandIn, tmp_path: Path
) -> None:
    from mlflow import MlflowClient

    found = evaluate_answers(
        answered,
        {"mine": half_right},
        grid={"search": ["vector", "keyword"], "sections": [3]},
        settings=OURS,
        judges=["refusal_status", "token_f1"],
        questions=4,
        index=stored,
    )
    assert [one.name for one in found.configurations] == ["search=vector sections=3", "search=keyword sections=3"]
    assert found.run.questions <= 4
    assert not ollama.chats
    assert found.best.name.startswith("search=")
    written = tomllib.loads(found.save_best(tmp_path / "policy_rag.toml").read_text())
    assert written["search"] in found.best.name
    assert "sections" not in written
    assert found.write(tmp_path).name == "decision.html"
    kept = found.keep(stored)
    assert kept is not None
    client = MlflowClient(tracking_uri=f"sqlite:///{(stored / 'mlflow.db').resolve()}")
    children = client.search_runs([client.get_run(kept).info.experiment_id], f"tags.`mlflow.parentRunId` = '{kept}'")
    assert {one.info.run_name for one in children} == {"mine", "search=vector sections=3", "search=keyword sections=3"}
    assert {one.data.params["llm"] for one in children} == {"extractive", "half_right"}
