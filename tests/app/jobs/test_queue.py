"""An ingest left to workers: the same index as an ingest at once, each document prepared once, nothing half."""

import datetime as dt
import json
import threading
import time

import psycopg
import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError, UsageError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.jobs.queue import database_of, hand_over
from policy_rag.jobs.worker import IngestWorker
from policy_rag.settings import load_settings

JOBS = "SELECT count(*) FROM policy_rag_jobs.procrastinate_jobs WHERE status IN ('todo', 'doing')"


@pytest.fixture
def policies(tmp_path):
    folder = tmp_path / "policies"
    for i in range(4):
        place = folder / f"part {i % 2}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"policy {i}.md").write_text(f"# Policy {i}\n\n## 1 Days\n\nRule {i} gives {i + 20} days.\n")
    (folder / "policies.yaml").write_text("part 0/policy 2.md:\n  access: [hr]\n")
    return folder


@pytest.fixture
def opened(postgres_url, embedder, monkeypatch):
    """Opens the index under the small model."""
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    monkeypatch.setattr("policy_rag.jobs.worker._LOOKS_AGAIN", 0.05)
    return lambda changes=None: PolicyAssistant.open(postgres_url, create=True, settings=load_settings(changes or {}))


@pytest.fixture
def work(opened, postgres_url):
    """Works until no job is left; answers what was told."""

    def do(told=None):
        told = [] if told is None else told
        IngestWorker(PostgresAddress(postgres_url), opened, told.append).run(until_empty=True)
        return told

    return do


def waiting(postgres_url):
    with psycopg.connect(postgres_url) as db:
        return db.execute(JOBS).fetchone()[0]


def test_workers_make_the_index_that_an_ingest_makes(opened, work, policies, postgres_url, tmp_path, embedder):
    with opened() as assistant:
        done = hand_over(assistant, PostgresAddress(postgres_url), [policies])
        assert (done.waiting, done.unchanged) == (4, 0)
        assert assistant.index.documents() == ()
        told = work()
        assert sorted(told[:-1]) == sorted(f"prepared part {i % 2}/policy {i}.md" for i in range(4))
        assert told[-1] == "taken in: 4 added; 4 documents in all"
        once = len(embedder.embedded)
        with PolicyAssistant.open(tmp_path / "folder", create=True, settings=load_settings()) as other:
            other.ingest([policies])
            assert len(embedder.embedded) == 2 * once
            with assistant.index.reading() as ours, other.index.reading() as theirs:
                assert digest_of(ours) == digest_of(theirs)
        assert [d.doc_id for d in assistant.index.documents() if d.access == ("hr",)] == ["part 0/policy 2.md"]
        assert verify(assistant.index).ok
        again = hand_over(assistant, PostgresAddress(postgres_url), [policies])
        assert (again.waiting, again.unchanged) == (0, 4)
        assert work() == ["taken in: 4 unchanged; 4 documents in all"]


def digest_of(db):
    """All rows of documents, their order of arrival aside."""
    return sorted(
        db.execute(
            "SELECT doc_id, root, file, title, access, content_hash, source_hash, text, "
            "(SELECT count(*) FROM passages p WHERE p.doc_key = d.doc_key) FROM documents d"
        ).fetchall()
    )


def test_what_is_handed_over_twice_is_done_once(opened, work, policies, postgres_url, embedder):
    with opened() as assistant:
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
        assert waiting(postgres_url) == 4 + 2
        told = work()
        assert len([line for line in told if line.startswith("prepared")]) == 4
        assert len(embedder.embedded) == len(set(embedder.embedded))
        assert waiting(postgres_url) == 0
        with assistant.index.truth.noting() as db:
            assert db.execute("SELECT count(*) FROM staged").fetchone() == (0,)


def test_changed_gone_and_unreadable_files_are_told_as_by_an_ingest(opened, work, policies, postgres_url):
    with opened() as assistant:
        assistant.ingest([policies])
        (policies / "part 0" / "policy 0.md").write_text("# Policy 0\n\n## 1 Days\n\nNow 99 days.\n")
        (policies / "part 1" / "policy 3.md").unlink()
        (policies / "broken.pdf").write_bytes(b"%PDF-1.7 no more")
        done = hand_over(assistant, PostgresAddress(postgres_url), [policies], prune=True)
        assert (done.waiting, done.unchanged) == (2, 2)
        told = work()
        assert told[0] == "prepared part 0/policy 0.md"
        assert told[1] == "taken in: 1 updated, 2 unchanged, 1 removed; 3 documents in all"
        assert told[2].startswith("failed: broken.pdf: ")
        assert len(told) == 3
        assert "99 days" in assistant.show("part 0/policy 0.md").text


