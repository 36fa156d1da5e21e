"""Random callers ask every route of the real application for random documents: nothing of a hidden one comes back.

A case is one request. Its documents have words that no other document has; a caller has sent some words himself, and an
administrator is shown what everybody asked: any other word of a document that the caller may not read is a leak, and so
are its file's name, unless a document that the caller may read says it, another answer than for a document that is not
there, and a count that it is in.
"""

import io
import json
import random
import threading
from contextlib import ExitStack, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import index_worker
import pytest
from attack_scale import seeds
from fastapi.testclient import TestClient
from hidden_policies import GROUPS, Policy, asked, leaked, stated, unique_words
from memory_folder import memory_folder

from policy_rag.answering.presentation import mlflow_tracing
from policy_rag.assistant import PolicyAssistant
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.server.app import create_app
from policy_rag.server.callers import Caller
from policy_rag.server.jobs import JobState
from policy_rag.server.service import now
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.upload_worker import Worker

CASES = 100  # of one world
ABSENT = "absent.md"
API = "/api/v1"
MCP_HEADERS = {"accept": "application/json, text/event-stream"}
SAME_AS_ABSENT = (
    "show",
    "changes",
    "check",
    "page view",
    "page original",
    "page changes",
    "mcp show",
    "remove",
    "page remove",
)
# Routes that tell nothing of documents, or nobody anything.
UNASKED = {
    "/openapi.json",
    "/static",
    "/static/{path:path}",
    "/sign-in",
    "/sign-in/key",
    "/sign-in/oidc",
    "/sign-in/oidc/callback",
    "/sign-out",
    f"{API}/health",
    f"{API}/readiness",
}


class World:
    """An index of random documents, served; and callers of random groups with their keys."""

    def __init__(self, seed):
        self.draw = random.Random(seed)
        words = unique_words(self.draw)
        self.policies = [Policy(self.draw, number, words) for number in range(self.draw.randint(3, 7))]
        self._place = TemporaryDirectory(prefix="access-", dir=memory_folder(1 << 30))
        place = Path(self._place.name)
        folder = self.folder = place / "policies"
        folder.mkdir()
        beside = {name: said for policy in self.policies for name, said in policy.write(folder).items()}
        (folder / "policies.yaml").write_text(json.dumps(beside))
        self.assistant = PolicyAssistant.open(place / "index", create=True, llm="extractive", reranker="none")
        self.assistant.ingest([folder])
        options = ServerOptions(state=place / "state", rate=0, folders=(folder,))
        self.app = create_app(self.assistant, options)
        self.service = self.app.state.service
        self.sent = {}
        self.ids = {"questions": [], "conversations": [], "jobs": []}

    def __enter__(self):
        self._stack = ExitStack()
        self.client = self._stack.enter_context(
            TestClient(self.app, base_url="http://127.0.0.1:8765", follow_redirects=True)
        )
        keys = self.app.state.access.keys
        chosen = [(), *((group,) for group in GROUPS), tuple(self.draw.sample(GROUPS, 2)), tuple(GROUPS)]
        self.callers = {}
        for number, groups in enumerate(chosen):
            for admin in (False, True):
                name = f"caller{number}{'a' if admin else ''}"
                key = keys.add(name, now=now(), groups=groups, admin=admin)
                self.callers[key] = Caller(f"key:{name}", groups, admin)
        self._filled_by_who_may_all()
        return self

    def __exit__(self, *_):
        self._stack.close()
        self.assistant.close()
        self._place.cleanup()

    def _filled_by_who_may_all(self):
        """Questions, feedback, an upload and a folder: there is something to leak."""
        key = next(key for key, caller in self.callers.items() if caller.admin and len(caller.groups) == len(GROUPS))
        for policy in self.policies:
            self.send(key, "ask", {"question": f"What is the rule on {policy.words[2]}?"})
        upload = Policy(self.draw, len(self.policies), unique_words(random.Random(self.draw.random())))
        upload.file, upload.groups = f"{upload.words[3]}.md", [self.draw.choice(GROUPS)]
        text = f"# The {upload.words[0].title()} Policy\n\n## 1 Rules\n\nIt is about {' '.join(upload.words)}.\n"
        upload.title = f"The {upload.words[0].title()} Policy"
        headers = {"authorization": f"Bearer {key}"}
        got = self.client.post(
            f"{API}/uploads",
            headers=headers,
            data={"access": upload.groups},
            files=[("files", (upload.file, io.BytesIO(text.encode())))],
        )
        self.ids["jobs"].append(got.json()["id"])
        folder = str(self.service.options.folders[0])
        self.ids["jobs"].append(
            self.client.post(f"{API}/ingests", headers=headers, json={"folder": folder}).json()["id"]
        )
        state, files = self.service.state, self.service.uploads
        Worker(state, files, lambda: nullcontext(self.assistant), now).run(threading.Event(), until_empty=True)
        assert {job.state for job in self.service.jobs.latest()} == {JobState.DONE}
        upload.file = f"uploads/{upload.file}"
        self.policies.append(upload)
        assert len(self.assistant.documents(groups=GROUPS)) == len(self.policies)

    def text_of(self, policy):
        """What its file says; nothing of one that was uploaded."""
        path = self.folder / policy.file
        return path.read_text() if path.exists() else ""

    def send(self, key, route, drawn):
        """One request of a caller; all that comes back, as text."""
        caller = self.callers[key]
        method, path, how = REQUESTS[route](drawn)
        headers = {"authorization": f"Bearer {key}", **how.pop("headers", {})}
        got = self.client.request(method, path, headers=headers, **how)
        assert got.status_code < 500, (route, drawn, got.text)
        self.sent.setdefault(caller.name, []).append(json.dumps(drawn))
        if route == "ask" and got.status_code == 200:
            self.ids["questions"].append(got.json()["id"])
            self.ids["conversations"].append(got.json()["conversation"])
        said = "\n".join(f"{name}: {value}" for name, value in got.headers.items() if name != "x-request-id")
        return got, said + got.content.decode("utf-8", "replace")


