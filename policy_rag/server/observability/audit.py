"""Who saw what: an event a line, in the form of the Open Cybersecurity Schema Framework's class API Activity (6003).

The form: https://schema.ocsf.io/1.8.0/classes/api_activity
"""

import datetime as dt
import json
import os
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any

from policy_rag import __version__
from policy_rag.errors import StateError
from policy_rag.server.callers import Caller
from policy_rag.server.observability.facts import RequestFacts

SCHEMA = "1.8.0"
_CATEGORY, _CLASS = 6, 6003
_INFORMATIONAL, _MEDIUM = 1, 3
_SUCCESS, _FAILURE = 1, 2
_ALLOWED, _DENIED = 1, 2
_USER, _ADMIN = 1, 2
_TARGET, _RELATED = 1, 4


class Activity(IntEnum):
    """What was done to documents, as the schema numbers it."""

    CREATE = 1
    READ = 2
    UPDATE = 3
    DELETE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that is kept in the audit.

    Attributes:
        operation: what was asked for: `ask`, `search`, `show`, `documents`, and so on.
        caller: who; None where that is not known.
        shown: documents whose text the caller was given.
        found: documents that came up and whose text the caller was given no more than a hit's of, or nothing.
        denied: why it was denied, or ""; `shown` is then what was asked for.
        failed: why it failed, or "".
        activity: what was done to the documents.
        uid: of what it belongs to, such as the question in the log.
        facts: anything else.
    """

    operation: str
    caller: Caller | None
    shown: Collection[str] = ()
    found: Collection[str] = ()
    denied: str = ""
    failed: str = ""
    activity: Activity = Activity.READ
    uid: str | None = None
    facts: Mapping[str, Any] | None = None


def as_ocsf(event: Event, at: dt.datetime, request: RequestFacts | None) -> dict[str, Any]:
    """An event in the schema's form.

    Args:
        event: what happened.
        at: when.
        request: by which request; None where it was by none.

    >>> made = as_ocsf(Event(operation="show", caller=Caller("ann"), shown=["leave.md"]), dt.datetime.now(dt.UTC), None)
    >>> made["class_uid"], made["type_uid"], made["actor"]["user"]["uid"], made["resources"][0]["name"]
    (6003, 600302, 'ann', 'leave.md')
    """
    refused = event.denied or event.failed
    made: dict[str, Any] = {
        "activity_id": event.activity.value,
        "activity_name": event.activity.name.capitalize(),
        "category_uid": _CATEGORY,
        "category_name": "Application Activity",
        "class_uid": _CLASS,
        "class_name": "API Activity",
        "type_uid": _CLASS * 100 + event.activity.value,
        "type_name": f"API Activity: {event.activity.name.capitalize()}",
        "severity_id": _MEDIUM if event.denied else _INFORMATIONAL,
        "severity": "Medium" if event.denied else "Informational",
        "time": int(at.timestamp() * 1000),
        "status_id": _FAILURE if refused else _SUCCESS,
        "status": "Failure" if refused else "Success",
        "action_id": _DENIED if event.denied else _ALLOWED,
        "action": "Denied" if event.denied else "Allowed",
        "metadata": {
            "version": SCHEMA,
            "profiles": ["security_control"],
            "product": {"name": "policy_rag", "vendor_name": "policy_rag", "version": __version__},
            "log_name": "audit",
        },
        "actor": {"user": _user(event.caller)},
        "api": {"operation": event.operation, "service": {"name": "policy_rag"}},
        "src_endpoint": {"name": "localhost"},
        "resources": _resources(event.shown, "shown", _TARGET) + _resources(event.found, "found", _RELATED),
    }
    if refused:
        made["status_detail"] = refused
    if event.uid is not None:
        made["metadata"]["correlation_uid"] = event.uid
    if request is not None:
        made["api"]["request"] = {"uid": request.id}
        made["src_endpoint"] = {"ip": request.ip, "port": request.port} if request.ip else {"name": "unknown"}
        made["http_request"] = {
            "uid": request.id,
            "http_method": request.method,
            "url": {"path": request.path},
            "user_agent": request.agent,
        }
    if event.facts:
        made["unmapped"] = dict(event.facts)
    return made


def _user(caller: Caller | None) -> dict[str, Any]:
    if caller is None:
        return {"name": "unknown", "type_id": 0, "type": "Unknown"}
    return {
        "uid": caller.name,
        "name": caller.label or caller.name,
        "type_id": _ADMIN if caller.admin else _USER,
        "type": "Admin" if caller.admin else "User",
        "groups": [{"name": group} for group in caller.groups],
    }


def _resources(names: Collection[str], label: str, role: int) -> list[dict[str, Any]]:
    return [{"name": name, "type": "document", "role_id": role, "labels": [label]} for name in dict.fromkeys(names)]


class AuditFile:
    """Events as lines at the end of a file that several processes may write, and that may be moved away meanwhile.

    Args:
        path: of the file; made, for its owner alone, if it is not there.

    Raises:
        StateError: it cannot be written.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._lock = path, threading.Lock()
        with self._errors():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.write([])

    def write(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Adds events, each in one write, so that lines of several processes never mix.

        Raises:
            StateError: the file cannot be written.
        """
        with self._errors(), self._lock:
            handle = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                for event in events:
                    os.write(handle, json.dumps(event).encode() + b"\n")
            finally:
                os.close(handle)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise StateError(
                f"the audit {self._path} cannot be written ({error.strerror}): free some disk space, or choose another "
                "folder with --state"
            ) from error