def test_what_is_not_on_the_workers_machine_is_given_up_and_listed_until_it_is_handed_over_again(
    opened, work, policies, postgres_url, capsys
):
    def listed():
        assert run(["worker", "--failed", "--index", postgres_url]) == 0
        return capsys.readouterr()

    assert listed().err == "no job was given up\n"
    with opened() as assistant:
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
    policies.rename(policies.with_name("elsewhere"))
    told = []
    with pytest.raises(IndexingError, match="5 jobs were given up, as told above"):
        work(told)
    absent = "it is not on this machine: workers need the files under the same paths"
    assert sorted(told[:4]) == [f"given up: part {i % 2}/policy {i}.md: {absent}" for i in (0, 2, 1, 3)]
    assert told[4].startswith(f"given up: {policies}: ")
    assert len(told) == 5
    lines = listed().out.splitlines()
    again = f"mend it and run `policy-rag ingest {policies} --queue --index '{PostgresAddress(postgres_url)}'`"
    assert [line.partition(": given up at ")[0] for line in lines] == [
        *(f"part {i % 2}/policy {i}.md of {policies}" for i in (0, 2, 1, 3)),
        f"taking in of {policies}",
    ]
    assert all(line.endswith(f", at attempt 1: {again}") for line in lines)
    assert run(["worker", "--failed", "--json", "--index", postgres_url]) == 0
    first = json.loads(capsys.readouterr().out)[0]
    assert (first["file"], first["paths"], first["attempts"]) == ("part 0/policy 0.md", [str(policies)], 1)
    with psycopg.connect(postgres_url) as db:
        failed = db.execute(
            "SELECT at FROM policy_rag_jobs.procrastinate_events event JOIN policy_rag_jobs.procrastinate_jobs job "
            "ON job_id = job.id WHERE type = 'failed' AND args ->> 'file' = 'part 0/policy 0.md'"
        ).fetchone()
    assert dt.datetime.fromisoformat(first["at"]) == failed[0]
    policies.with_name("elsewhere").rename(policies)
    with opened() as assistant:
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
        assert listed().out == ""
        work()
        assert len(assistant.index.documents()) == 4
    assert listed().err == "no job was given up\n"
    assert run(["worker", "--failed", "--index", str(policies)]) == 2
    assert "--failed is for the jobs of an index in Postgres" in capsys.readouterr().err


def test_settings_of_the_ingest_go_with_it(opened, work, policies, postgres_url):
    changes = {"access": ("board",), "hit_chars": 777}
    with opened(changes) as assistant:
        hand_over(assistant, PostgresAddress(postgres_url), [policies], changes=changes)
        work()
        assert {d.access for d in assistant.index.documents()} == {("board",), ("hr",)}
        assert assistant.index.manifest.hit_chars == 777


def test_a_job_that_failed_for_the_time_being_is_begun_again_later(
    opened, work, policies, postgres_url, monkeypatch, embedder
):
    failed = threading.Event()
    embed = embedder.embed

    def once(texts, **more):
        if not failed.is_set():
            failed.set()
            raise IndexingError("not now")
        return embed(texts, **more)

    monkeypatch.setattr(embedder, "embed", once)
    with opened() as assistant:
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
        begun = time.monotonic()
        told = work()
        assert time.monotonic() - begun >= 2
        assert told[-1] == "taken in: 4 added; 4 documents in all"


def test_the_command_line(postgres_server, postgres_url, opened, policies, tmp_path, capsys):
    assert run(["ingest", str(policies), "--queue", "--index", postgres_url]) == 0
    assert "4 documents left to workers, 0 in the index as they are" in capsys.readouterr().out.replace("\n", " ")
    assert run(["worker", "--until-empty", "--index", postgres_url]) == 0
    assert "taken in: 4 added; 4 documents" in capsys.readouterr().err
    assert run(["ingest", str(policies), "--queue", "--json", "--index", postgres_url]) == 0
    assert json.loads(capsys.readouterr().out) == {"waiting": 0, "unchanged": 4}
    assert run(["ingest", str(policies), "--queue", "--index", str(tmp_path / "folder")]) == 2
    assert "only an index in Postgres has a queue" in capsys.readouterr().err


def test_where_there_is_no_queue_it_is_said(postgres_server, postgres_url, opened, policies, tmp_path):
    with pytest.raises(UsageError, match="only an index in Postgres has a queue"):
        database_of(tmp_path)
    database = postgres_url.partition("@/")[2].partition("?")[0]
    postgres_server.execute("DROP SCHEMA policy_rag_jobs CASCADE", database)
    with opened() as assistant, pytest.raises(IndexingError, match="no tables for jobs: run `policy-rag migrate"):
        hand_over(assistant, PostgresAddress(postgres_url), [policies])
    with pytest.raises(IndexingError, match="no tables for jobs: run `policy-rag migrate"):
        IngestWorker(PostgresAddress(postgres_url), opened, print).run(until_empty=True)
