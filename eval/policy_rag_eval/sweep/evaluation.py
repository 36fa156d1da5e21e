"""One configuration on a data set's questions: what it scored."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from policy_rag.settings import Affects, Settings, names_affecting
from policy_rag_eval.data.corpora import shaping
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.gold_matching import QuestionGold
from policy_rag_eval.measures.measures import (
    BY_TEXT,
    COUNTS,
    DECIDED_BY,
    RETURNED_MEASURES,
    Measure,
    MeasureName,
    Scores,
    char_measures,
    most_possible,
    score,
)
from policy_rag_eval.measures.slices import Slice, slices_of
from policy_rag_eval.measures.unanswerable import Unanswerable, unanswerable_figures
from policy_rag_eval.statistics.intervals import Interval, bootstrap_intervals
from policy_rag_eval.sweep.existing_index import ExistingIndex
from policy_rag_eval.sweep.peers import Retriever, retrieved_by, settings_of
from policy_rag_eval.sweep.runner import Retrieval, SweepRunner

if TYPE_CHECKING:
    from policy_rag.index.store.manifest import Manifest


@dataclass(frozen=True, slots=True)
class Configuration:
    """A named choice of settings.

    Attributes:
        name: unique in a sweep.
        settings: all of them.
        chosen: names of those that were chosen for it; the others are as they stand in `policy_rag.toml`, the
            environment or the defaults.
    """

    name: str
    settings: Settings
    chosen: tuple[str, ...] = ()


class Latency(NamedTuple):
    """Milliseconds a question: half of the questions take less than `median`, 95 of 100 no more than `p95`."""

    median: float
    p95: float


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What one configuration scored.

    Attributes:
        name: the configuration's.
        settings: the settings that shaped it, as JSON values; as text where it was read from a store.
        measures: mean over the questions and its interval.
        timings_ms: milliseconds a question, the mean over the questions, by step. What another configuration had
            computed already counts as it took there.
        scores: each question's figures.
        rankings: question id to labels, best first, as they were scored; empty where it was read from a store.
        notes: what a reader of the figures should know, one line each.
        latencies_ms: step, and `total`, to the median and the 95th percentile of what a question takes that is asked
            alone, with the models loaded: over a sample of 50 questions.
        returned: question id to labels as they are returned under `top_k`, `min_score` and the rest.
        hits: how many hits are returned for each question, in the order of `scores.questions`.
        slices: the figures of parts of the questions; empty where there is nothing that divides them.
        unanswerable: of the questions that the documents do not answer, or None where there are none.
        tokens: what an LLM is given of the hits of a question, by our estimate, on average; None where it is not known.
        cost: of these tokens by the setting `prices`, in its currency for 1,000 questions; None where no price is
            known.
    """

    name: str
    settings: Mapping[str, Any]
    measures: Mapping[Measure, Interval]
    timings_ms: Mapping[str, float]
    scores: Scores
    rankings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    latencies_ms: Mapping[str, Latency] = field(default_factory=dict)
    returned: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    hits: tuple[int, ...] = ()
    slices: tuple[Slice, ...] = ()
    unanswerable: Unanswerable | None = None
    tokens: float | None = None
    cost: float | None = None


MEAN_DIGITS = 12
"""Of means that are level: sums of the same figures in another order differ in the last ones."""

CUTTING = ("chunker", "chunk_tokens", "chunk_overlap", "hit_chars", "expand")
"""Settings that make hits of other sizes: ranks do not compare these."""


def deciding_measure(evaluations: Sequence[Evaluation]) -> Measure:
    """The measure that ranks: `recall@2000chars` where hits are cut in other ways, else `ndcg@10`.

    Where the evaluations have not got it, it is the first that they have.
    """
    cut_alike = all(len({str(one.settings.get(name)) for one in evaluations}) == 1 for name in CUTTING)
    measures = evaluations[0].measures
    wanted = DECIDED_BY if cut_alike else BY_TEXT
    return next((one for one in (wanted, DECIDED_BY) if one in measures), next(iter(measures)))


def ranked(evaluations: Sequence[Evaluation], measure: Measure | None = None) -> list[Evaluation]:
    """Best first by a measure, by default the one that decides.

    Those that are level by it come in the order of the other measures, each in turn as they are shown, `hits` aside, of
    which more is not better; then in their own order.
    """
    if not evaluations:
        return []
    order = [measure or deciding_measure(evaluations), *(one for one in evaluations[0].measures if one not in COUNTS)]

    def losses(one: Evaluation) -> list[float]:
        return [-round(one.measures[by].mean, MEAN_DIGITS) if by in one.measures else math.inf for by in order]

    return sorted(evaluations, key=losses)


