"""The stages that configurations share: questions embedded, candidates searched for, pairs reranked; each once.

Each class stands where the product's own piece stands in a `Searcher`, asks the cache first, has the product compute
what is missing, and keeps that at once. What is kept comes with the milliseconds that it took, so that a configuration
whose stages were all computed for another one still knows what it would cost by itself.

Some questions, the sample, are computed one by one: their times are what somebody who asks one question waits.
"""

import struct
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from policy_rag.index.store.snapshot_files import Derived
from policy_rag.records.options import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.candidates.collector import CandidateList, collect_candidates
from policy_rag.retrieval.fusion import Candidates
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag_eval.sweep.stage_cache import StageCache, digest

_SCORED = 32  # questions whose pairs are scored and kept together
BLOCK = 256  # questions that are computed and kept together: what a break costs at most

_WARM_UP = "?"
_MS = struct.Struct("<d")
_PAIR = struct.Struct("<dd")
_HEAD = struct.Struct("<Idddd")
_WIDE = ("rows", "vector_rank", "keyword_rank", "chunks")  # kept as int32
_FLOATS = ("vector", "keyword", "centred")

Told = Callable[[int, int], None]


class QuestionEmbedder(Protocol):
    """What embeds questions."""

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of norm 1, `(len(texts), dimension)`."""
        ...


class PairScorer(Protocol):
    """What scores pairs of a question and a text."""

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> Sequence[Sequence[float]]:
        """For each question a score a text."""
        ...


class EmbeddedQuestions:
    """Rows of questions: those of the cache, the others embedded and kept.

    Args:
        embedder: makes the rows that are missing.
        cache: where rows are kept.
        stage: names the model, its instruction and what runs it.
        sample: questions that are embedded one by one.
    """

    def __init__(
        self, embedder: QuestionEmbedder, cache: StageCache, stage: bytes, sample: Collection[str] = ()
    ) -> None:
        self._embedder = embedder
        self._cache = cache
        self._stage = stage
        self._sample = frozenset(sample)
        self._rows: dict[str, NDArray[np.float32]] = {}
        self.ms: dict[str, float] = {}
        """Milliseconds that each question took."""

    def missing(self, questions: Sequence[str]) -> list[str]:
        """The distinct questions whose rows are not kept, in order."""
        items = {digest(question): question for question in questions if question not in self._rows}
        kept = self._cache.read(self._stage, list(items))
        return [question for item, question in items.items() if item not in kept]

    def prepare(self, questions: Sequence[str], told: Told | None = None) -> None:
        """Makes the rows of `questions` ready; tells how many of those that were missing are done."""
        items = {question: digest(question) for question in questions if question not in self._rows}
        kept = self._cache.read(self._stage, list(items.values()))
        for question, item in items.items():
            if item in kept:
                self._remember(question, kept[item])
        left = [question for question in items if question not in self._rows]
        if not left:
            return
        self._embedder.embed_queries([_WARM_UP])  # loading the model is no part of what a question takes
        done = 0
        for positions in in_blocks({question: i for i, question in enumerate(left)}, self._sample):
            block = [left[i] for i in positions]
            started = time.perf_counter()
            rows = np.ascontiguousarray(self._embedder.embed_queries(block), dtype="<f4")
            each = (time.perf_counter() - started) * 1000 / len(block)
            values = {question: _MS.pack(each) + row.tobytes() for question, row in zip(block, rows, strict=True)}
            self._cache.write(self._stage, {items[question]: value for question, value in values.items()})
            for question, value in values.items():
                self._remember(question, value)
            done += len(block)
            if told:
                told(done, len(left))

    def embed_queries(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Rows of norm 1, `(len(texts), dimension)`."""
        self.prepare(texts)
        return np.stack([self._rows[text] for text in texts])

    def _remember(self, question: str, value: bytes) -> None:
        (self.ms[question],) = _MS.unpack_from(value)
        self._rows[question] = np.frombuffer(value, dtype="<f4", offset=_MS.size)


