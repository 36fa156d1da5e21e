"""The reader's relevance in a reranker's place."""

from collections.abc import Sequence

from policy_rag.models.reader import Reader
from policy_rag.models.reader_language import is_english

READER = "policy-rag-reader"


class ReaderReranker:
    """Orders what a search found by the shipped reader. Its weights are loaded when the first pair is scored."""

    name = READER

    @property
    def reader(self) -> Reader:
        """The loaded reader.

        Raises:
            ModelError: it cannot be loaded.
        """
        return Reader.load()

    @property
    def fingerprint(self) -> str:
        """The sha256 of its weights."""
        return self.reader.fingerprint

    @property
    def blend(self) -> float:
        """The share of its scores that ranks best, against those of the search."""
        return self.reader.config.blend

    @property
    def depth(self) -> int:
        """Candidates from the top that it reads: what stands further down was not worth the time."""
        return self.reader.config.ranked

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """For each question a logit a text, in order, higher is better; of a language it does not know all 0.

        Raises:
            ModelError: it cannot be loaded.
        """
        known = [is_english(question) for question, _ in questions]
        pairs = [
            (question, text) for (question, texts), able in zip(questions, known, strict=True) if able for text in texts
        ]
        scores = iter(self.reader.relevance_of(pairs).tolist() if pairs else ())
        return [
            [next(scores) if able else 0.0 for _ in texts] for (_, texts), able in zip(questions, known, strict=True)
        ]
