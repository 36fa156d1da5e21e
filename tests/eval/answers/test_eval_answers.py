"""`policy-rag eval answers` as it is called, offline and with scripted LLMs over the wire."""

import csv
import json
import re
import shutil
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from command import Cli
from ollama_server import OllamaStandIn
from small_dataset import WordHashes

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import ModelError
from policy_rag_eval import evaluate_answers
from policy_rag_eval.answers.answer_scores import Condition, loss
from policy_rag_eval.judges.judge_cases import JudgeVerdict
from policy_rag_prompts.loader import load_template

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*"),
    pytest.mark.usefixtures("model", "stored"),
]

JUDGES = ["--judge", "token_f1", "--judge", "correctness", "--judge-llm", "ollama/llama3.2"]
PLANNED = [*JUDGES, "--set", "llm=extractive", "--dry-run"]


def kept_in(index: Path) -> Any:
    from mlflow import MlflowClient

    return MlflowClient(tracking_uri=f"sqlite:///{(index / 'mlflow.db').resolve()}")


def test_offline_the_default_stands_between_floor_and_ceiling(answered: Path, cli: Cli) -> None:
    call = ["eval", "answers", answered, "--offline", "--set", "llm=extractive", "--json", "--report", "s.html"]
    out, err = cli(*call, "--csv", "s.csv", "--latex", "s.tex")
    document = json.loads(out)
    assert (document["dataset"], document["questions"], document["decides"]) == ("small", 5, "accepted_span")
    (one,) = document["configurations"]
    assert one["llm"] == "extractive"
    # Two questions have accepted spans; given the gold section, both are quoted. Given nothing, all is refused.
    assert one["loss"]["questions"] == 2
    assert (one["loss"]["floor"]["mean"], one["loss"]["ceiling"]["mean"]) == (0.0, 1.0)
    assert 0 <= one["loss"]["found"]["mean"] <= 1
    assert one["scores"]["floor"]["refusal_status"]["score"]["mean"] == pytest.approx(1 / 5)
    assert one["scores"]["ceiling"]["refusal_status"]["score"]["mean"] == 1.0
    assert one["scores"]["ceiling"]["citation_exact"]["score"]["mean"] == 1.0
    assert "kept in MLflow as run" in err
    page = Path("s.html").read_text()
    assert "lost by retrieval" in page
    assert f"{one['loss']['found']['mean']:.3f} accepted_span" in page
    (row,) = csv.DictReader(Path("s.csv").read_text().splitlines())
    found = one["loss"]["found"]
    ends = [float(row[f"accepted_span{end}"]) for end in ("", "_low", "_high")]
    assert ends == pytest.approx([found["mean"], found["low"], found["high"]], abs=1e-6)
    assert (row["floor"], row["ceiling"], row["cost_of_1000"]) == ("0.0", "1.0", "")
    assert r"accepted\_span & accepted\_span\_low" in Path("s.tex").read_text()


