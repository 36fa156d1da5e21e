"""Services on two machines over one database: each has a folder of its own, and all else is that of both."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from contextlib import closing, nullcontext
from http.cookiejar import CookieJar

import httpx
import pytest
from fastapi.testclient import TestClient
from mlflow_server import free_port
from oidc_issuer import CLIENT, SECRET, OidcIssuer

from policy_rag.cli import run
from policy_rag.server.callers import Caller
from policy_rag.server.question_feedback import give_feedback
from policy_rag.server.service import now
from policy_rag.server.service_options import OidcOptions, ServerOptions
from policy_rag.server.state import open_state
from policy_rag.server.upload_worker import Worker

ADDRESS = "http://127.0.0.1:8765"  # that of the proxy before both
PARKING = b"# Parking\n\n## 1 Places\n\nParking costs 40 euros a month.\n"


@pytest.fixture
def machine(app_of, empty_database, tmp_path, monkeypatch):
    """Starts a service on a machine of that name."""

    def started(name, **options):
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / name / "cache"))
        return app_of(ServerOptions(state=tmp_path / name, database=empty_database, public_url=ADDRESS, **options))

    return started


@pytest.fixture
def browser():
    """One that a proxy sends now to this service, now to that."""
    cookies = CookieJar()

    def at(app, key=None):
        client = TestClient(app, base_url=ADDRESS, follow_redirects=False, cookies=cookies)
        if key is not None:
            client.headers["authorization"] = f"Bearer {key}"
        return client

    return at


def key_of(app, name="ann", **more):
    return app.state.access.keys.add(name, now=now(), **more)


def test_a_session_that_was_begun_at_one_holds_at_the_other_until_its_key_is_revoked(machine, browser):
    one, two = machine("one"), machine("two")
    key = key_of(one, groups=["hr"])
    assert browser(one).post("/sign-in/key", data={"key": key, "next": "/"}).status_code == 303
    assert browser(two).get("/api/v1/me").json()["groups"] == ["hr"]
    assert "5000 euros" in browser(two, key).post("/api/v1/ask", json={"question": "How much is the bonus?"}).text
    one.state.access.keys.revoke("ann", now())
    assert [browser(app).get("/api/v1/me").status_code for app in (one, two)] == [401, 401]
    assert [browser(app, key).get("/api/v1/me").status_code for app in (one, two)] == [401, 401]


def test_a_sign_in_that_was_begun_at_one_ends_at_the_other(machine, browser):
    with OidcIssuer() as issuer:
        options = OidcOptions(issuer=issuer.url, client_id=CLIENT, client_secret=SECRET)
        one, two = machine("one", oidc=options), machine("two", oidc=options)
        sent = browser(one).get("/sign-in/oidc", params={"next": "/"})
        back = httpx.get(sent.headers["location"]).headers["location"].removeprefix(ADDRESS)
        assert browser(two).get(back).status_code == 303
        assert browser(one).get("/api/v1/me").json()["name"] == "oidc:u-17"


def test_what_was_asked_at_one_is_rated_and_seen_at_the_other_also_behind_a_restart(machine, browser):
    one = machine("one")
    key = key_of(one, admin=True)
    browser(one).post("/sign-in/key", data={"key": key, "next": "/"})
    asked = browser(one, key).post("/api/v1/ask", json={"question": "How many days of annual leave are there?"}).json()
    one.state.service.state.close()
    two = machine("two")
    give_feedback(two.state.service, Caller("key:ann"), asked["id"], helpful=True, comment=None)
    two.state.service.state.close()
    one = machine("one")
    (seen,) = browser(one).get("/api/v1/admin/questions").json()
    assert (seen["id"], seen["helpful"], "28 days" in seen["answer"]["answer"]) == (asked["id"], True, True)


def work(app):
    """Does the jobs that wait."""
    service = app.state.service
    worker = Worker(service.state, service.uploads, lambda: nullcontext(service.assistant), now)
    worker.run(threading.Event(), until_empty=True)


@pytest.mark.usefixtures("changeable")
def test_what_is_uploaded_at_one_is_taken_in_by_the_worker_of_the_other(machine, browser, tmp_path, empty_database):
    one, two = machine("one"), machine("two")
    key = key_of(one, admin=True)
    files = [("files", ("parking.md", PARKING))]
    job = browser(one, key).post("/api/v1/uploads", data={"open_to_all": "true"}, files=files).json()["id"]

    work(two)
    assert browser(one, key).get(f"/api/v1/jobs/{job}").json()["report"]["added"] == 1
    one.state.service.uploads.fetch()
    copies = list(tmp_path.glob("*/cache/**/library/parking.md"))
    assert [copy.read_bytes() for copy in copies] == [PARKING, PARKING]
    assert browser(one, key).delete("/api/v1/documents/uploads/parking.md").status_code == 202
    work(one)
    two.state.service.uploads.fetch()
    assert not any(copy.exists() for copy in copies)
    with closing(open_state(empty_database)) as state, state.reading() as db:
        assert db.execute("SELECT * FROM uploaded_parts").fetchall() == []


@pytest.mark.usefixtures("changeable")
def test_a_job_that_a_machine_left_when_it_failed_is_done_by_the_other(machine, browser, tmp_path):
    one, two = machine("one"), machine("two", folders=(tmp_path / "policies",))
    key = key_of(one, admin=True)
    body = {"folder": str(tmp_path / "policies")}
    job = browser(two, key).post("/api/v1/ingests", json=body).json()["id"]
    begun = one.state.service.jobs.begin_next()
    one.state.service.state.close()
    work(two)
    found = two.state.service.jobs.one(job)
    assert (begun.id, found.state, found.attempts, found.report["unchanged"]) == (job, "done", 2, 2)


def test_a_stranger_is_not_told_where_the_state_is_when_it_is_gone(machine, browser, caplog, empty_database):
    one = machine("one")
    one.state.service.state.close()
    got = browser(one, "prk_a_b").get("/api/v1/me")
    assert (got.status_code, got.headers["content-type"]) == (503, "application/problem+json")
    assert "postgresql" not in got.text
    assert str(empty_database) in caplog.text


@pytest.mark.slow
def test_two_commands_over_one_database_are_one_service(postgres_url, tmp_path, capsys):
    """Each is started in a folder of its own, and one of them without a worker."""
    (tmp_path / "leave.md").write_text("# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n")
    assert run(["ingest", str(tmp_path / "leave.md"), "--index", postgres_url]) == 0
    capsys.readouterr()
    assert run(["keys", "add", "ann", "--admin", "--index", postgres_url]) == 0
    key = capsys.readouterr().out.strip()
    serving, ports = [], [free_port(), free_port()]
    one, two = (f"http://127.0.0.1:{port}" for port in ports)
    call = [sys.executable, "-m", "policy_rag", "serve", "--index", postgres_url, "--public-url", one]
    for name, port, more in (("one", ports[0], ["--no-worker"]), ("two", ports[1], [])):
        (tmp_path / name).mkdir()
        environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / name / "cache")}
        given = [*call, "--port", str(port), "--llm", "extractive", *more]
        serving.append(subprocess.Popen(given, cwd=tmp_path / name, env=environment, stderr=subprocess.PIPE))
    client, until = httpx.Client(timeout=60), time.monotonic() + 120

    def wait_for(holds):
        while not holds():
            assert time.monotonic() < until
            assert [process.poll() for process in serving] == [None, None]
            time.sleep(0.1)

    def ready():
        with contextlib.suppress(httpx.TransportError):
            return all(client.get(f"{url}/api/v1/readiness").status_code == 200 for url in (one, two))

    try:
        wait_for(ready)
        assert client.post(f"{one}/sign-in/key", data={"key": key, "next": "/"}).status_code == 303
        files, mine = [("files", ("parking.md", PARKING))], {"origin": one}
        sent = client.post(f"{one}/api/v1/uploads", data={"open_to_all": "true"}, files=files, headers=mine)
        wait_for(lambda: client.get(f"{two}/api/v1/jobs/{sent.json()['id']}").json()["state"] == "done")
        asked = {"question": "What does parking cost a month?"}
        for url in (one, two):
            assert "40 euros" in client.post(f"{url}/api/v1/ask", json=asked, headers={"origin": url}).json()["answer"]
        assert len(client.get(f"{one}/api/v1/questions").json()) == 2
    finally:
        client.close()
        for process in serving:
            process.terminate()
        said = [process.communicate(timeout=60)[1] for process in serving]
    assert [process.returncode for process in serving] == [0, 0], said
    assert b"Traceback" not in b"".join(said)
    assert [sorted(path.name for path in (tmp_path / name).iterdir()) for name in ("one", "two")] == [
        [".policy_rag_service", "cache"]
    ] * 2
