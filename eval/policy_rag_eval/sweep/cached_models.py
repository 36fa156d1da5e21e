"""An embedding model and a reranker that compute nothing twice: configurations share what they give.

What is kept comes with the milliseconds that it took, so that a configuration whose models ran for another one still
knows what it would cost by itself. Some questions, the sample, are computed one by one: their times are what somebody
who asks one question waits.
"""

import time
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.retrieval.searcher import QueryEmbedder, Reranker
from policy_rag.settings import Settings
from policy_rag_eval.data.digests import code_digest
from policy_rag_eval.sweep.cache import ModelOutputs, digest

BLOCK = 256
"""Questions that are embedded together: what a break costs at most."""
_SCORED = 32  # questions whose pairs are scored together
_WARM_UP = "?"
_MODELS = "policy_rag.models"


class CachedEmbedder:
    """An embedding model whose rows of questions are kept.

    Args:
        embedder: makes the rows that are missing.
        outputs: where rows are kept.
        sample: questions that are embedded one by one.
    """

    def __init__(self, embedder: QueryEmbedder, outputs: ModelOutputs, sample: Collection[str] = ()) -> None:
        self._embedder = embedder
        self._outputs = outputs
        self._sample = frozenset(sample)
        self.embed = getattr(embedder, "embed", self.embed_queries)  # queries that are worded like passages

    def ms(self, question: str) -> float:
        """Milliseconds that a question took; 0 for one that was not embedded."""
        return self._outputs.ms(digest(question))

    def missing(self, texts: Sequence[str]) -> list[str]:
        """The distinct texts whose rows are not kept, in order."""
        return [text for text in dict.fromkeys(texts) if digest(text) not in self._outputs]

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of norm 1, `(len(texts), dimension)`."""
        keys = {text: digest(text) for text in texts}
        missing = self.missing(texts)
        if missing:
            self._embedder.embed_queries([_WARM_UP])  # loading the model is no part of what a question takes
        for block in in_blocks(missing, self._sample, BLOCK):
            started = time.perf_counter()
            rows = np.asarray(self._embedder.embed_queries(block), dtype=np.float32)
            each = (time.perf_counter() - started) * 1000 / len(block)
            self._outputs.add([keys[text] for text in block], rows, each)
        return np.stack([self._outputs[keys[text]] for text in texts])


@lru_cache(maxsize=1 << 17)
def _name_of(question: str, text: str) -> str:
    """A pair's name; most pairs are scored again by the next configuration."""
    return digest(question, text)


class CachedReranker:
    """A reranker whose scores are kept by question and text.

    Pairs run through the model in common batches, those of a question in the sample in a pass of their own; each
    counts an even share of its pass's time.

    Args:
        reranker: scores the pairs that are missing.
        outputs: where scores are kept.
        sample: questions whose pairs are scored by themselves.
        progress: told how many of the pairs that are missing are scored, as the step `rerank`.
    """

    def __init__(
        self,
        reranker: Reranker,
        outputs: ModelOutputs,
        sample: Collection[str] = (),
        progress: Callable[[str, int, int], None] | None = None,
    ) -> None:
        self._progress = progress
        self._reranker = reranker
        self._outputs = outputs
        self._sample = frozenset(sample)
        self._warm = False
        self.ms: dict[str, float] = {}
        """Milliseconds that the pairs of each question took, as they were last asked for."""

    @property
    def blend(self) -> float:
        """The share of its scores in the order, against those of the search."""
        return self._reranker.blend

    @property
    def depth(self) -> int | None:
        """Candidates from the top that it reads; None: all of them."""
        return self._reranker.depth

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """For each question a score a text, in order; see `policy_rag.models.reranker`."""
        keys: dict[str, dict[str, str]] = {}
        for question, texts in questions:
            keys.setdefault(question, {}).update({text: _name_of(question, text) for text in texts})
        missing = {q: [text for text, key in of.items() if key not in self._outputs] for q, of in keys.items()}
        done, all_of_them = 0, sum(map(len, missing.values()))
        for block in in_blocks([question for question, texts in missing.items() if texts], self._sample, _SCORED):
            self._score([(question, missing[question]) for question in block])
            done += sum(len(missing[question]) for question in block)
            if self._progress and len(missing) > 1:
                self._progress("rerank", done, all_of_them)
        for question, of in keys.items():
            self.ms[question] = sum(self._outputs.ms(key) for key in of.values())
        return [[float(self._outputs[keys[question][text]]) for text in texts] for question, texts in questions]

    def _score(self, questions: Sequence[tuple[str, Sequence[str]]]) -> None:
        """Scores pairs in one pass and keeps them."""
        if not self._warm:
            self._reranker.score_many([(_WARM_UP, [_WARM_UP])])  # as for the questions' rows
            self._warm = True
        pairs = [_name_of(question, text) for question, texts in questions for text in texts]
        started = time.perf_counter()
        scores = self._reranker.score_many(questions)
        each = (time.perf_counter() - started) * 1000 / len(pairs)
        self._outputs.add(pairs, np.array([score for row in scores for score in row], dtype=np.float64), each)


