"""Asks a data set's questions under one configuration and scores what is found."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from policy_rag.records import SearchResult
from policy_rag.settings import Settings
from policy_rag_eval.corpora import SHAPING, Progress, open_corpus, unit_labels
from policy_rag_eval.datasets import Corpus, Dataset
from policy_rag_eval.gold import GoldPlaces, passage_labels
from policy_rag_eval.measures import DEFAULT_MEASURES, Measure, Scores, score
from policy_rag_eval.statistics import Interval, bootstrap_intervals

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant

_BATCH = 256  # questions whose hits are held at once

ELSEWHERE = frozenset(
    {
        "offline",
        "embedding_batch",
        "llm",
        "llm_url",
        "llm_timeout",
        "llm_context",
        "temperature",
        "seed",
        "threshold",
        "log_texts",
    }
)
"""Settings that neither shape an index nor a search; every other one does, and is told with the figures."""


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named choice of settings. The name is unique in a sweep."""

    name: str
    settings: Settings


class Latency(NamedTuple):
    """Milliseconds a question: half of the questions take less than `median`, 95 of 100 no more than `p95`."""

    median: float
    p95: float


@dataclass(frozen=True, slots=True)
class Slice:
    """The figures of some of the questions.

    Attributes:
        by: what divides them: `type`, `document` (that the gold is in), `length` (of the question) or `answerable`.
        value: the questions' share of that: a type, a `doc_id`, `up to 8 words`, `yes`.
        questions: how many they are.
        measures: mean over them and its interval. For unanswerable questions only what needs no gold.
    """

    by: str
    value: str
    questions: int
    measures: Mapping[Measure, Interval]


@dataclass(frozen=True, slots=True)
class Unanswerable:
    """Whether anything relevant was claimed where nothing is.

    Attributes:
        questions: how many unanswerable questions there are, at least 1.
        silent: share of them for which nothing is returned under the configuration's own cut-offs.
        hits: how many hits are returned for them on average.
        separation: chance that the best score of an answerable question is above that of an unanswerable one, equal
            scores counting half: the area under the ROC curve, whatever threshold is set. 0.5 tells nothing; a
            question without hits has the lowest score of all.
    """

    questions: int
    silent: Interval
    hits: float
    separation: Interval


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one configuration scored.

    Attributes:
        name: the configuration's.
        settings: the settings that shaped it, as JSON values; `top_k` is how many hits were asked for.
        measures: mean over the questions and its interval.
        timings_ms: milliseconds a question, the mean over the questions, by step.
        scores: each question's figures.
        rankings: question id to labels, best first, as they were scored.
        notes: what a reader of the figures should know, one line each.
        latencies_ms: step to the median and the 95th percentile of what one question alone takes.
        returned: question id to labels as they are returned under `top_k`, `min_score` and the rest.
        hits: how many hits are returned for each question, in the order of `scores.questions`.
        slices: the figures of parts of the questions; empty where there is nothing that divides them.
        unanswerable: of the questions that the documents do not answer, or None where there are none.
    """

    name: str
    settings: Mapping[str, Any]
    measures: Mapping[Measure, Interval]
    timings_ms: Mapping[str, float]
    scores: Scores
    rankings: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...] = ()
    latencies_ms: Mapping[str, Latency] = field(default_factory=dict)
    returned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hits: tuple[int, ...] = ()
    slices: tuple[Slice, ...] = ()
    unanswerable: Unanswerable | None = None


def evaluate(
    dataset: Dataset,
    corpus: Corpus,
    configuration: Configuration,
    index: Path,
    *,
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    progress: Progress | None = None,
) -> Evaluation:
    """Scores one configuration on one data set.

    Every question that can be scored is asked with its filters, groups and day. As many hits are asked for as the
    deepest cut-off needs, whatever `top_k` says, for a measure at 10 of a list of 5 would say little.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        configuration: with which settings.
        index: the folder under which evaluations keep their indexes; a corpus that lies there is not embedded again.
        measures: what is computed.
        progress: told the step of indexing, how much of it is done, and of how much.

    Raises:
        DatasetError: the data set cannot be scored on this corpus.
        PolicyRagError: what indexing and searching raise.
    """
    fitted = dataset.for_corpus(corpus)
    depth = hits_needed(fitted, corpus, measures, configuration.settings.top_k)
    assistant, notes = open_corpus(fitted, corpus, configuration.settings, index, progress=progress)
    with assistant:
        labels, timings = _asked(fitted, corpus, assistant, depth)
        settings = _settings(configuration.settings, corpus, assistant.index.manifest, depth)
    ids = [question.question_id for question in fitted.scored]
    rankings = dict(zip(ids, labels, strict=True))
    scores = score({question_id: fitted.qrels[question_id] for question_id in ids}, rankings, measures)
    return Evaluation(
        name=configuration.name,
        settings=settings,
        measures=bootstrap_intervals(scores.values),
        timings_ms=_mean_timings(timings),
        scores=scores,
        rankings=rankings,
        notes=(*fitted.notes, *notes),
    )


def _asked(
    dataset: Dataset, corpus: Corpus, assistant: "PolicyAssistant", depth: int
) -> tuple[list[tuple[str, ...]], list[Mapping[str, float]]]:
    """The gold labels of each question and its timings; hits are let go of after each batch, for some are long."""
    labels: list[tuple[str, ...]] = []
    timings: list[Mapping[str, float]] = []
    requests = [question.request() for question in dataset.scored]
    for first in range(0, len(requests), _BATCH):
        results = assistant.search_many(requests[first : first + _BATCH], top_k=depth)
        labels += label(dataset, corpus, results)
        timings += [result.timings_ms for result in results]
    return labels, timings


def label(dataset: Dataset, corpus: Corpus, results: Sequence[SearchResult]) -> list[tuple[str, ...]]:
    """The gold labels that each result's hits win, best first; see `policy_rag_eval.gold`."""
    if corpus is Corpus.FILES:
        places = GoldPlaces(dataset.passages)
        return [places.labels(result.hits) for result in results]
    labels = unit_labels(dataset)
    return [passage_labels(labels[hit.doc_id, hit.section_id] for hit in result.hits) for result in results]


def hits_needed(dataset: Dataset, corpus: Corpus, measures: Sequence[Measure], top_k: int) -> int:
    """How many hits give as many labels as the deepest cut-off asks for.

    Passages that share a label are one place in the list, so that more of them are needed: at most so many times more
    as passages share one label, and no more than the repeats there are.
    """
    deepest = max((top_k, *(measure.cutoff for measure in measures)))
    if corpus is Corpus.FILES:
        return deepest
    counts = Counter(passage.gold_id for passage in dataset.passages if passage.text.strip())
    repeats = counts.total() - len(counts)
    return min(deepest * max(counts.values()), deepest + repeats)


def _settings(settings: Settings, corpus: Corpus, manifest: Any, depth: int) -> dict[str, Any]:
    """The settings that shaped the run; where the default was left to the index, what that took."""
    others = {*ELSEWHERE, *SHAPING[Corpus.FILES]} - set(SHAPING[corpus])
    chosen = settings.model_dump(mode="json", exclude=others)
    made_with = {name: getattr(manifest, name) for name in chosen if hasattr(manifest, name)}
    return {**chosen, **made_with, "top_k": depth}


def _mean_timings(timings: Sequence[Mapping[str, float]]) -> dict[str, float]:
    steps = dict.fromkeys(step for timing in timings for step in timing)
    return {step: sum(timing.get(step, 0.0) for timing in timings) / len(timings) for step in steps}
