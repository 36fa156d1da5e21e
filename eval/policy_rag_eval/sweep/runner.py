"""What configurations retrieve for a data set's questions: models run once for all of them, results are kept."""

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from policy_rag.errors import ModelError
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest, SearchResult
from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag_eval.data.corpora import CorpusKey, Progress, contents_digest, corpus_key, open_corpus, shaping
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.data.digests import code_digest
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import Measure, char_measures
from policy_rag_eval.sweep.cache import FOLDER, digest, read_cached, write_json
from policy_rag_eval.sweep.cached_models import BLOCK, CachedEmbedder, CachedReranker, SharedModels
from policy_rag_eval.sweep.search_calls import asks_llm
from policy_rag_parsers.llm.tokens import estimate_tokens

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.index.store.manifest import Manifest
    from policy_rag.llm.reply_cache import CachedModel, ReplyCache
    from policy_rag_eval.sweep.usage import MeteredModel

SAMPLE = 50
"""Questions that are asked one by one, as people ask: latencies are theirs."""
TOTAL = "total"
"""All steps together."""

_DEEPER = 100  # hits that are asked for where short ones do not fill the deepest cut-off in characters
_STEPS = ("embed", "vector", "keyword_and_fusion", "rerank", "hits")
_MODELS = "policy_rag.models"
_SEARCHING = (
    "policy_rag.index",
    "policy_rag.retrieval",
    _MODELS,
    "policy_rag.assistant",
    "policy_rag_eval.measures.gold_matching",
    "policy_rag_eval.sweep.runner",
    "policy_rag_eval.sweep.cached_models",
)


@dataclass(frozen=True, slots=True)
class Retrieval:
    """What one configuration retrieved.

    Attributes:
        rankings: scored question to labels, best first, as deep as the deepest cut-off.
        returned: the same of the list as it is returned.
        hits: every question, unanswerable ones too, to the number of hits returned.
        best: every question to the best score, None where there are no hits.
        characters: scored question to `char_recall` and `char_precision`.
        read: scored question to a figure for each of `char_measures`, by name.
        tokens: what an LLM is given of the hits that are returned, by our estimate, the mean over the questions.
        timings_ms: step to its mean over the questions.
        latencies_ms: step, and `total`, to median and 95th percentile over the questions that were asked one by one.
    """

    rankings: Mapping[str, Sequence[str]]
    returned: Mapping[str, Sequence[str]]
    hits: Mapping[str, int]
    best: Mapping[str, float | None]
    characters: Mapping[str, Sequence[float]]
    read: Mapping[str, Mapping[str, float]]
    tokens: float
    timings_ms: Mapping[str, float]
    latencies_ms: Mapping[str, Sequence[float]]


@dataclass(frozen=True, slots=True)
class OpenCorpus:
    """A corpus that can be searched.

    Attributes:
        key: what tells it from others.
        assistant: over its index.
        manifest: what the index was made with.
        notes: what a reader of the figures should know, one line each.
        token: names the state of the index.
    """

    key: CorpusKey
    assistant: "PolicyAssistant"
    manifest: "Manifest"
    notes: tuple[str, ...]
    token: str


