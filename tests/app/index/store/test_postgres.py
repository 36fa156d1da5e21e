"""An index in Postgres: the database itself keeps from a caller what he may not read; one writer; no password shown."""

import datetime as dt
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import psycopg
import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import IndexingError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.copying import copy_index
from policy_rag.index.maintenance.verify import verify
from policy_rag.index.store import snapshot_files
from policy_rag.index.store.place import index_place
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.postgres.connection import KEEPER, READER
from policy_rag.index.store.postgres.schema import migrate
from policy_rag.index.store.schema import FORMAT
from policy_rag.index.store.store import Index
from policy_rag.settings import load_settings
from policy_rag_parsers.document_metadata.declarations import Declaration

DAY = dt.date(2026, 5, 1)


@pytest.fixture
def index(postgres_url):
    with Index(postgres_url) as made:
        yield made


@pytest.fixture(scope="module")
def library(address, document, manifest, make_embedder):
    """A document for all, one for HR, one for the board from June on, one that was replaced in April; to read only."""
    said = {
        "all.md": Declaration(),
        "hr.md": Declaration(access=("hr",)),
        "board.md": Declaration(access=("board", "hr"), effective_from=dt.date(2026, 6, 1)),
        "old.md": Declaration(),
        "new.md": Declaration(effective_from=dt.date(2026, 4, 1), supersedes=("old.md",)),
    }
    made = [
        document(
            name,
            [("1", "Leave", f"Leave of {name}. See section 2."), ("2", "More", f"More of {name}.")],
            declaration=one,
        )
        for name, one in said.items()
    ]
    with Index(address) as index:
        index.update(made, manifest, make_embedder())
        yield index


def database_of(url):
    return url.partition("@/")[2].partition("?")[0]


def seen(index, groups, day=None):
    with index.truth.reading() as db:
        mine = index.truth.as_reader(db, groups, day)
        return {row[0] for row in mine.execute("SELECT doc_id FROM documents")}


def test_row_level_security_knows_groups_and_day(library):
    everybody = {"all.md", "old.md", "new.md"}
    assert seen(library, ()) == everybody
    assert seen(library, ("hr",)) == everybody | {"hr.md", "board.md"}
    assert seen(library, ("board",)) == everybody | {"board.md"}
    assert seen(library, (), dt.date(2026, 3, 31)) == {"all.md", "old.md"}
    assert seen(library, ("board",), DAY) == {"all.md", "new.md"}
    assert seen(library, ("board",), dt.date(2026, 6, 1)) == {"all.md", "new.md", "board.md"}


@pytest.mark.parametrize("table", ["sections", "blocks", "edges", "passages"])
def test_no_table_shows_rows_of_a_document_that_may_not_be_read(library, table):
    with library.truth.reading() as db:
        mine = library.truth.as_reader(db, ("board",), None)
        asked = f"SELECT count(*) FROM {table}"  # noqa: S608
        hidden = db.execute("SELECT doc_key FROM documents WHERE doc_id = 'hr.md'").fetchone()[0]
        of_hidden = db.execute(f"{asked} WHERE doc_key = ?", (hidden,)).fetchone()[0]
        assert of_hidden > 0
        assert mine.execute(asked).fetchone()[0] == db.execute(asked).fetchone()[0] - of_hidden
        assert mine.execute(f"{asked} WHERE doc_key = ?", (hidden,)).fetchone()[0] == 0


@pytest.mark.parametrize("table", ["manifest", "chunks", "vectors"])
def test_a_caller_reads_no_table_of_the_index_itself(library, table):
    with pytest.raises(psycopg.errors.InsufficientPrivilege), library.truth.reading() as db:
        library.truth.as_reader(db, ("hr",), None).execute(f"SELECT * FROM {table}")  # noqa: S608


def test_without_groups_set_the_role_sees_nothing_and_a_caller_cannot_write(library, address):
    with psycopg.connect(address) as raw:
        raw.execute("SET ROLE policy_rag_reader")
        assert raw.execute("SELECT count(*) FROM policy_rag.documents").fetchone() == (0,)
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute("DELETE FROM policy_rag.documents")


def test_the_login_alone_sees_nothing(library, address):
    with psycopg.connect(address) as raw, pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute("SELECT count(*) FROM policy_rag.documents")


def test_a_search_reads_through_the_security_and_tells_the_same_as_a_folder(
    library, tmp_path, manifest, embedder, monkeypatch
):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    with Index(tmp_path / "folder", create=True) as folder:
        copy_index(library, folder)
        both = [PolicyAssistant(one, load_settings(), today=DAY) for one in (library, folder)]
        for groups in ((), ("hr",), ("board",)):
            for question in ("Leave", "What does section 2 of hr.md say?", "more of board"):
                ours, theirs = (one.search(question, groups=groups) for one in both)
                assert [h.doc_id for h in ours.hits] == [h.doc_id for h in theirs.hits]
                assert np.allclose([h.score for h in ours.hits], [h.score for h in theirs.hits], atol=1e-5)
                assert ours.hits
        # Were the choice above the database to fail, the database would still keep its rows.
        monkeypatch.setattr("policy_rag.index.store.stored_documents.DocumentInfo.open_to", lambda *_: True)
        with library.reading(groups=("board",)) as db:
            assert db.execute("SELECT text FROM documents WHERE doc_id = 'hr.md'").fetchone() is None


