"""What configurations find for a data set's questions: every stage that they share is run once."""

import datetime as dt
import json
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from policy_rag.errors import ModelError
from policy_rag.records.options import Search, SelfQuery
from policy_rag.records.search import Hit, SearchRequest, SearchResult
from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag_eval.data.corpora import (
    CorpusKey,
    Progress,
    contents_digest,
    corpus_key,
    open_corpus,
    shaping,
)
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.sweep.code_fingerprint import model_code, searching_code
from policy_rag_eval.sweep.stage_cache import StageCache, digest
from policy_rag_eval.sweep.stages import BLOCK, EmbeddedQuestions, KeptReranker, SharedSearches, shared_kinds

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.index.store.manifest import Manifest

STEPS = ("embed", "vector", "keyword_and_fusion", "rerank", "hits")
SAMPLE = 50
"""Questions that are asked one by one, as people ask: latencies are theirs."""

TOTAL = "total"
"""All steps together."""

_SHOWN_ONLY = ("expand",)  # what hits bring along is not measured


@dataclass(frozen=True, slots=True)
class Found:
    """What one configuration found.

    Attributes:
        rankings: scored question to labels, best first, as deep as the deepest cut-off.
        returned: the same of the list as it is returned.
        hits: every question, unanswerable ones too, to the number of hits returned.
        best: every question to the best score found, None where nothing was.
        characters: scored question to `char_recall` and `char_precision`.
        timings_ms: step to its mean over the questions.
        latencies_ms: step, and `total`, to median and 95th percentile over the questions that were asked one by one.
    """

    rankings: Mapping[str, tuple[str, ...]]
    returned: Mapping[str, tuple[str, ...]]
    hits: Mapping[str, int]
    best: Mapping[str, float | None]
    characters: Mapping[str, tuple[float, float]]
    timings_ms: Mapping[str, float]
    latencies_ms: Mapping[str, tuple[float, float]]

    def to_bytes(self) -> bytes:
        """What `from_bytes` reads."""
        return zlib.compress(json.dumps(asdict(self), ensure_ascii=False).encode("utf-8", "surrogatepass"), 6)

    @classmethod
    def from_bytes(cls, value: bytes) -> Self:
        """What `to_bytes` wrote."""
        read = json.loads(zlib.decompress(value).decode("utf-8", "surrogatepass"))
        for name in ("rankings", "returned", "characters", "latencies_ms"):
            read[name] = {key: tuple(values) for key, values in read[name].items()}
        return cls(**read)


@dataclass(slots=True)
class Opened:
    """A corpus that can be searched, with what its configurations share."""

    key: CorpusKey
    assistant: "PolicyAssistant"
    manifest: "Manifest"
    notes: tuple[str, ...]
    stage: bytes
    searches: SharedSearches


