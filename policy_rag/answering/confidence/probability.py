"""How likely an answer is right: that the documents hold it, and that what was quoted first is it."""

from dataclasses import dataclass

from policy_rag.answering.confidence.model import Features, logistic

LEAST_THERE = 0.4
"""Least probability that the documents hold the answer with which anything is shown."""
_SURE = 4.0  # a logit counts up to this
_LEAST_BEYOND = -1.5  # what plainly answers a short question is more about it still
_UNREAD = -0.3  # what counts where the reader did not read


@dataclass(frozen=True, slots=True)
class FirstQuotation:
    """What is known of the quotation that answers first, where it was weighed against others.

    Attributes:
        chosen: the logit by which it was chosen.
        near: its cosine with the question, above what is usual for the question.
        read: the reader's logit that it answers; None where the reader does not know the language, or is not there.
        borne: how far it bears out the question, read as a statement: the logit that it does or, where "no" is an
            answer, that it does or says the contrary; None likewise. Who, when or how much is left open, so it is what
            the question takes for granted that is borne out.
    """

    chosen: float = 0.0
    near: float = 0.0
    read: float | None = None
    borne: float | None = None


UNWEIGHED = FirstQuotation()
"""Where nothing was weighed: nothing is quoted, or what is asked for by its number."""


def probability_there(found: Features, first: FirstQuotation) -> float:
    """The probability that documents which support a question well enough hold its answer, 0 to 1.

    In a near miss they do not: its matter is treated, and what is asked of it is not there. Only the reader can tell;
    of a clause that was asked for by its number nobody doubts it. A logistic regression on whether the question is
    answerable, on the questions of the sample company and of two handbooks that the search does not refuse.
    """
    if first.read is None or first.borne is None or found.clause > 0:
        return 1.0
    said = 0.35 * first.read + 1.8 * max(found.beyond, _LEAST_BEYOND) + 0.6 * first.borne
    return logistic(3.2 + 4.4 * first.near + said)


def is_near_miss(found: Features, first: FirstQuotation) -> bool:
    """Whether the answer is most likely not there; never where the reader finds that the first quotation answers."""
    return first.read is not None and first.read <= 0 and probability_there(found, first) < LEAST_THERE


def probability_right(found: Features, first: FirstQuotation) -> float:
    """The probability that an answer is right, 0 to 1: what is shown as its `confidence`.

    That the answer is there, times that it was quoted if so. The latter has weights near those of a logistic regression
    on whether the first three quotations hold the whole gold, on the answerable questions of the same sets.
    """
    borne = _UNREAD if first.borne is None else 0.2 * first.borne
    quoted = logistic(1.2 + 3.8 * found.clause + 0.5 * _held(first.chosen) + borne)
    return probability_there(found, first) * quoted


def _held(chosen: float) -> float:
    return min(max(chosen, -_SURE), _SURE)