class SharedModels:
    """The models of one folder of what was computed: every configuration that asks is given the same ones.

    Args:
        folder: what was computed lies in it, for all models.
        sample: questions that are computed one by one.
        progress: told how many pairs a reranker has scored of those that are missing, as the step `rerank`.
    """

    def __init__(
        self, folder: Path, sample: Collection[str] = (), progress: Callable[[str, int, int], None] | None = None
    ) -> None:
        self._folder = folder
        self._sample = frozenset(sample)
        self._progress = progress
        self._embedders: dict[tuple[str, ...], CachedEmbedder] = {}
        self._rerankers: dict[tuple[str, ...], CachedReranker] = {}

    def embedder(self, embedder: Any, settings: Settings) -> CachedEmbedder:
        """The embedding model with the rows that are kept of it."""
        name = (embedder.name, embedder.fingerprint, str(settings.index.embedding_backend), code_digest(_MODELS))
        if name not in self._embedders:
            self._embedders[name] = CachedEmbedder(embedder, self._outputs("questions", name), self._sample)
        return self._embedders[name]

    def reranker(self, reranker: Any, settings: Settings) -> CachedReranker:
        """The reranker with the scores that are kept of it."""
        how = (str(settings.ranking.reranker_backend), str(settings.ranking.reranker_precision))
        name = (settings.ranking.reranker, reranker.fingerprint, *how, code_digest(_MODELS))
        if name not in self._rerankers:
            outputs = self._outputs("pairs", name)
            self._rerankers[name] = CachedReranker(reranker, outputs, self._sample, self._progress)
        return self._rerankers[name]

    def searcher(self, settings: Settings) -> Callable[..., Any]:
        """What makes the product's searcher for a `PolicyAssistant`, with models that keep what they computed."""

        def make(index: Any, embedder: Any, reranker: Any, **others: Any) -> Any:
            from policy_rag.retrieval.searcher import Searcher

            cached = self.reranker(reranker, settings) if reranker else None
            return Searcher(index, self.embedder(embedder, settings), cached, **others)

        return make

    def _outputs(self, kind: str, name: Sequence[str]) -> ModelOutputs:
        return ModelOutputs(self._folder / f"{kind}-{digest(*name)}")


def in_blocks(questions: Sequence[str], sample: Collection[str], size: int) -> list[list[str]]:
    """Questions that are computed together: those of the sample one by one, then the others.

    >>> in_blocks(["a", "b", "c"], {"b"}, 256)
    [['b'], ['a', 'c']]
    """
    alone = [[question] for question in questions if question in sample]
    others = [question for question in questions if question not in sample]
    return [*alone, *(others[i : i + size] for i in range(0, len(others), size))]