class SharedSearches:
    """The candidates of both searches over one index, taken once however they are used together.

    Args:
        cache: where candidates are kept.
        stage: names the index, how its words are weighted, the model that embeds questions, and the code.
        kinds: what each `(candidates, pair_weight)` is asked for; see `shared_kinds`. Both searches where it is not
            said.
        sample: questions that are searched for one by one.
    """

    def __init__(
        self,
        cache: StageCache,
        stage: bytes,
        kinds: Mapping[tuple[int, float], Search],
        sample: Collection[str] = (),
    ) -> None:
        self._cache = cache
        self._stage = stage
        self._kinds = kinds
        self._sample = frozenset(sample)
        self._kept: dict[tuple[bytes, bytes], CandidateList] = {}
        self.computed = 0
        """How many candidates were not kept and had to be taken."""

    def __call__(
        self,
        view: Visibility,
        requests: Sequence[SearchRequest],
        queries: NDArray[np.float32] | None,
        options: SearchOptions,
    ) -> list[CandidateList]:
        """The candidates of each request, as `collect_candidates` gives them."""
        items = items_of(view, requests)
        wide = self._widened(options)
        found = self._known(self._stage_of(wide), items)
        if queries is None and wide.search is not Search.KEYWORD:
            # Both searches need the questions' rows, which a keyword search does not bring: it is taken alone.
            wide = options
            found |= self._known(self._stage_of(wide), [item for item in items if item not in found])
        stage = self._stage_of(wide)
        todo = {item: i for i, item in enumerate(items) if item not in found}
        for block in in_blocks({requests[i].question: i for i in todo.values()}, self._sample):
            rows = None if queries is None else queries[block]
            made = collect_candidates(view, [requests[i] for i in block], rows, wide)
            values = {items[i]: one for i, one in zip(block, made, strict=True)}
            self._cache.write(stage, {item: packed(one) for item, one in values.items()})
            self.computed += len(block)
            self._kept |= {(stage, item): one for item, one in values.items()}
            found |= values
        return [narrowed(found[item], options.search, view.snapshot.derived) for item in items]

    def _known(self, stage: bytes, items: Sequence[bytes]) -> dict[bytes, CandidateList]:
        """What is kept of `items`; it is remembered."""
        new = [item for item in dict.fromkeys(items) if (stage, item) not in self._kept]
        self._kept |= {(stage, item): unpacked(value) for item, value in self._cache.read(stage, new).items()}
        return {item: self._kept[stage, item] for item in items if (stage, item) in self._kept}

    def _widened(self, options: SearchOptions) -> SearchOptions:
        kind = self._kinds.get((options.candidates, options.pair_weight), Search.RRF)
        return options.changed({"search": kind if kind == options.search else Search.RRF})

    def _stage_of(self, wide: SearchOptions) -> bytes:
        # What both searches bring does not depend on how they are used together, and the vectors not on the pairs.
        kind = wide.search if wide.search in {Search.VECTOR, Search.KEYWORD} else "both"
        weight = None if wide.search is Search.VECTOR else wide.pair_weight
        return digest("candidates", self._stage.hex(), kind, wide.candidates, weight)


def shared_kinds(options: Iterable[SearchOptions]) -> dict[tuple[int, float], Search]:
    """What serves all of `options`, for each number of candidates and weight of pairs: one search alone, or both.

    Both are called `rrf`, which asks for both lists; a list of one search is taken out of them by `narrowed`.
    """
    kinds: dict[tuple[int, float], set[Search]] = {}
    for one in options:
        kinds.setdefault((one.candidates, one.pair_weight), set()).add(one.search)
    return {key: next(iter(found)) if len(found) == 1 else Search.RRF for key, found in kinds.items()}


def items_of(view: Visibility, requests: Sequence[SearchRequest]) -> list[bytes]:
    """Names each question and what it may find. The index that it is asked of is named by the stage."""
    rows = None if view.rows is None else np.flatnonzero(view.rows).astype("<i8").tobytes().hex()
    seen = digest(rows).hex()
    return [digest(request.question, seen) for request in requests]


def narrowed(taken: CandidateList, search: Search, derived: Derived) -> CandidateList:
    """What `collect_candidates` gives for `search`, out of the candidates of both searches (or of that one)."""
    if search not in {Search.VECTOR, Search.KEYWORD}:
        return taken
    found = taken.candidates
    listed = (found.vector_rank if search is Search.VECTOR else found.keyword_rank) > 0
    rows = found.rows[listed]
    none, nothing = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows), dtype=np.float32)
    if search is Search.VECTOR:
        candidates = Candidates(
            rows=rows,
            vector=found.vector[listed],
            keyword=nothing,
            centred=found.centred[listed],
            asked=0.0,
            vector_rank=found.vector_rank[listed],
            keyword_rank=none,
            chunks=found.chunks[listed],
        )
        return CandidateList(candidates, taken.vector_ms, 0.0, taken.together_ms)
    candidates = Candidates(
        rows=rows,
        vector=nothing,
        keyword=found.keyword[listed],
        centred=nothing,
        asked=found.asked,
        vector_rank=none,
        keyword_rank=found.keyword_rank[listed],
        chunks=np.searchsorted(derived.chunks[:, 0], rows, "left").astype(np.int64),
    )
    return CandidateList(candidates, 0.0, taken.keyword_ms, taken.together_ms)


