"""Small documents and a small embedding model for the application's tests."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from policy_rag.assistant import PolicyAssistant
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.search.terms import terms
from policy_rag.index.store.manifest import Manifest
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import PreparedDocument
from policy_rag.settings import load_settings
from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.document_metadata.declarations import Declaration
from policy_rag_parsers.records import Chunk, FileFormat, Passage, Section, SourceText
from policy_rag_parsers.references.section_edges import find_edges


class BagOfWords:
    """Each stem is a random direction that its hash fixes: texts that share stems are near each other."""

    name = "bag-of-words"
    fingerprint = "bag-of-words-1"
    dimension = 64
    max_tokens = 1000

    def __init__(self) -> None:
        self.embedded: list[str] = []

    @staticmethod
    @cache
    def _direction(stem: str) -> NDArray[np.float64]:
        seed = int.from_bytes(hashlib.sha256(stem.encode()).digest()[:8], "little")
        return np.random.default_rng(seed).normal(size=BagOfWords.dimension)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.embedded.extend(texts)
        rows = np.zeros((len(texts), self.dimension))
        for i, text in enumerate(texts):
            rows[i] = sum(self._direction(stem) for stem in terms(text) or ["nothing"])
        return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self.embed(texts)

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text.split()) for text in texts]


def made_document(
    doc_id: str,
    sections: Sequence[tuple[str, str, str]],
    *,
    title: str = "",
    declaration: Declaration | None = None,
    root: str = "",
    chunk_chars: int | None = None,
) -> PreparedDocument:
    """A document of one-level sections, each (number, title, body); with `chunk_chars` bodies are cut at that width."""
    title = title or doc_id
    text, made, passages = "", [], []
    ids = [number for number, _, _ in sections]
    for i, (number, heading, body) in enumerate(sections):
        start = len(text)
        text += f"{number} {heading}\n{body}\n"
        end = len(text)
        made.append(
            Section(
                section_id=number,
                number=number,
                title=heading,
                level=1,
                path=(title, heading),
                parent=None,
                previous=ids[i - 1] if i else None,
                next=ids[i + 1] if i + 1 < len(ids) else None,
                start=start,
                end=end,
                body=start + len(number) + len(heading) + 2,
                subtree_end=end,
            )
        )
        width = chunk_chars or end - start
        chunks = tuple(Chunk(a, min(a + width, end - 1)) for a in range(start, end - 1, width))
        passages.append(Passage(number, start, end - 1, chunks))
    source = SourceText(text, FileFormat.TEXT)
    return PreparedDocument(
        doc_id=doc_id,
        root=root,
        file=doc_id,
        title=title,
        language="english",
        source=source,
        declaration=declaration or Declaration(),
        sections=tuple(made),
        blocks=find_blocks(source, made),
        edges=find_edges(source, made),
        passages=tuple(passages),
    )


@pytest.fixture(scope="session")
def make_embedder() -> Callable[[], BagOfWords]:
    """For fixtures that outlive a test."""
    return BagOfWords


@pytest.fixture
def embedder() -> BagOfWords:
    return BagOfWords()


@pytest.fixture(scope="session")
def index_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, str]], Path]:
    """Makes the index of files, by their names and texts, with the model that comes with the project."""

    def made(files: Mapping[str, str]) -> Path:
        place = tmp_path_factory.mktemp("made")
        (place / "policies").mkdir()
        for name, text in files.items():
            (place / "policies" / name).write_bytes(text.encode())
        with PolicyAssistant.open(place / "index", create=True) as assistant:
            assert assistant.ingest([place / "policies"]).added == len(files)
        return place / "index"

    return made


@pytest.fixture
def assistant(tmp_path: Path, embedder: BagOfWords, monkeypatch: pytest.MonkeyPatch) -> Iterator[PolicyAssistant]:
    """Over an empty index, with the small model."""
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    with PolicyAssistant(Index(tmp_path / "index", create=True), load_settings()) as made:
        yield made


@pytest.fixture(scope="session")
def manifest() -> Manifest:
    return Manifest(
        embedding=BagOfWords.name,
        fingerprint=BagOfWords.fingerprint,
        dimension=BagOfWords.dimension,
        chunker="section",
        chunk_tokens=200,
        hit_chars=6000,
        embed_path=True,
        profile=None,
    )


@pytest.fixture(scope="session")
def document() -> Callable[..., PreparedDocument]:
    return made_document


@pytest.fixture
def index(tmp_path: Path) -> Index:
    with Index(tmp_path / "index", create=True) as made:
        yield made


@pytest.fixture(params=["folder", "postgres", "pgvector", "pgvector-hnsw", "milvus"])
def index_home(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an index may be: a test that takes it is part of the contract that every store keeps."""
    if request.param == "folder":
        return str(tmp_path / "index")
    url: str = request.getfixturevalue(f"{request.param.replace('-', '_')}_url")
    return url


@pytest.fixture(scope="module")
def address(postgres_server, tmp_path_factory):
    """A new database with tables, for a login that may use them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield postgres_server.url(postgres_server.new_database("ready"), "app")
