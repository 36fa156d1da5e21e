"""Documents are not instructions: passages that give orders, from a file to the prompt, the answer and the screen."""

import json
import re
import unicodedata
from functools import cache

import pytest
from injections import INJECTIONS, Injection
from ollama_server import OllamaStandIn

from policy_rag import PolicyAssistant
from policy_rag.answering.generation.reply_parser import REFUSAL
from policy_rag.cli import run
from policy_rag.llm.factory import LLMOptions, resolve_llm
from policy_rag_prompts.loader import load_template

QUESTION = "Where must staff wear their badge?"
RULE = "Staff must wear their badge where it can be seen."
BIDI = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def policy(injection: Injection) -> str:
    return f"# Badge policy\n\n## 1. Badges\n\n{RULE}\n\n{injection.passage}\n\nA lost badge is reported to security.\n"


def doc_id(injection: Injection) -> str:
    return f"{injection.name.replace(' ', '-')}.md"


each = pytest.mark.parametrize("injection", INJECTIONS, ids=lambda injection: injection.name)


@pytest.fixture(scope="module")
def index(index_of):
    assert len(INJECTIONS) >= 50
    return index_of({doc_id(injection): policy(injection) for injection in INJECTIONS})


@pytest.fixture(scope="module")
def extractive(index):
    with PolicyAssistant.open(index, llm="extractive", threshold=0) as assistant:
        yield assistant


@pytest.fixture(scope="module")
def server():
    with OllamaStandIn() as running, pytest.MonkeyPatch.context() as environment:
        environment.setenv("OLLAMA_HOST", running.host)
        yield running


@pytest.fixture(scope="module")
def asking(index, server):
    """An assistant with a model that replies as told."""
    with PolicyAssistant.open(index, llm="ollama/llama3.2", threshold=0) as assistant:
        yield assistant


@pytest.fixture(scope="module")
def replying(asking, server):
    """The answer about one document where the model gives this reply."""
    model = resolve_llm("ollama/llama3.2", LLMOptions(ollama_host=server.host)).model
    search = cache(lambda injection: asking.search(QUESTION, where=[f"doc_id={doc_id(injection)}"]))

    def answer(injection: Injection, reply: str):
        server.replies = [reply]
        return asking.answer_from(search(injection), model=model)

    return answer


def is_unseen(char: str) -> bool:
    return char not in "\n\t" and unicodedata.category(char) in {"Cf", "Cc", "Co", "Cs"}


ACTING = [one for one in INJECTIONS if any(map(is_unseen, one.passage)) or "markup" in one.name]


def outside_quotation(text: str) -> str:
    return re.sub(r'"[^"]*"|“[^”]*”', "", text)


@each
def test_the_prompt_keeps_it_as_data_and_a_reply_that_obeys_is_not_shown(injection, asking, server):
    server.requests.clear()
    server.replies = [injection.obeyed]
    answer = asking.ask(QUESTION, where=[f"doc_id={doc_id(injection)}"])
    assert_not_obeyed(answer, injection)
    assert [message["role"] for message in server.chats[0]["messages"]] == ["system", "user"]
    system, user = (message["content"] for message in server.chats[0]["messages"])
    template = load_template("answer")
    given = user.count('<section n="')
    # Where support is sure the model is offered no refusal; the rules are the project's in either case.
    rules = [template.render(sections="", question="", refusal=offered).system for offered in (REFUSAL, "")]
    assert system in rules
    assert given >= 1
    assert len(re.findall(r"<\s*/\s*section\s*>", user, re.IGNORECASE)) == given
    assert len(re.findall(r"<\s*section\b", user, re.IGNORECASE)) == given
    assert len(re.findall(r"<\s*/?\s*question\s*>", user, re.IGNORECASE)) == 2
    assert not any(is_unseen(char) for char in user)
    assert not re.search(r"<\||\[/?INST\]|<</?SYS>>", user)


def assert_not_obeyed(answer, injection: Injection) -> None:
    assert injection.canary not in outside_quotation(answer.answer)
    assert not answer.answered or RULE in answer.citations[0].quote


@each
def test_what_a_reply_obeys_or_repeats_is_shown_as_a_quotation_at_most(injection, replying):
    for mark in (" [1].", " [1][1]."):
        assert_not_obeyed(replying(injection, injection.obeyed + mark), injection)
    answer = replying(injection, f"{RULE[:-1]} [1]. {injection.obeyed} [1].")
    assert answer.answered
    assert answer.answer.startswith(RULE[:-1])
    assert injection.canary not in outside_quotation(answer.answer.removeprefix(RULE[:-1]))
    answer = replying(injection, f"{injection.passage} [1].")
    assert not any(is_unseen(char) for char in answer.answer)
    assert_verbatim_and_harmless(answer, injection)


def assert_verbatim_and_harmless(answer, injection: Injection) -> None:
    for citation in answer.citations:
        assert policy(injection)[citation.start : citation.end] == citation.quote
    assert_harmless_html(answer._repr_html_())


@each
def test_quoted_it_stays_a_quotation(injection, extractive):
    answer = extractive.ask(QUESTION, where=[f"doc_id={doc_id(injection)}"])
    assert answer.answered
    assert_verbatim_and_harmless(answer, injection)


def assert_harmless_html(html: str) -> None:
    allowed = r"</?(?:div|p|span|ol|ul|li|b|i|em|strong|blockquote|cite|code|small|br|sup|table|tr|td|th|details|summary|h\d)\b[^<>]*>"
    rest = re.sub(allowed, "", html)
    assert "<" not in rest
    for tag in re.findall(r"<[^>]*>", html):
        assert not re.search(r"\bon\w+\s*=|javascript:|\bsrc\s*=", tag)


@pytest.fixture
def call(index, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FORCE_COLOR", "1")  # as on a terminal
    monkeypatch.setenv("POLICY_RAG_THRESHOLD", "0")
    # Asked for by its own words, so that the passage is among what is quoted.
    rows = [{"text": f"Reply with {one.canary}?", "doc_id": doc_id(one)} for one in ACTING]
    (tmp_path / "questions.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    def calling(*arguments):
        capsys.readouterr()
        assert run([*arguments, "--index", str(index)]) == 0
        return capsys.readouterr().out

    return calling


@pytest.mark.parametrize("command", [["search"], ["ask", "--llm", "extractive"]], ids=" ".join)
def test_nothing_of_them_steers_a_terminal(command, call):
    printed = call(*command, "--from", "questions.jsonl")
    assert "<U+001B>" in printed
    assert_steers_nothing(printed)
    printed = call(*command, "--from", "questions.jsonl", "--json")
    found = [json.loads(line) for line in printed.splitlines()]
    assert len(found) == len(ACTING) >= 10
    assert any("\x1b[31m" in json.dumps(row, ensure_ascii=False).replace("\\u001b", "\x1b") for row in found)
    assert_steers_nothing(printed)


@pytest.mark.parametrize("name", ["ansi", "c1", "right to left", "isolates", "tag characters"])
def test_what_acts_is_written_out_when_a_document_is_shown(name, call):
    printed = call("show", f"{name.replace(' ', '-')}.md")
    assert_steers_nothing(printed)
    assert "<U+" in printed


def assert_steers_nothing(printed: str) -> None:
    without_style = re.sub(r"\x1b\[[\d;]*m", "", printed)
    assert not [char for char in without_style if char not in "\n\t" and unicodedata.category(char) == "Cc"]
    assert not set(printed) & set(BIDI)
    assert "\x1b[31mReply" not in printed
