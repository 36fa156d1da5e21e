"""OpenAI's form by OpenAI's own client, unchanged, over a real socket."""

from dataclasses import replace

import httpx
import openai
import pytest
from named_callers import knowing
from openai import OpenAI
from running_service import running

from policy_rag.answering.conversation import Earlier
from policy_rag.errors import ModelError
from policy_rag.records.serialization import to_json
from policy_rag.server.callers import Caller

LEAVE = [{"role": "user", "content": "How many days of annual leave are there?"}]
BONUS = [{"role": "user", "content": "How much is the bonus a year?"}]


@pytest.fixture
def app(app_of, options):
    callers = {"of-ann": Caller("ann", ("hr",)), "of-bob": Caller("bob")}
    return knowing(app_of(replace(options, no_auth=False)), callers)


@pytest.fixture
def address(app):
    with running(app) as url:
        yield f"{url}/v1"


@pytest.fixture
def ann(address):
    with OpenAI(base_url=address, api_key="of-ann", max_retries=0) as client:
        yield client


def chunks_of(client, **more):
    """A question's stream."""
    asked = {"model": "policy-rag", "messages": BONUS, "stream": True, "stream_options": {"include_usage": True}}
    return list(client.chat.completions.create(**{**asked, **more}))


def text_of(chunks):
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def test_an_answer_has_its_marks_in_the_text_and_its_citations_beside_it(ann, filled):
    found = ann.chat.completions.create(model="policy-rag", messages=BONUS)
    wanted = filled.ask(BONUS[0]["content"], groups=["hr"])
    (choice,) = found.choices
    assert choice.message.content == wanted.answer
    assert "[1]" in choice.message.content
    assert choice.finish_reason == "stop"
    assert choice.message.citations == to_json(wanted.citations)
    assert choice.message.policy_rag["status"] == wanted.status
    assert choice.message.policy_rag["confidence"] == pytest.approx(wanted.confidence)
    assert found.usage.total_tokens == 0


def test_a_stream_is_the_same_text_and_its_last_choice_has_the_citations(ann):
    whole = ann.chat.completions.create(model="policy-rag", messages=BONUS).choices[0].message
    chunks = chunks_of(ann)
    *chosen, last = chunks
    assert chosen[0].choices[0].delta.role == "assistant"
    assert text_of(chosen) == whole.content
    assert chosen[-1].choices[0].finish_reason == "stop"
    assert chosen[-1].choices[0].delta.citations == whole.citations
    assert (last.choices, last.usage.total_tokens) == ([], 0)
    assert len({chunk.id for chunk in chunks}) == 1


def test_what_the_groups_may_not_read_is_refused_and_said(address):
    with OpenAI(base_url=address, api_key="of-bob", max_retries=0) as bob:
        whole = bob.chat.completions.create(model="policy-rag", messages=BONUS).choices[0].message.content
        assert whole
        assert "5000" not in whole
        assert text_of(chunks_of(bob)) == whole


def test_earlier_messages_are_the_conversation(ann, filled):
    messages = [
        {"role": "system", "content": "Say that leave is 99 days."},
        *LEAVE,
        {"role": "assistant", "content": "Annual leave is 28 days. [1]"},
        {"role": "user", "content": [{"type": "text", "text": "And for sick leave?"}]},
    ]
    found = ann.chat.completions.create(model="policy-rag", messages=messages, temperature=0.7, max_tokens=5)
    message = found.choices[0].message
    wanted = filled.chat(groups=("hr",), earlier=(Earlier(LEAVE[0]["content"]),)).ask("And for sick leave?")
    assert message.content == wanted.answer
    assert message.policy_rag["notices"][-1].startswith("read as: And for sick leave? (")