def _get(path, **params):
    return "GET", path, {"params": {name: value for name, value in params.items() if value is not None}}


def _post(path, **body):
    return "POST", path, {"json": {name: value for name, value in body.items() if value is not None}}


def _tool(name, **arguments):
    given = {key: value for key, value in arguments.items() if value is not None}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": given}}
    return "POST", "/mcp", {"json": message, "headers": MCP_HEADERS}


def _form(path, **fields):
    return "POST", path, {"data": fields}


def _streamed(call):
    method, path, how = call
    return method, path, {**how, "headers": {"accept": "text/event-stream"}}


def _chat(d, *, stream):
    return _post("/v1/chat/completions", model="policy-rag", messages=[{"role": "user", "content": d["question"]}], stream=stream)  # fmt: skip


REQUESTS = {
    "search": lambda d: _post(f"{API}/search", question=d["question"], as_of=d.get("as_of"), where=d.get("where", [])),
    "ask": lambda d: _post(
        f"{API}/ask", question=d["question"], trace=True, as_of=d.get("as_of"), conversation=d.get("conversation")
    ),
    "ask streamed": lambda d: _streamed(_post(f"{API}/ask", question=d["question"], as_of=d.get("as_of"))),
    "documents": lambda _: _get(f"{API}/documents"),
    "show": lambda d: _get(f"{API}/show", document=d["document"], section=d.get("section")),
    "changes": lambda d: _get(f"{API}/changes", old=d["document"], new=d["other"]),
    "conflicts": lambda d: _get(f"{API}/conflicts", as_of=d.get("as_of")),
    "check": lambda d: _post(f"{API}/check", statement=d["statement"], file=d["document"]),
    "check all": lambda d: _post(f"{API}/check", statement=d["statement"], as_of=d.get("as_of")),
    "questions": lambda d: _get(f"{API}/questions", conversation=d.get("conversation")),
    "feedback": lambda d: _post(f"{API}/feedback", id=d["question_id"], helpful=True, comment="Yes."),
    "all questions": lambda _: _get(f"{API}/admin/questions", limit=500),
    "rated questions": lambda _: _get(f"{API}/admin/questions", rated=True),
    "unanswered": lambda _: _get(f"{API}/admin/unanswered"),
    "jobs": lambda _: _get(f"{API}/jobs"),
    "job": lambda d: _get(f"{API}/jobs/{d['job']}"),
    "folders": lambda _: _get(f"{API}/folders"),
    "me": lambda _: _get(f"{API}/me"),
    "upload": lambda _: ("POST", f"{API}/uploads", {"data": {"access": "hr"}, "files": [("files", ("x.exe", b"x"))]}),
    "ingest": lambda d: _post(f"{API}/ingests", folder=f"/{d['document']}"),
    "remove": lambda d: ("DELETE", f"{API}/documents/{quote(d['document'], safe='')}", {}),
    "chat": lambda d: _chat(d, stream=False),
    "chat streamed": lambda d: _chat(d, stream=True),
    "models": lambda _: _get("/v1/models"),
    "model": lambda _: _get("/v1/models/policy-rag"),
    "metrics": lambda _: _get("/metrics"),
    "mcp search": lambda d: _tool("search", question=d["question"]),
    "mcp ask": lambda d: _tool("ask", question=d["question"]),
    "mcp show": lambda d: _tool("show", document=d["document"]),
    "mcp documents": lambda _: _tool("documents"),
    "page": lambda _: _get("/"),
    "page ask": lambda d: _form("/ask", question=d["question"], conversation=d["conversation"] or "mine"),
    "page ask streamed": lambda d: _streamed(_form("/ask", question=d["question"], conversation="mine")),
    "page conversation": lambda d: _get(f"/conversations/{d['conversation'] or 'mine'}"),
    "page answer": lambda d: _get(f"/answers/{d['question_id']}/1"),
    "page questions": lambda _: _get("/questions"),
    "page feedback": lambda d: _form("/feedback", question_id=d["question_id"], helpful="true"),
    "page documents": lambda _: _get("/documents"),
    "page view": lambda d: _get("/documents/view", doc=d["document"], start=3, end=40),
    "page original": lambda d: _get("/documents/original", doc=d["document"]),
    "page changes": lambda d: _get("/documents/changes", old=d["document"], new=d["other"]),
    "page conflicts": lambda _: _get("/conflicts"),
    "page conflict list": lambda d: _get("/conflicts/list", as_of=d["as_of"] or ""),
    "page administration": lambda _: _get("/administration"),
    "page jobs": lambda _: _get("/administration/jobs"),
    "page upload": lambda _: (
        "POST",
        "/administration/uploads",
        {"data": {"groups": "hr"}, "files": [("files", ("x.exe", b"x"))]},
    ),
    "page ingest": lambda d: _form("/administration/folders", folder=f"/{d['document']}"),
    "page remove": lambda d: _form("/administration/removals", doc=d["document"]),
    "page all questions": lambda _: _get("/administration/questions"),
    "page rated questions": lambda _: _get("/administration/questions", show="feedback"),
    "page unanswered": lambda _: _get("/administration/unanswered"),
}
ASKED_BY_ALL = (
    "all questions",
    "rated questions",
    "unanswered",
    "page all questions",
    "page rated questions",
    "page unanswered",
)
ADMINISTRATION = (
    *ASKED_BY_ALL,
    *("jobs", "job", "folders", "upload", "ingest", "remove"),
    *("page administration", "page jobs", "page upload", "page ingest", "page remove"),
)


