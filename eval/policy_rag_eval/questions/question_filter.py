"""Filters drafts one by one: what passes is kept, what does not is counted by its reason."""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from policy_rag.records.search import Hit, SearchRequest
from policy_rag_eval.questions.draft_checks import answered_elsewhere, check, near_duplicate, plain_form
from policy_rag_eval.questions.drafts import DraftQuote, Drop, GeneratedQuestion, QuestionDraft, Reason
from policy_rag_eval.questions.source_documents import SourceDocument

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

FOUND_DEPTH = 10
"""How many hits are looked through for a question's own section."""
_EXAMPLES = 3


@dataclass
class QuestionFilter:
    """What has been accepted and dropped so far.

    Attributes:
        assistant: over the index that the questions are about.
        documents: by `doc_id`.
        groups: the asker's access groups.
        day: the day on which the questions are asked.
        found_within: drop what is not found among so many hits; None: only say where it is found.
        questions: those accepted, in order.
        drops: counts by reason.
        examples: a few dropped texts by reason, for whoever wants to see what is meant.
    """

    assistant: "PolicyAssistant"
    documents: Mapping[str, SourceDocument]
    groups: tuple[str, ...]
    day: dt.date
    found_within: int | None = None
    questions: list[GeneratedQuestion] = field(default_factory=list)
    drops: Counter[Reason] = field(default_factory=Counter)
    examples: dict[Reason, list[str]] = field(default_factory=dict)
    _forms: set[str] = field(default_factory=set)
    _texts: list[str] = field(default_factory=list)
    _vectors: list[NDArray[np.float32]] = field(default_factory=list)

    def start_with(self, reviewed: Iterable[GeneratedQuestion], refused: Iterable[str] = ()) -> None:
        """Starts with what people reviewed: questions that stay, and texts that they dropped for good."""
        for question in reviewed:
            self.questions.append(question)
            self._remember(question.draft.text)
        for text in refused:
            self._remember(text)

    def prepare(self, texts: Sequence[str]) -> None:
        """Embeds many questions in one go, so that each is quick when it is offered."""
        self.assistant.embedder().embed_queries(list(texts))

    def offer(self, draft: QuestionDraft) -> bool:
        """Keeps a draft that passes every check; else counts why not."""
        reason = check(draft, [self._section_text(*section) for section in draft.sections])
        if reason is None:
            reason = self._repeats(draft.text)
        hits: tuple[Hit, ...] = ()
        groups = self._groups(draft)
        if reason is None:
            request = SearchRequest(draft.text, groups=groups, as_of=self.day)
            hits = self.assistant.search_many([request], top_k=FOUND_DEPTH)[0].hits
            reason = self._misses(draft, hits)
        if reason is not None:
            self.drop(Drop(reason, draft.text))
            return False
        self._remember(draft.text)
        found = found_at(draft.quotes, hits)
        self.questions.append(GeneratedQuestion(question_id(draft), draft, groups, self.day.isoformat(), found))
        return True

    def drop(self, dropped: Drop) -> None:
        """Counts something that did not become a question."""
        self.drops[dropped.reason] += 1
        shown = self.examples.setdefault(dropped.reason, [])
        if len(shown) < _EXAMPLES:
            shown.append(" ".join(dropped.text.split())[:200])

    def _repeats(self, text: str) -> Reason | None:
        if plain_form(text) in self._forms:
            return Reason.DUPLICATE
        vector = self.assistant.embedder().embed_queries([text])[0]
        return Reason.NEAR_DUPLICATE if near_duplicate(text, vector, self._texts, self._vectors) else None

    def _misses(self, draft: QuestionDraft, hits: Sequence[Hit]) -> Reason | None:
        if not draft.answerable:
            answered = any(answered_elsewhere(draft.text, hit.text, draft.language) for hit in hits)
            return Reason.ANSWERED_ELSEWHERE if answered else None
        found = found_at(draft.quotes, hits)
        if self.found_within is not None and (found is None or found > self.found_within):
            return Reason.NOT_FOUND
        return None

    def _remember(self, text: str) -> None:
        self._forms.add(plain_form(text))
        self._texts.append(text)
        self._vectors.append(self.assistant.embedder().embed_queries([text])[0])

    def _section_text(self, doc_id: str, section_id: str) -> str:
        document = self.documents[doc_id]
        section = document.by_id[section_id]
        return document.text[section.start : section.end]

    def _groups(self, draft: QuestionDraft) -> tuple[str, ...]:
        """The asker's groups, where one of the documents is open to some groups only."""
        restricted = any(self.documents[doc_id].info.access for doc_id, _ in draft.sections)
        return self.groups if restricted else ()


def found_at(quotes: Sequence[DraftQuote], hits: Sequence[Hit]) -> int | None:
    """Rank of the first hit that covers at least half the characters of one of the quotes; None where none does."""
    for hit in hits:
        for quote in quotes:
            shared = min(hit.end, quote.end) - max(hit.start, quote.start)
            if hit.file == quote.file and 2 * shared >= quote.end - quote.start:
                return hit.rank
    return None


def question_id(draft: QuestionDraft) -> str:
    """An id that the same question on the same gold has in every run."""
    gold = [[quote.file, quote.start, quote.end] for quote in draft.quotes]
    digest = hashlib.sha256(f"{plain_form(draft.text)}\0{gold}\0{draft.style}".encode()).hexdigest()
    return f"q-{digest[:12]}"