class SweepRunner:
    """Retrieves under one configuration after the other; use it in a `with`.

    Configurations that share an index should follow one another: one index is open at a time.

    Args:
        dataset: as `Dataset.for_corpus` gives it.
        corpus: what is searched.
        index: the folder under which evaluations keep their indexes and what was computed.
        depth: how many hits are asked for.
        measures: what will be scored; those with a cut-off in characters are counted here.
        progress: called with the step, how much of it is done, and of how much.
        today: the day that questions without one are about; the calendar's when None.
    """

    def __init__(
        self,
        dataset: Dataset,
        corpus: Corpus,
        index: Path,
        depth: int,
        *,
        measures: Sequence[Measure] = (),
        progress: Progress | None = None,
        today: dt.date | None = None,
    ) -> None:
        self.dataset = dataset
        self.corpus = corpus
        self.index = index
        self.depth = depth
        self.char_measures = char_measures(measures)
        self.questions = (*dataset.scored, *dataset.unanswerable)
        self.requests = [question.request() for question in self.questions]
        self.sample = _spread(self.requests, SAMPLE)
        self.gold = QuestionGold(dataset, corpus)
        self.progress = progress
        self._cache = index / "eval" / FOLDER
        self.models = SharedModels(self._cache, {self.requests[i].question for i in self.sample}, progress)
        self._today = today
        self._identity = _identity(dataset, corpus)
        self._contents = contents_digest(dataset, corpus)
        self._made: dict[tuple[str, ...], Any] = {}
        self._open: OpenCorpus | None = None
        self._replies: ReplyCache | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes what is open."""
        self._close_index()
        if self._replies is not None:
            self._replies.close()
            self._replies = None

    def _close_index(self) -> None:
        if self._open is not None:
            self._open.assistant.close()
            self._open = None

    def retrieve(self, settings: Settings) -> Retrieval:
        """What these settings retrieve; read back where the same was retrieved before.

        Raises:
            ModelError: a model is not there.
            SweepCacheError: what was computed cannot be kept.
            PolicyRagError: what indexing and searching raise.
        """
        self.reranker(settings)
        self.llm(settings)
        key = self._key(settings)
        kept = read_cached(self._cache / "retrievals", key)
        if kept is not None:
            return Retrieval(**kept)
        retrieved = _Retrieving(self, self.open(settings), settings).run()
        write_json(self._cache / "retrievals", key, asdict(retrieved))
        return retrieved

    def is_kept(self, settings: Settings) -> bool:
        """Whether what these settings retrieve can be read back."""
        return read_cached(self._cache / "retrievals", self._key(settings)) is not None

    # --- what configurations share ------------------------------------------------------------------------------

    def corpus_key(self, settings: Settings) -> CorpusKey:
        """The corpus that these settings search.

        Raises:
            ModelError: its embedding model is not there; it is not looked for again.
        """
        names = (*shaping(self.corpus), "bm25_k1", "bm25_b", "metadata_use")
        key: CorpusKey = self._once(
            ("corpus", *(str(settings.value(name)) for name in names)),
            lambda: corpus_key(self.dataset, self.corpus, settings, self.index, contents=self._contents),
        )
        return key

    def reranker(self, settings: Settings) -> Any:
        """The reranker, without its weights; None for `none`.

        Raises:
            ModelError: it is not there; it is not looked for again.
        """
        from policy_rag.index import loaded_models

        name, how = settings.ranking.reranker, (settings.ranking.reranker_backend, settings.ranking.reranker_precision)
        return self._once(("reranker", name, *map(str, how)), lambda: loaded_models.reranker_of(settings, name))

    def llm(self, settings: Settings) -> "CachedModel | None":
        """The LLM that works on questions before they are searched, which is asked nothing twice; None: rules do.

        Raises:
            ModelError: it is not there; it is not looked for again.
        """
        from policy_rag_eval.judges.evaluation_models import answering_model, open_replies

        if not asks_llm(settings):
            return None
        replies = self._replies = self._replies or open_replies(self.index)
        key = ("llm", settings.llm.model_dump_json())
        found: CachedModel | None = self._once(key, lambda: answering_model(settings, replies)[0])
        return found

    def open(self, settings: Settings) -> OpenCorpus:
        """The corpus that these settings search, indexed if it is not yet; the one before is closed.

        Raises:
            ModelError: its embedding model is not there.
            PolicyRagError: what indexing raises.
        """
        from policy_rag.index.store.manifest import token

        key = self.corpus_key(settings)
        if self._open is not None and self._open.key == key:
            return self._open
        self._close_index()
        assistant, notes = open_corpus(
            self.dataset,
            self.corpus,
            settings,
            self.index,
            progress=self.progress,
            today=self._today,
            contents=self._contents,
        )
        try:
            with assistant.index.reading() as db:
                state = str(token(db))
            self._open = OpenCorpus(key, assistant, assistant.manifest_for_ingest(), notes, state)
        except BaseException:
            assistant.close()
            raise
        return self._open

    def _once(self, key: tuple[str, ...], make: Callable[[], Any]) -> Any:
        """What `make` gave the first time, be it that a model is not there."""
        if key not in self._made:
            try:
                self._made[key] = make()
            except ModelError as error:
                self._made[key] = error
        if isinstance(self._made[key], ModelError):
            raise self._made[key]
        return self._made[key]

    def _key(self, settings: Settings) -> str:
        """Names all that decides what is retrieved."""
        opened, reranker = self.open(settings), self.reranker(settings)
        dated = any(document.effective_from or document.effective_to for document in opened.assistant.index.documents())
        of_llm, llm = set(names_affecting(Affects.ANSWER)), self.llm(settings)
        return digest(
            self._identity,
            opened.token,
            opened.key.keyword,
            code_digest(*_SEARCHING),
            str(opened.assistant.today()) if dated else None,
            settings.as_json(names_affecting(Affects.SEARCH)),
            settings.llm.model_dump(mode="json", include=of_llm) if asks_llm(settings) else None,
            llm.name if llm else None,
            reranker.fingerprint if reranker else None,
            self.depth,
            list(map(str, self.char_measures)),
        )


class _Retrieving:
    """One configuration at work: asks all questions, and counts each one's hits, which are then let go of."""

    def __init__(self, runner: SweepRunner, opened: OpenCorpus, settings: Settings) -> None:
        from policy_rag.assistant import PolicyAssistant

        self._runner = runner
        self._settings = settings
        self._metered: MeteredModel | None = None
        plain, deeper = settings.changed({"expand": ()}), max(_DEEPER, runner.depth)
        self._deep, self._deeper, self._cut = (
            PolicyAssistant(
                opened.assistant.index, how, today=opened.assistant.today(), searcher=self._searcher, llm=self._llm
            )
            for how in (plain.changed({"top_k": runner.depth}), plain.changed({"top_k": deeper}), settings)
        )
        self._embedder: CachedEmbedder | None = None
        self._reranker: CachedReranker | None = None
        self._rankings: dict[str, tuple[str, ...]] = {}
        self._returned: dict[str, tuple[str, ...]] = {}
        self._hits: dict[str, int] = {}
        self._best: dict[str, float | None] = {}
        self._characters: dict[str, tuple[float, float]] = {}
        self._read: dict[str, dict[str, float]] = {}
        self._tokens: dict[str, int] = {}
        self._timings: dict[int, dict[str, float]] = {}

    def _searcher(self, index: Any, embedder: Any, reranker: Any, **others: Any) -> Any:
        """The product's searcher, with models that keep what they computed."""
        models = self._runner.models
        self._embedder = models.embedder(embedder, self._settings)
        self._reranker = models.reranker(reranker, self._settings) if reranker else None
        return models.searcher(self._settings)(index, embedder, reranker, **others)

    def _llm(self, settings: Settings) -> "MeteredModel | None":
        """The runner's LLM, which tells how much sooner replies came that were known."""
        from policy_rag_eval.sweep.usage import MeteredModel

        if self._metered is None and (model := self._runner.llm(settings)) is not None:
            self._metered = MeteredModel(model)
        return self._metered

    def run(self) -> Retrieval:
        """What the settings retrieve for all questions, in the data set's order."""
        runner, options = self._runner, self._settings.search
        short: dict[int, tuple[SearchResult, SearchResult]] = {}
        for block in self._blocks():
            requests = [runner.requests[i] for i in block]
            before = self._metered.sooner_ms if self._metered else 0.0
            deep = self._deep.search_many(requests)
            sooner = (self._metered.sooner_ms - before) / len(block) if self._metered else 0.0
            # A gap is looked for among the hits that are returned: those are then no prefix of a deeper list.
            apart = options.gap_share is not None or bool(options.expand)
            cut = self._cut.search_many(requests) if apart else deep
            for i, result, shown in zip(block, deep, cut, strict=True):
                if self._is_short(result):
                    short[i] = result, shown
                else:
                    self._count(i, result, shown, result)
                self._timings[i] = self._timed(result)
                if sooner and not self._settings.query.transforms:  # no step counts what those take
                    self._timings[i]["self_query"] += sooner
            if runner.progress:
                runner.progress("ask", len(self._timings), len(runner.requests))
            if len(short) >= BLOCK:
                self._search_deeper(short)
                short = {}
        self._search_deeper(short)
        order = [question.question_id for question in runner.questions]
        scored = order[: len(runner.dataset.scored)]
        steps = list(dict.fromkeys(step for timings in self._timings.values() for step in timings))
        means = {step: float(np.mean([one.get(step, 0.0) for one in self._timings.values()])) for step in steps}
        columns = {step: np.array([self._timings[i].get(step, 0.0) for i in runner.sample]) for step in steps}
        columns[TOTAL] = np.sum(list(columns.values()), axis=0)
        return Retrieval(
            rankings={key: self._rankings[key] for key in scored},
            returned={key: self._returned[key] for key in scored},
            hits={key: self._hits[key] for key in order},
            best={key: self._best[key] for key in order},
            characters={key: self._characters[key] for key in scored},
            read={key: self._read[key] for key in scored},
            tokens=float(np.mean(list(self._tokens.values()))),
            timings_ms=means,
            latencies_ms={step: np.quantile(column, (0.5, 0.95)).tolist() for step, column in columns.items()},
        )

    def _blocks(self) -> list[list[int]]:
        """Positions of the questions that are asked together: the sample's alone."""
        sample = self._runner.sample
        others = [i for i in range(len(self._runner.requests)) if i not in set(sample)]
        return [*([i] for i in sample), *(others[i : i + BLOCK] for i in range(0, len(others), BLOCK))]

    def _is_short(self, result: SearchResult) -> bool:
        """Whether a full list of hits ends before the deepest cut-off in characters."""
        longest = max(measure.chars for measure in self._runner.char_measures)
        return len(result.hits) >= self._runner.depth and sum(len(hit.text) for hit in result.hits) < longest

    def _search_deeper(self, short: Mapping[int, tuple[SearchResult, SearchResult]]) -> None:
        """Counts the questions with short hits behind longer lists. Their time is nobody's: they are asked together."""
        longer = self._deeper.search_many([self._runner.requests[i] for i in short])
        for i, found in zip(short, longer, strict=True):
            self._count(i, *short[i], found)

    def _count(self, position: int, deep: SearchResult, cut: SearchResult, longer: SearchResult) -> None:
        """Counts a question's hits: `deep` for ranks, `cut` as it is returned, `longer` for characters.

        What hits bring along (`expand`) is read after those that are returned, as an LLM reads it, and before the rest.
        """
        runner = self._runner
        question_id, shown = runner.questions[position].question_id, cut.hits[: self._settings.search.top_k]
        self._hits[question_id] = len(shown)
        self._best[question_id] = max((hit.score for hit in deep.hits), default=None)
        self._tokens[question_id] = sum(_tokens_of(hit.text) for hit in (*shown, *cut.related))
        if position < len(runner.dataset.scored):
            self._rankings[question_id] = runner.gold.labels(question_id, deep.hits)
            self._returned[question_id] = runner.gold.labels(question_id, shown)
            self._characters[question_id] = runner.gold.characters(question_id, shown)
            in_order = (*shown, *cut.related, *(hit for hit in longer.hits if hit not in shown))
            self._read[question_id] = runner.gold.read_at(question_id, in_order, runner.char_measures)

    def _timed(self, result: SearchResult) -> dict[str, float]:
        """What each step took when it was computed, be it for another configuration."""
        timings = dict(result.timings_ms)
        if self._settings.search.search is Search.KEYWORD:
            timings["embed"] = 0.0
        elif self._embedder and self._embedder.ms(result.question) and not self._settings.query.transforms:
            timings["embed"] = self._embedder.ms(result.question)
        timings["rerank"] = self._reranker.ms.get(result.question, 0.0) if self._reranker else 0.0
        known = [step for step in _STEPS if step in timings]
        return {step: timings[step] for step in (*known, *(step for step in timings if step not in known))}


@lru_cache(maxsize=20_000)
def _tokens_of(text: str) -> int:
    """The same sections come up for many questions."""
    return estimate_tokens(text)


def _spread(requests: Sequence[SearchRequest], most: int) -> list[int]:
    """At most `most` positions, evenly spread, no question twice."""
    first = {request.question: i for i, request in reversed(list(enumerate(requests)))}
    distinct = sorted(first.values())
    return [distinct[len(distinct) * i // min(most, len(distinct))] for i in range(min(most, len(distinct)))]


def _identity(dataset: Dataset, corpus: Corpus) -> str:
    """Names the questions and the gold as they are scored, whatever part of a data set they are."""
    questions = [asdict(question) for question in (*dataset.scored, *dataset.unanswerable)]
    gold = [[p.gold_id, p.doc_id, p.file, p.start, p.end, len(p.text)] for p in dataset.passages]
    judged = {question.question_id: dataset.qrels[question.question_id] for question in dataset.scored}
    return digest(str(corpus), questions, gold, judged)
