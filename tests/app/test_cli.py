"""The command line as people call it: its JSON, its one-line errors, its exit statuses, and what bad input costs."""

import io
import json
import os
import re
import shutil
import subprocess
import sys

import pytest
from openai_server import OpenAIStandIn

from policy_rag.cli import run

LEAVE = """# Leave Policy

## 1. Scope

This policy applies to all employees of Example Ltd.

## 2. Annual leave

### 2.1 Amount

Full-time employees have 30 days of paid annual leave in each calendar year.

### 2.2 Carry-over

(a) Up to 5 unused days may be carried over to the next year.

(b) Days carried over lapse on 31 March, unless illness prevented the employee from taking them.
"""
AMOUNT = "How many days of paid annual leave do full-time employees have?"
BOARD = """---
title: Board Paper
access: [board]
---
# Board Paper

## 1. Zebra merger

The merger with Zebra Holdings is planned for October.
"""


@pytest.fixture(scope="module")
def policies(tmp_path_factory):
    folder = tmp_path_factory.mktemp("policies with blänks")
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "board.md").write_text(BOARD, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def index(policies, tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli") / "index"
    assert run(["ingest", str(policies), "--index", str(folder), "--json"]) == 0
    return folder


@pytest.fixture
def call(index, capsys, monkeypatch, tmp_path):
    """Calls a command on the index; answers status, what it printed, and its lines on standard error."""
    monkeypatch.chdir(tmp_path)

    def calling(*arguments, index=index):
        capsys.readouterr()
        status = run([*arguments, "--index", str(index)])
        printed = capsys.readouterr()
        return status, printed.out, printed.err.splitlines()

    return calling


@pytest.fixture
def told(call):
    """What a command says as JSON."""

    def calling(*arguments, **more):
        status, out, _ = call(*arguments, "--json", **more)
        assert status == 0
        return [json.loads(line) for line in out.splitlines()] if "--from" in arguments else json.loads(out)

    return calling


def test_ingest_tells_what_it_did(policies, tmp_path, call):
    status, out, err = call("ingest", str(policies), "--json", index=tmp_path / "new")
    report = json.loads(out)
    assert status == 0
    assert (report["added"], report["updated"], report["skipped"]) == (2, 0, [])
    assert report["sections"] >= 6
    assert err == []
    status, out, _ = call("ingest", str(policies), index=tmp_path / "new")
    assert status == 0
    assert "2 documents" in out
    assert "2 unchanged" in out


def test_sections_prints_the_fields_that_others_rely_on(policies, told):
    rows = told("sections", str(policies / "leave.md"))
    assert list(rows[0]) == [
        "file", "start", "end", "section_id", "number", "title", "path", "level", "parent", "page",
    ]  # fmt: skip
    amount = next(row for row in rows if row["number"] == "2.1")
    path = ["Leave Policy", "Annual leave", "Amount"]
    assert (amount["title"], amount["parent"], amount["path"]) == ("Amount", "2", path)
    assert LEAVE[amount["start"] :].startswith("### 2.1 Amount")


def test_search_prints_the_fields_that_others_rely_on(told):
    result = told("search", "How many days of leave?", "--top-k", "2")
    assert list(result) == ["question", "hits", "timings_ms"]
    assert list(result["hits"][0]) == [
        "rank", "score", "doc_id", "version", "file", "section_id", "number", "title", "path", "start", "end",
        "chunk_start", "chunk_end", "page", "text", "found_by", "line", "effective_from", "effective_to",
    ]  # fmt: skip
    assert len(result["hits"]) == 2
    for hit in result["hits"]:
        assert LEAVE[hit["start"] : hit["end"]] == hit["text"]


def test_ask_cites_verbatim_what_it_answers(told):
    answer = told("ask", AMOUNT, "--llm", "extractive")
    assert list(answer) == [
        "question", "status", "answered", "answer", "citations", "removed", "nearest", "clarification", "confidence",
        "llm", "trace", "timings_ms",
    ]  # fmt: skip
    assert (answer["status"], answer["answered"], answer["llm"]) == ("answered", True, "extractive")
    assert "30 days" in answer["answer"]
    assert list(answer["citations"][0]) == [
        "n", "quote", "doc_id", "version", "file", "section_id", "path", "start", "end", "page", "text", "document",
        "number", "title", "line", "effective_from", "effective_to",
    ]  # fmt: skip
    for citation in answer["citations"]:
        assert LEAVE[citation["start"] : citation["end"]] == citation["quote"]
        assert f"[{citation['n']}]" in answer["answer"]


def test_a_question_that_the_policies_do_not_answer_is_refused(told):
    answer = told("ask", "Which submarine does the canteen serve on Mars?", "--llm", "extractive")
    assert (answer["status"], answer["answered"], answer["citations"]) == ("refused", False, [])
    assert answer["nearest"]


def test_the_printed_answer_shows_text_place_and_confidence(call):
    status, out, _ = call("ask", AMOUNT, "--llm", "extractive")
    assert status == 0
    assert "30 days" in out
    assert "Leave Policy > 2 Annual leave > 2.1 Amount, line " in out
    assert "quoted word for word, no language model" in out


def test_questions_from_a_file_come_back_in_order_a_line_each(told, tmp_path, monkeypatch):
    file, row = tmp_path / "questions.txt", {"_id": "q2", "text": "When is the merger?", "as": ["board"]}
    file.write_text(f"How many days of leave?\n\n{json.dumps(row)}\n", encoding="utf-8")
    first, second = from_file = told("search", "--from", str(file))
    assert first["question"] == "How many days of leave?"
    assert second["hits"][0]["file"] == "board.md"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    piped = told("search", "--from", "-")
    assert [found["hits"] for found in piped] == [found["hits"] for found in from_file]


@pytest.mark.parametrize(
    "line",
    [
        '{"text": null}', '{"text": ["x"]}', '{"text": "x?", "as": 3}', '{"text": "x?", "as": ["hr", 3]}',
        '{"text": "x?", "where": 3}', '{"text": "x?", "where": {"department": "HR"}}', '{"text": "x?", "doc_id": 3}',
        '{"text": "x?", "as_of": 20250601}', '{"text": "x?", "as_of": "soon"}', "[1,2]", '"gifts?"', "{", "{}",
    ],
)  # fmt: skip
def test_a_json_line_of_another_form_is_an_error_that_names_its_place(call, tmp_path, line):
    (tmp_path / "questions.txt").write_text(f"Leave?\n{line}\n", encoding="utf-8")
    status, out, err = call("ask", "--from", str(tmp_path / "questions.txt"))
    assert (status, out, len(err)) == (2, "", 1)
    assert "questions.txt:2" in err[0]


def test_text_that_only_begins_like_json_is_a_question(told, tmp_path):
    lines = ["[Urgent] How many days of leave?", '"Annual leave", what is it?']
    (tmp_path / "questions.txt").write_text("\n".join(lines), encoding="utf-8")
    assert [one["question"] for one in told("search", "--from", str(tmp_path / "questions.txt"))] == lines


def test_what_befalls_two_questions_is_told_with_each(call, tmp_path):
    (tmp_path / "questions.txt").write_text("What does section 9.9 say?\n" * 2, encoding="utf-8")
    for command in ("ask", "search"):
        _, _, err = call(command, "--from", str(tmp_path / "questions.txt"))
        assert sum("there is no" in line for line in err) == 2
        assert sum("answering " in line for line in err) == (command == "ask")


def test_show_opens_what_a_citation_points_to(told):
    found = told("show", "leave.md", "--section", "2.2(b)")
    assert found["text"].startswith("(b) Days carried over lapse on 31 March")
    assert told("show", "leave.md", "--range", "0:14")["text"] == "# Leave Policy"


def test_what_is_not_open_to_the_caller_is_as_if_it_were_not_there(call, told):
    assert [row["doc_id"] for row in told("documents")] == ["leave.md"]
    assert [row["doc_id"] for row in told("documents", "--as", "board")] == ["board.md", "leave.md"]
    hidden = call("show", "board.md")
    absent = call("show", "absent.md")
    assert hidden[0] == absent[0] == 2
    assert hidden[2][0].replace("board.md", "X") == absent[2][0].replace("absent.md", "X")
    _, out, _ = call("search", "When is the Zebra merger?", "--json", "--top-k", "50")
    assert "Zebra" not in out.replace("When is the Zebra merger?", "")


def test_removed_documents_are_gone(policies, call, told, tmp_path):
    copy = tmp_path / "copy"
    call("ingest", str(policies), index=copy)
    assert call("remove", "leave.md", index=copy)[0] == 0
    assert told("documents", index=copy) == []
    status, _, err = call("remove", "leave.md", index=copy)
    assert (status, len(err)) == (2, 1)


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (["ask", "   "], 2, "the question is empty"),
        (["ask", "why " * 12_500], 2, "the question has 50,000 characters"),
        (["ask"], 2, "give a question, or --from FILE"),
        (["search", "x", "--search", "fuzzy"], 2, "'vector'.*'weighted'"),
        (["search", "x", "--top-k", "0"], 2, "top_k=0.*greater than or equal to 1"),
        (["search", "x", "--top-k", "many"], 2, "valid integer"),
        (["search", "x", "--nope"], 2, "--nope.*--help"),
        (["search", "x", "--where", "colour=red"], 2, "no document has 'colour'.*department|no document has 'colour'"),
        (["search", "x", "--where", "colour"], 2, "KEY=A"),
        (["search", "x", "--as-of", "tomorrow"], 2, "'tomorrow' is no day: write it as 2026-01-31"),
        (["search", "x", "--reranker", "no-such-model"], 1, "no such folder"),
        (["ask", "leave?", "--llm", "gpt"], 2, "auto, extractive, ollama/NAME"),
        (["ask", "--from", "nowhere.txt"], 2, "cannot be read"),
        (["show", "leave.md", "--section", "99"], 2, "has no section '99': `policy-rag show"),
        (["show", "leave.md", "--section", "Anual leave"], 2, "has no section 'Anual leave': did you mean "),
        (["show", "leave.md", "--range", "5"], 2, "--range START:END"),
        (["show", "leave.md", "--range", "0:999999"], 2, "is not in leave.md"),
        (["ingest", "no/such/place"], 2, "no/such/place"),
        (["sections", "."], 2, "there is no file to be read"),
        (["serve", "--folder", "nowhere"], 2, "--folder.*nowhere.*does not exist"),
        (["serve", "--oidc-client", "policies"], 2, "give --oidc-issuer"),
        (["serve", "--trust-proxy", "proxy.example"], 2, "give an address such as"),
        (["ingest", ".", "--chunker", "guess"], 2, "section.*sentence"),
        (["ingest", ".", "--embedding", "other"], 1, "other"),
        (["frobnicate"], 2, "frobnicate"),
    ],
)
def test_a_wrong_call_is_one_line_that_says_what_to_do(call, arguments, status, says):
    found, out, err = call(*arguments)
    assert found == status
    assert out == ""
    assert len(err) == 1, err
    assert err[0].startswith("error: ")
    assert re.search(says, err[0]), err[0]


