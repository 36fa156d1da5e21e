"""`support_overlap`: do the contexts bear out each statement? Told by words, vectors and the verifier, by no LLM."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.verification.checker import check
from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence, evidence_of
from policy_rag.models.embedder import Embedder
from policy_rag.models.remembered_rows import embed_remembered
from policy_rag.records.search import Hit
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.judges.statements import refuses, statements, without_lead
from policy_rag_eval.judges.support_checks import rough_issue
from policy_rag_eval.judges.verbatim import Wording
from policy_rag_parsers.text.sentences import sentence_spans

NAME: Final = "support_overlap"
THRESHOLD: Final = 0.66
"""Fixed on the half of the labelled answers that is there for it (`eval/datasets/judged`)."""
_FAULTY: Final = 0.3
_MOST_STATEMENTS = 400
_MOST_PIECES = 4  # of a sentence that was cut


@dataclass(frozen=True)
class JudgedContext:
    """What an answer was given, read once."""

    hits: tuple[Hit, ...]
    evidence: Evidence
    embedder: Embedder
    wording: Wording

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """Of the evidence's sentences. Answers that are word for word there need none."""
        return embed_remembered(self.embedder, [" ".join(one.sentence.text.split()) for one in self.evidence.passages])


@dataclass(frozen=True)
class SupportOverlap:
    """Scores an answer by its weakest statement.

    A statement's support is the mean of two shares: of its content words, those that the question or the one to three
    sentences of the contexts nearest in words have; and the largest cosine of its vector with a sentence of the
    contexts. What is word for word in the contexts, as whole sentences, list items or table rows, has full support.
    Where the verifier of answers (`policy_rag.answering.verification`) finds an issue, another number, another role, a
    negation, a condition left out, or a rough check (`support_checks`) does, the support is cut to three tenths.
    Orders to an assistant are statements without support. A refusal is scored by how little the contexts say of the
    question; without contexts it could not be judged.

    Attributes:
        embedder: of sentences, vectors of norm 1.
        threshold: least score that is called supported.
    """

    embedder: Embedder
    threshold: float = THRESHOLD
    name: str = NAME
    needs: frozenset[Need] = frozenset({Need.CONTEXTS})
    _known: dict[tuple[str, ...], JudgedContext] = field(default_factory=dict, repr=False, compare=False)

    def judge(self, case: Case) -> JudgeVerdict:
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
            return JudgeVerdict.unjudged(self.name, reason)
        if not contexts:
            return self._no("it states something without any context", found.texts[0])
        return self._weakest(self._context(case.question, contexts), found.texts)

    def _weakest(self, context: JudgedContext, texts: Sequence[str]) -> JudgeVerdict:
        held = _quoted(texts, context.wording)
        # All in one pass, of which each statement then takes its row.
        bare = (without_lead(text) for place, text in enumerate(texts) if place not in held)
        embed_remembered(self.embedder, [text for text in bare if self._embeds(text)])
        scored = [
            (1.0, "", text) if place in held else (*self._statement(text, context), text)
            for place, text in enumerate(texts)
        ]
        score, reason, text = min(scored, key=lambda one: one[0])
        if score >= self.threshold:
            return JudgeVerdict(self.name, score, "supported", "every statement is borne out")
        return JudgeVerdict(
            self.name, score, "unsupported", reason or "too few of its words are in the contexts", (text,)
        )

    def _no(self, reason: str, *evidence: str) -> JudgeVerdict:
        return JudgeVerdict(self.name, 0.0, "unsupported", reason, evidence)

    def _statement(self, text: str, context: JudgedContext) -> tuple[float, str]:
        if not context.evidence.passages:
            return 0.0, "the contexts hold no sentence"
        bare = without_lead(text)
        said = read(bare, context.evidence.language)
        support = self._support(bare, said, context)
        question = context.hits[0].title
        reason = check(bare, context.hits).reason or rough_issue(said, context.evidence.supporting(said), question)
        return (support * _FAULTY if reason else support), reason

    def _embeds(self, text: str) -> bool:  # noqa: ARG002 - other judges do not embed all
        """Whether a statement's vector is asked for."""
        return True

    def _support(self, text: str, said: Sentence, context: JudgedContext) -> float:
        """How far the contexts bear a statement out, 0 to 1, whatever the rules say of it."""
        wanted = frozenset(stem for stem in said.content if not stem[0].isdigit())
        evidence = context.evidence.supporting(said)
        share = len(wanted & evidence.stems) / len(wanted) if wanted else 1.0
        cosine = float((context.vectors @ embed_remembered(self.embedder, [text])[0]).max())
        return (share + min(max(cosine, 0.0), 1.0)) / 2

    def _refusal(self, case: Case) -> JudgeVerdict:
        context = self._context("", case.contexts or ())
        passages = context.evidence.passages
        if not passages:
            return JudgeVerdict.unjudged(self.name, "it refuses, and nothing was given that could answer")
        asked = read(case.question, context.evidence.language).content
        covered = max(len(asked & one.stems) / len(asked) for one in passages) if asked else 0.0
        cosines = context.vectors @ self.embedder.embed_queries([case.question])[0]
        place = int(cosines.argmax())
        score = 1 - min(max((covered + float(cosines[place])) / 2, 0.0), 1.0)
        if score >= self.threshold:
            return JudgeVerdict(
                self.name, score, "supported", "it refuses, and the contexts say little of the question"
            )
        told = (passages[place].sentence.text,)
        return JudgeVerdict(self.name, score, "unsupported", "it refuses what the contexts treat", told)

    def _context(self, question: str, contexts: Sequence[str]) -> JudgedContext:
        """What the answerer was given, orders left out; read once. What the question says may be repeated."""
        key = (question, *contexts)
        if key not in self._known:
            hits = tuple(_hit(text, question, place) for place, text in enumerate(contexts, 1))
            evidence = evidence_of("", hits)
            wording = Wording.of(_sentences("\n\n".join(contexts)))
            self._known[key] = JudgedContext(hits, evidence, self.embedder, wording)
        return self._known[key]


def _sentences(text: str) -> list[str]:
    spans = without_orders(text, sentence_spans(text, 0, len(text)))
    return [" ".join(text[start:end].split()) for start, end in spans]


def _hit(text: str, question: str, rank: int) -> Hit:
    """A context as a hit whose title is the question."""
    return Hit(
        rank=rank, score=1.0, doc_id=f"context {rank}", version=None, file="", section_id=str(rank), number=None,
        title=question, path=(), start=0, end=len(text), chunk_start=0, chunk_end=len(text), page=None, text=text,
        found_by={},
    )  # fmt: skip


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
