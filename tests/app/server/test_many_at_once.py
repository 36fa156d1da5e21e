"""Many at once over a real socket: an LLM that does not answer holds up nobody else, and streams that are left leave nothing."""

import asyncio
import threading

import httpx
import pytest
from running_service import running

from policy_rag.server.question_log import LogReader

BONUS = {"question": "How many days of annual leave are there?"}
QUOTED = {**BONUS, "llm": "extractive"}
LANE, AT_THE_LLM = 4, 6  # more than it takes at once


@pytest.fixture
def waiting_llm(filled, ollama, monkeypatch):
    """An LLM that answers nothing until the event is set."""
    answers = threading.Event()
    ollama.replies = ["There are 28 days of annual leave [1]."]
    ollama.before_piece = lambda _: answers.wait(60)
    monkeypatch.setattr(filled, "settings", filled.settings.changed({"llm": "ollama/llama3.2"}))
    yield answers
    answers.set()


def test_an_llm_that_does_not_answer_holds_up_nobody_else(app_of, options, waiting_llm):
    app = app_of(options)
    app.state.service.lanes.generating.total_tokens = LANE

    async def work(url):
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as client:
            slow = [asyncio.create_task(client.post("/api/v1/ask", json=BONUS)) for _ in range(AT_THE_LLM)]
            lanes = app.state.service.lanes
            while lanes.generating.statistics().tasks_waiting < AT_THE_LLM - LANE:
                await asyncio.sleep(0.01)
            others = await asyncio.gather(
                *(client.post("/api/v1/ask", json=QUOTED) for _ in range(2)),
                client.post("/api/v1/search", json=BONUS),
                client.get("/api/v1/documents"),
            )
            assert not any(one.done() for one in slow)
            waiting_llm.set()
            return others, await asyncio.gather(*slow)

    with running(app) as url:
        others, slow = asyncio.run(work(url))
    assert [reply.status_code for reply in others] == [200] * 4
    assert all("28 days" in reply.json()["answer"] for reply in others[:2])
    assert [reply.json()["llm"] for reply in slow] == ["ollama/llama3.2"] * AT_THE_LLM


@pytest.mark.parametrize(
    ("path", "how"),
    [
        ("/api/v1/ask", {"json": BONUS}),
        ("/ask", {"data": {**BONUS, "conversation": "one"}}),
        ("/v1/chat/completions", {"json": {"messages": [{"role": "user", "content": "Leave?"}]}}),
    ],
)
def test_a_question_that_is_no_stream_is_not_worked_on_for_nobody_either(app_of, options, waiting_llm, path, how):
    app = app_of(options)
    service = app.state.service
    service.lanes.generating.total_tokens = 1

    async def work(url):
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            asked = [asyncio.create_task(client.post(path, **how)) for _ in range(3)]
            while service.lanes.generating.statistics().tasks_waiting < 2:
                await asyncio.sleep(0.01)
            for one in asked:
                one.cancel()
            await asyncio.wait(asked)
        while service.lanes.generating.statistics().tasks_waiting:
            await asyncio.sleep(0.01)
        waiting_llm.set()
        while service.lanes.under_way:
            await asyncio.sleep(0.01)

    with running(app) as url:
        asyncio.run(work(url))
    assert [one.outcome for one in service.questions.recent(LogReader((), ()))] == ["aborted"]


def test_streams_that_are_left_leave_nothing_behind(app_of, options):
    app = app_of(options)

    async def leave(client):
        async with client.stream("POST", "/api/v1/ask", json=QUOTED, headers={"Accept": "text/event-stream"}):
            pass

    async def work(url):
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            await asyncio.gather(*(leave(client) for _ in range(8)))
            while app.state.service.lanes.under_way:
                await asyncio.sleep(0.01)
            return (await client.get("/metrics")).text

    with running(app) as url:
        text = asyncio.run(work(url))
    assert "policy_rag_questions_waiting 0.0" in text
    assert "policy_rag_questions_in_progress 0.0" in text
    assert app.state.service.lanes.quoting.borrowed_tokens == 0
