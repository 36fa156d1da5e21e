"""How likely an answer is right: by what the reader and the search say of what was quoted first."""

import math
from dataclasses import dataclass

from policy_rag.answering.confidence.model import Features, logistic

LEAST_RIGHT = 0.25
"""Least probability of being right with which anything is shown that the reader has read."""
_CLAUSE = 0.99  # a clause that was asked for by its number
_UNKNOWN = 0.5  # nothing was weighed
_NO_ANSWER = -4.0  # the reader's logit below which it finds that nothing is answered
# Most of what is no answer to the reader, however near: of eight held for likelier three are right. And of what tells a
# length of time where an amount is asked for: to the reader one number is as good as another.
_UNANSWERED = 0.4
_SURE = 4.0  # a logit counts up to this


@dataclass(frozen=True, slots=True)
class FirstQuotation:
    """What is known of the quotation that answers first, where it was weighed against others.

    Attributes:
        chosen: the logit by which it was chosen.
        near: its cosine with the question, above what is usual for the question.
        read: the reader's logit that it answers; None where the reader does not know the language, or is not there.
        around: the reader's logit of the paragraph or list around it, where few words say more; of a row or column of a
            table the same as `read`; None likewise.
        borne: how far it bears out the question, read as a statement: the logit that it does or, where "no" is an
            answer, that it does or says the contrary; None likewise. Who, when or how much is left open, so it is what
            the question takes for granted that is borne out.
        length: its own words' characters.
        amiss: whether an amount is asked for and all numbers that are quoted are lengths of time.
    """

    chosen: float = 0.0
    near: float = 0.0
    read: float | None = None
    around: float | None = None
    borne: float | None = None
    length: int = 0
    amiss: bool = False


UNWEIGHED = FirstQuotation()
"""Where nothing was weighed: nothing is quoted, or what is asked for by its number."""


def probability_right(found: Features, first: FirstQuotation) -> float:
    """The probability that an answer is right, 0 to 1: what is shown as its `confidence`.

    A logistic regression on whether the first three quotations hold the whole gold, on all questions of the sample
    company and of two handbooks, those that no document answers among them; `docs/research/answers.md` says how what
    is read around came in. Where the reader did not read it is another one, on the same questions asked without it: of
    how it was chosen and its length. A long statement has more in it that is near to a question than what answers.
    """
    if found.clause > 0:
        return _CLAUSE
    if first == UNWEIGHED:
        return _UNKNOWN
    length = math.log(max(first.length, 1))
    if first.read is None or first.around is None or first.borne is None:
        return logistic(2.9 + 0.4 * min(max(first.chosen, -_SURE), _SURE) - 0.6 * length)
    read = (first.read + first.around) / 2
    right = logistic(2.45 + 3.9 * first.near + 0.15 * read + 0.3 * first.borne - 0.55 * length)
    return min(right, _UNANSWERED) if first.read < _NO_ANSWER or first.amiss else right


def is_near_miss(found: Features, first: FirstQuotation) -> bool:
    """Whether what is asked is most likely not there, though its matter is treated: only the reader can tell."""
    return first.read is not None and probability_right(found, first) < LEAST_RIGHT