class KeptReranker:
    """A reranker whose scores are kept by question and text: what one configuration scored, no other scores again.

    Pairs run through the model in common batches, those of a question in the sample in a pass of their own; each
    counts an even share of its pass's time.

    Args:
        reranker: scores the pairs that are missing.
        cache: where scores are kept.
        stage: names the model and how it reads.
        sample: questions whose pairs are scored by themselves.
    """

    def __init__(self, reranker: PairScorer, cache: StageCache, stage: bytes, sample: Collection[str] = ()) -> None:
        self._stage = stage
        self._reranker = reranker
        self._cache = cache
        self._sample = frozenset(sample)
        self._warm = False
        self.ms: dict[str, float] = {}
        """Milliseconds that the pairs of each question took, as they were last asked for."""

    def missing(self, question: str, texts: Sequence[str]) -> list[str]:
        """The distinct texts whose scores are not kept, in order."""
        items = {digest(question, text): text for text in texts}
        kept = self._cache.read(self._stage, list(items))
        return [text for item, text in items.items() if item not in kept]

    def score_many(self, questions: Sequence[tuple[str, Sequence[str]]]) -> list[list[float]]:
        """For each question a score a text, in order; see `policy_rag.models.reranker`."""
        items = [{text: digest(question, text) for text in texts} for question, texts in questions]
        every = [item for of_question in items for item in of_question.values()]
        kept = {item: _PAIR.unpack(value) for item, value in self._cache.read(self._stage, every).items()}
        left: dict[int, list[str]] = {}
        for i, of_question in enumerate(items):
            texts = [text for text, item in of_question.items() if item not in kept]
            if texts:
                left[i] = texts
        alone = [[i] for i in left if questions[i][0] in self._sample]
        others = [i for i in left if questions[i][0] not in self._sample]
        for block in (*alone, *(others[i : i + _SCORED] for i in range(0, len(others), _SCORED))):
            kept |= self._scored([(questions[i][0], left[i]) for i in block], [items[i] for i in block])
        for (question, _), of_question in zip(questions, items, strict=True):
            self.ms[question] = sum(kept[item][1] for item in of_question.values())
        return [
            [kept[of_question[text]][0] for text in texts]
            for (_, texts), of_question in zip(questions, items, strict=True)
        ]

    def _scored(
        self, questions: Sequence[tuple[str, Sequence[str]]], items: Sequence[Mapping[str, bytes]]
    ) -> dict[bytes, tuple[float, float]]:
        """Scores pairs in one pass and keeps them."""
        if not self._warm:
            self._reranker.score_many([(_WARM_UP, [_WARM_UP])])  # as for the questions' rows
            self._warm = True
        started = time.perf_counter()
        scores = self._reranker.score_many(questions)
        each = (time.perf_counter() - started) * 1000 / sum(len(texts) for _, texts in questions)
        made = {
            of_question[text]: (float(value), each)
            for (_, texts), of_question, values in zip(questions, items, scores, strict=True)
            for text, value in zip(texts, values, strict=True)
        }
        self._cache.write(self._stage, {item: _PAIR.pack(*pair) for item, pair in made.items()})
        return made


def in_blocks(positions: Mapping[str, int], sample: Collection[str]) -> list[list[int]]:
    """Positions of questions: the sample's one by one, then the others by the block.

    >>> in_blocks({"a": 0, "b": 1, "c": 2}, {"b"})
    [[1], [0, 2]]
    """
    alone = [[i] for question, i in positions.items() if question in sample]
    others = [i for question, i in positions.items() if question not in sample]
    return [*alone, *(others[i : i + BLOCK] for i in range(0, len(others), BLOCK))]


def packed(taken: CandidateList) -> bytes:
    """Candidates as bytes; `unpacked` reads them."""
    found = taken.candidates
    head = _HEAD.pack(len(found), found.asked, taken.vector_ms, taken.keyword_ms, taken.together_ms)
    numbers = [getattr(found, name).astype("<i4").tobytes() for name in _WIDE]
    return head + b"".join([*numbers, *(getattr(found, name).astype("<f4").tobytes() for name in _FLOATS)])


def unpacked(value: bytes) -> CandidateList:
    """The candidates that `packed` wrote."""
    n, asked, vector_ms, keyword_ms, together_ms = _HEAD.unpack_from(value)
    at = (_HEAD.size + 4 * n * i for i in range(len(_WIDE) + len(_FLOATS)))
    rows, vector_rank, keyword_rank, chunks = (
        np.frombuffer(value, dtype="<i4", count=n, offset=next(at)).astype(np.int64) for _ in _WIDE
    )
    vector, keyword, centred = (np.frombuffer(value, dtype="<f4", count=n, offset=next(at)) for _ in _FLOATS)
    candidates = Candidates(
        rows=rows,
        vector=vector,
        keyword=keyword,
        centred=centred,
        asked=asked,
        vector_rank=vector_rank,
        keyword_rank=keyword_rank,
        chunks=chunks,
    )
    return CandidateList(candidates, vector_ms, keyword_ms, together_ms)