def test_no_index_says_what_to_run(call, tmp_path):
    status, out, err = call("ask", "Why?", index=tmp_path / "none")
    assert (status, out) == (1, "")
    assert "run `policy-rag ingest PATH" in err[0]


def test_debug_shows_the_traceback(call, tmp_path):
    status, out, err = call("ask", "Why?", "--debug", index=tmp_path / "none")
    assert (status, out, err[0]) == (1, "", "Traceback (most recent call last):")
    assert "IndexingError: there is no index" in err[-1]


def test_debug_shows_no_key_that_a_server_says_back_and_no_password(call, tmp_path, monkeypatch):
    key = "sk-very-secret-0123456789"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with OpenAIStandIn(status=400, error=f"no key like {key}") as server:
        monkeypatch.setenv("POLICY_RAG_LLM_URL", server.url.replace("http://", "http://me:hunter2@"))
        status, _, err = call("ask", "How many days of annual leave?", "--llm", "openai/m", "--debug")
        assert server.requests
    shown = "\n".join(err)
    assert (status, "Traceback" in shown, "HTTP 400" in shown) == (1, True, True)
    assert key not in shown
    assert "hunter2" not in shown


def test_one_bad_file_costs_no_other_and_nothing_that_was_there(call, told, policies, tmp_path):
    folder, index = tmp_path / "mixed", tmp_path / "index2"
    shutil.copytree(policies, folder)
    assert call("ingest", str(folder), index=index)[0] == 0
    (folder / "empty.md").write_bytes(b"")
    (folder / "fake.pdf").write_bytes(b"this is no pdf")
    (folder / "nul.txt").write_bytes(b"text\x00with NUL\n" * 9)
    (folder / "Größe und Maß.txt").write_text("1. Umfang\n\nDiese Regel gilt.\n", encoding="cp1252")
    (folder / "loop").symlink_to(folder)
    status, out, err = call("ingest", str(folder), "--json", index=index)
    report = json.loads(out)
    assert status == 0
    assert (report["added"], report["unchanged"]) == (1, 2)
    assert {s["file"] for s in report["skipped"] if s["failed"]} == {"empty.md", "fake.pdf", "nul.txt"}
    assert all(len(line.splitlines()) == 1 for line in err)
    assert [document["doc_id"] for document in told("documents", index=index)] == ["Größe und Maß.txt", "leave.md"]