class Finder:
    """Finds under one configuration after the other; use it in a `with`.

    Configurations that share an index should follow one another: one index is open at a time.

    Args:
        dataset: as `Dataset.for_corpus` gives it.
        corpus: what is searched.
        index: the folder under which evaluations keep their indexes and what their stages gave.
        depth: how many hits are asked for.
        settings: of all configurations to come, so that each search serves all of them.
        progress: told the step, how much of it is done, and of how much.
        today: the day that questions without one are about; the calendar's when None.

    Raises:
        StageCacheError: what stages give cannot be kept.
    """

    def __init__(
        self,
        dataset: Dataset,
        corpus: Corpus,
        index: Path,
        depth: int,
        settings: Iterable[Settings],
        *,
        progress: Progress | None = None,
        today: dt.date | None = None,
    ) -> None:
        self.dataset = dataset
        self.corpus = corpus
        self.index = index
        self.depth = depth
        self.planned = tuple(settings)
        self.questions_asked = (*dataset.scored, *dataset.unanswerable)
        self.requests = [question.request() for question in self.questions_asked]
        self.sample = _spread(self.requests, SAMPLE)
        self._sampled = {self.requests[i].question for i in self.sample}
        self.cache = StageCache(index / "eval")
        self._progress = progress
        self._today = today
        self._identity = _identity(dataset, corpus)
        self._contents = contents_digest(dataset, corpus)
        self._made: dict[tuple[str, ...], Any] = {}
        self._opened: Opened | None = None
        self.gold = QuestionGold(dataset, corpus)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the index and what is kept."""
        self._close_index()
        self.cache.close()

    def found(self, settings: Settings) -> Found:
        """What these settings find; read back where the same was found before.

        Raises:
            ModelError: a model is not there.
            PolicyRagError: what indexing and searching raise.
        """
        self.reranker(settings)
        opened = self.open(settings)
        item = self._item(opened, settings)
        kept = self.cache.read(_FOUND, [item])
        if kept:
            return Found.from_bytes(kept[item])
        found = _Asking(self, opened, settings).found()
        self.cache.write(_FOUND, {item: found.to_bytes()})
        return found

    def is_kept(self, settings: Settings, opened: Opened) -> bool:
        """Whether what these settings find can be read back."""
        return bool(self.cache.read(_FOUND, [self._item(opened, settings)]))

    # --- what configurations share ------------------------------------------------------------------------------

    def key(self, settings: Settings) -> CorpusKey:
        """The corpus that these settings search.

        Raises:
            ModelError: its embedding model is not there; it is not looked for again.
        """
        shaped_by = [str(settings.value(name)) for name in shaping(self.corpus)]
        key: CorpusKey = self._once(
            ("corpus", *shaped_by, str(settings.ranking.bm25_k1), str(settings.ranking.bm25_b)),
            lambda: corpus_key(self.dataset, self.corpus, settings, self.index, contents=self._contents),
        )
        return key

    def reranker(self, settings: Settings) -> Any:
        """The reranker, without its weights; None for `none`.

        Raises:
            ModelError: it is not there; it is not looked for again.
        """
        from policy_rag.models import reranker as rerankers

        return self._once(
            ("reranker", settings.ranking.reranker),
            lambda: rerankers.load_reranker(settings.ranking.reranker, offline=settings.run.offline),
        )

    def _once(self, key: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """What `make` made when it was first asked for, be it a model that is not there."""
        if key not in self._made:
            try:
                self._made[key] = make()
            except ModelError as error:
                self._made[key] = error
        if isinstance(self._made[key], ModelError):
            raise self._made[key]
        return self._made[key]

    def open(self, settings: Settings) -> Opened:
        """The corpus that these settings search, indexed if it is not yet; the one before is closed.

        Raises:
            ModelError: its embedding model is not there.
            PolicyRagError: what indexing raises.
        """
        key = self.key(settings)
        if self._opened is not None and self._opened.key == key:
            return self._opened
        self._close_index()
        assistant, notes = open_corpus(
            self.dataset,
            self.corpus,
            settings,
            self.index,
            progress=self._progress,
            today=self._today,
            contents=self._contents,
        )
        try:
            self._opened = self._shared(key, assistant, notes)
        except BaseException:
            assistant.close()
            raise
        return self._opened

    def _shared(self, key: CorpusKey, assistant: "PolicyAssistant", notes: tuple[str, ...]) -> Opened:
        from policy_rag.index.store.manifest import token

        manifest = assistant.manifest_for_ingest()
        with assistant.index.reading() as db:
            stage = digest(token(db), key.keyword, searching_code())
        kinds = shared_kinds(other.search for other in self.planned if self._searches(other, key))
        searches = SharedSearches(self.cache, stage, kinds, self._sampled)
        return Opened(key, assistant, manifest, notes, stage, searches)

    def _searches(self, settings: Settings, key: CorpusKey) -> bool:
        try:
            return self.key(settings) == key
        except ModelError:
            return False

    def _close_index(self) -> None:
        if self._opened is not None:
            self._opened.assistant.close()
            self._opened = None

    def _item(self, opened: Opened, settings: Settings) -> bytes:
        """Names what decides what is found."""
        dated = any(d.effective_from or d.effective_to for d in opened.assistant.index.documents())
        reranker = self.reranker(settings)
        of_llm = set(names_affecting(Affects.ANSWER))
        return digest(
            self._identity,
            opened.stage.hex(),
            str(opened.assistant.today()) if dated else None,
            settings.as_json(set(names_affecting(Affects.SEARCH)).difference(_SHOWN_ONLY)),
            settings.llm.model_dump(mode="json", include=of_llm) if asks_llm(settings) else None,
            reranker.fingerprint if reranker else None,
            self.depth,
        )

    # --- what a configuration asks with -------------------------------------------------------------------------

    def questions(self, embedder: Any, settings: Settings) -> EmbeddedQuestions:
        """The questions' rows by this model, those that are not kept made by it."""
        name = (embedder.name, embedder.fingerprint, str(settings.index.embedding_backend), model_code())
        made: EmbeddedQuestions = self._once(
            ("questions", *name),
            lambda: EmbeddedQuestions(embedder, self.cache, digest("questions", name), self._sampled),
        )
        return made

    def kept_reranker(self, reranker: Any, settings: Settings) -> KeptReranker:
        """The reranker with the scores that are kept of it."""
        how = (str(settings.ranking.reranker_backend), str(settings.ranking.reranker_precision))
        name = (settings.ranking.reranker, reranker.fingerprint, *how, model_code())
        made: KeptReranker = self._once(
            ("pairs", *name), lambda: KeptReranker(reranker, self.cache, digest("pairs", name), self._sampled)
        )
        return made

    def told(self, step: str, done: int, total: int) -> None:
        """Tells whoever asked for it how much of a step is done."""
        if self._progress:
            self._progress(step, done, total)


