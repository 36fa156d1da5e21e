"""Where runs are kept, and how MLflow is spoken to: quietly, with one error for whatever goes wrong under it."""

import logging
import os
import textwrap
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from policy_rag.errors import UsageError
from policy_rag_eval.data.dataset import some_of
from policy_rag_eval.errors import TrackingError
from policy_rag_parsers.text.near_names import did_you_mean

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities import Run

URI_VARIABLE = "MLFLOW_TRACKING_URI"
STORE = "mlflow.db"
ARTIFACTS = "mlflow-artifacts"

_PAGE = 1000
_NOT_ALLOWED = ("readonly", "read-only", "permission denied", "unable to open database file")
_SAID = 240  # of what MLflow says, which may run to pages
_PATIENCE = 5.0  # seconds that a server may take to say that it is there
# A server that is gone is noticed within half a minute; MLflow's own defaults try for many.
_CLIENT = {
    "MLFLOW_HTTP_REQUEST_MAX_RETRIES": "3",
    "MLFLOW_HTTP_REQUEST_BACKOFF_FACTOR": "1",
    "MLFLOW_HTTP_REQUEST_TIMEOUT": "60",
    "MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR": "false",
    "MLFLOW_SUPPRESS_PRINTING_URL_TO_STDOUT": "true",  # standard output is for results
}


@dataclass(frozen=True, slots=True)
class Store:
    """Where runs are kept. `artifacts` is where a local store keeps files; a server knows by itself."""

    uri: str
    artifacts: Path | None = None

    @property
    def shown(self) -> str:
        """The address, without a password that may stand in it."""
        return shown_address(self.uri)

    @property
    def is_server(self) -> bool:
        """Whether it is spoken to over HTTP."""
        return self.uri.startswith(("http://", "https://"))


def shown_address(uri: str) -> str:
    """An address without the user and password that may stand in it; whatever it is, it is not refused.

    >>> shown_address("http://me:se@cret@runs.example/x"), shown_address("sqlite:////tmp/a@b.db")
    ('http://runs.example/x', 'sqlite:////tmp/a@b.db')
    """
    scheme, mark, rest = uri.partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


def local_store(index: Path) -> Store:
    """The store beside an index."""
    folder = index.resolve()
    return Store(f"sqlite:///{folder / STORE}", folder / ARTIFACTS)


def chosen_store(index: Path) -> tuple[Store, str | None]:
    """The store that `MLFLOW_TRACKING_URI` names, else the one beside the index.

    Returns:
        The store, and a notice where a server is named and cannot be used, so that the local store takes its place.
    """
    named = _named_store()
    if named is None:
        return local_store(index), None
    away = _silence(named.uri) if named.is_server else None
    if away is None:
        return named, None
    local = local_store(index)
    return local, f"the MLflow server at {named.shown} does not answer ({away}): {local.uri} takes its place"


def server_store() -> Store:
    """The server that `MLFLOW_TRACKING_URI` names.

    Raises:
        UsageError: it names none.
        TrackingError: the server does not answer.
    """
    named = _named_store()
    if named is None or not named.is_server:
        raise UsageError(f"no server is named: set {URI_VARIABLE} to its address, http://HOST:PORT")
    away = _silence(named.uri)
    if away is not None:
        raise TrackingError(f"the MLflow server at {named.shown} does not answer ({away}): start it, then run it again")
    return named


def reading_store(index: Path) -> tuple[Store, str | None]:
    """The store that holds what was kept, and the notice of `chosen_store`.

    Raises:
        UsageError: it is the one beside the index, and nothing was kept there yet.
    """
    store, away = chosen_store(index)
    if store == local_store(index) and not (index / STORE).is_file():
        raise UsageError(
            f"nothing is kept in {index} yet: run `policy-rag eval retrieval DATASET --index {index}` first"
        )
    return store, away


def _named_store() -> Store | None:
    uri = os.environ.get(URI_VARIABLE, "").strip()
    return Store(uri) if uri else None


