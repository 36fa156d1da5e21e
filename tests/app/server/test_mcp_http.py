"""The tools over streamable HTTP by the official client: the same keys and groups, and nothing for anybody else."""

import asyncio
import json
from dataclasses import replace

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from named_callers import knowing
from running_service import running

from policy_rag.records.serialization import to_json
from policy_rag.server.app import create_app
from policy_rag.server.callers import Caller
from policy_rag.server.question_log import LogReader

BONUS = "How much is the bonus a year?"
CALLERS = {"of-ann": Caller("ann", ("hr",)), "of-bob": Caller("bob")}


@pytest.fixture
def app(app_of, options):
    return knowing(app_of(replace(options, no_auth=False)), CALLERS)


@pytest.fixture
def address(app):
    with running(app) as url:
        yield f"{url}/mcp"


def with_client(address, token, work, **options):
    async def run():
        async with (
            httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
            Client(streamable_http_client(address, http_client=http), **options) as client,
        ):
            return await work(client)

    return asyncio.run(run())


def called(address, token, name, **arguments):
    return with_client(address, token, lambda client: client.call_tool(name, arguments))


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_tools_are_those_of_standard_input_in_every_form_of_the_protocol(address, filled, mode):
    async def work(client):
        tools = {tool.name for tool in (await client.list_tools()).tools}
        return tools, (await client.call_tool("ask", {"question": BONUS})).structured_content

    tools, answer = with_client(address, "of-ann", work, mode=mode)
    assert tools == {"search", "ask", "show", "documents"}
    wanted = to_json(filled.ask(BONUS, groups=["hr"]))
    assert (answer["answer"], answer["citations"]) == (wanted["answer"], wanted["citations"])


def test_what_is_asked_is_taken_down_and_watched_like_everywhere(address, app):
    called(address, "of-ann", "ask", question=BONUS)
    called(address, "of-bob", "show", document="pay.md")
    service = app.state.service
    (logged,) = service.questions.of_caller("ann", LogReader(("hr",), ("pay.md", "leave.md")))
    assert logged.question == BONUS
    audit = [json.loads(line) for line in (service.options.state / "audit.jsonl").read_text().splitlines()]
    (asked,) = [event for event in audit if event["api"]["operation"] == "ask"]
    assert asked["actor"]["user"]["uid"] == "ann"
    assert asked["http_request"]["url"]["path"] == "/mcp"
    (denied,) = [event for event in audit if event["action"] == "Denied"]
    assert (denied["actor"]["user"]["uid"], denied["resources"][0]["name"]) == ("bob", "pay.md")


@pytest.fixture
def rings(assistant, tmp_path, options):
    """Documents for each subset of two groups, and a caller of each; every document has a word of its own."""
    folder = tmp_path / "rings"
    folder.mkdir()
    words = {"open": "alder", "red": "birch", "blue": "cedar", "red-blue": "dogwood"}
    for name, word in words.items():
        groups = [] if name == "open" else name.split("-")
        (folder / f"{name}.md").write_text(
            f"---\naccess: [{', '.join(groups)}]\n---\n# Badges of {word}\n\n## 1 Colour\n\nThe badge of staff is {word}.\n"
        )
    assistant.settings = assistant.settings.changed({"llm": "extractive", "threshold": 0.01})
    assistant.ingest([folder])
    readable = {"none": {"open"}, "red": {"open", "red", "red-blue"}, "red-blue": set(words)}
    callers = {name: Caller(name, () if name == "none" else tuple(name.split("-"))) for name in readable}
    return knowing(create_app(assistant, replace(options, no_auth=False)), callers), words, readable


def test_every_tool_leaks_nothing_of_what_the_groups_may_not_read(rings):
    """Of a hidden document no word, no name and no count is told, and asking for it is like asking for none."""
    app, words, readable = rings

    async def work(client):
        async def said(name, **arguments):
            return (await client.call_tool(name, arguments)).model_dump_json()

        replies = [await said("documents")]
        for where in (None, *([f"doc_id={name}.md"] for name in words)):
            replies.append(await said("search", question="badge", where=where, top_k=50))
            replies.append(await said("ask", question="What colour is the badge of staff?", where=where))
        absent = await said("show", document="absent.md")
        shown = {name: await said("show", document=f"{name}.md") for name in words}
        return replies, shown, absent

    with running(app) as url:
        for caller, names in readable.items():
            replies, shown, absent = with_client(f"{url}/mcp", caller, work)
            for name, word in words.items():
                if name in names:
                    assert word in shown[name]
                    assert any(word in reply for reply in replies)
                else:
                    assert shown[name] == absent.replace("absent.md", f"{name}.md")
                    assert not any(word in reply for reply in replies), (caller, name)
                    assert f'"{name}.md"' not in replies[0]


LISTING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
BOTH = {"Accept": "application/json, text/event-stream"}


def test_nobody_is_served_who_is_not_known_whatever_is_sent(address):
    for headers in ({}, {"Authorization": "Bearer stolen"}, {"Mcp-Session-Id": "1"}):
        got = httpx2.post(address, json=LISTING, headers={**BOTH, **headers})
        assert (got.status_code, got.headers["www-authenticate"]) == (401, "Bearer")
        assert got.headers["content-type"] == "application/problem+json"


def test_a_page_of_another_site_reaches_nothing_where_everybody_is_let_in(app_of, options):
    with running(app_of(options)) as url:
        assert httpx2.post(f"{url}/mcp", json=LISTING, headers=BOTH).status_code == 200
        for header in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
            assert httpx2.post(f"{url}/mcp", json=LISTING, headers={**BOTH, **header}).status_code in {403, 421}