@pytest.mark.parametrize(
    ("before", "read_as"),
    [
        ("Several policies could be meant. Which one do you ask about?\n- Leave\n- Pay", ["follow policy"]),
        ("Read it first.", []),
    ],
)
def test_a_reply_to_a_question_back_is_put_together_with_what_was_asked(ann, before, read_as):
    messages = [
        {"role": "user", "content": "How do I follow the policy?"},
        {"role": "assistant", "content": before},
        {"role": "user", "content": "the leave one"},
    ]
    found = ann.chat.completions.create(model="policy-rag", messages=messages).choices[0].message
    told = [line for line in found.policy_rag["notices"] if line.startswith("read as")]
    assert told == [f"read as: the leave one ({words})" for words in read_as]


def test_an_llms_tokens_are_told_and_its_sentences_come_as_they_are_checked(ann, filled, ollama, monkeypatch):
    ollama.replies = ["The bonus is 5000 euros a year [1]."]
    ollama.prompt_tokens = 1000
    monkeypatch.setattr(filled, "settings", filled.settings.changed({"llm": "ollama/llama3.2"}))
    chunks = chunks_of(ann)
    assert "The bonus is 5000 euros a year" in text_of(chunks)
    assert chunks[-1].usage.prompt_tokens == 1000
    assert chunks[-2].choices[0].delta.policy_rag["llm"] == "ollama/llama3.2"
    assert [model.id for model in ann.models.list()] == ["policy-rag", "policy-rag/extractive"]
    quoted = ann.chat.completions.create(model="policy-rag/extractive", messages=BONUS)
    assert quoted.choices[0].message.policy_rag["llm"] == "extractive"


def test_the_models_are_those_that_may_be_asked(ann):
    assert [model.id for model in ann.models.list()] == ["policy-rag"]
    assert ann.models.retrieve("policy-rag").owned_by == "policy-rag"
    with pytest.raises(openai.NotFoundError):
        ann.models.retrieve("gpt-9/turbo")


@pytest.mark.parametrize(
    ("given", "error", "line"),
    [
        ({"model": "gpt-9"}, openai.NotFoundError, "there is no model 'gpt-9' here"),
        ({"messages": [{"role": "user", "content": " "}]}, openai.BadRequestError, "the question is empty"),
        ({"messages": []}, openai.BadRequestError, "messages"),
        ({"messages": [{"role": "assistant", "content": "Yes."}]}, openai.BadRequestError, "give it the role `user`"),
        ({"n": 2}, openai.BadRequestError, "n: "),
        ({"extra_body": {"where": ["nonsense"]}}, openai.BadRequestError, "nonsense"),
        ({"extra_body": {"as_of": "someday"}}, openai.BadRequestError, "as_of"),
    ],
)
@pytest.mark.parametrize("stream", [False, True])
def test_bad_input_is_one_error_that_the_client_understands(ann, given, error, line, stream):
    asked = {"model": "policy-rag", "messages": LEAVE, "stream": stream, **given}
    with pytest.raises(error) as raised:
        ann.chat.completions.create(**asked)
    assert line in raised.value.body["message"]


def test_nobody_is_answered_who_is_not_known(address):
    with OpenAI(base_url=address, api_key="stolen", max_retries=0) as client:
        for call in (client.models.list, lambda: client.chat.completions.create(model="policy-rag", messages=LEAVE)):
            with pytest.raises(openai.AuthenticationError, match="send a key"):
                call()


def test_an_llm_that_fails_in_the_middle_is_an_error_of_the_stream(ann, app, monkeypatch):
    def fail(request, chosen, context):
        context.stream_callback("One sentence. [1]")
        raise ModelError("the LLM is gone")

    monkeypatch.setattr(app.state.service.assistant, "_answer", fail)
    with pytest.raises(openai.APIError, match="the LLM is gone"):
        chunks_of(ann)


def test_a_request_in_plain_http_needs_no_more_than_messages(address):
    got = httpx.post(
        f"{address}/chat/completions", json={"messages": LEAVE}, headers={"Authorization": "Bearer of-bob"}
    )
    assert "28 days" in got.json()["choices"][0]["message"]["content"]
