"""What is reviewed, and the review page inside of another application, which lets people in and knows their names."""

import datetime as dt
from pathlib import Path
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError
from policy_rag_eval.review.app import review_app
from policy_rag_eval.review.items import Source
from policy_rag_eval.review.question_source import QuestionSource
from policy_rag_eval.review.verdict_source import VerdictSource

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.applications import Starlette
    from starlette.requests import Request

_LABELLED = "labelled"


def page_of(what: Path, reviewer: "Callable[[Request], str]") -> "Starlette":
    """The page over a question set's folder, or over disputed verdicts, whose labels go into `labelled` beside them.

    `reviewer` tells who sends a request that was let in: nobody decides in another's name.

    Raises:
        UsageError: it is neither a question set's folder nor a table of disputed answers.
    """
    source = source_of(what, what.with_name(_LABELLED))
    source.items()  # what cannot be read is told before anything is served
    return review_app(source, reviewer=reviewer, token=None, hosts=None, clock=lambda: dt.datetime.now(dt.UTC))


def source_of(what: Path, labelled: Path) -> Source:
    """What is reviewed, told by what is there.

    Raises:
        UsageError: it is neither a question set's folder nor a table of disputed answers.
    """
    if what.is_dir():
        return QuestionSource(what)
    if what.is_file():
        return VerdictSource(what, labelled)
    raise UsageError(
        f"there is no {what}: give a folder of `policy-rag eval questions`, or the file of `eval judges --disputed`"
    )