class _Asking:
    """One configuration at work: asks all questions, and counts what is found."""

    def __init__(self, finder: Finder, opened: Opened, settings: Settings) -> None:
        from policy_rag.assistant import PolicyAssistant

        self._finder = finder
        self._opened = opened
        # What hits bring along is not measured.
        self._settings = settings.changed({"expand": ()})
        deep = self._settings.changed({"top_k": finder.depth})
        self._deep, self._cut = (
            PolicyAssistant(opened.assistant.index, how, today=opened.assistant.today(), searcher=self._searcher)
            for how in (deep, self._settings)
        )
        self._questions: EmbeddedQuestions | None = None
        self._reranker: KeptReranker | None = None
        self._counts = _Counts(finder)

    def _searcher(self, index: Any, embedder: Any, reranker: Any, **others: Any) -> Any:
        """The product's searcher, with stages that are kept in place of those that compute."""
        from policy_rag.retrieval.searcher import Searcher

        self._questions = self._finder.questions(embedder, self._settings)
        self._reranker = self._finder.kept_reranker(reranker, self._settings) if reranker else None
        return Searcher(index, self._questions, self._reranker, collect=self._opened.searches, **others)

    def found(self) -> Found:
        """What the settings find for all questions."""
        finder, settings = self._finder, self._settings
        for block in self._blocks():
            requests = [finder.requests[i] for i in block]
            deep = self._deep.search_many(requests)
            # A gap is looked for among the hits that are returned: those are then no prefix of a deeper list.
            cut = self._cut.search_many(requests) if settings.search.gap_share is not None else deep
            for i, result, shown in zip(block, deep, cut, strict=True):
                self._counts.add(i, result, shown.hits[: settings.search.top_k], self._timings(result))
            finder.told("ask", len(self._counts), len(finder.requests))
        return self._counts.found()

    def _blocks(self) -> list[list[int]]:
        """Positions of the questions that are asked together: the sample's alone."""
        sample, every = self._finder.sample, range(len(self._finder.requests))
        others = [i for i in every if i not in set(sample)]
        return [*([i] for i in sample), *(others[i : i + BLOCK] for i in range(0, len(others), BLOCK))]

    def _timings(self, result: SearchResult) -> dict[str, float]:
        """What each step took when it was computed, be it for another configuration."""
        timings = dict(result.timings_ms)
        if self._settings.search.search is Search.KEYWORD:
            timings["embed"] = 0.0
        elif self._questions and result.question in self._questions.ms and not self._settings.query.transforms:
            timings["embed"] = self._questions.ms[result.question]
        timings["rerank"] = self._reranker.ms.get(result.question, 0.0) if self._reranker else 0.0
        known = [step for step in STEPS if step in timings]
        return {step: timings[step] for step in (*known, *(step for step in timings if step not in known))}