@pytest.mark.parametrize("content", [None, {"picture.jpg": b"jpg"}, {"fake.pdf": b"no pdf"}])
def test_nothing_to_read_fails_and_leaves_the_index_as_it_was(call, index, tmp_path, content):
    folder = tmp_path / "nothing"
    folder.mkdir()
    for name, data in (content or {}).items():
        (folder / name).write_bytes(data)
    before = call("documents", "--json", "--as", "board")[1]
    status, out, err = call("ingest", str(folder))
    assert (status, out) == (2, "")
    assert err[-1].startswith("error: ")
    assert call("documents", "--json", "--as", "board")[1] == before


@pytest.mark.parametrize(
    ("option", "value", "status", "says"),
    [
        ("--embedding", "BAAI/none", 1, "was made with the embedding all-MiniLM-L6-v2, not BAAI/none"),
        ("--profile", "foo", 2, "there is no heading profile 'foo': use one of marked"),
        ("--chunker", "sentence", 1, "was made with chunker=section, not sentence"),
    ],
)
def test_settings_that_do_not_fit_are_refused_before_anything_is_read(
    call, policies, monkeypatch, option, value, status, says
):
    def looked_at(*_, **__):
        raise AssertionError("a file was read or a model looked for")

    monkeypatch.setattr("policy_rag.index.ingest.file_reader.FileReader.document", looked_at)
    monkeypatch.setattr("policy_rag.models.folders.model_folder", looked_at)
    assert call("ingest", str(policies), option, value)[0] == status
    assert says in call("ingest", str(policies), option, value)[2][0]