def _silence(uri: str) -> str | None:
    """Why a server cannot be used, or None where one answers, be it with a refusal."""
    parts = urllib.parse.urlsplit(uri)
    # Without name and password, which `urlopen` would take for a part of the host; any answer says that it is there.
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    try:
        with urllib.request.urlopen(bare.rstrip("/") + "/health", timeout=_PATIENCE):  # noqa: S310 - http(s) only
            return None
    except urllib.error.HTTPError:
        return None
    except (OSError, ValueError) as error:
        return str(getattr(error, "reason", None) or error)


def open_client(store: Store) -> "MlflowClient":
    """A client that neither reports home nor chats, nor keeps trying a server that is gone.

    Raises:
        TrackingError: the store cannot be opened.
    """
    from policy_rag_parsers.telemetry import silence_telemetry

    silence_telemetry()
    for name, value in _CLIENT.items():
        os.environ.setdefault(name, value)
    import mlflow  # noqa: F401 - its import sets the levels of its loggers

    for name in ("mlflow", "alembic"):
        logging.getLogger(name).setLevel(logging.WARNING)
    # They log what they then raise, with tracebacks; we raise it too.
    logging.getLogger("mlflow.store").setLevel(logging.CRITICAL)
    logging.getLogger("mlflow.utils.git_utils").setLevel(logging.ERROR)
    logging.getLogger("urllib3.connectionpool").setLevel(logging.ERROR)
    if store.artifacts is not None:
        try:
            store.artifacts.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TrackingError(f"{store.artifacts} cannot be made ({error}): give another --index") from error
    with wrapped(store):
        from mlflow import MlflowClient

        return MlflowClient(tracking_uri=store.uri)


def all_runs(client: "MlflowClient", experiment: str, condition: str) -> "list[Run]":
    """All pages of a search, the oldest first."""
    search = partial(client.search_runs, [experiment], condition, order_by=["attributes.start_time ASC"])
    return all_pages(lambda most, token: search(max_results=most, page_token=token), _PAGE)


def all_pages(search: Callable[[int, str | None], Any], most: int) -> list[Any]:
    """All pages of a search of MLflow's, which is given how many a page may hold, and the token of the page."""
    from mlflow.utils import get_results_from_paginated_fn

    found: list[Any] = get_results_from_paginated_fn(search, most)  # type: ignore[no-untyped-call]
    return found


def near_run(name: str, names: Iterable[str]) -> str:
    """How a message about an unknown run ends: with the name that is likely meant, else with some that there are.

    `names` come the newest first.

    >>> near_run("vectr", ["vector", "keyword"]), near_run("x", ["vector", "vector"])
    ('did you mean vector?', 'there are vector; `policy-rag ui` shows all')
    """
    known = list(dict.fromkeys(names))
    shown = f"there are {some_of(known)}; `policy-rag ui` shows all" if known else "none was kept yet"
    return did_you_mean(name, known, otherwise=shown)


@contextmanager
def wrapped(store: Store) -> Iterator[None]:
    """Turns what MLflow and what is under it raise into one error of one line."""
    from mlflow.exceptions import MlflowException
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (MlflowException, SQLAlchemyError, OSError) as error:
        cause: BaseException = error
        while cause.__cause__ is not None:  # the database's own words say it shortest
            cause = cause.__cause__
        said = textwrap.shorten((str(cause).strip() or type(cause).__name__).splitlines()[0], _SAID, placeholder=" ...")
        way = f"mend it, or unset {URI_VARIABLE}" if os.environ.get(URI_VARIABLE) else _way_out(said, store)
        raise TrackingError(f"MLflow's store {store.shown} cannot be used ({said}): {way}") from error
    except ModuleNotFoundError as error:
        raise TrackingError(
            f"MLflow's store {store.shown} cannot be used: install {error.name}, or unset {URI_VARIABLE}"
        ) from error


def _way_out(said: str, store: Store) -> str:
    if "locked" in said:
        return "end what else writes to it (`policy-rag ui`, another evaluation), then run it again"
    if "full" in said or "No space" in said:
        return "make room on the disk, then run it again"
    place = Path(store.uri.removeprefix("sqlite:///"))
    if any(words in said.casefold() for words in _NOT_ALLOWED):
        closed = [str(one) for one in (place.parent, place, store.artifacts) if one and not os.access(one, os.W_OK)]
        return f"make {' and '.join(closed) or f'{place} and its folder'} writable, then run it again"
    return f"move {place} away, and a new one is made"