def test_a_grid_is_kept_as_parent_and_children_with_the_verdicts(answered: Path, stored: Path, cli: Cli) -> None:
    Path("grid.yaml").write_text("sections: [1, 3]\nllm: [extractive]\n")
    out, err = cli("eval", "answers", answered, "--grid", "grid.yaml", "--judge", "accepted_span")
    assert "answered by extractive" in out
    # Two lines a configuration, within 80 columns: its name, the mean and its interval below, what a question takes.
    first = next(line for line in out.splitlines() if "sections=3" in line)
    assert re.match(r" *sections=3 +1\.000 +[\d.]+ +1\.000 +0\.000 +[\d.]+ +[\d,]+ / [\d,]+ *$", first)
    assert "configuration " in out
    # Wider are only sentences with names in full, which a terminal wraps: what to take, and the verdict.
    wide = [line for line in out.splitlines() if len(line) > 80]
    lost = "0.000 is lost by retrieval, 0.000 by the answerer"
    assert wide == [
        f"sections=1 llm=extractive: 1.000 accepted_span, and the same under every configuration; {lost}",
        "sections=1 llm=extractive and sections=3 llm=extractive are the same on all 2 questions by accepted_span",
        "not shown: what each judge says of the others (1): --report FILE and --json have all of them",
    ]
    assert out.count("answered by extractive") == 1  # of the best alone
    # Every judge's mean has its interval and says of how many.
    assert re.search(r"accepted_span +[\d.]+ of \d+ +1\.000 of (\d+) .*\n +[\d.]+ to [\d.]+ +[\d.]+ to 1\.000 ", out)
    judged = re.search(r"warning: accepted_span could judge only (\d+) of (\d+) questions, ", err)
    assert judged is not None
    assert int(judged[1]) <= int(judged[2]) < 20
    client = kept_in(stored)
    experiment = client.get_experiment_by_name("answers small")
    runs = client.search_runs([experiment.experiment_id])
    parents = [one for one in runs if "mlflow.parentRunId" not in one.data.tags]
    assert (len(runs), len(parents)) == (3, 1)
    children = [one for one in runs if one.data.tags.get("mlflow.parentRunId") == parents[0].info.run_id]
    assert {one.data.params["sections"] for one in children} == {"1", "3"}
    assert all(one.data.metrics["ceiling"] == 1.0 for one in children)
    assert {one.path for one in client.list_artifacts(children[0].info.run_id)} == {
        "figures.json",
        "verdicts.json",
        "versions.json",
    }
    assert {one.path for one in client.list_artifacts(parents[0].info.run_id)} == {
        "answers.json",
        "decision.html",
        "figures.json",
        "versions.json",
    }
    traces = client.search_traces(locations=[experiment.experiment_id])
    assert len(traces) == 2 * 5
    assert {trace.info.request_metadata["mlflow.sourceRun"] for trace in traces} == {
        one.info.run_id for one in children
    }
    by_question = {trace.info.tags["question_id"]: trace for trace in traces}
    said = {one.name: one for one in by_question["q1"].info.assessments}
    assert said["accepted_span"].source.source_type == "CODE"
    assert said["accepted_answers"].expectation.value == ["thirty days"]
    assert said["answerable"].expectation.value is True
    assert {one.name for one in by_question["q6"].info.assessments} == {"answerable"}, (
        "what cannot be judged is no error"
    )
    spans = {span.name: span for span in by_question["q1"].data.spans}
    assert {"question", "search", "support", "quote"} <= set(spans)
    ends = [span.end_time_ns for name, span in spans.items() if name != "question"]
    assert spans["question"].end_time_ns == max(ends), "how long the question took, not until it was written down"
    assert spans["search"].span_type == "RETRIEVER"
    assert "thirty days" in spans["search"].outputs[0]["page_content"]
    assert spans["search"].end_time_ns > spans["search"].start_time_ns
    assert spans["question"].outputs["citations"][0]["file"] == "leave.md"
    assert "decision.html: small: sections, 2 configurations (run " in cli("eval", "report").out


def answer_or_grade(body: dict[str, Any]) -> str:
    """An LLM that answers from the first section, knows nothing by heart, and grades 7."""
    if "format" in body:
        return '{"reason": "As the reference says.", "grade": 7}'
    if "without looking anything up" in body["messages"][0]["content"]:
        return "NOT ANSWERED"
    return "Employees have thirty days of paid holiday a year [1]."