@pytest.mark.parametrize("group", [[], ["eval"]])
def test_no_command_s_line_is_cut_off_in_a_terminal_of_80_columns(group, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", "80")
    assert run([*group, "--help"]) == 0
    commands = capsys.readouterr().out.partition("Commands:\n")[2].splitlines()
    assert len(commands) > 10
    assert [line for line in commands if line.endswith("...")] == []


def test_help_and_version_are_quick_to_import():
    code = (
        "import sys; from policy_rag.cli import run; run(['--help']); run(['--version']); "
        "heavy = {'torch', 'mlflow', 'llama_index', 'sentence_transformers', 'faiss', 'transformers'} & set(sys.modules); "
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ, check=False)
    assert done.returncode == 0, done.stderr
    assert "ingest" in done.stdout
    assert "0.1.0" in done.stdout


def test_the_summary_tells_what_was_taken_in_what_is_held_and_what_is_gone(call, told, policies, tmp_path):
    folder, other, index = tmp_path / "files", tmp_path / "other", tmp_path / "index3"
    shutil.copytree(policies, folder)
    other.mkdir()
    (other / "pets.md").write_text("# Pets\n\n## 1 Dogs\n\nDogs stay at home.\n", encoding="utf-8")
    out = call("ingest", str(folder), index=index)[1].splitlines()
    assert out[0].startswith("2 documents taken in (2 added): 7 sections, ")
    assert out[0].endswith(" embedded")
    assert out[1] == f"{index} now holds 2 documents"
    out = call("ingest", str(other), index=index)[1].splitlines()
    assert out[0].startswith("1 document taken in (1 added): ")
    assert out[1] == f"{index} now holds 3 documents"
    (folder / "leave.md").unlink()
    status, printed, err = call("ingest", str(folder), index=index)
    assert (status, err) == (0, ["gone, and still answering: leave.md"])
    assert printed.splitlines()[0].startswith("1 document taken in (1 unchanged): ")
    assert printed.splitlines()[1:3] == [
        f"{index} now holds 3 documents",
        "1 file is gone and still answers: --prune removes it",
    ]
    assert told("ingest", str(folder), index=index)["gone"] == ["leave.md"]
    status, printed, err = call("ingest", str(folder), "--prune", index=index)
    assert (status, err) == (0, [])
    assert printed.splitlines()[0].endswith("; 1 removed")
    assert printed.splitlines()[1] == f"{index} now holds 2 documents"
    (folder / "board.md").write_text("---\naccess: [board\n---\n", encoding="utf-8")
    (folder / "new.md").write_text("---\nversion: 1\neffective_from: soon\n---\n# New\n", encoding="utf-8")
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    printed = call("ingest", str(folder), index=index)[1]
    assert printed.splitlines()[0].endswith("; 2 failed, 1 withheld from everybody")


def test_what_befell_many_files_is_told_once(call, tmp_path):
    folder = tmp_path / "files"
    folder.mkdir()
    for i in range(7):
        (folder / f"{i}.md").write_text(LEAVE, encoding="utf-8")
    (folder / "open.md").write_text(f"---\naccess: []\n---\n{LEAVE}", encoding="utf-8")
    (folder / "policies.yaml").write_text("pay.md: {access: [hr]}\n", encoding="utf-8")
    _, _, err = call("ingest", str(folder), index=tmp_path / "index4")
    assert [line.partition(": ")[2].partition(":")[0] for line in err if line.startswith("failed")] == [
        "0.md, 1.md, 2.md, 3.md, 4.md and 2 more"
    ]
