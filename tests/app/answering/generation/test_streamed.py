"""An answer as it is heard while an LLM writes it: always a beginning of the answer that it turns out to be."""

import threading
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from made_hits import made_hit
from ollama_server import OllamaStandIn
from openai_server import OpenAIStandIn

from policy_rag.answering.generation.generator import AnswerDraft, generate
from policy_rag.answering.generation.text_stream import TextStream
from policy_rag.llm.ollama import OllamaModel, OllamaServer
from policy_rag.llm.openai_compatible import OpenAIModel

HITS = (
    made_hit("Employees receive 25 days of annual leave. Up to five days may be carried over to March.", number="4.2"),
    made_hit("Employees must report sickness on the first day. A certificate is required from the fourth day.", rank=2),
)
QUESTION = "How many days of leave are there, and when is a certificate needed?"
TRUE = ("Employees receive 25 days of annual leave", "A certificate is required from the fourth day")
FALSE = "Employees receive 30 days of annual leave"
REFUSED = ("NOT ANSWERED", "The sections do not say")
SENTENCES = (*TRUE, "Employees must report sickness on the first day", FALSE, *REFUSED, "Hm")
MARKED = st.builds(
    "{}{}".format,
    st.sampled_from(SENTENCES),
    st.sampled_from([" [1].", " [2].", ". [1]", ".[2]", ".", " [1]", " [1][2]!", ". [9]", " [Section 2].", ".\n[2]"]),
)
BETWEEN = st.sampled_from([" ", " ", " ", "\n", "\n\n", "\n- ", "\n1. ", " | ", "\n**", "\n## ", " Dr. ", "\u200b "])
THOUGHTS = st.sampled_from(["", "", "", "<think>It is 25 [1]. Or 30 [1].</think>", "<thought>Hm.", "<th", "< "])
ENDS = st.sampled_from(
    ["", " ", "\n\nSources:\n[1] Leave policy. It says so. Employees", " Employees", "\n---\n", " <think>Ho"]
)
REPLIES = st.builds(
    lambda opening, parts, end: opening + "".join(a + b + c for a, b, c in parts) + end,
    st.one_of(THOUGHTS, BETWEEN),
    st.lists(st.tuples(MARKED, BETWEEN, THOUGHTS), max_size=5),
    ENDS,
)


@pytest.fixture(scope="module")
def server() -> Iterator[OllamaStandIn]:
    with OllamaStandIn() as running:
        yield running


@pytest.fixture(scope="module")
def model(server: OllamaStandIn) -> OllamaModel:
    return OllamaModel("llama3.2", OllamaServer(server.url))


def cut_at(places: list[int], reply: str) -> list[str]:
    ends = sorted({0, len(reply), *(place % (len(reply) + 1) for place in places)})
    return [reply[start:end] for start, end in pairwise(ends)]


def listened(server: OllamaStandIn, model: OllamaModel, reply: str, pieces: list[str]) -> tuple[AnswerDraft, list[str]]:
    server.replies = [reply]
    server.cut = lambda _: pieces
    heard: list[str] = []
    return generate(QUESTION, HITS, model, stream_callback=TextStream(heard.append)), heard


@settings(max_examples=120)
@given(REPLIES, st.lists(st.integers(0, 10**6), max_size=60))
@example(f"{TRUE[0]}. {TRUE[0]} [1]. {TRUE[1]} [2]. Hm hm hm.", list(range(200)))
@example(f"{FALSE} [1]. NOT ANSWERED. {TRUE[0]} [1]. Hm hm hm.", list(range(200)))
def test_what_is_heard_is_the_beginning_of_what_is_answered(
    server: OllamaStandIn, model: OllamaModel, reply: str, places: list[int]
) -> None:
    draft, heard = listened(server, model, reply, cut_at(places, reply))
    assert draft.text.startswith("".join(heard))
    assert "" not in heard
    assert not (draft.refused and heard)
    server.cut = None
    assert generate(QUESTION, HITS, model) == draft


def test_each_sentence_is_heard_when_the_next_begins(server: OllamaStandIn, model: OllamaModel) -> None:
    pieces = [
        *("<thi", "nk>", f"{FALSE} [1]. It", " seems.</th", "ink>", f"{TRUE[0]}.", " [", "1", "]", f" {FALSE} [1]. It"),
        *(f" is so [2].\n\n- {TRUE[1]} [2]\n- ", f"Ask HR [1]. {TRUE[0]} [1]."),
    ]
    told: list[int] = []
    server.before_piece = told.append
    draft, heard = listened(server, model, "".join(pieces), pieces)
    server.before_piece = None
    assert heard == [f"{TRUE[0]} [1].", f"\n- {TRUE[1]} [2]"]
    assert draft.text == "".join(heard)
    assert len(told) == len(pieces) + 1
    assert draft.removed == (f"{FALSE} [1].", "It is so [2].", "- Ask HR [1].")


def test_the_first_sentence_is_heard_while_the_rest_is_not_there(server: OllamaStandIn, model: OllamaModel) -> None:
    reply = f"{TRUE[0]} [1]. {FALSE} [1]. {TRUE[1]} [2]."
    pieces = [f"{TRUE[0]} [1]. {FALSE} ", f"[1]. {TRUE[1]} [2]."]
    go_on, in_time = threading.Event(), []
    server.before_piece = lambda number: in_time.append(go_on.wait(30)) if number == 1 else None
    server.replies, server.cut = [reply], lambda _: pieces
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        go_on.set()

    draft = generate(QUESTION, HITS, model, stream_callback=TextStream(hear))
    server.before_piece = None
    assert in_time == [True]
    assert heard == [f"{TRUE[0]} [1]."]
    assert draft.text == f"{TRUE[0]} [1]. {TRUE[1]} [2]."


@pytest.mark.parametrize("start", ["NOT ANSWERED", "The sections do not say.", "Answer:\n\nNot answered."])
def test_of_a_refusal_nothing_is_heard(server: OllamaStandIn, model: OllamaModel, start: str) -> None:
    reply = f"{start}\n\n{TRUE[0]} [1]. {TRUE[1]} [2]. Hm hm."
    draft, heard = listened(server, model, reply, list(reply))
    assert draft.refused
    assert heard == []


def test_thinking_that_nothing_opened_is_left_out_but_for_what_was_heard_of_it(
    server: OllamaStandIn, model: OllamaModel
) -> None:
    quiet = f"Section 1 may say so. I look. </think>{TRUE[1]} [2]. {TRUE[0]} [1]. Hm hm"
    draft, heard = listened(server, model, quiet, list(quiet))
    assert heard == [f"{TRUE[1]} [1].", f" {TRUE[0]} [2]."]
    assert draft.removed == ("Hm hm",)
    aloud = f"{TRUE[0]} [1]. I look. </think>NOT ANSWERED"
    draft, heard = listened(server, model, aloud, list(aloud))
    assert heard == [f"{TRUE[0]} [1]."]
    assert draft.text == heard[0]
    server.cut = None
    assert generate(QUESTION, HITS, model).refused


def test_an_openai_compatible_server_is_heard_alike() -> None:
    reply = f"{TRUE[0]}. [1] {FALSE} [1]. {TRUE[1]} [2]. Hm hm"
    with OpenAIStandIn(reply=reply, prompt_tokens=None, cut=list) as server:
        heard: list[str] = []
        draft = generate(QUESTION, HITS, OpenAIModel("m", server.url), stream_callback=TextStream(heard.append))
    assert heard == [f"{TRUE[0]} [1].", f" {TRUE[1]} [2]."]
    assert draft.removed == (f"{FALSE} [1].", "Hm hm")
