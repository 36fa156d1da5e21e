"""The same figures for parts of the questions: which kind of question, in which document, how long."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from policy_rag_eval.data.dataset import Dataset, Question
from policy_rag_eval.measures.measures import COUNTS, Measure, MeasureName, Scores
from policy_rag_eval.statistics.intervals import Interval, bootstrap_intervals

HITS = Measure(MeasureName.HITS)
SHOWN = (Measure(MeasureName.RECALL, 10), HITS)
"""What is shown of a slice, beside the measure that decides; the others are in the JSON."""

LENGTHS = ((8, "up to 8 words"), (15, "9 to 15 words"))
LONGEST = "16 words or more"
NO_KIND = "(none)"
_RESAMPLES = 1_000


@dataclass(frozen=True, slots=True)
class Slice:
    """The figures of some of the questions.

    Attributes:
        by: what divides them: `type`, `document` (that the gold is in), `length` (of the question) or `answerable`.
        value: the questions' share of that: a type, a `doc_id`, `up to 8 words`, `yes`.
        questions: how many they are.
        measures: mean over them and its interval, which is wide where they are few. For unanswerable questions only
            `hits`, which needs no gold.
    """

    by: str
    value: str
    questions: int
    measures: Mapping[Measure, Interval]


def slices_of(
    dataset: Dataset,
    scores: Scores,
    overall: Mapping[Measure, Interval],
    unanswerable_hits: Sequence[int] = (),
    most: Mapping[Measure, float] | None = None,
) -> tuple[Slice, ...]:
    """The slices of an evaluation: by type, document, length and answerability, values in order of their name.

    What does not divide the questions (no types, one document, none unanswerable) gives no slices. A question whose
    gold lies in several documents counts for each.

    `overall` are the figures of all: a slice that holds all of them has these. `most` is the highest figure that a
    question can have, where that is below 1.
    """

    def part(by: str, value: str, members: Sequence[int]) -> Slice:
        if len(members) == len(scores.questions):
            return Slice(by, value, len(members), overall)
        values = {measure: [figures[i] for i in members] for measure, figures in scores.values.items()}
        intervals = bootstrap_intervals(values, counts=COUNTS, most=most, resamples=_RESAMPLES)
        return Slice(by, value, len(members), intervals)

    asked = {question.question_id: question for question in dataset.questions}
    questions = [asked[question_id] for question_id in scores.questions]
    documents: dict[str, set[str]] = {}
    for passage in dataset.passages:
        if passage.doc_id:
            documents.setdefault(passage.gold_id, set()).add(passage.doc_id)
    divided: dict[str, dict[str, list[int]]] = {"type": {}, "document": {}, "length": {}}
    for i, question in enumerate(questions):
        divided["type"].setdefault(question.kind or NO_KIND, []).append(i)
        divided["length"].setdefault(length_of(question), []).append(i)
        gold = dataset.qrels[question.question_id]
        for document in sorted(set[str]().union(*(documents.get(label, ()) for label in gold))):
            divided["document"].setdefault(document, []).append(i)
    made = [
        part(by, value, members)
        for by, values in divided.items()
        if len(values) > 1
        for value, members in _ordered(by, values)
    ]
    if unanswerable_hits:
        hits = bootstrap_intervals({HITS: list(map(float, unanswerable_hits))}, counts=COUNTS, resamples=_RESAMPLES)
        made.append(part("answerable", "yes", range(len(questions))))
        made.append(Slice("answerable", "no", len(unanswerable_hits), hits))
    return tuple(made)


def length_of(question: Question) -> str:
    """In which band of lengths a question falls, in words between blanks.

    >>> length_of(Question("q", "Who approves?"))
    'up to 8 words'
    """
    words = len(question.text.split())
    return next((name for most, name in LENGTHS if words <= most), LONGEST)


def _ordered(by: str, values: Mapping[str, list[int]]) -> list[tuple[str, list[int]]]:
    if by != "length":
        return sorted(values.items())
    return [(name, values[name]) for name in (*(name for _, name in LENGTHS), LONGEST) if name in values]
