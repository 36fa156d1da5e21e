"""Uploads and folders are taken in by one worker, for whom they were declared, and go on after it was killed."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext

import pytest
from fastapi.testclient import TestClient

from policy_rag.server.callers import Caller
from policy_rag.server.jobs import MOST_ATTEMPTS, JobKind, JobState
from policy_rag.server.service import now
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.upload_worker import Worker
from policy_rag.server.uploads import UploadedFiles, safe_name, said_of

PARKING = b"# Parking\n\n## 1 Places\n\nParking costs 40 euros a month.\n"


@pytest.fixture
def app(changeable, app_of, kept, tmp_path):
    return app_of(ServerOptions(**kept, folders=(tmp_path / "policies",)))


@pytest.fixture
def service(app):
    return app.state.service


@pytest.fixture
def client(app):
    def made(name, *, groups=(), admin=True):
        key = app.state.access.keys.add(name, now=now(), groups=groups, admin=admin)
        return TestClient(app, base_url="http://127.0.0.1:8765", headers={"authorization": f"Bearer {key}"})

    return made


@pytest.fixture
def work(service):
    def done(opened=None):
        worker = Worker(service.state, service.uploads, opened or (lambda: nullcontext(service.assistant)), now)
        worker.run(threading.Event(), until_empty=True)

    return done


def uploaded(client, data, names=("parking.md",), content=PARKING):
    got = client.post("/api/v1/uploads", data=data, files=[("files", (name, content)) for name in names])
    assert got.status_code == 202, got.text
    return got.json()["id"]


def test_an_upload_is_taken_in_for_the_groups_that_were_named(client, work):
    ann, bob, carl = client("ann", groups=["hr"]), client("bob", groups=["legal"]), client("carl", admin=False)
    job = uploaded(ann, {"access": ["legal", "board"], "version": "3.1", "title": "Parking of Cars"})
    assert ann.get(f"/api/v1/jobs/{job}").json()["state"] == "queued"
    work()
    found = ann.get(f"/api/v1/jobs/{job}").json()
    assert (found["state"], found["report"]["added"], found["error"]) == ("done", 1, None)
    (row,) = [row for row in bob.get("/api/v1/documents").json() if row["doc_id"] == "uploads/parking.md"]
    assert (row["access"], row["version"], row["title"]) == (["legal", "board"], "3.1", "Parking of Cars")
    for other in (ann, carl):
        assert [row["doc_id"] for row in other.get("/api/v1/documents").json() if "park" in row["doc_id"]] == []


def test_an_upload_takes_the_place_of_the_one_before_and_of_no_other_document(client, work):
    ann = client("ann", groups=["hr"])
    for content in (PARKING, PARKING.replace(b"40", b"50")):
        uploaded(ann, {"open_to_all": "true"}, names=["leave.md"], content=content)
        work()
    assert "28 days" in ann.get("/api/v1/show", params={"document": "leave.md"}).json()["text"]
    text = ann.get("/api/v1/show", params={"document": "uploads/leave.md"}).json()["text"]
    assert "50 euros" in text
    assert "40 euros" not in text


def test_nobody_takes_the_place_of_what_they_may_not_read(client, work):
    ann, bob = client("ann", groups=["hr"]), client("bob")
    uploaded(ann, {"access": "hr"})
    work()
    job = uploaded(bob, {"open_to_all": "true"}, content=b"# Mine\n\nAll is mine.\n")
    work()
    assert bob.get(f"/api/v1/jobs/{job}").json()["state"] == "failed"
    assert "40 euros" in ann.get("/api/v1/show", params={"document": "uploads/parking.md"}).json()["text"]


def test_a_file_that_lets_in_others_than_was_said_is_refused(client, work, service):
    ann = client("ann")
    own = b"---\naccess: [everybody-else]\n---\n" + PARKING
    job = uploaded(ann, {"access": "board"}, content=own)
    work()
    found = ann.get(f"/api/v1/jobs/{job}").json()
    assert found["state"] == "failed"
    assert "everybody-else" in found["error"]
    assert all("parking" not in document.doc_id for document in service.assistant.index.documents())
    assert not list(service.uploads.library.glob("*.md"))


NONE = [
    ({}, ["a.md"], "who may read it"),
    ({"access": "hr", "open_to_all": "true"}, ["a.md"], "not both"),
    ({"access": ["hr", ""]}, ["a.md"], "empty"),
    ({"access": ["hr", " legal"]}, ["a.md"], "blanks around it"),
    ({"access": "hr"}, [], "no file"),
    ({"access": "hr"}, ["a.exe"], "cannot be read"),
    ({"access": "hr"}, ["policies.yaml"], "cannot be read"),
    ({"access": "hr"}, ["../..", "a.md"], "cannot be read"),
    ({"access": "hr"}, ["a.md", "x/A.md"], "same name"),
    ({"access": "hr", "version": "2"}, ["a.md", "b.md"], "one file"),
    ({"access": "hr"}, [f"{n}.md" for n in range(101)], "Too many"),
]


def test_an_upload_that_is_none_is_one_problem_document(client, service):
    ann = client("ann")
    for data, names, said in NONE:
        files = [("files", (name, b"# A\n")) for name in names]
        got = ann.post("/api/v1/uploads", data=data, files=files or None)
        assert (got.status_code, got.headers["content-type"]) == (400, "application/problem+json"), (data, names)
        assert said in got.json()["detail"]
        assert service.jobs.latest() == ()
        with service.state.reading() as db:
            assert db.execute("SELECT * FROM uploaded_files").fetchall() == []


@pytest.mark.parametrize(
    "given", ["../../../etc/cron.d/x.md", "..\\..\\x.md", "/abs/x.md", "x\0.md", "~root/x.md", ".x.md", "a/./x.md", "x\n.md", "é" * 300 + ".md", "CON.md", "- x.md", "\u202ex.md"]
)  # fmt: skip
def test_a_name_stays_inside_and_is_seen(given, tmp_path):
    name = safe_name(given)
    assert (tmp_path / name).resolve().parent == tmp_path
    assert name.isprintable()
    assert not name.startswith((".", "~"))
    assert len(name.encode()) <= 255
    (tmp_path / name).write_text("")


def test_uploads_are_for_administrators_and_read_only_once_that_is_known(client):
    carl, files = client("carl", admin=False), [("files", ("a.md", b"# A"))]
    assert carl.post("/api/v1/uploads", data={"access": "hr"}, files=files).status_code == 404
    for path in ("jobs", "folders", "jobs/x"):
        assert carl.get(f"/api/v1/{path}").status_code == 404


def test_a_folder_that_was_named_at_the_start_is_taken_in_and_no_other(client, work, tmp_path):
    ann = client("ann", groups=["hr"])
    (tmp_path / "policies" / "new.md").write_text("# New\n\nA new rule on bicycles.\n")
    (tmp_path / "policies" / "leave.md").unlink()
    folder = str(tmp_path / "policies")
    assert ann.get("/api/v1/folders").json() == [folder]
    for other in (str(tmp_path), f"{folder}/../policies", "/etc", ""):
        assert ann.post("/api/v1/ingests", json={"folder": other}).status_code == 400
    job = ann.post("/api/v1/ingests", json={"folder": folder, "prune": True}).json()["id"]
    work()
    report = ann.get(f"/api/v1/jobs/{job}").json()["report"]
    assert (report["added"], report["removed"], report["documents"]) == (1, 1, 2)
    assert [row["doc_id"] for row in ann.get("/api/v1/documents").json()] == ["new.md", "pay.md"]


def test_of_others_jobs_is_told_what_names_no_document_that_one_may_not_read(client, work, tmp_path):
    ann, bob = client("ann", groups=["hr"]), client("bob")
    uploaded(ann, {"access": "hr"}, names=["bonus of directors.md"])
    ann.post("/api/v1/ingests", json={"folder": str(tmp_path / "policies")})
    work()
    seen = bob.get("/api/v1/jobs").json()
    assert [job["state"] for job in seen] == ["done", "done"]
    assert "directors" not in json.dumps(seen)
    assert [(job["report"], job["given"], job["share"]) for job in seen] == [(None, {}, 1.0)] * 2
    assert "directors" in ann.get("/api/v1/jobs").text


def test_a_document_is_taken_out_with_the_file_that_was_uploaded(client, work, service, tmp_path):
    ann, bob, carl = client("ann", groups=["hr"]), client("bob"), client("carl", admin=False)
    uploaded(ann, {"access": "hr"})
    work()
    for doc_id in ("uploads/parking.md", "nothing.md"):
        said = [who.delete(f"/api/v1/documents/{doc_id}") for who in (bob, carl)]
        assert [got.status_code for got in said] == [404, 404]
        assert doc_id not in carl.delete(f"/api/v1/documents/{doc_id}").json()["detail"]
    removed = [ann.delete(f"/api/v1/documents/{doc_id}") for doc_id in ("uploads/parking.md", "leave.md")]
    assert [got.status_code for got in removed] == [202, 202]
    work()
    reports = [ann.get(f"/api/v1/jobs/{got.json()['id']}").json()["report"] for got in removed]
    assert [(report["removed"], report["documents"]) for report in reports] == [(1, 2), (1, 1)]
    assert [row["doc_id"] for row in ann.get("/api/v1/documents").json()] == ["pay.md"]
    library = service.uploads.library
    assert json.loads((library / "policies.yaml").read_text()) == {}
    assert not list(library.glob("*.md"))
    assert (tmp_path / "policies" / "leave.md").is_file(), "files of a folder are their owner's"
    told = [json.loads(line) for line in (service.options.state / "audit.jsonl").read_text().splitlines()]
    taken_out = [event for event in told if event["activity_name"] == "Delete"]
    assert [event["actor"]["user"]["uid"] for event in taken_out] == ["key:ann"] * 2


def test_of_a_document_that_is_gone_others_are_not_told(client, work):
    """Once it is out, whoever could not read it may read all that is left."""
    ann, bob = client("ann", groups=["hr", "board"]), client("bob", groups=["hr"])
    uploaded(ann, {"access": "board"}, names=["merger.md"])
    ann.delete("/api/v1/documents/uploads/merger.md")
    work()
    ann.delete("/api/v1/documents/uploads/merger.md")
    work()
    for said in (bob.get("/api/v1/jobs").text, bob.get("/administration/jobs").text):
        assert "merger" not in said
    assert "merger" in ann.get("/api/v1/jobs").text


def test_a_removal_that_was_cut_short_behind_its_end_is_done(client, work, service):
    gone = {"documents": ["gone.md"], "groups": []}
    job = service.jobs.add(JobKind.REMOVAL, Caller("ann"), gone, now())
    work()
    assert (service.jobs.one(job).state, service.jobs.one(job).report["removed"]) == (JobState.DONE, 0)


def test_what_a_killed_worker_left_goes_on_and_what_kills_each_has_failed(service, work):
    def killing():
        raise KeyboardInterrupt

    given = {"names": ["a.md"], "said": {}, "groups": []}
    job = service.jobs.add(JobKind.UPLOAD, Caller("ann"), given, now(), job_id="j1")
    service.uploads.stage(job, [("a.md", io.BytesIO(PARKING))])
    with pytest.raises(KeyboardInterrupt):
        work(killing)
    assert service.jobs.one(job).state is JobState.RUNNING
    work()
    assert (service.jobs.one(job).state, service.jobs.one(job).attempts) == (JobState.DONE, 2)
    job = service.jobs.add(JobKind.FOLDER, Caller("ann"), {"folder": "/", "prune": False}, now())
    for _ in range(MOST_ATTEMPTS):
        with pytest.raises(KeyboardInterrupt):
            work(killing)
    work(killing)
    assert service.jobs.one(job).state is JobState.FAILED


def test_an_upload_that_was_cut_short_anywhere_is_moved_again(state, tmp_path):
    files, said = UploadedFiles(state, tmp_path), said_of(["hr"], open_to_all=False)
    data = {"a.md": b"a" * (3 << 19), "b.md": b""}  # parts of a megabyte
    files.stage("j", [(name, io.BytesIO(content)) for name, content in data.items()])
    files.library.mkdir()
    (files.library / ".a.md.writing").write_bytes(b"a")
    (files.library / "policies.yaml").write_text(json.dumps({"a.md": said}))
    for _ in range(2):
        assert files.take_over("j", ["a.md", "b.md"], said) == (files.library / "a.md", files.library / "b.md")
        assert json.loads((files.library / "policies.yaml").read_text()) == {"a.md": said, "b.md": said}
        assert {path.name: path.read_bytes() for path in files.library.glob("*.md")} == data


def test_each_machine_has_the_library_that_the_state_holds(state, tmp_path):
    one, two = (UploadedFiles(state, tmp_path / name) for name in ("one", "two"))

    def seen(files):
        found = {path.name: path.read_bytes() for path in files.library.glob("*.md")}
        return found, json.loads((files.library / "policies.yaml").read_text())

    for n, content in enumerate((b"old", b"new")):
        one.stage(f"j{n}", [("a.md", io.BytesIO(content)), ("b.md", io.BytesIO(b"b"))])
        two.take_over(f"j{n}", ["a.md", "b.md"], {"access": ["hr"]})
        one.fetch()
        both = {"a.md": content, "b.md": b"b"}, {name: {"access": ["hr"]} for name in ("a.md", "b.md")}
        assert seen(one) == seen(two) == both
    one.remove("uploads/a.md")
    (two.library / ".a.md.writing").write_bytes(b"ne")
    two.fetch()
    assert not list(two.library.glob(".*"))
    assert seen(one) == seen(two) == ({"b.md": b"b"}, {"b.md": {"access": ["hr"]}})


def test_only_one_worker_works_at_a_time(service):
    begun, go_on, seen = threading.Event(), threading.Event(), []

    def slow():
        seen.append(threading.get_ident())
        begun.set()
        assert go_on.wait(10)
        return nullcontext(service.assistant)

    for _ in range(2):
        service.jobs.add(JobKind.FOLDER, Caller("ann"), {"folder": "/nowhere", "prune": False}, now())
    worker = Worker(service.state, service.uploads, slow, now)
    given = {"args": (threading.Event(),), "kwargs": {"until_empty": True}}
    workers = [threading.Thread(target=worker.run, **given) for _ in range(2)]
    for one in workers:
        one.start()
    assert begun.wait(10)
    time.sleep(0.1)
    assert len(seen) == 1
    go_on.set()
    for one in workers:
        one.join()
    assert len(set(seen)) == 1
    assert [job.state for job in service.jobs.latest()] == [JobState.FAILED] * 2


def test_the_command_ends_with_its_parent_and_when_it_is_told(state_database, tmp_path):
    call = [sys.executable, "-m", "policy_rag", "worker"]
    orphan = subprocess.Popen([*call, "--state", str(tmp_path), "--parent", "1"])
    place = ["--uploads", "--index", state_database.url]
    told = subprocess.Popen([*call, *place], stderr=subprocess.PIPE, text=True)
    assert "waits" in told.stderr.readline()
    os.kill(told.pid, signal.SIGTERM)
    told.stderr.close()
    assert (orphan.wait(90), told.wait(90)) == (0, 0)
