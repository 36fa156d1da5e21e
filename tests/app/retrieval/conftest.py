"""Indexes that live as long as the tests of a file, for tests that only search them."""

from contextlib import ExitStack

import pytest

from policy_rag.index.ingest.pipeline import IngestPipeline
from policy_rag.index.store.store import Index


@pytest.fixture(scope="module")
def new_index(tmp_path_factory):
    with ExitStack() as opened:
        yield lambda: opened.enter_context(Index(tmp_path_factory.mktemp("kept") / "index", create=True))


@pytest.fixture(scope="module")
def indexed(new_index, manifest, make_embedder):
    """Makes the index of some documents; gives it with its embedding model."""

    def made(*documents):
        index, embedder = new_index(), make_embedder()
        index.update(documents, manifest, embedder)
        return index, embedder

    return made


@pytest.fixture(scope="module")
def ingested(new_index, manifest, make_embedder, tmp_path_factory):
    """Makes the index of Markdown files, given by their names and texts; gives it with its embedding model."""

    def made(**files):
        folder, index, embedder = tmp_path_factory.mktemp("policies"), new_index(), make_embedder()
        for name, text in files.items():
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
        IngestPipeline(index, manifest, embedder).ingest([folder])
        return index, embedder

    return made