def drawn_request(draw, world):
    """What a caller sends: of every kind, with names, words and ids of documents and questions of whomever."""
    policy = draw.choice(world.policies)
    names = [policy.file, policy.title, f"{policy.title} > 1, line 3 ({policy.file})", f"{policy.title}, section 1"]
    ids = {name: draw.choice([*found, "0" * 32]) for name, found in world.ids.items()}  # there by now, or not there
    return policy, {
        "document": draw.choice(names),
        "other": draw.choice(world.policies).file,
        "section": draw.choice([None, "1", "2"]),
        "question": asked(draw, policy),
        "statement": stated(draw, policy),
        "as_of": draw.choice([None, "2019-01-01", "2095-01-01"]),
        "where": draw.choice([[], [f"doc_id={policy.file}"], ["version=1"]]),
        "question_id": ids["questions"],
        "conversation": draw.choice([ids["conversations"], None]),
        "job": ids["jobs"],
    }


@pytest.fixture
def plain_models(monkeypatch):
    """The small embedding model, no reader and no MLflow: they take most of the time."""
    made = index_worker._conftest.BagOfWords()
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: made)
    monkeypatch.setattr(LoadedModels, "reader", lambda _: None)
    monkeypatch.setattr(mlflow_tracing, "keep_trace", lambda *_, **__: "tr-0")
    monkeypatch.setattr(mlflow_tracing, "keep_feedback", lambda *_, **__: None)


