"""What is known to be right of a question, under the names by which MLflow's judges and its data sets know it."""

from collections.abc import Sequence
from typing import Any

RESPONSE = "expected_response"
CONTEXT = "expected_retrieved_context"
ACCEPTED = "accepted_answers"
ANSWERABLE = "answerable"
QUESTION_ID = "question_id"
"""Among a record's tags; among its inputs where another record has the same words."""


def expectations(reference: str | None, accepted: Sequence[str], answerable: bool | None) -> dict[str, Any]:
    """The expectations of a question: those that are known.

    `accepted` are short spans of which any in the answer makes it right.

    >>> expectations("Ten days.", (), True)
    {'expected_response': 'Ten days.', 'answerable': True}
    """
    known = {RESPONSE: reference, ACCEPTED: list(accepted) or None, ANSWERABLE: answerable}
    return {name: value for name, value in known.items() if value is not None}
