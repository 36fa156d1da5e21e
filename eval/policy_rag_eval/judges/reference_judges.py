"""Judges that lay an answer beside what is known to be right: spans, words, subsequences of words, vectors."""

import re
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import ClassVar

from policy_rag.answering.verification.quoted_names import plain
from policy_rag.index.search.terms import words
from policy_rag.models.embedder import Embedder
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag_eval.data.quote_search import holds_whole
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need

_ARTICLES = frozenset({"a", "an", "the"})
_MARKS = re.compile(r"\[\d+\]")
_MAX_WORDS = 2_000  # the time of ROUGE-L grows with the product of the lengths


def _similar(score: float) -> str:
    return "similar" if score >= 0.5 else "different"


@dataclass(frozen=True)
class AcceptedSpan:
    """The share of the accepted spans that the answer holds as whole words, up to case, blanks and kinds of marks.

    A question with several spans asks for several things, so that each counts. A paraphrase counts for nothing: for
    answers that do not quote, this is a lower bound.
    """

    name: ClassVar[str] = "accepted_span"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.ACCEPTED})

    def judge(self, case: Case) -> JudgeVerdict:
        """`held` where all are there, `partly held`, or `not held`; its evidence are those found."""
        answer = plain(case.answer)
        held = tuple(span for span in case.accepted if holds_whole(answer, plain(span)))
        score = len(held) / len(case.accepted)
        label = "held" if score == 1 else "partly held" if held else "not held"
        return JudgeVerdict(
            self.name, score, label, f"{len(held)} of {len(case.accepted)} spans are in the answer", held
        )


def token_f1(answer: str, reference: str) -> float:
    """F1 of the words of two texts as bags, lower case and without articles (SQuAD, Rajpurkar et al. 2016).

    Precision is the share of the answer's words that the reference has, each as often; recall is the reverse. Two texts
    without a word agree; one without a word has nothing in common with another.

    >>> token_f1("The limit is 25 days.", "25 days")
    0.6666666666666666
    """
    ours, theirs = _bag(answer), _bag(reference)
    if not ours or not theirs:
        return float(ours == theirs)
    return 2 * (ours & theirs).total() / (ours.total() + theirs.total())


def _bag(text: str) -> Counter[str]:
    return Counter(word for word in words(_MARKS.sub(" ", text)) if word not in _ARTICLES)


@dataclass(frozen=True)
class TokenF1:
    """F1 of the answer's words against the reference; where accepted spans are known, the best of all of them."""

    name: ClassVar[str] = "token_f1"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> JudgeVerdict:
        """`similar` from one half on, else `different`."""
        best = max((case.reference or "", *case.accepted), key=lambda text: token_f1(case.answer, text))
        score = token_f1(case.answer, best)
        return JudgeVerdict(self.name, score, _similar(score), f"F1 of words {score:.2f}", (best,))


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

    name: ClassVar[str] = "rouge_l"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> JudgeVerdict:
        """`similar` from one half on, else `different`; an answer that is far too long is not judged."""
        length = len(case.answer.split())
        if length > _MAX_WORDS:
            return JudgeVerdict.unjudged(self.name, f"the answer has {length:,} words, more than {_MAX_WORDS:,}")
        score = min(rouge_l(case.answer, case.reference or ""), 1.0)
        return JudgeVerdict(self.name, score, _similar(score), f"ROUGE-L {score:.2f}")


@dataclass(frozen=True)
class AnswerSimilarity:
    """The cosine of the vectors of answer and reference, at least 0. It cannot tell an amount from another.

    Attributes:
        embedder: gives vectors of norm 1; text beyond its window is not seen.
    """

    embedder: Embedder
    name: ClassVar[str] = "answer_similarity"
    needs: ClassVar[frozenset[Need]] = frozenset({Need.REFERENCE})

    def judge(self, case: Case) -> JudgeVerdict:
        """`similar` from one half on, else `different`; an empty answer has 0."""
        if not case.answer.strip():
            return JudgeVerdict(self.name, 0.0, "different", "the answer is empty")
        answer, reference = embed_remembered(self.embedder, [case.answer, case.reference or ""])
        cosine = min(max(float(answer @ reference), 0.0), 1.0)
        return JudgeVerdict(self.name, cosine, _similar(cosine), f"cosine {cosine:.2f}")
