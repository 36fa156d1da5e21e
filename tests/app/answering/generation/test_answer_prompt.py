"""Which words an LLM is asked with: by its size, by name, from a file; and when it is offered to refuse."""

import pytest
from made_hits import made_hit
from ollama_server import OllamaStandIn

from policy_rag.answering.generation.answer_prompt import answer_prompt
from policy_rag.answering.generation.generator import generate
from policy_rag.errors import PromptError, UsageError
from policy_rag.llm.ollama import OllamaModel, OllamaServer

HITS = (made_hit("Employees receive 25 days of annual leave."),)


@pytest.mark.parametrize(
    ("name", "billions", "chosen"),
    [
        ("auto", 3.2, "answer_short"),
        ("auto", 8.0, "answer_short"),
        ("auto", 70.0, "answer"),
        ("auto", None, "answer"),
        ("answer", 1.0, "answer"),
        ("answer_short", 70.0, "answer_short"),
    ],
)
def test_the_words_are_those_for_the_size_or_those_named(name, billions, chosen):
    assert answer_prompt(name, billions).name == chosen


def test_a_file_is_a_whole_prompt_or_the_instructions_alone(tmp_path):
    whole, alone = tmp_path / "mine.md", tmp_path / "brief.txt"
    header = "---\nname: mine\nversion: 4\nvariables: question, sections, refusal\n---\n"
    whole.write_text(header + "[system]\nBe kind.\n[user]\n{{sections}} {{question}}\n{{refusal?}}\n")
    alone.write_text("Answer in verse.\n")
    assert (answer_prompt(str(whole), None).version, answer_prompt(str(whole), None).system) == (4, "Be kind.")
    assert answer_prompt(str(alone), None).system == "Answer in verse."
    assert answer_prompt(str(alone), None).user == answer_prompt("answer", None).user
    assert answer_prompt(str(alone), None).sha256 != answer_prompt("answer", None).sha256


def test_a_file_that_cannot_be_used_is_one_line(tmp_path):
    (tmp_path / "empty.md").write_text(" \n")
    (tmp_path / "bad.md").write_text("---\nname: bad\n---\nnothing")
    for name, error, message in (
        ("empty.md", UsageError, "the file is empty"),
        ("nowhere", UsageError, "auto, answer, answer_short or a file"),
        ("bad.md", PromptError, "header"),
    ):
        with pytest.raises(error, match=message):
            answer_prompt(str(tmp_path / name), None)


@pytest.mark.parametrize("name", ["answer", "answer_short"])
def test_where_support_is_sure_no_refusal_is_offered(ollama: OllamaStandIn, name: str):
    ollama.replies = ["Employees receive 25 days of annual leave [1]."]
    model = OllamaModel("llama3.2", OllamaServer(ollama.url))
    for may_refuse in (True, False):
        generate("How long is leave?", HITS, model, prompt=answer_prompt(name, None), may_refuse=may_refuse)
    offered, sure = ("\n".join(m["content"] for m in body["messages"]) for body in ollama.chats)
    assert "NOT ANSWERED" in offered
    assert "NOT ANSWERED" not in sure
    assert "{{" not in sure
    assert "How long is leave?" in sure


def test_ollama_tells_the_size(ollama: OllamaStandIn):
    assert OllamaModel("llama3.2", OllamaServer(ollama.url)).billions is None
    ollama.details = {"parameter_size": "3.2B"}
    assert OllamaModel("llama3.2", OllamaServer(ollama.url)).billions == 3.2
