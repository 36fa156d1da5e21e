"""An answer while it is written, as people see it: in a terminal of its own, and laid out as if it came in one."""

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ollama_server import Fault, OllamaStandIn
from terminal import Terminal, as_seen

from policy_rag.answering.presentation.escaping import as_shown
from policy_rag.cli.live import LiveAnswer
from policy_rag.cli.output import console

TRAVEL = """# Travel Policy

## 1. Hotels

A hotel room costs 120 euros at most. Breakfast must be paid by the traveller, and so must laundry of any kind.
"""
TRUE = "A hotel room costs 120 euros at most [1]."
FALSE = "Breakfast must not be paid by the traveller [1]."
LAST = "Laundry of any kind must be paid by the traveller [1]."
PIECES = [
    "A hotel room costs 12",
    "0 euros at most. [1",
    "] Breakfast must not b",
    "e paid by the traveller [1]. ",
    LAST,
]
QUESTION = "What does a hotel room cost?"


@pytest.fixture(scope="module")
def index(index_of: Callable[[dict[str, str]], Path]) -> Path:
    return index_of({"travel.md": TRAVEL})


@pytest.fixture
def waiting(ollama: OllamaStandIn) -> Iterator[tuple[OllamaStandIn, threading.Event]]:
    """A server that sends three pieces of its reply, and the others when it may."""
    go_on = threading.Event()
    ollama.replies = ["".join(PIECES)]
    ollama.cut = lambda _: PIECES
    ollama.before_piece = lambda number: go_on.wait(60) if number == 3 else None
    yield ollama, go_on
    go_on.set()


def terminal(command: str, index: Path, server: OllamaStandIn, *arguments: str) -> Terminal:
    given = [command, *arguments, "--index", str(index), "--llm", "ollama/llama3.2"]
    return Terminal(given, env={"OLLAMA_HOST": server.url, "POLICY_RAG_THRESHOLD": "0.01", "POLICY_RAG_CERTAIN": "0"})


def test_a_sentence_is_shown_before_the_next_is_written_and_a_false_one_never(
    index: Path, waiting: tuple[OllamaStandIn, threading.Event]
) -> None:
    server, go_on = waiting
    with terminal("chat", index, server) as shown:
        shown.until(">")
        shown.type(f"{QUESTION}\n")
        shown.until(TRUE)
        assert server.answered == []
        assert "Searching" not in shown.screen
        go_on.set()
        shown.until("written by")
        before, _, removed = shown.written.partition("removed, not borne out")
        assert "Breakfast must not" not in before
        assert "Breakfast must not" in removed
        lines = shown.screen.split("\n")
        begin = lines.index(QUESTION)
        # sixty columns: the text is broken between words, and stands there once
        assert lines[begin + 1 : begin + 3] == [f"{TRUE} Laundry of any", "kind must be paid by the traveller [2]."]
        assert lines[begin + 3].startswith("  [1] Travel Policy > 1 Hotels, line 5")
        assert shown.screen.count("most [1].") == 1
        server.fault_of = lambda body: Fault.DROPPED_MIDWAY if "<section" in body["messages"][1]["content"] else None
        server.cut = lambda _: [TRUE + " Breakfast must", ""]
        shown.type(f"{QUESTION} Tell me again.\n")
        shown.until("error: Ollama at")
        lines = shown.screen.split("\n")
        failed = next(number for number, line in enumerate(lines) if line.startswith("error: Ollama at"))
        assert lines[failed - 1] == TRUE
        shown.type("/quit\n")
        assert shown.wait() == 0
    assert shown.written.count("\x1b[?25l") == shown.written.count("\x1b[?25h")


def test_ctrl_c_leaves_the_line_and_the_cursor_as_they_should_be(
    index: Path, waiting: tuple[OllamaStandIn, threading.Event]
) -> None:
    server, _ = waiting
    with terminal("ask", index, server, QUESTION) as shown:
        shown.until(TRUE)
        shown.interrupt()
        assert shown.wait() == 130
    assert f"{QUESTION}\n{TRUE}\nerror: interrupted; " in shown.screen.replace("\r", "")
    assert shown.written.count("\x1b[?25l") == shown.written.count("\x1b[?25h")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


PIECE = st.builds("{}{}".format, st.sampled_from([" ", "\n", "\n- "]), st.text("a1.[]üß手 \x1b\u202e", max_size=40))


@given(st.lists(PIECE, max_size=8), st.integers(5, 30))
def test_pieces_are_laid_out_as_if_they_came_in_one(pieces: list[str], columns: int) -> None:
    text = "".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COLUMNS", str(columns))
        patch.setenv("TERM", "xterm")
        at_once, live = Screen(), Screen()
        patch.setattr("sys.stdout", at_once)
        console().print("Q?", style="bold", markup=False)
        console().print(as_shown(text), markup=False)
        patch.setattr("sys.stdout", live)
        with LiveAnswer("Q?") as answer:
            for piece in pieces:
                assert answer.on_text is not None
                answer.on_text(piece)
    if pieces:
        assert as_seen(live.getvalue(), 99).rstrip() == as_seen(at_once.getvalue(), 99).rstrip()
        assert "\x1b[31m" not in live.getvalue()
    assert answer.begun is bool(pieces)


def test_nothing_is_heard_where_no_terminal_is_or_data_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdout", Screen())
    assert LiveAnswer("Q?").on_text is not None
    assert LiveAnswer("Q?", wanted=False).on_text is None
    monkeypatch.setattr("sys.stdout", io.StringIO())
    with LiveAnswer("Q?") as live:
        assert live.on_text is None
    assert not live.begun
