"""Where an index is: a folder, or a database that is named by its address."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from policy_rag.errors import IndexingError
from policy_rag.index.store.folder_truth import FolderTruth
from policy_rag.index.store.postgres.address import PostgresAddress, VectorEngine
from policy_rag.index.store.truth import Truth

IndexPlace: TypeAlias = Path | PostgresAddress


def index_place(text: IndexPlace | str) -> IndexPlace:
    """Reads a place as it is typed.

    Raises:
        IndexingError: an address of a database that is none.

    >>> index_place("data/policies"), str(index_place("postgresql://ann:secret@db.example/policies"))
    (PosixPath('data/policies'), 'postgresql://ann@db.example/policies')
    """
    if isinstance(text, Path | PostgresAddress):
        return text
    return PostgresAddress(text) if PostgresAddress.means(text) else Path(text)


def home_of(place: IndexPlace) -> Path:
    """The folder on this machine for what belongs to an index but is no part of it, such as tracked runs.

    >>> home_of(Path("data/policies"))
    PosixPath('data/policies')
    """
    return place if isinstance(place, Path) else place.folder


def answering_home(place: IndexPlace) -> Path:
    """`home_of`, once a database has answered and holds an index.

    Raises:
        IndexingError: it does not, or the login may not use it.
    """
    if isinstance(place, PostgresAddress):
        open_truth(place).close()
    return home_of(place)


def open_truth(place: IndexPlace, *, create: bool = False) -> Truth:
    """Opens the rows of an index.

    Raises:
        IndexingError: there is no index and none is to be made, or it cannot be read.
    """
    if isinstance(place, Path):
        return FolderTruth(place, create=create)
    with postgres_installed():
        from policy_rag.index.store.postgres.truth import PostgresTruth
    return PostgresTruth(place, create=create)


def migrate_tables(
    address: PostgresAddress,
    *,
    grant: str | None = None,
    vectors: VectorEngine | None = None,
    milvus: str | None = None,
) -> bool:
    """See `postgres.schema.migrate`.

    Raises:
        IndexingError: likewise.
    """
    with postgres_installed():
        from policy_rag.index.store.postgres.schema import migrate
    return migrate(address, grant=grant, vectors=vectors, milvus=milvus)


@contextmanager
def postgres_installed() -> Iterator[None]:
    """Says what to install where an import fails that only an index in Postgres needs.

    Raises:
        IndexingError: likewise.
    """
    try:
        yield
    except ImportError as error:
        raise IndexingError(f"{error.name} is not installed: run `pip install 'policy-rag[postgres]'`") from error