def test_a_dry_run_asks_nobody_and_an_llm_is_asked_once_for_each_thing_however_often_it_runs(
    answered: Path,
    stored: Path,
    ollama: OllamaStandIn,
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("POLICY_RAG_RERANKER")  # the shipped one, as users have it
    ollama.replies = [answer_or_grade]
    call = ["eval", "answers", answered, "--set", "llm=ollama/llama3.2", "--judge", "correctness",
            "--judge-llm", "ollama/llama3.2", "--json"]  # fmt: skip
    estimated = cli(*call, "--dry-run").json
    assert ollama.chats == []
    document = cli(*call).json
    paid = len(ollama.chats)
    answers = sum("format" not in body for body in ollama.chats)
    assert estimated["calls"]["answering"] >= answers > 0
    assert estimated["calls"]["answering"] <= 1.5 * answers
    assert estimated["calls"]["judging"] >= paid - answers > 0
    assert estimated["tokens_at_most"]["answering"] > 0
    # A model on one's own machine.
    assert estimated["cost_at_most"] == {"searching": 0.0, "answering": 0.0, "judging": 0.0}
    assert {stage["name"] for stage in estimated["stages"]} == {"index", "questions", "rerank"}
    assert document["decides"] == "correctness:ollama/llama3.2"
    assert document["configurations"][0]["loss"]["ceiling"]["mean"] == pytest.approx(6 / 9)
    out, err = cli(*call)
    again = json.loads(out)
    assert len(ollama.chats) == paid
    assert "0 calls to LLMs" in err
    for one in (*document["configurations"], *again["configurations"]):
        took = one.pop("usage")  # by a clock; what was known already was asked for as many tokens
        assert (took["cost_of_1000"], took["tokens"] > 0, took["ms_median"] > 0) == (0.0, True, True)
    assert again == document
    # Each prompt's words are in the registry once, and both runs say that they were made with them.
    client = kept_in(stored)
    for name in ("answer", "closed_book", "judge_correctness"):
        (version,) = client.search_prompt_versions(f"policy_rag.{name}")
        template = load_template(name)
        assert [message["content"] for message in version.template] == [template.system, template.user]
        assert version.tags["sha256"] == template.sha256
    experiment = client.get_experiment_by_name("answers small").experiment_id
    parents = client.search_runs([experiment], "tags.`policy_rag.answers` = 'sweep'")
    linked = [json.loads(parent.data.tags["mlflow.linkedPrompts"]) for parent in parents]
    assert [{prompt["name"] for prompt in of} for of in linked] == [
        {"policy_rag.answer", "policy_rag.closed_book", "policy_rag.judge_correctness"}
    ] * 2
    unjudged = [a for t in client.search_traces(locations=[experiment]) for a in t.info.assessments if a.error]
    assert all(assessment.feedback.value is None for assessment in unjudged)


def test_a_judge_is_asked_again_at_once_and_one_that_dies_halfway_costs_nothing_twice(
    answered: Path, ollama: OllamaStandIn
) -> None:
    graded: list[str] = []

    def dies(body: dict[str, Any]) -> str:
        if "format" not in body:
            return answer_or_grade(body)
        graded.append(body["messages"][1]["content"])
        if len(graded) in {4, 7, 8}:
            raise ConnectionResetError("gone")
        return '{"reason": "", "grade": 10}'

    ollama.replies = [dies]
    llm = "ollama/llama3.2"
    call = partial(evaluate_answers, answered, settings={"llm": llm}, judges=["correctness"], judge_llm=llm, workers=1)
    with pytest.raises(ModelError):
        call()
    answers_paid = len(ollama.chats) - len(graded)
    call()
    # The fourth failed once and ended nothing; the next that failed did so twice; what was given is asked for once.
    assert len(graded) == len(set(graded)) + 3
    assert len(ollama.chats) - len(graded) == answers_paid


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*PLANNED, "--measure", "token_f2"], "no judge token_f2 judges: did you mean token_f1?"),
        ([*PLANNED, "--measure", "correctnes:ollama/llama3.2"], "did you mean correctness:ollama/llama3.2?"),
        ([*PLANNED, "--grid", "search=vector,or", "--against", "search=vectr"], "did you mean search=vector?"),
        (["--judge", "nobody"], "there is no judge 'nobody'"),
        (["--judge", "correctness"], "name one with --judge-llm"),
        (["--judge", "guidelines", "--judge-llm", "ollama/llama3.2"], "give a YAML file of them with --guidelines"),
        (["--set", "sections=0"], "a number from 1 to 8"),
        (["--set", "sections=2", "--grid", "sections=1,3"], "leave it out of one"),
        (["--set", "prompt=gone.md"], "prompt=gone.md: it can be auto, answer, answer_short or a file"),
        (["--judge-llm", "extractive"], "name an LLM"),
    ],
)
def test_a_wrong_call_is_one_line_and_status_2(
    answered: Path, ollama: OllamaStandIn, cli: Cli, arguments: list[str], message: str
) -> None:
    out, err = cli("eval", "answers", answered, *arguments, status=2)
    assert (out, len(err.splitlines())) == ("", 1)
    assert message in err


def test_a_judge_without_what_it_needs_is_named_and_a_set_without_documents_says_so(
    folder: Path, stored: Path, model: WordHashes, no_reranker: None, cli: Cli
) -> None:
    call = [
        "eval",
        "answers",
        folder,
        "--set",
        "llm=extractive",
        "--judge",
        "accepted_span",
        "--judge",
        "token_f1",
    ]
    out, err = cli(*call, "--json")
    document = json.loads(out)
    assert document["judges"] == ["token_f1"]
    assert "skipped accepted_span: it needs accepted, which no question of the data set has" in err
    shutil.rmtree(folder / "documents")
    (folder / "documents.json").unlink()
    assert "documents" in cli(*call, status=2).err