def test_there_is_one_writer_at_a_time(index, postgres_url, document, manifest, embedder, monkeypatch):
    monkeypatch.setattr("policy_rag.index.store.postgres.truth._WAIT_SECONDS", 0.1)
    with (
        Index(postgres_url) as other,
        other.writer(),
        pytest.raises(IndexingError, match="another process is writing to the index in postgresql://app@"),
    ):
        index.update([document("b.md", [("1", "B", "Text.")])], manifest, embedder)
    assert index.update([document("b.md", [("1", "B", "Text.")])], manifest, embedder).added == 1


def test_there_and_back_again_the_hash_is_the_same(library, tmp_path, postgres_server, document, manifest, embedder):
    with Index(tmp_path / "folder", create=True) as folder:
        there = copy_index(library, folder)
        assert (there.documents, there.vectors) == (5, 10)
        assert verify(folder).ok
        back_url = postgres_server.url(postgres_server.new_database("ready"), "app")
        with Index(back_url) as back:
            assert copy_index(folder, back) == there
            assert verify(back).ok
            assert seen(back, (), DAY) == seen(library, (), DAY)
            assert back.update([document("b.md", [("1", "B", "Text.")])], manifest, embedder).added == 1
            with pytest.raises(IndexingError, match=r"there is an index in .* already"):
                copy_index(folder, back)


def test_a_copy_that_arrives_otherwise_is_undone(library, tmp_path, monkeypatch):
    with Index(tmp_path / "folder", create=True) as folder:
        digests = iter(["sent", "arrived"])
        monkeypatch.setattr("policy_rag.index.maintenance.copying.index_digest", lambda _: next(digests))
        with pytest.raises(IndexingError, match="differs from what was sent"):
            copy_index(library, folder)
        assert folder.documents() == ()
        assert folder.manifest is None


def test_files_made_from_the_rows_are_made_again_where_they_are_lost(library, address):
    with library.snapshot() as snapshot:
        expected = snapshot.derived.keywords.scores(["leav"], pair_weight=0)
    shutil.rmtree(library.folder)
    with Index(address) as again, again.snapshot() as snapshot:
        assert np.array_equal(snapshot.derived.keywords.scores(["leav"], pair_weight=0), expected)


def test_what_a_killed_reader_left_of_the_files_it_made_is_no_fault_of_the_index(library):
    with library.snapshot():
        left = library.folder / snapshot_files.FOLDER / ".writing-abc"
    left.mkdir()
    assert verify(library).ok
    left.rmdir()


def test_readers_of_one_machine_make_the_files_once(library, address, monkeypatch):
    shutil.rmtree(library.folder)
    made, build = [], snapshot_files.build

    def slowly(*arguments):
        made.append(arguments)
        time.sleep(0.3)
        return build(*arguments)

    monkeypatch.setattr(snapshot_files, "build", slowly)

    def read(_):
        with Index(address) as own, own.snapshot() as seen:
            return len(seen.documents)

    with ThreadPoolExecutor(3) as readers:
        assert list(readers.map(read, range(3))) == [5, 5, 5]
    assert len(made) == 1


def test_an_address_never_shows_its_password(capsys):
    address = index_place("postgres://ann:s%40cret@127.0.0.1:1/policies?password=s%40cret&sslmode=disable")
    assert isinstance(address, PostgresAddress)
    for shown in (str(address), repr(address)):
        assert "cret" not in shown
    assert run(["search", "q", "--index", address.url]) == 1
    said = capsys.readouterr().err
    assert "cret" not in said
    assert "postgresql://ann@127.0.0.1:1/policies?sslmode=disable does not answer" in said
    assert said.count("\n") == 1
    assert run(["search", "q", "--index", address.url, "--debug"]) == 1
    assert "cret" not in capsys.readouterr().err


@pytest.mark.parametrize("text", ["postgresql://", "postgresql://host", "postgres://host:port/db", "postgresql:db"])
def test_an_address_that_is_none_says_how_one_is_written(text):
    with pytest.raises(IndexingError, match="write --index postgresql://USER@HOST/DATABASE"):
        index_place(text)


