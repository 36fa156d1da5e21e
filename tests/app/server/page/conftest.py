"""A service over a few policies in every format, and callers of its groups."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.store.store import Index
from policy_rag.server.app import create_app
from policy_rag.server.callers import Caller
from policy_rag.server.service_options import ServerOptions
from policy_rag.settings import load_settings

SAMPLE = Path(__file__).resolve().parents[4] / "eval" / "datasets" / "brannholt" / "documents"
TAKEN = (
    "board-rules-of-procedure.txt",
    "data-privacy-policy.html",
    "expenses-and-travel-policy-2023.txt",
    "expenses-and-travel-policy.txt",
    "information-security-policy.pdf",
    "leave-policy.md",
    "model-governance-standard.docx",
    "policies.yaml",
)


@pytest.fixture(scope="session")
def taken_in(make_embedder: Callable[[], object]) -> Callable[..., AbstractContextManager[PolicyAssistant]]:
    """An assistant over some of the sample company's policies, in `policies` of a folder; one is for the board alone."""

    @contextmanager
    def opened(
        folder: Path, names: Sequence[str] = TAKEN, *, everywhere: bool = True, **changes: Any
    ) -> Iterator[PolicyAssistant]:
        """With the small model, in other assistants of the process too unless they outlive the test."""
        policies, embedder = folder / "policies", make_embedder()
        policies.mkdir()
        for name in names:
            shutil.copy(SAMPLE / name, policies)
        with (
            pytest.MonkeyPatch.context() as patch,
            PolicyAssistant(Index(folder / "index", create=True), load_settings(changes)) as made,
        ):
            patch.setattr(LoadedModels if everywhere else made._models, "embedder", lambda *_: embedder)
            made.ingest([policies])
            yield made

    return opened


@pytest.fixture(scope="session")
def ingested(tmp_path_factory: pytest.TempPathFactory, taken_in) -> Iterator[PolicyAssistant]:
    """For tests that change nothing."""
    with taken_in(tmp_path_factory.mktemp("service"), everywhere=False) as made:
        yield made


@pytest.fixture
def changeable(tmp_path: Path, taken_in) -> Iterator[PolicyAssistant]:
    """One policy, for tests that change what they find."""
    with taken_in(tmp_path, ["leave-policy.md"]) as made:
        yield made


@pytest.fixture
def as_caller(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[..., TestClient]:
    """A client that asks as a member of groups; of a `changeable` index where the test has one."""
    changed = "changeable" in request.fixturenames
    assistant = request.getfixturevalue("changeable" if changed else "ingested")

    def client(*groups: str, name: str = "somebody", admin: bool = False) -> TestClient:
        app = create_app(assistant, ServerOptions(state=tmp_path / "state", no_auth=True))
        caller = Caller(name, groups, admin=admin)
        app.state.service = replace(app.state.service, authenticators=(lambda _: caller,))
        return TestClient(app, base_url="http://127.0.0.1:8765")

    return client


@pytest.fixture
def client(as_caller: Callable[..., TestClient]) -> TestClient:
    return as_caller()