def test_loss_by_hand() -> None:
    def verdicts(*scores: float | None) -> tuple[JudgeVerdict, ...]:
        return tuple(JudgeVerdict.unjudged("j", "no") if s is None else JudgeVerdict("j", s, "x", "") for s in scores)

    found = loss(
        "j",
        {
            Condition.FOUND: verdicts(1.0, 0.0, 0.5, None),
            Condition.CEILING: verdicts(1.0, 1.0, 0.5, 1.0),
            Condition.FLOOR: verdicts(0.0, 0.0, 0.0, 0.0),
        },
    )
    assert found is not None
    assert found.questions == 3  # the one that could not be judged counts nowhere
    assert found.found.mean == pytest.approx(0.5)
    assert found.ceiling.mean == pytest.approx(2.5 / 3)
    assert found.by_retrieval.mean == pytest.approx(1 / 3)
    assert found.by_generation == pytest.approx(0.5 / 3)
    assert found.lost_percent == pytest.approx(40.0)
    nothing_right = loss("j", dict.fromkeys(Condition, verdicts(0.0, 0.0)))
    assert nothing_right is not None
    assert nothing_right.lost_percent is None, "of nothing no share is lost"


def test_an_index_as_it_stands_answers_beside_the_settings(
    answered: Path, stored: Path, model: WordHashes, cli: Cli, tmp_path: Path
) -> None:
    served = tmp_path / "served"
    with PolicyAssistant.open(served, create=True) as assistant:
        assistant.ingest([answered / "documents"])
    (tmp_path / "their_answers.py").write_text("def silent(question):\n    return 'I do not know.'\n")
    offline = ["--offline", "--set", "llm=extractive", "--judge", "accepted_span", "--json"]
    call = ["eval", "answers", answered, *offline]
    others = ["--beside", f"now={served}", "--beside", "silent=their_answers:silent", "--against", "now"]
    document = cli(*call, *others).json
    ours, now, silent = document["configurations"]
    assert (now["name"], now["llm"], now["loss"]) == ("now", "extractive", None)
    assert now["scores"]["found"] == ours["scores"]["found"]
    assert (silent["name"], silent["llm"]) == ("silent", "silent")
    assert silent["scores"]["found"]["accepted_span"]["score"]["mean"] == 0.0
    assert [one["wins"] + one["losses"] for one in document["comparisons"]] == [0, 2]
    planned = cli(*call, *others, "--dry-run").json
    assert [one["what"] for one in planned["stages"] if one["name"] == "beside"] == ["now", "silent"]
    (tmp_path / "kept.run").write_text("q1 Q0 leave 1 1.0 x\n")
    err = cli(*call, "--beside", f"kept={tmp_path / 'kept.run'}", status=2).err
    assert "that gives no answers; write NAME=INDEX, or NAME=MODULE:FUNCTION" in err


def test_a_grid_compares_the_words_and_the_sections_that_an_llm_is_asked_with(
    answered: Path, model: WordHashes, ollama: OllamaStandIn
) -> None:
    def given(**values: list[Any]) -> list[list[dict[str, str]]]:
        """The messages that gave sections."""
        ollama.requests.clear()
        found = evaluate_answers(answered, grid={"llm": ["ollama/llama3.2"], **values}, judges=["token_f1"])
        assert [dict(one.chosen).get("prompt") for one in found.configurations] == values.get("prompt", [None])
        return [body["messages"] for body in ollama.chats if "<section" in body["messages"][1]["content"]]

    def most(messages: list[list[dict[str, str]]]) -> list[int]:
        return sorted({told[1]["content"].count("<section n=") for told in messages})

    ollama.replies = [answer_or_grade]
    Path("mine.md").write_text("Answer like a pirate.\n")
    one = given(prompt=["answer", "answer_short", "mine.md"], sections=[1], threshold=[0])
    mine = [told for told in one if told[0]["content"] == "Answer like a pirate."]
    short = [told for told in one if told[0]["content"].startswith("You tell staff")]
    assert 0 < len(mine) < len(one)
    assert 0 < len(short) < len(one) - len(mine)
    # One for what was found; a question whose gold stands in two sections is given both for its ceiling.
    assert most(one) == [1, 2]
    assert most(given(sections=[3], threshold=[0]))[-1] == 3


def test_without_texts_no_words_of_questions_or_answers_reach_the_store(
    answered: Path, stored: Path, model: WordHashes, cli: Cli
) -> None:
    call = ["eval", "answers", answered, "--offline", "--set", "llm=extractive", "--set", "log_texts=false"]
    cli(*call)
    held = b"".join(path.read_bytes() for path in stored.rglob("*") if path.is_file() and "eval" not in path.parts)
    assert b"accepted_span" in held
    for words in (b"thirty days", b"second class", b"How many"):
        assert words not in held
