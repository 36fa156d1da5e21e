"""Retrieval measures: a measure is a value that parses, prints and compares, and knows how it is computed.

All of them are means over questions of a figure between 0 and 1, but for `hits`, which counts. In each definition `k`
is the cut-off, `R` the number of relevant labels of the question (grade above 0) and `r(i)` is 1 where the label at
rank `i` is relevant, else 0. The figures are trec_eval's (https://github.com/usnistgov/trec_eval), computed by
pytrec_eval through ir_measures.

Written without a cut-off, a measure is taken over the list as it is returned: `top_k` hits at most, fewer where a
threshold, a gap or an intersection leaves fewer. With a cut-off it is taken over a list that is deep enough for it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy_rag_eval.errors import MeasureError
from policy_rag_parsers.text.near_names import nearest_name


class MeasureName(StrEnum):
    """The measures there are."""

    HIT_RATE = "hit_rate"
    """1 where at least one of the first k labels is relevant, else 0 (trec_eval's success)."""

    MRR = "mrr"
    """1 / rank of the first relevant label where that rank is at most k, else 0 (recip_rank)."""

    PRECISION = "precision"
    """Relevant labels among the first k, divided by k, however short the list is (P)."""

    RECALL = "recall"
    """Relevant labels among the first k, divided by R (recall). With a cut-off in characters (`recall@2000chars`) the
    share of the question's gold characters within the first k characters of the hits, of which 100 are read, or `top_k`
    where that is more: see `QuestionGold.read`."""

    AP = "ap"
    """Sum over i = 1..k of r(i) * precision@i, divided by R, even where R > k (map_cut)."""

    NDCG = "ndcg"
    """DCG / ideal DCG, DCG = sum over i = 1..k of grade(i) / log2(i + 1); the ideal is over its first k (ndcg_cut)."""

    F1 = "f1"
    """Harmonic mean of precision@k and recall@k of the question; 0 where both are 0."""

    HITS = "hits"
    """How many hits are returned: not labels, and not between 0 and 1."""

    CHAR_RECALL = "char_recall"
    """Characters of gold that the hits returned cover, over all characters of gold (`QuestionGold.characters`)."""

    CHAR_PRECISION = "char_precision"
    """Characters of the hits returned that lie in gold, over all characters of the hits (`QuestionGold.characters`)."""


OF_RETURNED = (MeasureName.PRECISION, MeasureName.RECALL, MeasureName.F1)
"""Measures that may go without a cut-off: precision is then over the labels returned (set_P), recall set_recall."""

OF_HITS = (MeasureName.HITS, MeasureName.CHAR_RECALL, MeasureName.CHAR_PRECISION)
"""Measures that have no cut-off, since labels do not tell them: they are counted from the hits."""

_MRR = MeasureName.MRR
_WRITTEN = re.compile(r"([a-z0-9_]+)(?:@([1-9][0-9]{0,3})|@([1-9][0-9]{0,5})chars)?")


@dataclass(frozen=True, slots=True, order=True)
class Measure:
    """A measure with its cut-off in labels or in characters; 0 stands for none: over the list as it is returned.

    >>> Measure.parse("ndcg@10")
    Measure(name=<MeasureName.NDCG: 'ndcg'>, cutoff=10, chars=0)
    >>> Measure.parse("recall@2000chars").mlflow_key
    'recall_at_2000chars'
    >>> str(Measure.parse("ndcg@10")), Measure.parse("ndcg@10").mlflow_key
    ('ndcg@10', 'ndcg_at_10')
    >>> str(Measure.parse("recall")), Measure.parse("recall").mlflow_key
    ('recall', 'recall')
    """

    name: MeasureName
    cutoff: int = 0
    chars: int = 0

    @classmethod
    def parse(cls, text: str) -> "Measure":
        """Reads `NAME@K`, K from 1 to 9999, `recall@Kchars`, or `NAME` where a measure may go without a cut-off.

        Raises:
            MeasureError: it is not of that form, or there is no such measure.
        """
        found = cls._read(text.strip())
        if found is not None:
            return found
        known = ", ".join(f"{name}@K" for name in MeasureName if name not in OF_HITS)
        listed = (
            f"the measures are {known}, for example recall@10, recall@Kchars, and over the list as it is returned "
            f"{', '.join((*OF_RETURNED, *OF_HITS))}"
        )
        name, _, cutoff = text.strip().partition("@")
        near = nearest_name(name, MeasureName)
        meant = next((one for one in (f"{near}@{cutoff}", f"{near}@10", str(near)) if cls._read(one)), None)
        hint = listed if meant is None else f"did you mean {meant}?"
        raise MeasureError(f"there is no measure {text.strip()!r}: {hint}")

    @classmethod
    def _read(cls, text: str) -> "Measure | None":
        match = _WRITTEN.fullmatch(text)
        if match is None or match[1] not in list(MeasureName):
            return None
        name, cutoff, chars = MeasureName(match[1]), int(match[2] or 0), int(match[3] or 0)
        if chars:
            return cls(name, chars=chars) if name is MeasureName.RECALL else None
        fits = name not in OF_HITS if cutoff else name in (*OF_RETURNED, *OF_HITS)
        return cls(name, cutoff) if fits else None

    def __str__(self) -> str:
        return f"{self.name}@{self._depth}" if self._depth else str(self.name)

    @property
    def _depth(self) -> str:
        return f"{self.chars}chars" if self.chars else str(self.cutoff or "")

    @property
    def of_hits(self) -> bool:
        """Whether it is counted from the hits, since labels do not tell it."""
        return self.chars > 0 or self.name in OF_HITS

    @property
    def mlflow_key(self) -> str:
        """Its name in MLflow, which allows no `@`."""
        return f"{self.name}_at_{self._depth}" if self._depth else str(self.name)

    @classmethod
    def from_mlflow_key(cls, key: str) -> "Measure":
        """Reads what `mlflow_key` wrote.

        Raises:
            MeasureError: the key names no measure.

        >>> str(Measure.from_mlflow_key("hit_rate_at_5"))
        'hit_rate@5'
        """
        name, at, cutoff = key.rpartition("_at_")
        return cls.parse(f"{name}@{cutoff}" if at else key)


COUNTS = frozenset({Measure(MeasureName.HITS)})
"""Measures that have no upper end."""


DECIDED_BY = Measure.parse("ndcg@10")
"""What ranks configurations and is tested where their hits are cut alike, unless another measure is chosen."""

MARGIN = 0.02
"""A configuration that is worse by no more than this is as good, unless another margin is asked for."""

BY_TEXT = Measure.parse("recall@2000chars")
"""What decides where configurations differ in chunker, size or expansion: ranks do not compare hits of other sizes."""

CHAR_MEASURES = (Measure.parse("recall@1000chars"), BY_TEXT, Measure.parse("recall@4000chars"))
"""What is counted besides of the hits in the order in which they are read."""


def char_measures(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """`CHAR_MEASURES` and those of `measures` that have a cut-off in characters, the shortest first.

    >>> [measure.chars for measure in char_measures([Measure.parse("recall@500chars"), DECIDED_BY])]
    [500, 1000, 2000, 4000]
    """
    return tuple(sorted({*CHAR_MEASURES, *(measure for measure in measures if measure.chars)}))


DEFAULT_MEASURES = tuple(
    Measure.parse(text) for text in ("hit_rate@5", "mrr@10", "precision@5", "recall@10", "ap@10", "ndcg@10")
)
"""What is shown unless other measures are asked for."""

RETURNED_MEASURES = tuple(
    Measure.parse(text) for text in ("precision", "recall", "hits", "char_recall", "char_precision")
)
"""What is counted besides of every list as it is returned."""


@dataclass(frozen=True, slots=True)
class Scores:
    """Every question's figure.

    Attributes:
        questions: question ids, in the order of the judgements.
        values: measure to one figure a question, in the order of `questions`.
    """

    questions: tuple[str, ...]
    values: Mapping[Measure, tuple[float, ...]]

    def mean(self, measure: Measure) -> float:
        """The mean over questions.

        Raises:
            ValueError: there are no questions.
        """
        if not self.questions:
            raise ValueError("no questions were scored")
        return sum(self.values[measure]) / len(self.questions)


def score(
    qrels: Mapping[str, Mapping[str, int]],
    rankings: Mapping[str, Sequence[str]],
    measures: Sequence[Measure] = DEFAULT_MEASURES,
    *,
    returned: Mapping[str, Sequence[str]] | None = None,
    counted: Mapping[Measure, Sequence[float]] | None = None,
) -> Scores:
    """Scores rankings against judgements.

    Args:
        qrels: question id to label to grade; a grade of 0 or below is not relevant.
        rankings: question id to labels, best first. A repeated label keeps its first rank; a question that is empty or
            missing here counts 0; one that `qrels` does not know is not scored.
        measures: which figures; repeats are computed once.
        returned: the lists as they are returned, for measures without a cut-off; by default the rankings.
        counted: figures of measures that labels do not tell (`Measure.of_hits`), one a question in the order of
            `qrels`.

    Returns:
        The figures of every question of `qrels`, in its order.

    Raises:
        ValueError: a measure that labels do not tell is not among those counted.

    >>> score({"q": {"a": 1, "b": 1}}, {"q": ["x", "a"]}, [Measure.parse("recall@5")]).values
    {Measure(name=<MeasureName.RECALL: 'recall'>, cutoff=5, chars=0): (0.5,)}
    """
    wanted = tuple(dict.fromkeys(measures))
    judged = {q: {label: max(grade, 0) for label, grade in grades.items()} for q, grades in qrels.items()}
    ranked = {q: tuple(dict.fromkeys(rankings.get(q, ()))) for q in judged}
    shown = ranked if returned is None else {q: tuple(dict.fromkeys(returned.get(q, ()))) for q in judged}
    values = {measure: tuple(figures) for measure, figures in (counted or {}).items()}
    lacking = [str(measure) for measure in wanted if measure.of_hits and measure not in values]
    if lacking:
        raise ValueError(f"{lacking[0]} cannot be told from labels")
    values |= {measure: _reciprocal_rank(measure, judged, ranked) for measure in wanted if measure.name is _MRR}
    others = {part for measure in wanted if measure not in values for part in _parts(measure)}
    values |= _compute({part: _native(part) for part in others if part.cutoff}, judged, ranked)
    values |= _compute({part: _native(part) for part in others if not part.cutoff}, judged, shown)
    for measure in wanted:
        if measure.name is MeasureName.F1:
            precision, recall = (values[part] for part in _parts(measure))
            values[measure] = tuple(map(_f1, precision, recall))
    return Scores(tuple(judged), {measure: values[measure] for measure in wanted})


def most_possible(
    scores: Scores, qrels: Mapping[str, Mapping[str, int]], returned: Mapping[str, Sequence[str]]
) -> dict[Measure, float]:
    """The highest figure that any question scored could have: precision@5 is 0.2 at most where each has one gold label.

    A question's most is what the list scores that has its gold first, as long as the one that was returned. That of
    `char_precision` is the characters of its gold over those of its hits, told by what of both is covered.

    The scores are of the measures that are asked about, `returned` has the labels as they were returned.

    Returns:
        Measure to a figure from 0 to 1; without `hits`, which has no upper end.
    """
    judged = {question: qrels[question] for question in scores.questions}
    ideal, cut = {}, {}
    for question, grades in judged.items():
        shown = dict.fromkeys(returned.get(question, ()))
        gold = sorted((label for label, grade in grades.items() if grade > 0), key=lambda label: -grades[label])
        ideal[question] = gold
        cut[question] = [*gold, *(label for label in shown if label not in gold)][: len(shown)]
    by_labels = [measure for measure in scores.values if not measure.of_hits]
    best = score(judged, ideal, by_labels, returned=cut)
    most = {measure: max(figures, default=1.0) for measure, figures in best.values.items()}
    recall, precision = Measure(MeasureName.CHAR_RECALL), Measure(MeasureName.CHAR_PRECISION)
    if {recall, precision} <= scores.values.keys():
        pairs = zip(scores.values[recall], scores.values[precision], strict=True)
        most[precision] = min(1.0, max((given / found for found, given in pairs if found > 0), default=1.0))
    return most


def falling_scores(labels: Sequence[str]) -> dict[str, float]:
    """A ranking as scores n, n - 1, ..., 1: trec_eval sorts by score, ties by label, so scores must strictly fall.

    >>> falling_scores(["b", "a", "b"])
    {'b': 2.0, 'a': 1.0}
    """
    once = tuple(dict.fromkeys(labels))
    return {label: float(len(once) - index) for index, label in enumerate(once)}


def _parts(measure: Measure) -> tuple[Measure, ...]:
    """The measures that the library computes for this one."""
    if measure.name is MeasureName.F1:
        names = (MeasureName.PRECISION, MeasureName.RECALL)
        return tuple(Measure(name, measure.cutoff) for name in names)
    return (measure,)


def _f1(precision: float, recall: float) -> float:
    return 2 * precision * recall / (precision + recall) if precision + recall > 0 else 0.0


def _native(measure: Measure) -> Any:
    """The same measure in ir_measures."""
    import ir_measures

    if not measure.cutoff:
        return {MeasureName.PRECISION: ir_measures.SetP, MeasureName.RECALL: ir_measures.SetR}[measure.name]
    names = {
        MeasureName.HIT_RATE: ir_measures.Success,
        MeasureName.PRECISION: ir_measures.P,
        MeasureName.RECALL: ir_measures.R,
        MeasureName.AP: ir_measures.AP,
        MeasureName.NDCG: ir_measures.nDCG,
    }
    return names[measure.name] @ measure.cutoff


def _reciprocal_rank(
    measure: Measure, qrels: Mapping[str, Mapping[str, int]], rankings: Mapping[str, Sequence[str]]
) -> tuple[float, ...]:
    """Reciprocal rank at a cut-off: pytrec_eval has it without one, so the rankings are cut first."""
    import ir_measures

    cut = {question: labels[: measure.cutoff] for question, labels in rankings.items()}
    return _compute({measure: ir_measures.RR}, qrels, cut)[measure]


def _compute(
    natives: Mapping[Measure, Any], qrels: Mapping[str, Mapping[str, int]], rankings: Mapping[str, Sequence[str]]
) -> dict[Measure, tuple[float, ...]]:
    """Figures of pytrec_eval, one a question in the order of `qrels`; a question without any counts 0."""
    if not natives or not qrels:
        return dict.fromkeys(natives, ())
    import ir_measures

    scored = {question: falling_scores(labels) for question, labels in rankings.items() if labels}
    judged = {question: dict(grades) for question, grades in qrels.items() if grades}
    by_native = {native: measure for measure, native in natives.items()}
    found: dict[Measure, dict[str, float]] = {measure: {} for measure in natives}
    if scored and judged:
        for metric in ir_measures.pytrec_eval.iter_calc(list(by_native), judged, scored):
            found[by_native[metric.measure]][metric.query_id] = float(metric.value)
    return {measure: tuple(figures.get(question, 0.0) for question in qrels) for measure, figures in found.items()}
