"""How a refusal is worded: that nothing was found, or that what an LLM wrote did not hold."""

from policy_rag.answering.shown import as_shown
from policy_rag.records import Answer, Status

_NOT_BORNE_OUT = (
    "Nothing of what the LLM wrote is borne out by what it cites. The sections found may answer this question."
)
_FOUND = "The sections found, which may answer it"
_NEAREST = "The nearest sections, which were not found to answer it"
_MEANT = "What could be meant"


def said(answer: Answer) -> str:
    """The answer's text as it is shown.

    Where all that an LLM wrote was removed, the record says that the policies do not answer, which nobody knows: then
    this says what happened.
    """
    return _NOT_BORNE_OUT if _was_written(answer) else as_shown(answer.answer)


def headline(answer: Answer) -> str:
    """What stands above the sections that are shown instead of an answer, without a colon."""
    if answer.status is Status.CLARIFY:
        return _MEANT
    return _FOUND if _was_written(answer) else _NEAREST


def _was_written(answer: Answer) -> bool:
    return answer.status is Status.REFUSED and bool(answer.removed)
