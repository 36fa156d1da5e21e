"""What a search asks of an LLM: counted beforehand as it then happens, and asked once."""

import json
from pathlib import Path
from typing import Any

import pytest
from ollama_server import OllamaStandIn
from small_dataset import WordHashes

from policy_rag.cli import run
from policy_rag.llm.language_model import prompt_tokens
from policy_rag_eval.data.dataset import Corpus
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.sweep.grids import configurations
from policy_rag_eval.sweep.plan import plan
from policy_rag_eval.sweep.search_calls import NOTHING
from policy_rag_eval.sweep.sweep import sweep
from policy_rag_prompts.loader import load_template

LLM = {"llm": "ollama/llama3.2"}
PRICED = {**LLM, "prices": {"ollama/llama3.2": [2.0, 8.0]}}
ASKED = 5
"""Questions of the small data set that are scored on its documents, or have no answer; their words differ."""


def asked(server: OllamaStandIn) -> int:
    return len(server.chats)


def test_each_transform_is_a_call_a_question_with_its_prompt_and_the_longest_reply(
    folder: Path, tmp_path: Path, model: WordHashes, ollama: OllamaStandIn
) -> None:
    dataset = read_dataset(folder)
    (one,) = configurations({}, {**PRICED, "transforms": ["hyde"]})
    planned = plan(dataset, Corpus.FILES, [one], tmp_path / "index")
    template = load_template("hypothetical")
    prompts = [
        template.render(question=question.text)
        for question in dataset.questions
        if question.question_id != "q5"  # its gold stands in no file
    ]
    reply = planned_reply_tokens(planned.asked.tokens, prompts)
    assert (planned.asked.calls, len(prompts), ollama.chats) == (ASKED, ASKED, [])
    tokens_in = sum(prompt_tokens(prompt.system, prompt.user) for prompt in prompts)
    assert planned.asked.cost == pytest.approx((tokens_in * 2.0 + ASKED * reply * 8.0) / 1_000_000)
    assert planned.searching == {one.name: planned.asked}


def planned_reply_tokens(tokens: int, prompts: list[Any]) -> int:
    """What is left for each reply: a quarter of a window of 8,192 tokens, 1,024 at most."""
    left = tokens - sum(prompt_tokens(prompt.system, prompt.user) for prompt in prompts)
    assert left == len(prompts) * 1024
    return 1024


def test_configurations_that_ask_alike_ask_once(
    folder: Path, tmp_path: Path, model: WordHashes, ollama: OllamaStandIn
) -> None:
    ollama.replies = ["{}"]  # of no form: the question is searched as it stands, as a plan takes it to be
    dataset = read_dataset(folder)
    grid = {
        "search": ["vector", "or"],
        "transforms": [[], ["rewrite"], ["rewrite", "step-back"]],
        "expand": [["parent"]],
    }
    made = configurations(grid, LLM)
    planned = plan(dataset, Corpus.FILES, made, tmp_path)
    alone = [planned.searching.get(one.name, NOTHING).calls for one in made]
    assert alone == [0, ASKED, 2 * ASKED] * 2
    assert planned.asked.calls == 2 * ASKED
    sweep(dataset, Corpus.FILES, made, tmp_path)
    assert asked(ollama) == planned.asked.calls
    assert plan(dataset, Corpus.FILES, made, tmp_path).asked == NOTHING
    more = configurations({"search": ["and"], "transforms": [["step-back"]]}, LLM)
    sweep(dataset, Corpus.FILES, more, tmp_path)
    assert asked(ollama) == planned.asked.calls  # what was replied is known, whoever asked for it


def test_filters_that_an_llm_reads_are_a_call_a_question_at_most(
    folder: Path, tmp_path: Path, model: WordHashes, ollama: OllamaStandIn
) -> None:
    ollama.replies = ['{"choices": [], "as_of": ""}']
    dataset = read_dataset(folder)
    made = configurations({"search": ["vector", "or"]}, {**LLM, "self_query": "llm"})
    planned = plan(dataset, Corpus.FILES, made, tmp_path)
    assert planned.asked.calls == ASKED
    ollama.delay = 0.2
    found = sweep(dataset, Corpus.FILES, made, tmp_path)
    assert 0 < asked(ollama) <= planned.asked.calls
    for one in found.evaluations:  # the second asked nobody, and would wait as long by itself
        assert one.timings_ms["self_query"] >= 200 * asked(ollama) / ASKED


def test_what_asks_nobody_costs_nothing(folder: Path, tmp_path: Path, model: WordHashes, ollama: OllamaStandIn) -> None:
    dataset = read_dataset(folder)
    for changes in (LLM, {"llm": "extractive", "transforms": ["rewrite"]}, {**LLM, "self_query": "rules"}):
        planned = plan(dataset, Corpus.FILES, configurations({}, changes), tmp_path)
        assert (planned.asked, planned.searching) == (NOTHING, {})


def test_an_llm_that_is_not_there_is_told_as_a_sweep_tells_it(
    folder: Path, tmp_path: Path, model: WordHashes, ollama: OllamaStandIn
) -> None:
    made = configurations({"transforms": [[], ["rewrite"]]}, {"llm": "ollama/gone"})
    dataset = read_dataset(folder)
    planned = plan(dataset, Corpus.FILES, made, tmp_path)
    found = sweep(dataset, Corpus.FILES, made, tmp_path)
    assert planned.skipped == found.skipped
    assert list(planned.skipped) == ["transforms=rewrite"]


@pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")
def test_the_command_shows_it_with_others_retrievers(
    folder: Path, model: WordHashes, ollama: OllamaStandIn, capfd: pytest.CaptureFixture[str]
) -> None:
    Path("other.run").write_text("q1 Q0 holiday 1 1.0 other\n")
    Path("asks.py").write_text("def find(question):\n    raise AssertionError\n")
    call = ["eval", "retrieval", str(folder), "--grid", "transforms=[],[rewrite],[hyde]", "--set", "llm=ollama/llama3.2",
            "--beside", "kept=other.run", "--beside", "live=asks:find", "--dry-run"]  # fmt: skip
    assert run(call) == 0
    out, _ = capfd.readouterr()
    assert "5 configurations, 0 of them done already" in out
    assert f"asked once: at most {2 * ASKED} calls," in out
    assert "tokens with the longest replies, cost at most 0\n" in out
    assert out.rstrip().endswith("the LLM's time comes on top")
    (live,) = (line for line in out.splitlines() if line.split()[:2] == ["beside", "live"])
    assert live.split()[2:] == [str(ASKED), "questions", "not", "known"]
    assert run([*call, "--json"]) == 0
    said = json.loads(capfd.readouterr().out)
    assert said["llm"]["calls"] == 2 * ASKED
    assert {name: one["calls"] for name, one in said["llm"]["configurations"].items()} == {
        "transforms=rewrite": ASKED,
        "transforms=hyde": ASKED,
    }
    assert [(one["what"], one["seconds"]) for one in said["stages"] if one["name"] == "beside"] == [
        ("kept", 0.0),
        ("live", None),
    ]
    assert ollama.chats == []
    assert run([*call, "--against", "liv"]) == 2
    assert "there is no configuration liv to compare against: did you mean live?" in capfd.readouterr().err
