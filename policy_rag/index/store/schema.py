"""The tables of the index. SQLite is the truth; all else can be made again from it."""

import os
import sqlite3
from pathlib import Path

from policy_rag.errors import IndexingError

FORMAT = 8
DATABASE = "index.sqlite3"
_PAGE = 16_384  # ten vectors of 384 dimensions fill one to 98 %; pages of 4,096 would stay empty to a fifth

_TABLES = """
CREATE TABLE manifest (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE documents (
    doc_key INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_id TEXT NOT NULL UNIQUE,
    root TEXT NOT NULL,
    file TEXT NOT NULL,
    title TEXT NOT NULL,
    format TEXT NOT NULL,
    language TEXT NOT NULL,
    version TEXT,
    effective_from TEXT,
    effective_to TEXT,
    supersedes TEXT NOT NULL,
    access TEXT NOT NULL,
    extra TEXT NOT NULL,
    content_hash TEXT NOT NULL,
    source_hash TEXT NOT NULL,
    text TEXT NOT NULL,
    pages TEXT NOT NULL,
    metadata TEXT NOT NULL,
    recipes TEXT NOT NULL,
    digest TEXT NOT NULL DEFAULT '',
    linked TEXT NOT NULL DEFAULT ''
);
CREATE TABLE sections (
    doc_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    position INTEGER NOT NULL,
    section_id TEXT NOT NULL,
    number TEXT,
    number_key TEXT,
    title TEXT NOT NULL,
    level INTEGER NOT NULL,
    path TEXT NOT NULL,
    parent TEXT,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    body INTEGER NOT NULL,
    subtree_end INTEGER NOT NULL,
    page INTEGER,
    metadata TEXT NOT NULL,
    PRIMARY KEY (doc_key, position)
) WITHOUT ROWID;
CREATE UNIQUE INDEX sections_by_id ON sections (doc_key, section_id);
CREATE INDEX sections_by_number ON sections (number_key);
CREATE TABLE blocks (
    doc_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    parent INTEGER,
    marker TEXT NOT NULL,
    PRIMARY KEY (doc_key, position)
) WITHOUT ROWID;
CREATE TABLE edges (
    doc_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    position INTEGER NOT NULL,
    section_id TEXT NOT NULL,
    target TEXT NOT NULL,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    PRIMARY KEY (doc_key, position)
) WITHOUT ROWID;
CREATE INDEX edges_by_target ON edges (doc_key, target);
CREATE TABLE links (
    doc_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    target_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    section_id TEXT,
    target TEXT,
    kind TEXT NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL
);
CREATE INDEX links_by_document ON links (doc_key);
CREATE INDEX links_by_target ON links (target_key);
CREATE TABLE passages (
    passage_key INTEGER PRIMARY KEY AUTOINCREMENT,
    doc_key INTEGER NOT NULL REFERENCES documents ON DELETE CASCADE,
    section INTEGER NOT NULL,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    text_hash TEXT NOT NULL
);
CREATE INDEX passages_by_document ON passages (doc_key);
CREATE TABLE chunks (
    passage_key INTEGER NOT NULL REFERENCES passages ON DELETE CASCADE,
    start INTEGER NOT NULL,
    "end" INTEGER NOT NULL,
    context TEXT NOT NULL,
    vector_hash TEXT NOT NULL,
    PRIMARY KEY (passage_key, start)
) WITHOUT ROWID;
CREATE TABLE vectors (hash TEXT PRIMARY KEY, crc INTEGER NOT NULL, vector BLOB NOT NULL);
"""


def connect(folder: Path, *, create: bool = False) -> sqlite3.Connection:
    """A connection to the index in `folder`, in autocommit mode; with `create`, an empty index where there is none.

    Raises:
        IndexingError: there is no index, it is of another format, or SQLite cannot read it.
    """
    path = folder / DATABASE
    if not create and not path.is_file():
        raise IndexingError(_nothing(folder))
    try:
        if create:
            folder.mkdir(parents=True, exist_ok=True)
        db = _open(path)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            if create:
                _create(db)
            _check_format(db, folder)
        except BaseException:
            db.close()
            raise
    except (sqlite3.Error, OSError) as error:
        raise IndexingError(
            f"the index in {folder} cannot be opened ({error}): restore it from a copy, "
            f"or run `policy-rag ingest PATH --index NEW_FOLDER` to make a new one from the files"
        ) from error
    return db


def _open(path: Path) -> sqlite3.Connection:
    """Opens the database; where nothing may be written there, as it stands."""
    db = _connect(f"{path.resolve().as_uri()}?mode=rwc")
    try:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        db.close()
        log = path.with_name(path.name + "-wal")
        if os.access(path.parent, os.W_OK) or (log.is_file() and log.stat().st_size):
            raise
        # In a folder that cannot be written SQLite cannot share its log, and there is none: nobody can write here.
        db = _connect(f"{path.resolve().as_uri()}?immutable=1")
    except BaseException:
        db.close()
        raise
    return db


def _connect(uri: str) -> sqlite3.Connection:
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=30, check_same_thread=False)


def _create(db: sqlite3.Connection) -> None:
    db.execute(f"PRAGMA page_size = {_PAGE}")
    db.execute("PRAGMA journal_mode = WAL")
    if db.execute("SELECT count(*) FROM sqlite_master WHERE name = 'manifest'").fetchone()[0]:
        return
    db.executescript(
        f"BEGIN IMMEDIATE; {_TABLES} INSERT INTO manifest VALUES ('format', '{FORMAT}'), ('transaction', '0'); COMMIT;"
    )


def _check_format(db: sqlite3.Connection, folder: Path) -> None:
    if not db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise IndexingError(_nothing(folder))  # the first ingest ever was broken off before it had made its tables
    row = db.execute("SELECT value FROM manifest WHERE key = 'format'").fetchone()
    if row is None or row[0] != str(FORMAT):
        found = row[0] if row else "unknown"
        if found.isdecimal() and int(found) > FORMAT:
            raise IndexingError(
                f"the index in {folder} has format {found}, this version reads {FORMAT}: install the newer policy-rag "
                f"that made it (pip install --upgrade policy-rag)"
            )
        raise IndexingError(
            f"the index in {folder} has format {found}, this version reads {FORMAT}: "
            f"run `policy-rag ingest PATH --index NEW_FOLDER` to make a new one from the files"
        )


def _nothing(folder: Path) -> str:
    return f"there is no index in {folder}: run `policy-rag ingest PATH --index {folder}` first"