def test_what_is_no_index_says_what_to_run(postgres_server, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    empty = postgres_server.url(postgres_server.new_database(), "app")
    with pytest.raises(IndexingError, match=r"there is no index in .*: run `policy-rag ingest PATH --index URL` first"):
        Index(empty)
    with pytest.raises(IndexingError, match=r"cannot be made in .*permission denied.*as a login that may create roles"):
        Index(empty, create=True)
    nobody = postgres_server.url(postgres_server.new_database("ready"), "stranger")
    postgres_server.execute("CREATE ROLE stranger LOGIN")
    with pytest.raises(IndexingError, match="let its owner run `policy-rag migrate --index URL --grant LOGIN`"):
        Index(nobody)


def test_a_login_of_another_database_of_the_server_sees_and_writes_nothing(library, postgres_server, address):
    """The roles are the server's: what a login was granted in one database holds in no other."""
    other = postgres_server.new_database()
    postgres_server.execute("CREATE ROLE neighbour LOGIN")
    migrate(PostgresAddress(postgres_server.url(other)), grant="neighbour")
    theirs = address.replace("app@", "neighbour@")
    with pytest.raises(IndexingError, match="may not use the index: let its owner run"):
        Index(theirs)
    with psycopg.connect(theirs) as raw:
        for role in (KEEPER, READER):
            raw.execute(f"SET ROLE {role}")
            raw.execute("SELECT set_config('policy_rag.groups', '{board}', false)")
            assert raw.execute("SELECT count(*) FROM policy_rag.documents").fetchone() == (0,)
        raw.execute(f"SET ROLE {KEEPER}")
        assert raw.execute("DELETE FROM policy_rag.documents").rowcount == 0
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            raw.execute("INSERT INTO policy_rag.manifest VALUES ('a', 'b')")
    with psycopg.connect(theirs) as raw, pytest.raises(psycopg.errors.InsufficientPrivilege):
        raw.execute("SELECT * FROM policy_rag_jobs.procrastinate_jobs")


def test_migrate_says_what_is_missing(postgres_server, capsys):
    url = postgres_server.url(postgres_server.new_database())
    assert run(["migrate", "--index", url, "--grant", "nobody here"]) == 1
    assert "has no login 'nobody here': " in capsys.readouterr().err
    assert run(["migrate", "--index", "postgresql://app@127.0.0.1:1/policies"]) == 1
    assert "does not answer" in capsys.readouterr().err
    assert run(["migrate", "--index", url, "--vectors", "pgvector-hnsw"]) == 0
    assert "a graph needs vectors" in capsys.readouterr().err


def test_tables_from_before_logins_were_granted_say_what_to_run(postgres_server, postgres_url, capsys):
    database = database_of(postgres_url)
    postgres_server.execute("DROP FUNCTION policy_rag.is_granted CASCADE; DROP TABLE policy_rag.logins", database)
    for call in (["migrate", "--grant", "app"], ["migrate"], ["documents"]):
        assert run([*call, "--index", postgres_server.url(database)]) == 1
        said = capsys.readouterr().err
        assert "made before logins were granted one by one" in said
        assert "run `policy-rag migrate --index URL` on an empty database, and ingest into that" in said
        assert said.count("\n") == 1
    with pytest.raises(IndexingError, match="made before logins were granted"):
        Index(postgres_url)


def test_tables_of_another_format_say_so(postgres_server, postgres_url):
    wrong = "UPDATE policy_rag.manifest SET value = '1' WHERE key = 'format'"
    postgres_server.execute(wrong, database_of(postgres_url))
    with pytest.raises(IndexingError, match=f"has format 1, this version reads {FORMAT}.*policy-rag migrate"):
        Index(postgres_url)


def test_the_command_line_takes_an_address_wherever_it_takes_a_folder(
    postgres_server, tmp_path, monkeypatch, capsys, embedder
):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def call(*arguments):
        assert run([*arguments]) == 0, arguments
        return capsys.readouterr().out

    url = postgres_server.url(postgres_server.new_database())
    policies = tmp_path / "policies"
    policies.mkdir()
    (policies / "leave.md").write_text("# Leave\n\n## 1 Amount\n\nEmployees have thirty days of leave a year.\n")
    pay = "---\naccess: [hr]\n---\n# Pay\n\n## 1 Amount\n\nThe bonus of leave is 500 euros.\n"
    (policies / "pay.md").write_text(pay)
    call("migrate", "--index", url, "--grant", "app")
    mine = ("--index", url.replace("postgres@", "app@"))
    assert "@/" in call("ingest", str(policies), *mine)
    assert "thirty days of leave" in call("ask", "How many days of leave?", *mine, "--llm", "extractive")
    assert "500 euros" not in call("search", "bonus of leave", *mine)
    assert "500 euros" in call("search", "bonus of leave", *mine, "--as", "hr")
    for words in ("documents", "verify", "show leave.md --links", "changes leave.md leave.md", "conflicts", "doctor"):
        call(*words.split(), *mine)
    assert "2 documents" in call("copy", mine[1], str(tmp_path / "folder"))
    call("documents", "--index", str(tmp_path / "folder"))
    call("remove", "leave.md", *mine)
    assert not list(Path.cwd().glob("postgresql*"))


def test_a_dump_is_restored_as_the_guide_says(library, postgres_server, address, tmp_path):
    dump = postgres_server.home / "policies.dump"
    restored = postgres_server.new_database()
    schemas = ["--schema=policy_rag", "--schema=policy_rag_service"]
    whole = ["--format=custom", *schemas, f"--file={dump}", postgres_server.url(database_of(address))]
    postgres_server.run("pg_dump", *whole)
    postgres_server.run("pg_restore", f"--dbname={postgres_server.url(restored)}", dump)
    with Index(postgres_server.url(restored, "app")) as again:
        assert verify(again).ok
        assert seen(again, ("hr",)) == seen(library, ("hr",))
