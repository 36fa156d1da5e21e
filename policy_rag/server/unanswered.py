"""Questions that the policies did not answer, those of the same matter together: what is missing, or hard to find."""

import datetime as dt
from dataclasses import dataclass

import numpy as np

from policy_rag.records.answer import Status
from policy_rag.server.question_log import LoggedQuestion, LogReader
from policy_rag.server.service import Service

_LATEST = 500
_ALIKE = 0.75  # cosine


@dataclass(frozen=True, slots=True)
class UnansweredGroup:
    """Questions of one matter.

    Attributes:
        question: the latest of them.
        times: how often it was asked, in whatever words.
        callers: by how many.
        latest: when it was asked last.
        others: the other wordings, latest first.
    """

    question: str
    times: int
    callers: int
    latest: dt.datetime
    others: tuple[str, ...]


def unanswered(service: Service, reader: LogReader) -> tuple[UnansweredGroup, ...]:
    """The refused and uncertain ones among the latest questions, the most asked first, of equals the latest.

    A question joins the first group whose latest question is near it in the embedding.
    """
    found = [
        one
        for status in (Status.REFUSED, Status.UNCERTAIN)
        for one in service.questions.recent(reader, outcome=status.value, limit=_LATEST)
    ]
    found.sort(key=lambda one: -one.number)
    if not found:
        return ()
    wordings = list(dict.fromkeys(one.question for one in found))
    rows = dict(zip(wordings, service.assistant.embedder().embed_queries(wordings), strict=True))
    groups: list[list[LoggedQuestion]] = []
    for one in found:
        for group in groups:
            if float(np.dot(rows[group[0].question], rows[one.question])) >= _ALIKE:
                group.append(one)
                break
        else:
            groups.append([one])
    groups.sort(key=lambda group: (-len(group), -group[0].number))
    return tuple(_group(group) for group in groups)


def _group(group: list[LoggedQuestion]) -> UnansweredGroup:
    first, *rest = dict.fromkeys(one.question for one in group)
    return UnansweredGroup(first, len(group), len({one.caller for one in group}), group[0].at, tuple(rest))
