"""What a run keeps besides its figures: a table of the questions, and the settings and versions to repeat it."""

import platform
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import metadata
from typing import Any

from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.statistics.intervals import OUTER, RESAMPLES, SEED, Interval
from policy_rag_eval.statistics.multiple import DRAWS
from policy_rag_eval.statistics.permutation import EXACT, PERMUTATIONS
from policy_rag_eval.sweep.evaluation import Evaluation
from policy_rag_eval.tracking.stores import shown_address

QUESTIONS_TABLE = "questions.json"
SLICES_TABLE = "slices.json"
SETTINGS_FILE = "settings.json"
FIGURES_TABLE = "figures.json"
VERSIONS_FILE = "versions.json"
VERDICTS_TABLE = "verdicts.json"
ANSWERS_FILE = "answers.json"
STRESS_FILE = "stress.json"
CURVE_TABLE = "risk_coverage.json"
WORDS = "question"
"""The one column of the table of questions that holds a text."""
COLUMNS_OF_WORDS = {QUESTIONS_TABLE: frozenset({WORDS}), VERDICTS_TABLE: frozenset({"question", "answer", "reason"})}
"""Tables with columns of words; without those they hold ids and figures."""
WITHOUT_WORDS = frozenset(
    {SETTINGS_FILE, VERSIONS_FILE, FIGURES_TABLE, SLICES_TABLE, ANSWERS_FILE, STRESS_FILE, CURVE_TABLE}
)
"""Files that hold no words of questions, answers or documents."""
VERSIONS = (
    "policy-rag",
    "mlflow",
    "llama-index-core",
    "faiss-cpu",
    "bm25s",
    "PyStemmer",
    "torch",
    "onnxruntime",
    "transformers",
    "sentence-transformers",
    "ir-measures",
    "numpy",
)

_LABELS_KEPT = 10


def questions_table(dataset: Dataset, evaluation: Evaluation, *, texts: bool) -> dict[str, list[Any]]:
    """A row a question: what was asked, each figure, and the first labels found.

    Without `texts` a row holds ids and figures only.
    """
    asked = {question.question_id: question for question in dataset.questions}
    rows = [asked[question_id] for question_id in evaluation.scores.questions]
    columns: dict[str, list[Any]] = {"question_id": [question.question_id for question in rows]}
    if texts:
        columns[WORDS] = [question.text for question in rows]
    columns["type"] = [question.kind or "" for question in rows]
    columns |= {measure.mlflow_key: list(values) for measure, values in evaluation.scores.values.items()}
    found = (evaluation.rankings.get(question.question_id, ()) for question in rows)
    columns["found"] = [" | ".join(labels[:_LABELS_KEPT]) for labels in found]
    if evaluation.hits:
        columns["hits_returned"] = list(evaluation.hits)
    columns["gold"] = [" | ".join(dataset.qrels[question.question_id]) for question in rows]
    return columns


def slices_table(evaluation: Evaluation) -> dict[str, list[Any]]:
    """A row a measure of each part of the questions: its mean with the ends of its interval."""
    rows = [
        (part.by, part.value, part.questions, measure.mlflow_key, interval.mean, interval.low, interval.high)
        for part in evaluation.slices
        for measure, interval in part.measures.items()
    ]
    return columns_of(("by", "value", "questions", "measure", "mean", "low", "high"), rows)


def figures_table(figures: Mapping[str, float | Interval]) -> dict[str, list[Any]]:
    """A row a figure: its mean with the ends of its interval, where it has one.

    >>> figures_table({"recall_at_10": Interval(0.5, 0.25, 0.75), "questions": 4.0})
    {'figure': ['recall_at_10', 'questions'], 'mean': [0.5, 4.0], 'low': [0.25, None], 'high': [0.75, None]}
    """
    rows = [
        (key, one.mean, one.low, one.high) if isinstance(one, Interval) else (key, one, None, None)
        for key, one in figures.items()
    ]
    return columns_of(("figure", "mean", "low", "high"), rows)


def figures_of(table: Mapping[str, Sequence[Any]]) -> dict[str, float | Interval]:
    """The figures of a table, as `figures_table` was given them."""
    rows = zip(*(table[name] for name in ("figure", "mean", "low", "high")), strict=True)
    return {key: mean if low is None else Interval(mean, low, high) for key, mean, low, high in rows}


def columns_of(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> dict[str, list[Any]]:
    """Rows as columns by name; without rows the columns are empty."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def as_table(columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
    """Columns in the form of MLflow's table artifacts.

    >>> as_table({"a": [1, 2], "b": ["x", "y"]})
    {'columns': ['a', 'b'], 'data': [[1, 'x'], [2, 'y']]}
    """
    return {"columns": list(columns), "data": [list(row) for row in zip(*columns.values(), strict=True)]}


def shown_settings(evaluation: Evaluation) -> dict[str, Any]:
    """The settings that shaped it, without passwords that stand in addresses."""
    return {
        name: shown_address(value) if isinstance(value, str) and "://" in value else value
        for name, value in evaluation.settings.items()
    }


def repeatable(dataset: Dataset, corpus: Corpus, evaluation: Evaluation) -> dict[str, Any]:
    """What is needed to run it again and get the same figures, as JSON values."""
    return {
        "name": evaluation.name,
        "dataset": {"name": dataset.name, "folder": str(dataset.folder), "digest": dataset.digest},
        "corpus": str(corpus),
        "settings": shown_settings(evaluation),
        "statistics": {
            "confidence": OUTER[1] - OUTER[0],
            "resamples": RESAMPLES,
            "all_assignments_up_to": EXACT,
            "permutations": PERMUTATIONS,
            "max_t_draws": DRAWS,
            "seed": SEED,
        },
        "notes": list(evaluation.notes),
    }


def versions() -> dict[str, str]:
    """The versions that make a run repeatable, by name."""
    return {"python": platform.python_version(), **{name: _version(name) for name in VERSIONS}}


@cache
def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "not installed"
