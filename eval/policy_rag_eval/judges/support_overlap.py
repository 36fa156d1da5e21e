"""`support_overlap`: do the contexts bear out each statement? Told by words and vectors, without an LLM."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag.answering.verification.surface_checks import MODAL_STEMS
from policy_rag.index.search.tokens import detect_language, terms
from policy_rag.models.embedder import Embedder
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.statements import refuses, statements, without_lead
from policy_rag_eval.judges.support_checks import first_fault
from policy_rag_eval.judges.support_evidence import Evidence, numerals
from policy_rag_eval.judges.verbatim import Wording
from policy_rag_parsers.text.sentences import sentence_spans

NAME: Final = "support_overlap"
THRESHOLD: Final = 0.63
"""Fixed on the half of the labelled answers that is there for it (`eval/datasets/judged`)."""
_FAULTY: Final = 0.3
_MOST_SENTENCES = 3
_WORTH_ADDING = 0.15
_MOST_STATEMENTS = 400
_MOST_PIECES = 4  # of a sentence that was cut


@dataclass(frozen=True)
class _Context:
    sentences: tuple[str, ...]
    stems: tuple[frozenset[str], ...]
    vectors: NDArray[np.float32]
    wording: Wording


@dataclass(frozen=True)
class SupportOverlap:
    """Scores an answer by its weakest statement.

    A statement's support is the mean of two shares: of its content words, those that the question or the one to three
    sentences of the contexts nearest in words have; and the largest cosine of its vector with a sentence of the
    contexts. What is word for word in the contexts, as whole sentences, list items or table rows, has full support.
    Where a check of `support_checks` finds a fault (another number, another role, a negation, a condition left out),
    the support is cut to three tenths. Orders to an assistant are statements without support. A refusal is scored by
    how little the contexts say of the question; without contexts it could not be judged.

    Attributes:
        embedder: of sentences, vectors of norm 1.
        threshold: least score that is called supported.
    """

    embedder: Embedder
    threshold: float = THRESHOLD
    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.CONTEXTS})
    _known: dict[tuple[str, str], _Context] = field(default_factory=dict, repr=False, compare=False)

    def judge(self, case: Case) -> Verdict:
        """The verdict, `supported` or `unsupported`; its evidence is the statement that fails, or what answers."""
        contexts = case.contexts or ()
        if not case.answer.strip():
            return self._no("the answer is empty")
        if refuses(case):
            return self._refusal(case)
        found = statements(case.answer)
        if found.orders:
            return self._no("it gives orders to an assistant", *found.orders)
        if not 0 < len(found.texts) <= _MOST_STATEMENTS:
            reason = f"it has {len(found.texts)} sentences: from 1 to {_MOST_STATEMENTS} are judged"
            return Verdict.unjudged(self.name, reason)
        if not contexts:
            return self._no("it states something without any context", found.texts[0])
        return self._weakest(case.question, contexts, found.texts)

    def _weakest(self, question: str, contexts: Sequence[str], texts: Sequence[str]) -> Verdict:
        language = detect_language(" ".join(contexts))
        held = _quoted(texts, self._context("\n\n".join(contexts), language).wording)
        scored = [
            (1.0, "", text) if place in held else (*self._statement(text, question, contexts, language), text)
            for place, text in enumerate(texts)
        ]
        score, reason, text = min(scored, key=lambda one: one[0])
        if score >= self.threshold:
            return Verdict(self.name, score, "supported", "every statement is borne out")
        return Verdict(self.name, score, "unsupported", reason or "too few of its words are in the contexts", (text,))

    def _no(self, reason: str, *evidence: str) -> Verdict:
        return Verdict(self.name, 0.0, "unsupported", reason, evidence)

    def _statement(self, text: str, question: str, contexts: Sequence[str], language: str) -> tuple[float, str]:
        bare = without_lead(text)
        context = self._context("\n\n".join(contexts), language)
        wanted = frozenset(terms(bare, language)) - MODAL_STEMS
        if not context.sentences:
            return 0.0, "the contexts hold no sentence"
        places = _nearest(wanted, context)
        evidence = Evidence(tuple(context.sentences[i] for i in places), tuple(contexts), question, language)
        known = frozenset(terms(question, language)).union(*(context.stems[i] for i in places))
        wanted -= numerals(bare)
        share = len(wanted & known) / len(wanted) if wanted else 1.0
        cosine = float((context.vectors @ self.embedder.embed([bare])[0]).max())
        support = (share + min(max(cosine, 0.0), 1.0)) / 2
        reason = first_fault(bare, evidence)
        return (support * _FAULTY if reason else support), reason

    def _refusal(self, case: Case) -> Verdict:
        text = "\n\n".join(case.contexts or ())
        language = detect_language(text)
        context = self._context(text, language)
        if not context.sentences:
            return Verdict.unjudged(self.name, "it refuses, and nothing was given that could answer")
        asked = frozenset(terms(case.question, language)) - MODAL_STEMS
        covered = max((len(asked & stems) / len(asked) for stems in context.stems), default=0.0) if asked else 0.0
        cosines = context.vectors @ self.embedder.embed_queries([case.question])[0]
        place = int(cosines.argmax())
        score = 1 - min(max((covered + float(cosines[place])) / 2, 0.0), 1.0)
        if score >= self.threshold:
            return Verdict(self.name, score, "supported", "it refuses, and the contexts say little of the question")
        return Verdict(
            self.name, score, "unsupported", "it refuses what the contexts treat", (context.sentences[place],)
        )

    def _context(self, text: str, language: str) -> _Context:
        """The sentences of the contexts, orders left out; embedded once."""
        key = (text, language)
        if key not in self._known:
            spans = without_orders(text, sentence_spans(text, 0, len(text)))
            sentences = tuple(" ".join(text[a:b].split()) for a, b in spans)
            vectors = self.embedder.embed(sentences) if sentences else np.zeros((0, 1), dtype=np.float32)
            self._known[key] = _Context(
                sentences,
                tuple(frozenset(terms(sentence, language)) for sentence in sentences),
                vectors,
                Wording.of(sentences),
            )
        return self._known[key]


def _quoted(texts: Sequence[str], wording: Wording) -> frozenset[int]:
    """The places of the statements that are word for word there, alone or with those beside them.

    A sentence whose lines are wrapped may be cut at a line's end in an answer, where other lines surround it.
    """
    held: set[int] = set()
    for first in range(len(texts)):
        for end in range(first + 1, min(first + _MOST_PIECES, len(texts)) + 1):
            said = " ".join(texts[first:end])
            if wording.holds(said) or wording.holds(without_lead(said)):
                held.update(range(first, end))
    return frozenset(held)


def _nearest(wanted: frozenset[str], context: _Context) -> list[int]:
    """One to three sentences that cover most of the wanted stems; ties go to the shorter, then the earlier one."""
    chosen: list[int] = []
    left = wanted
    while len(chosen) < _MOST_SENTENCES:
        best = max(range(len(context.stems)), key=lambda i: (len(left & context.stems[i]), -len(context.stems[i]), -i))
        gained = left & context.stems[best]
        numbers = any(stem[0].isdigit() for stem in gained)
        if chosen and not numbers and len(gained) < max(2.0, _WORTH_ADDING * len(wanted)):
            break
        chosen.append(best)
        left -= context.stems[best]
    return chosen
