"""Connections to a database: one at a time, or a pool of them that threads share."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg_pool import ConnectionPool

if TYPE_CHECKING:
    from psycopg import Connection

_PATIENCE = 10  # seconds, for a connection; behind them a pool begins anew with the next who asks


def first_line(error: BaseException, said: object = None) -> str:
    """The first line of what a database says: the error's text, where `said` is not given."""
    return (str(error if said is None else said).strip().splitlines() or [type(error).__name__])[0]


def connect(url: str) -> "Connection[tuple[Any, ...]]":
    """A connection outside any pool, which says at once why there is none; in autocommit mode, as those of a pool.

    Raises:
        psycopg.Error: likewise.
    """
    return psycopg.connect(url, autocommit=True, connect_timeout=_PATIENCE)


def open_pool(
    url: str,
    *,
    most: int,
    configure: Callable[["Connection[tuple[Any, ...]]"], None],
    reset: Callable[["Connection[tuple[Any, ...]]"], None] | None = None,
) -> ConnectionPool:
    """A pool, each connection of which is tried before it is given out.

    Args:
        url: the database's address.
        most: connections at once, of one process.
        configure: is run with each new connection.
        reset: before one goes back to the pool.
    """
    logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)  # what fails is raised, in one line
    return ConnectionPool(
        url,
        kwargs={"autocommit": True, "application_name": "policy-rag"},
        min_size=1,
        max_size=most,
        timeout=_PATIENCE,
        reconnect_timeout=_PATIENCE,
        configure=configure,
        check=ConnectionPool.check_connection,
        reset=reset,
        open=True,
    )
