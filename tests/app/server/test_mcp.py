"""The tools by the official client: in this process, and as `policy-rag mcp` in one of its own."""

import asyncio
import os
import sys

import pytest
from mcp import Client, StdioServerParameters

from policy_rag.records.serialization import to_json
from policy_rag.server.mcp.tools import MOST_SHOWN, OwnPolicies, mcp_server


def with_client(server, work):
    async def run():
        async with Client(server) as client:
            return await work(client)

    return asyncio.run(run())


def called(server, name, **arguments):
    return with_client(server, lambda client: client.call_tool(name, arguments))


def said(result):
    (content,) = result.content
    return content.text


def test_the_tools_give_the_json_of_the_command_line_and_say_that_they_only_read(filled):
    server = mcp_server(lambda _: OwnPolicies(filled))
    listed = with_client(server, lambda client: client.list_tools()).tools
    assert {tool.name for tool in listed} == {"search", "ask", "show", "documents"}
    assert all(tool.annotations.read_only_hint and not tool.annotations.destructive_hint for tool in listed)

    found = called(server, "search", question="annual leave", top_k=1).structured_content
    assert found["hits"] == to_json(filled.search("annual leave", top_k=1))["hits"]
    answer = called(server, "ask", question="How long is annual leave?").structured_content
    wanted = to_json(filled.ask("How long is annual leave?"))
    assert answer["answer"] == "Annual leave is 28 days. [1]"
    assert answer["citations"] == wanted["citations"]
    shown = called(server, "show", document="leave.md", place="1").structured_content
    assert shown == to_json(filled.show("leave.md", place="1"))
    listed = called(server, "documents").structured_content
    assert [document["doc_id"] for document in listed["documents"]] == ["leave.md"]


@pytest.mark.parametrize(
    ("name", "arguments", "line"),
    [
        ("ask", {"question": " "}, "the question is empty"),
        ("search", {"question": "leave", "where": ["nonsense"]}, "nonsense"),
        ("search", {"question": "leave", "top_k": 0}, "top_k"),
        ("show", {"document": "absent.md"}, "there is no document 'absent.md'"),
        ("show", {"document": "pay.md"}, "there is no document 'pay.md'"),
        ("show", {"document": "leave.md", "end": 5}, "`end` needs `start`"),
        ("show", {"document": "leave.md", "start": 5, "end": 10_000}, "range"),
        ("remove", {"documents": ["leave.md"]}, "remove"),
        ("ask", {"question": "leave", "filter": ["doc_id=a.md"]}, "`ask` has no argument filter: use question, where,"),
        ("documents", {"as_of": "2026-01-01"}, "`documents` has no argument as_of: it takes none"),
    ],
)
def test_an_error_is_an_error_with_our_line(filled, name, arguments, line):
    result = called(mcp_server(lambda _: OwnPolicies(filled)), name, **arguments)
    assert result.is_error
    assert line in said(result)
    assert result.structured_content is None


def test_an_index_that_holds_nothing_is_an_error_and_no_empty_list(assistant):
    result = called(mcp_server(lambda _: OwnPolicies(assistant)), "search", question="leave")
    assert result.is_error
    assert "policy-rag ingest" in said(result)


def test_what_nothing_is_found_for_says_so_beside_its_empty_list(filled):
    found = called(mcp_server(lambda _: OwnPolicies(filled)), "search", question="leave", where=["doc_id=absent.md"])
    assert found.structured_content["hits"] == []
    assert found.structured_content["notices"]


def test_the_groups_decide_what_is_found_and_shown(filled):
    outside, inside = (mcp_server(lambda _, groups=groups: OwnPolicies(filled, groups)) for groups in ((), ("hr",)))
    question = "How much is the bonus a year?"
    assert "5000 euros" in said(called(inside, "ask", question=question))
    assert "5000 euros" not in said(called(outside, "ask", question=question))
    assert "5000 euros" in said(called(inside, "show", document="pay.md"))
    assert "pay" not in said(called(outside, "documents"))


def test_a_long_document_is_read_on_from_where_a_reply_ended(assistant, tmp_path):
    (tmp_path / "long.txt").write_text("All leave is agreed beforehand.\n" * 2000)
    assistant.ingest([tmp_path / "long.txt"])
    server = mcp_server(lambda _: OwnPolicies(assistant))
    first = called(server, "show", document="long.txt").structured_content
    assert len(first["text"]) == first["next"] == MOST_SHOWN
    whole = assistant.show("long.txt").text
    text, reply = "", {"next": 0}
    while "next" in reply:
        reply = called(server, "show", document="long.txt", start=reply["next"]).structured_content
        assert reply["start"] == len(text)
        text += reply["text"]
    assert text == whole
    assert "characters" in said(called(server, "show", document="long.txt", start=len(whole)))
    part = called(server, "show", document="long.txt", start=7, end=40).structured_content
    assert part["text"] == whole[7:40]


def test_policy_rag_mcp_speaks_over_standard_input_and_output(filled):
    inherited = {name: os.environ[name] for name in ("PATH", "PYTHONPATH", "HOME") if name in os.environ}
    program = StdioServerParameters(
        command=sys.executable,
        args=["-m", "policy_rag", "mcp", "--index", str(filled.index.folder), "--as", "hr"],
        env=inherited,
    )

    async def work(client):
        listed = (await client.call_tool("documents")).structured_content
        assert [document["doc_id"] for document in listed["documents"]] == ["leave.md", "pay.md"]
        assert (await client.call_tool("show", {"document": "absent.md"})).is_error

    with_client(program, work)
