"""Administration in a browser: documents taken in, everybody's questions, and nothing of it for others."""

import threading
from contextlib import nullcontext

import pytest
from fastapi.testclient import TestClient

from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.upload_worker import Worker

NOTE = b"# Note on Parking\n\n## 1 Bicycles\n\nBicycles are parked in the hall behind building 2.\n"
PATHS = ("", "/jobs", "/questions", "/questions?show=feedback", "/unanswered")


@pytest.fixture
def admin(as_caller):
    return as_caller("board", name="admin", admin=True)


def work(client, assistant) -> None:
    """Does the jobs that wait."""
    service = client.app.state.service
    Worker(service.state, service.uploads, lambda: nullcontext(assistant), service.clock).run(
        threading.Event(), until_empty=True
    )


def upload(client, *, files=(("note.md", NOTE),), **fields):
    return client.post("/administration/uploads", data=fields, files=[("files", file) for file in files])


def test_it_is_not_there_for_others_who_take_nothing_in(client):
    for path in ("/nothing", *(f"/administration{path}" for path in PATHS)):
        got = client.get(path, headers={"accept": "text/html"})
        assert got.status_code == 404, path
        assert "There is nothing here" in got.text
    assert "Administration" not in client.get("/").text
    assert upload(client, readers="everybody").status_code == 404
    assert client.post("/administration/folders", data={"folder": "/"}).status_code == 404
    assert client.app.state.service.jobs.latest() == ()


def test_an_upload_waits_and_is_then_taken_in_for_its_groups(changeable, admin, as_caller):
    got = upload(admin, readers="groups", access="hr, board", title="Parking", version="2")
    assert got.url.path == "/administration"
    assert "Waiting" in got.text
    assert 'hx-trigger="every 1s"' in admin.get("/administration/jobs").text
    work(admin, changeable)
    done = admin.get("/administration/jobs").text
    assert "1 new, 0 changed, 0 as before." in done
    assert "every 1s" not in done
    assert "Bicycles are parked" in as_caller("hr").get("/documents/view?doc=uploads/note.md").text
    assert as_caller().get("/documents/view?doc=uploads/note.md").status_code == 404


def test_an_upload_for_everybody_may_be_read_by_everybody(changeable, admin, as_caller):
    upload(admin, readers="everybody", access="hr")  # what stands in a field that was not chosen does not count
    work(admin, changeable)
    assert as_caller().get("/documents/view?doc=uploads/note.md").status_code == 200


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"readers": "groups", "access": " , "}, "who may read it"),
        ({"readers": "everybody", "files": (("note.exe", NOTE),)}, "cannot be read"),
        ({"readers": "everybody", "title": "X", "files": (("a.md", NOTE), ("b.md", NOTE))}, "one by one"),
    ],
)
def test_what_is_wrong_with_an_upload_is_said_in_a_page(admin, fields, said):
    got = upload(admin, **fields)
    assert got.status_code == 400
    assert "<h1>" in got.text
    assert said in got.text


def test_a_file_that_cannot_be_read_is_named_with_the_reason(changeable, admin):
    upload(admin, files=(("empty.md", b""), ("note.md", NOTE)), readers="everybody")
    work(admin, changeable)
    page = admin.get("/administration").text
    assert "empty.md: " in page
    assert "1 new" in page


def test_everybodys_questions_are_seen_but_for_answers_that_are_not_the_administrators(as_caller, admin):
    board = as_caller("board", "secret", name="member")
    board.post("/ask", data={"question": "When does the Management Board meet?", "conversation": "b" * 32})
    staff = as_caller(name="staff")
    for question in ("What is the colour of the sky?", "Which colour is the sky?"):
        staff.post("/ask", data={"question": question, "conversation": "s" * 32})
    page = admin.get("/administration/questions").text
    assert "When does the Management Board meet?" in page
    assert "What was answered" in page
    outsider = as_caller(name="outsider", admin=True).get("/administration/questions").text
    assert "may not read" in outsider
    assert "Rules of Procedure" not in outsider
    refused = admin.get("/administration/questions?show=refused").text
    assert "What is the colour of the sky?" in refused
    assert "Management Board" not in refused
    assert "What is the colour of the sky?" in admin.get("/administration/unanswered").text


def test_a_browser_signs_in_with_a_key_and_out_again(ingested, tmp_path):
    client = TestClient(create_app(ingested, ServerOptions(state=tmp_path / "state")))
    access, service = client.app.state.access, client.app.state.service
    key = access.keys.add("Ada", now=service.clock(), groups=("board",))
    offered = client.get("/documents")
    assert offered.url.path == "/sign-in"
    assert 'name="next" value="/documents"' in offered.text
    assert "organisation" not in offered.text
    refused = client.post("/sign-in/key", data={"key": "prk_0_0", "next": "/documents"})
    assert "This key is not taken" in refused.text
    let_in = client.post("/sign-in/key", data={"key": key, "next": "/documents"})
    assert "Rules of Procedure of the Management Board" in let_in.text
    assert "Sign out" in let_in.text
    out = client.post("/sign-out", headers={"origin": "http://testserver"})
    assert out.url.path == "/sign-in", out.text
