"""How a refusal is worded: that nothing was found, or that what an LLM wrote did not hold."""

from collections.abc import Sequence

from policy_rag.records.answer import Answer, Status

REFUSED = "The policies found do not answer this question."
NOT_BORNE_OUT = (
    "Nothing of what the LLM wrote is borne out by what it cites. The sections found may answer this question."
)
_FOUND = "The sections found, which may answer it"
_NEAREST = "The nearest sections, which were not found to answer it"
_MEANT = "What could be meant"


def refusal(removed: Sequence[str]) -> str:
    """What a refusal says. Where all that an LLM wrote was removed, nobody knows whether the policies answer.

    >>> refusal(())
    'The policies found do not answer this question.'
    """
    return NOT_BORNE_OUT if removed else REFUSED


def headline(answer: Answer) -> str:
    """What stands above the sections that are shown instead of an answer, without a colon."""
    if answer.status is Status.CLARIFY:
        return _MEANT
    return _FOUND if answer.status is Status.REFUSED and answer.removed else _NEAREST
