"""`rouge_l`: the longest common subsequence of words of answer and reference, by the library rouge-score."""

import warnings
from dataclasses import dataclass
from typing import Final

from policy_rag_eval.judges.records import Case, Need, Verdict

NAME: Final = "rouge_l"
_MOST_WORDS = 2_000  # its time grows with the product of the lengths


def rouge_l(answer: str, reference: str) -> float:
    """F-measure of ROUGE-L with stemming (Lin 2004), as `rouge_score` computes it; 0 where either has no word."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what the library's own imports warn of is nothing to do with the texts
        from rouge_score.rouge_scorer import RougeScorer
    scorer = RougeScorer(["rougeL"], use_stemmer=True)
    return float(scorer.score(reference, answer)["rougeL"].fmeasure)


@dataclass(frozen=True)
class RougeL:
    """ROUGE-L of the answer against the reference. Its tokenizer knows Latin letters and digits only."""

    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> Verdict:
        """The verdict, `similar` from one half on, else `different`; an answer that is far too long is not judged."""
        length = len(case.answer.split())
        if length > _MOST_WORDS:
            return Verdict.unjudged(self.name, f"the answer has {length:,} words, more than {_MOST_WORDS:,}")
        score = min(rouge_l(case.answer, case.reference or ""), 1.0)
        return Verdict(self.name, score, "similar" if score >= 0.5 else "different", f"ROUGE-L {score:.2f}")
