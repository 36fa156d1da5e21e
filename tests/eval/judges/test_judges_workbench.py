"""Judges in one call: what they are worth on answers that people have labelled."""

from pathlib import Path

import pytest
from command import Cli
from ollama_server import OllamaStandIn
from small_dataset import jsonl

from policy_rag_eval import evaluate_judges
from policy_rag_eval.errors import DatasetError


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """Right answers share all words with the reference, wrong ones none, in both halves; one wrong answer is a copy."""
    folder = tmp_path / "judged"
    folder.mkdir()
    jsonl(folder / "contexts.jsonl", [])
    rows = [
        {"question": f"Question {place}?", "answer": answer, "reference": "thirty days", "verdict": verdict,
         "kind": verdict, "half": half}
        for place, (answer, verdict) in enumerate([("thirty days", "right"), ("no idea", "wrong")] * 2)
        for half in ("fix", "report")
    ]  # fmt: skip
    rows.append({"question": "Last?", "answer": "thirty days", "reference": "thirty days", "verdict": "wrong",
                 "kind": "copy", "half": "report"})  # fmt: skip
    jsonl(folder / "cases.jsonl", [{"_id": str(place), **row} for place, row in enumerate(rows)])
    return folder


def test_a_row_a_judge_best_first(labelled: Path, tmp_path: Path) -> None:
    found = evaluate_judges(["rouge_l", "refusal_status", "token_f1"], labelled=labelled, index=tmp_path / "i")
    rows = found.table()
    assert {row["judge"] for row in rows} == {"rouge_l", "token_f1"}
    # 5 answers report: 2 right ones pass, 2 wrong ones fail, the copy passes.
    assert [(row["accuracy"], row["passes right"], row["fails wrong"]) for row in rows] == [(0.8, 1.0, 0.667)] * 2
    assert found.best.kinds["copy"].correct == 0
    assert found.panel is not None
    assert found.panel.disputed == ()
    assert found.skipped == {"refusal_status": "it needs answerable, which no labelled answer has"}


def test_one_judge_is_no_panel_and_a_folder_without_answers_is_named(labelled: Path, tmp_path: Path) -> None:
    assert evaluate_judges(["token_f1"], labelled=labelled, index=tmp_path / "i").panel is None
    with pytest.raises(DatasetError, match=r"cases\.jsonl is missing"):
        evaluate_judges(["token_f1"], labelled=tmp_path / "nowhere", index=tmp_path / "i")


def test_a_judge_whose_llm_replies_in_no_form_says_why(labelled: Path, ollama: OllamaStandIn, cli: Cli) -> None:
    ollama.replies = ["Grade: seven"]
    out, err = cli("eval", "judges", str(labelled), "--judge", "correctness", "--judge-llm", "ollama/llama3.2")
    assert "could not judge 9 of 9 answers, mostly because: the reply is not the JSON" in err
    assert "5 of 5" in out  # those that report
    assert "kind of answer" not in out
