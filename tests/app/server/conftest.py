"""A small index, the service over it, and callers."""

from contextlib import closing

import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.store.place import index_place
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag.index.store.store import Index
from policy_rag.server.app import create_app
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.state import open_state
from policy_rag.settings import load_settings

LEAVE = "# Leave\n\n## 1 Length\n\nAnnual leave is 28 days.\n\n## 2 Sick leave\n\nA sick note is needed after 3 days.\n"
PAY = "---\naccess: [hr]\n---\n# Pay\n\n## 1 Bonus\n\nThe bonus is 5000 euros a year.\n"
TABLES = "keys, sessions, sign_ins, rates, questions, jobs, uploaded_files, uploaded_parts"


def filled_in(folder, embedder):
    """An assistant over two documents, one of them for a group alone; it answers by quotation."""
    made = PolicyAssistant(
        Index(folder / "index", create=True), load_settings({"llm": "extractive", "threshold": 0.01})
    )
    made._models.embedder = lambda *_: embedder
    policies = folder / "policies"
    policies.mkdir()
    (policies / "leave.md").write_text(LEAVE)
    (policies / "pay.md").write_text(PAY)
    made.ingest([policies])
    return made


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory, make_embedder):
    with filled_in(tmp_path_factory.mktemp("filled"), make_embedder()) as made:
        yield made


@pytest.fixture
def filled(filled_once, monkeypatch):
    """The assistant for tests that change nothing but its settings."""
    monkeypatch.setattr(filled_once, "settings", filled_once.settings)
    return filled_once


@pytest.fixture
def changeable(tmp_path, embedder):
    """The same for tests that take documents in or out."""
    with filled_in(tmp_path, embedder) as made:
        yield made


@pytest.fixture(scope="session")
def state_database(postgres_server):
    """A database for the state of services, whose index nobody looks at; for the login `app`."""
    return index_place(postgres_server.url(postgres_server.new_database("ready"), "app"))


@pytest.fixture
def empty_database(state_database, postgres_server):
    """The same before anything is kept there."""
    name = state_database.url.partition("@/")[2].partition("?")[0]
    postgres_server.execute(f"SET search_path TO policy_rag_service; TRUNCATE {TABLES} RESTART IDENTITY", name)
    return state_database


@pytest.fixture(params=["folder", "postgres"])
def state_home(request, tmp_path):
    """Where the state of a service may be: a test that takes it is part of the contract that both keep."""
    return tmp_path / "state" if request.param == "folder" else request.getfixturevalue("empty_database")


@pytest.fixture
def kept(state_home, tmp_path):
    """The options of a service that say so."""
    return {"state": tmp_path / "state", "database": state_home if isinstance(state_home, PostgresAddress) else None}


@pytest.fixture
def state(state_home):
    """The state there, open."""
    with closing(open_state(state_home)) as opened:
        yield opened


@pytest.fixture
def app_of(request):
    """Makes services over the assistant, a `changeable` one where the test has it, and closes what they keep."""
    made = []
    assistant = request.getfixturevalue("changeable" if "changeable" in request.fixturenames else "filled")

    def opened(options, **more):
        made.append(create_app(assistant, options, **more))
        return made[-1]

    yield opened
    for app in made:
        app.state.service.state.close()


@pytest.fixture
def options(tmp_path):
    return ServerOptions(state=tmp_path / "state", no_auth=True)


@pytest.fixture
def service(app_of, options):
    return app_of(options).state.service