def varied_settings(evaluations: Sequence[Evaluation]) -> dict[str, tuple[str, ...]]:
    """The settings in which configurations differ, each with its values in order of appearance.

    A setting that changes only together with one before it says nothing more and is left out.
    """
    varied: dict[str, tuple[str, ...]] = {}
    partitions: list[list[int]] = []
    for name in evaluations[0].settings:
        column = [str(evaluation.settings.get(name)) for evaluation in evaluations]
        values = tuple(dict.fromkeys(column))
        partition = [values.index(value) for value in column]
        if len(values) > 1 and partition not in partitions:
            varied[name] = values
            partitions.append(partition)
    return varied


def evaluate_on(runner: SweepRunner, configuration: Configuration, measures: Sequence[Measure]) -> Evaluation:
    """Scores what a configuration retrieves. The runner is one that was made for these measures.

    Every question is asked with its filters, groups and day. As many hits are asked for as the runner's `depth` says,
    whatever `top_k` does, for a measure at 10 of a list of 5 would say little; the list as it is returned, `top_k`
    hits at most, is scored besides. What was retrieved before is read back.

    Raises:
        ModelError: a model is not there.
        PolicyRagError: what indexing and searching raise.
    """
    found = runner.retrieve(configuration.settings)
    opened = runner.open(configuration.settings)
    settings = _settings(configuration.settings, runner.corpus, opened.manifest)
    made = _evaluated(configuration.name, settings, found, runner.dataset, measures, opened.notes)
    return replace(made, cost=_cost(configuration.settings, found.tokens))


def _cost(settings: Settings, tokens: float) -> float | None:
    """What 1,000 questions cost whose hits the LLM of the settings is given; its prompt and its replies come on top."""
    from policy_rag.llm.metering import price_of

    price = price_of(settings.llm.llm, settings.llm.prices, url=settings.llm.llm_url)
    return None if price is None else price.of(round(1000 * tokens), 0)


def evaluate_peer(
    name: str,
    retriever: Retriever,
    dataset: Dataset,
    corpus: Corpus,
    measures: Sequence[Measure],
    *,
    gold: QuestionGold,
) -> Evaluation:
    """Scores somebody else's retriever; see `policy_rag_eval.sweep.peers`.

    Raises:
        UsageError: it fails, or gives what cannot be scored.
    """
    found, notes = retrieved_by(name, retriever, dataset, gold=gold, measures=measures)
    settings = settings_of(retriever, corpus)
    if isinstance(retriever, ExistingIndex):
        chosen, manifest = retriever.made_with()
        settings = _settings(chosen, corpus, manifest)
    return _evaluated(name, settings, found, dataset, measures, notes)


def _evaluated(
    name: str,
    settings: Mapping[str, Any],
    found: Retrieval,
    dataset: Dataset,
    measures: Sequence[Measure],
    notes: Sequence[str],
) -> Evaluation:
    """What was retrieved, scored."""
    ids = [question.question_id for question in dataset.scored]
    unanswerable = [question.question_id for question in dataset.unanswerable]
    rankings, returned = (
        {key: tuple(labels) for key, labels in lists.items()} for lists in (found.rankings, found.returned)
    )
    hits = tuple(found.hits[question_id] for question_id in ids)
    in_characters = char_measures(measures)
    scores = score(
        {question_id: dataset.qrels[question_id] for question_id in ids},
        rankings,
        tuple(dict.fromkeys((*measures, *in_characters, *RETURNED_MEASURES))),
        returned=returned,
        counted={
            Measure(MeasureName.HITS): tuple(map(float, hits)),
            Measure(MeasureName.CHAR_RECALL): tuple(found.characters[key][0] for key in ids),
            Measure(MeasureName.CHAR_PRECISION): tuple(found.characters[key][1] for key in ids),
            **{measure: tuple(found.read[key][str(measure)] for key in ids) for measure in in_characters},
        },
    )
    silent = [found.hits[question_id] for question_id in unanswerable]
    most = most_possible(scores, dataset.qrels, returned)
    figures = bootstrap_intervals(scores.values, counts=COUNTS, most=most)
    return Evaluation(
        name=name,
        settings=settings,
        measures=figures,
        timings_ms=found.timings_ms,
        scores=scores,
        rankings=rankings,
        notes=(*dataset.notes, *notes),
        latencies_ms={step: Latency(*pair) for step, pair in found.latencies_ms.items()},
        returned=returned,
        hits=hits,
        slices=slices_of(dataset, scores, figures, silent, most),
        unanswerable=unanswerable_figures(
            silent, [found.best[key] for key in unanswerable], [found.best[key] for key in ids]
        ),
        tokens=found.tokens,
    )


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


def _settings(settings: Settings, corpus: Corpus, manifest: "Manifest") -> dict[str, Any]:
    """The settings that shaped the run; where the default was left to the index, what that took."""
    chosen = settings.as_json((*shaping(corpus), *names_affecting(Affects.SEARCH)))
    return {**chosen, **{name: getattr(manifest, name) for name in chosen if hasattr(manifest, name)}}
