"""`token_f1`: how many words answer and reference share, as reading comprehension counts them."""

import re
from collections import Counter
from dataclasses import dataclass
from typing import Final

from policy_rag.index.search.tokens import words
from policy_rag_eval.judges.records import Case, Need, Verdict

NAME: Final = "token_f1"
_ARTICLES = frozenset({"a", "an", "the"})
_MARKS = re.compile(r"\[\d+\]")


def token_f1(answer: str, reference: str) -> float:
    """F1 of the words of two texts as bags, lower case and without articles (SQuAD, Rajpurkar et al. 2016).

    Precision is the share of the answer's words that the reference has, each as often; recall is the reverse. Two texts
    without a word agree; one without a word has nothing in common with another.

    >>> token_f1("The limit is 25 days.", "25 days")
    0.6666666666666666
    """
    told, given = _bag(answer), _bag(reference)
    if not told or not given:
        return float(told == given)
    shared = (told & given).total()
    return 2 * shared / (told.total() + given.total())


def _bag(text: str) -> Counter[str]:
    return Counter(word for word in words(_MARKS.sub(" ", text)) if word not in _ARTICLES)


@dataclass(frozen=True)
class TokenF1:
    """F1 of the answer's words against the reference; where accepted spans are known, the best of all of them."""

    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> Verdict:
        """The verdict, `similar` from one half on, else `different`."""
        best = max((case.reference or "", *case.accepted), key=lambda text: token_f1(case.answer, text))
        score = token_f1(case.answer, best)
        return Verdict(
            self.name, score, "similar" if score >= 0.5 else "different", f"F1 of words {score:.2f}", (best,)
        )