@pytest.mark.usefixtures("plain_models")
@pytest.mark.parametrize("seed", seeds(100))
def test_nothing_of_a_hidden_document_comes_back(seed):
    with World(seed) as world:
        for number in range(CASES):
            draw = random.Random(f"{seed} {number}")
            key, route = draw.choice(list(world.callers)), draw.choice(list(REQUESTS))
            check_case(world, key, route, *drawn_request(draw, world))


@pytest.mark.usefixtures("plain_models")
def test_a_hidden_document_that_is_named_is_one_that_is_not_there():
    """Each route that names documents, by each caller; what compares two names a hidden one first, and last."""
    with World(0) as world:
        for key, caller in world.callers.items():
            hidden = [one for one in world.policies if not one.readable(caller.groups)]
            readable = [one for one in world.policies if one.readable(caller.groups)]
            for route in SAME_AS_ABSENT if hidden and readable else ():
                _, drawn = drawn_request(random.Random(f"{caller.name} {route}"), world)
                pairs = [(hidden[0], readable[0]), (readable[0], hidden[0])]
                for policy, other in pairs if route.endswith("changes") else pairs[:1]:
                    plain = {"document": policy.file, "other": other.file, "section": None, "where": [], "as_of": None}
                    check_case(world, key, route, policy, {**drawn, **plain})


def check_case(world, key, route, policy, drawn):
    """Sends one request, and judges what comes back."""
    caller = world.callers[key]
    hidden = [one for one in world.policies if not one.readable(caller.groups)]
    got, said = world.send(key, route, drawn)
    asking = world.sent if caller.admin and route in ASKED_BY_ALL else {caller.name: world.sent[caller.name]}
    known = " ".join(text for texts in asking.values() for text in texts)
    assert not leaked(said, known, hidden), (route, caller, drawn)
    known += " ".join(world.text_of(one) for one in world.policies if one not in hidden)
    unasked = [one.file for one in hidden if one.file in said and one.file not in known]
    assert not unasked, (route, caller, drawn)
    if route == "documents":
        assert len(got.json()) == len(world.policies) - len(hidden)
    if route in SAME_AS_ABSENT and policy in hidden:
        _, of_none = world.send(key, route, {**drawn, "document": ABSENT})
        assert _plain(said, drawn["document"]) == _plain(of_none, ABSENT), (route, caller, drawn)
    if hidden and route in ("jobs", "job") and got.status_code == 200:
        reports = [job["report"] for job in (got.json() if route == "jobs" else [got.json()])]
        assert all("documents" not in (report or {}) for report in reports)  # how many the index holds
    if not caller.admin and route in ADMINISTRATION:
        assert got.status_code == 404


def _plain(said, name):
    """A response without the name that was asked for, in whatever form, and without its length."""
    from html import escape

    for form in (json.dumps(name)[1:-1], escape(name), escape(repr(name)), repr(name), name):
        said = said.replace(form, "NAME")
    return "\n".join(line for line in said.splitlines() if not line.startswith("content-length"))


@pytest.mark.usefixtures("plain_models")
def test_every_route_is_asked():
    """A route that is added is asked too, or it is said here why not."""
    with World(0) as world:
        held = list(routes_of(world.app.routes))
        drawn = dict.fromkeys(("document", "other", "question", "statement", "question_id", "conversation", "job", "as_of"), "x")  # fmt: skip
        sent = {(method, path) for method, path, _ in (call(drawn) for call in REQUESTS.values())}
        unasked = {
            f"{method} {route.path}"
            for route in held
            if route.path not in UNASKED
            for method in route.methods - {"HEAD", "OPTIONS"}
            if not any(method == sent_by and route.path_regex.match(path) for sent_by, path in sent)
        }
    assert len(held) > len(REQUESTS) / 2
    assert unasked == {"GET /mcp", "DELETE /mcp"}  # of sessions, of which there are none


def routes_of(routes):
    """Every route, those of included routers among them."""
    for route in routes:
        if hasattr(route, "effective_route_contexts"):
            yield from routes_of(route.effective_route_contexts())
        elif getattr(route, "methods", None):
            yield route
