"""Asking the service: streamed, taken down, in conversations, and never with more rights than the caller has."""

import asyncio
import threading

import pytest

from policy_rag.errors import ModelError, UsageError
from policy_rag.server.asking import GoneError, QuestionRequest, Text, ask, events, reader_of
from policy_rag.server.callers import Caller
from policy_rag.server.question_log import LogReader
from policy_rag.server.service_options import ServerOptions
from policy_rag.tracing import Trace

ANN, BOB = Caller("ann", ("hr", "choir")), Caller("bob")
BONUS = QuestionRequest(text="How much is the bonus a year?")
LEAVE = QuestionRequest(text="How many days of annual leave are there?")


async def taken(stream):
    return [event async for event in stream]


def test_it_is_taken_down_who_asked_what_and_what_became_of_it(app_of, kept):
    service = app_of(ServerOptions(**kept)).state.service
    asked = ask(service, ANN, BONUS)
    (logged,) = service.questions.of_caller("ann", reader_of(service, ANN))
    assert (logged.id, logged.question, logged.caller) == (asked.id, BONUS.text, "ann")
    assert logged.outcome == asked.answer.status
    assert logged.answer["answer"] == asked.answer.answer
    assert logged.answer["citations"][0]["doc_id"] == "pay.md"
    assert logged.confidence == asked.answer.confidence
    assert service.questions.of_caller("bob", reader_of(service, BOB)) == ()
    assert [service.questions.rate(asked.id, name, helpful=True, comment="\0!") for name in ("bob", "ann")] == [
        False,
        True,
    ]
    (rated,) = service.questions.rated(reader_of(service, ANN))
    assert (rated.helpful, rated.comment.strip("\0\ufffd"), rated.at) == (True, "!", logged.at)
    assert service.questions.one(asked.id, reader_of(service, BOB), caller="bob") is None
    assert service.questions.recent(reader_of(service, ANN), outcome="refused") == ()
    assert service.questions.recent(reader_of(service, ANN), before=logged.number) == ()
    service.questions.note_trace(asked.id, "tr-1", "sqlite://")
    assert service.questions.trace_of(asked.id, "ann") == ("tr-1", "sqlite://", None)


def test_an_answer_is_shown_to_nobody_who_could_not_have_got_it(service):
    ask(service, ANN, BONUS)
    (seen,) = service.questions.recent(reader_of(service, BOB))
    assert seen.answer is None
    assert seen.withheld
    assert "5000 euros" not in repr(seen)
    (seen,) = service.questions.recent(reader_of(service, Caller("eve", ("hr",))))  # nothing is for the choir
    assert "5000 euros" in seen.answer["answer"]


def test_an_answer_is_withheld_once_its_document_is_taken_out_of_reach(changeable, service):
    ask(service, ANN, BONUS)
    changeable.remove(["pay.md"], groups=("hr",))
    (seen,) = service.questions.of_caller("ann", reader_of(service, ANN))
    assert seen.withheld
    assert "5000 euros" not in repr(seen)


def test_a_conversation_goes_on_for_who_began_it_alone(service):
    first = ask(service, ANN, LEAVE)
    assert first.conversation
    follows = QuestionRequest(text="And for sick leave?", conversation=first.conversation)
    assert ask(service, ANN, follows).answer.notices[-1].startswith("read as: And for sick leave? (")
    assert not any(line.startswith("read as") for line in ask(service, BOB, follows).answer.notices)
    assert len(service.questions.of_caller("ann", LogReader((), ()), conversation=first.conversation)) == 2


def test_a_question_that_fails_is_taken_down_and_bad_input_is_not(service, monkeypatch):
    with pytest.raises(UsageError):
        ask(service, BOB, QuestionRequest(text=" "))
    assert service.questions.recent(LogReader((), ())) == ()

    def fail(*_, **__):
        raise ModelError("the LLM is gone")

    monkeypatch.setattr(service.assistant, "_answer", fail)
    with pytest.raises(ModelError):
        asyncio.run(taken(events(service, BOB, LEAVE)))
    (logged,) = service.questions.recent(LogReader((), ()))
    assert logged.outcome == "failed"


def test_an_aborted_stream_ends_its_work_and_leaves_nothing_behind(service, monkeypatch):
    """The callbacks stand at the answer's pieces: the reader goes after the first, and the second raises."""
    begun, go_on, ended = threading.Event(), threading.Event(), []

    def answer(request, chosen, context):
        context.stream_callback("One.")
        begun.set()
        assert go_on.wait(10)
        try:
            context.stream_callback("One. Two.")
        except GoneError:
            ended.append(True)
            raise

    monkeypatch.setattr(service.assistant, "_answer", answer)

    async def abort():
        stream = events(service, BOB, LEAVE)
        assert await anext(stream) == Text("One.")
        await asyncio.to_thread(begun.wait)
        await stream.aclose()
        assert len(service.lanes.under_way) == 1
        go_on.set()
        while service.lanes.under_way:
            await asyncio.sleep(0.01)

    asyncio.run(abort())
    assert ended
    assert service.lanes.quoting.borrowed_tokens == 0
    (logged,) = service.questions.recent(LogReader((), ()))
    assert logged.outcome == "aborted"


@pytest.mark.parametrize("left_before", ["support", "quote"])
def test_a_question_that_is_left_is_worked_on_no_further_than_the_step_it_is_in(service, monkeypatch, left_before):
    """Whoever asked goes while the step before is done; nothing of the answer came by then."""
    begun, span, done = threading.Event(), Trace.span, []

    async def abort():
        gone, loop = asyncio.Event(), asyncio.get_running_loop()

        def watched(trace, name):
            if name == left_before:
                loop.call_soon_threadsafe(begun.set)
                asyncio.run_coroutine_threadsafe(gone.wait(), loop).result(10)
            made = span(trace, name)
            done.append(name)
            return made

        monkeypatch.setattr(Trace, "span", watched)
        stream = events(service, BOB, LEAVE)
        waiting = asyncio.ensure_future(anext(stream))
        while not begun.is_set():
            await asyncio.sleep(0.01)
        waiting.cancel()
        await asyncio.wait({waiting})
        await stream.aclose()
        gone.set()
        while service.lanes.under_way:
            await asyncio.sleep(0.01)

    asyncio.run(abort())
    assert done[-1] == left_before, "the step itself raised as it began"
    assert [one.outcome for one in service.questions.recent(LogReader((), ()))] == ["aborted"]


def test_whoever_asks_for_good_is_not_stopped(service):
    steps = []
    asked = ask(service, BOB, LEAVE, before_step=lambda: steps.append(1))
    assert "28 days" in asked.answer.answer
    assert len(steps) > 2
