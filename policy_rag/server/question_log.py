"""What was asked, by whom, and what became of it: everybody's own history, and what administrators see."""

import datetime as dt
import json
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_rag.records.answer import Answer, Status
from policy_rag.records.serialization import to_json
from policy_rag.server.callers import Caller
from policy_rag.server.state import Row, ServiceState, record_of

FAILED = "failed"
ABORTED = "aborted"
OUTCOMES = (*(status.value for status in Status), FAILED, ABORTED)

_SCHEMA = """
CREATE TABLE IF NOT EXISTS questions (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    caller TEXT NOT NULL,
    label TEXT NOT NULL,
    groups TEXT NOT NULL,
    conversation TEXT NOT NULL,
    question TEXT NOT NULL,
    as_of TEXT,
    outcome TEXT NOT NULL,
    confidence REAL,
    llm TEXT,
    experiment TEXT NOT NULL,
    variant TEXT NOT NULL,
    took_ms REAL NOT NULL,
    documents TEXT NOT NULL,
    answer TEXT,
    trace TEXT,
    trace_id TEXT,
    trace_store TEXT,
    helpful INTEGER,
    comment TEXT
);
CREATE INDEX IF NOT EXISTS questions_of_callers ON questions (caller, conversation);
CREATE INDEX IF NOT EXISTS questions_by_time ON questions (at);
CREATE INDEX IF NOT EXISTS questions_by_outcome ON questions (outcome);
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedQuestion:
    """A question and what became of it, as one reader may see it.

    Attributes:
        number: counts up with each question.
        id: feedback is given on it; not to be guessed.
        at: when it was asked.
        caller: who asked, by unique name.
        label: who asked, as people say.
        conversation: questions of one share it.
        question: as asked.
        as_of: the day whose rules were asked for, or None for that of the question.
        outcome: one of `OUTCOMES`.
        confidence: see `Answer`; None where there is no answer.
        llm: which answerer answered, or None.
        took_ms: from question to end.
        answer: an `Answer` in its JSON form without what was removed; None where there is none or it is withheld.
        withheld: whether there is an answer that the reader may not read, as it stands on what he may not read.
        helpful: what the asker said of it, or None.
        comment: and why, or None.
    """

    number: int
    id: str
    at: dt.datetime
    caller: str
    label: str
    conversation: str
    question: str
    as_of: dt.date | None
    outcome: str
    confidence: float | None
    llm: str | None
    took_ms: float
    answer: Mapping[str, Any] | None
    withheld: bool
    helpful: bool | None
    comment: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ServedQuestion:
    """What became of a question of an experiment; see `LoggedQuestion`."""

    experiment: str
    variant: str
    caller: str
    outcome: str
    took_ms: float
    helpful: bool | None


@dataclass(frozen=True, slots=True)
class LogReader:
    """Somebody who looks into the log.

    Attributes:
        groups: the access groups.
        documents: ids of the documents that these may read now.
    """

    groups: Collection[str]
    documents: Collection[str]


class QuestionLog:
    """The log of one service.

    An answer is shown to whoever could have got it: who is in all the groups that let the asker read anything, and may
    still read all that it names.
    """

    def __init__(self, state: ServiceState) -> None:
        self._state = state
        state.add_tables(_SCHEMA)

    def add(
        self,
        caller: Caller,
        question: str,
        *,
        at: dt.datetime,
        took_ms: float,
        conversation: str,
        groups_in_use: Collection[str],
        outcome: Answer | str,
        as_of: dt.date | None = None,
        experiment: str = "",
        variant: str = "",
    ) -> str:
        """Takes down a question; its id. See `LoggedQuestion` and `ServedQuestion`.

        The outcome is the answer, or `FAILED` or `ABORTED`. Of the caller's groups only those are kept that documents
        of the index have (`groups_in_use`).
        """
        answer = outcome if isinstance(outcome, Answer) else None
        made = uuid.uuid4().hex
        unkept: Any = answer.unkept if answer else None
        row = {
            "id": made,
            "at": _written(at),
            "caller": caller.name,
            "label": caller.label or caller.name,
            "groups": json.dumps(sorted(set(caller.groups) & set(groups_in_use))),
            "conversation": conversation,
            "question": question,
            "as_of": as_of.isoformat() if as_of else None,
            "outcome": answer.status.value if answer else str(outcome),
            "confidence": answer.confidence if answer else None,
            "llm": answer.llm if answer else None,
            "took_ms": took_ms,
            "experiment": experiment,
            "variant": variant,
            "documents": json.dumps(_documents(answer) if answer else []),
            "answer": _kept(answer) if answer else None,
            "trace": json.dumps(unkept.as_record(), default=str) if unkept else None,
            "trace_id": answer.trace_id if answer else None,
            "trace_store": answer.trace_store if answer else None,
        }
        names, marks = ", ".join(row), ", ".join("?" * len(row))
        with self._state.changing() as db:
            db.execute(f"INSERT INTO questions ({names}) VALUES ({marks})", tuple(row.values()))  # noqa: S608
        return made

    def drop_before(self, day: dt.datetime) -> int:
        """Drops what was asked before a time, with the answers and what was said of them; how many questions."""
        with self._state.changing() as db:
            return db.execute("DELETE FROM questions WHERE at < ?", (_written(day),)).rowcount

    def of_caller(
        self,
        caller: str,
        reader: LogReader,
        *,
        conversation: str | None = None,
        before: int | None = None,
        limit: int = 50,
    ) -> tuple[LoggedQuestion, ...]:
        """What somebody, by unique name, asked, latest first: of one conversation, and of numbers below `before`."""
        conditions = {"caller = ?": caller, "conversation = ?": conversation, "number < ?": before}
        return self._found(conditions, reader, limit)

    def recent(
        self, reader: LogReader, *, outcome: str | None = None, before: int | None = None, limit: int = 50
    ) -> tuple[LoggedQuestion, ...]:
        """What everybody asked, latest first; see `of_caller`."""
        return self._found({"outcome = ?": outcome, "number < ?": before}, reader, limit)

    def rated(self, reader: LogReader, *, before: int | None = None, limit: int = 50) -> tuple[LoggedQuestion, ...]:
        """What feedback was given on, latest first; see `of_caller`."""
        return self._found({"helpful IS NOT NULL AND number < ?": before or 2**62}, reader, limit)

    def one(self, question_id: str, reader: LogReader, *, caller: str) -> LoggedQuestion | None:
        """A question that somebody asked; None where there is none of that id, or another asked it."""
        return next(iter(self._found({"id = ?": question_id, "caller = ?": caller}, reader, 1)), None)

    def trace_of(self, question_id: str, caller: str) -> tuple[str | None, str | None, Mapping[str, Any] | None] | None:
        """The trace of somebody's own question: its id and store in MLflow, or what is needed to keep it there.

        None where there is no such question.
        """
        with self._state.reading() as db:
            found = db.execute(
                "SELECT trace_id, trace_store, trace FROM questions WHERE id = ? AND caller = ?", (question_id, caller)
            ).fetchone()
        if found is None:
            return None
        return found["trace_id"], found["trace_store"], json.loads(found["trace"]) if found["trace"] else None

    def note_trace(self, question_id: str, trace_id: str, store: str) -> None:
        """Says where in MLflow the trace of a question is by now."""
        with self._state.changing() as db:
            db.execute(
                "UPDATE questions SET trace_id = ?, trace_store = ?, trace = NULL WHERE id = ?",
                (trace_id, store, question_id),
            )

    def rate(self, question_id: str, caller: str, *, helpful: bool, comment: str | None) -> bool:
        """Keeps what the asker says of an answer, in place of what was said before; False where he asked no such."""
        with self._state.changing() as db:
            done = db.execute(
                "UPDATE questions SET helpful = ?, comment = ? WHERE id = ? AND caller = ?",
                (helpful, comment, question_id, caller),
            )
        return done.rowcount > 0

    def served(self, experiment: str | None = None) -> tuple[ServedQuestion, ...]:
        """What became of the questions of an experiment, in their order; of the latest one without a name."""
        with self._state.reading() as db:
            if experiment is None:
                latest = db.execute(
                    "SELECT experiment FROM questions WHERE experiment != '' ORDER BY number DESC LIMIT 1"
                )
                experiment = next((row["experiment"] for row in latest), "")
            rows = db.execute(
                "SELECT experiment, variant, caller, outcome, took_ms, helpful FROM questions "
                "WHERE experiment = ? AND variant != '' ORDER BY number",
                (experiment,),
            ).fetchall()
        return tuple(record_of(ServedQuestion, row) for row in rows)

    def _found(self, conditions: Mapping[str, Any], reader: LogReader, limit: int) -> tuple[LoggedQuestion, ...]:
        given = {condition: value for condition, value in conditions.items() if value is not None}
        where = f" WHERE {' AND '.join(given)}" if given else ""
        with self._state.reading() as db:
            rows = db.execute(
                f"SELECT * FROM questions{where} ORDER BY number DESC LIMIT ?",  # noqa: S608 - our own conditions
                (*given.values(), limit),
            ).fetchall()
        return tuple(_seen(row, reader) for row in rows)


def _written(at: dt.datetime) -> str:
    """A time as it is kept: times compare as their texts do."""
    return at.astimezone(dt.UTC).isoformat(timespec="milliseconds")


def _documents(answer: Answer) -> Sequence[str]:
    """Ids of the documents that an answer names."""
    named = [*(citation.doc_id for citation in answer.citations), *(hit.doc_id for hit in answer.nearest)]
    return list(dict.fromkeys(named))


def _kept(answer: Answer) -> str:
    """An answer without its steps and without the statements that did not hold, whose sources are not known."""
    made = to_json(answer)
    for name in ("trace", "removed"):
        made.pop(name)
    return json.dumps({**made, "notices": list(answer.notices)}, ensure_ascii=False)


def _seen(row: Row, reader: LogReader) -> LoggedQuestion:
    readable = set(json.loads(row["groups"])) <= set(reader.groups) and set(json.loads(row["documents"])) <= set(
        reader.documents
    )
    withheld = bool(row["answer"]) and not readable
    if withheld:
        return record_of(LoggedQuestion, row, answer=None, withheld=True)
    return record_of(LoggedQuestion, row, "answer", withheld=False)
