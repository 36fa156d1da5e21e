"""`reader_support`: do the contexts bear out each statement? Told by the model that reads, beside the same rules."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from policy_rag.answering.verification.sentence import Sentence
from policy_rag.answering.verification.source_sentences import EvidencePassage
from policy_rag.models.reader import Reader
from policy_rag.models.reader_language import is_english
from policy_rag_eval.judges.support_overlap import JudgedContext, SupportOverlap

NAME: Final = "reader_support"
THRESHOLD: Final = 0.52
"""Fixed on the half of the labelled answers that is there for it (`eval/datasets/judged`)."""
_SENTENCES: Final = 2


@dataclass(frozen=True)
class ReaderSupport(SupportOverlap):
    """Scores an answer by its weakest statement, as `SupportOverlap` does, but for a statement's support.

    That is the reader's probability that two neighbouring sentences of a context support it, the largest counting. Of
    a statement in a language that the reader does not know, it is `SupportOverlap`'s.

    Attributes:
        embedder: of sentences, vectors of norm 1; for refusals and other languages.
        threshold: least score that is called supported.
        reader: the model that reads.
    """

    threshold: float = THRESHOLD
    name: str = NAME
    reader: Reader = field(default_factory=Reader.load)

    def _embeds(self, text: str) -> bool:
        return not is_english(text)

    def _support(self, text: str, said: Sentence, context: JudgedContext) -> float:
        if not is_english(text):
            return super()._support(text, said, context)
        pieces = _pieces(context.evidence.passages)
        read = self.reader.support(pieces, [text] * len(pieces))
        return max((one.supported for one in read), default=0.0)


def _pieces(passages: Sequence[EvidencePassage]) -> list[str]:
    """Neighbouring sentences or rows of one context together, `_SENTENCES` each, and those that stand alone."""
    found: list[str] = []
    for _, together in groupby(passages, key=lambda one: one.hit):
        texts = [" ".join(one.sentence.text.split()) for one in together]
        found += [" ".join(texts[i : i + _SENTENCES]) for i in range(max(1, len(texts) - _SENTENCES + 1))]
    return found