class _Counts:
    """What is counted of each question's hits, which are then let go of: some are long."""

    def __init__(self, finder: Finder) -> None:
        self._finder = finder
        self._scored = len(finder.dataset.scored)
        self._rankings: dict[str, tuple[str, ...]] = {}
        self._returned: dict[str, tuple[str, ...]] = {}
        self._hits: dict[str, int] = {}
        self._best: dict[str, float | None] = {}
        self._characters: dict[str, tuple[float, float]] = {}
        self._timings: dict[int, dict[str, float]] = {}

    def __len__(self) -> int:
        return len(self._timings)

    def add(self, position: int, result: SearchResult, shown: Sequence[Hit], timings: dict[str, float]) -> None:
        """Counts the hits of the question at `position`; `shown` is the list as it is returned."""
        question_id = self._finder.questions_asked[position].question_id
        self._hits[question_id] = len(shown)
        self._best[question_id] = max((hit.score for hit in result.hits), default=None)
        self._timings[position] = timings
        if position < self._scored:
            self._rankings[question_id] = self._finder.gold.labels(question_id, result.hits)
            self._returned[question_id] = self._finder.gold.labels(question_id, shown)
            self._characters[question_id] = self._finder.gold.characters(question_id, shown)

    def found(self) -> Found:
        """All of it, questions in the data set's order."""
        order = [question.question_id for question in self._finder.questions_asked]
        scored = order[: self._scored]
        steps = list(dict.fromkeys(step for timings in self._timings.values() for step in timings))
        alone = [self._timings[i] for i in self._finder.sample]
        columns = {step: np.array([timings.get(step, 0.0) for timings in alone]) for step in steps}
        columns[TOTAL] = np.sum(list(columns.values()), axis=0)
        return Found(
            rankings={key: self._rankings[key] for key in scored},
            returned={key: self._returned[key] for key in scored},
            hits={key: self._hits[key] for key in order},
            best={key: self._best[key] for key in order},
            characters={key: self._characters[key] for key in scored},
            timings_ms={
                step: float(np.mean([timings.get(step, 0.0) for timings in self._timings.values()])) for step in steps
            },
            latencies_ms={
                step: (float(np.quantile(column, 0.5)), float(np.quantile(column, 0.95)))
                for step, column in columns.items()
            },
        )


def asks_llm(settings: Settings) -> bool:
    """Whether an LLM has a part in a search."""
    return bool(settings.query.transforms) or settings.query.self_query is SelfQuery.LLM


def _spread(requests: Sequence[SearchRequest], most: int) -> list[int]:
    """At most `most` positions, evenly spread, no question twice."""
    first = {request.question: i for i, request in reversed(list(enumerate(requests)))}
    distinct = sorted(first.values())
    return [distinct[len(distinct) * i // min(most, len(distinct))] for i in range(min(most, len(distinct)))]


def _identity(dataset: Dataset, corpus: Corpus) -> str:
    """Names the questions and the gold as they are scored, whatever part of a data set they are."""
    asked = [asdict(question) for question in (*dataset.scored, *dataset.unanswerable)]
    gold = [[p.gold_id, p.doc_id, p.file, p.start, p.end, len(p.text)] for p in dataset.passages]
    judged = {question.question_id: dataset.qrels[question.question_id] for question in dataset.scored}
    return digest(str(corpus), asked, gold, judged).hex()


_FOUND = digest("found")
