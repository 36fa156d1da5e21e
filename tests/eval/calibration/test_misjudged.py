"""Questions that a calibration misjudges: both kinds in turn, the surest first, with gold and first hit."""

from pathlib import Path

import numpy as np
import pytest

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS
from policy_rag.records.search import Hit
from policy_rag_eval.calibration.fit import Calibrated, Calibration, Model
from policy_rag_eval.calibration.misjudged import misjudged
from policy_rag_eval.calibration.risk_coverage import CoveragePoint, risk_coverage
from policy_rag_eval.data.dataset import Corpus, Dataset, Document, GoldPassage, Question

TEXT = "The first rule stands here. The second rule stands there.\n"


@pytest.fixture
def dataset(tmp_path: Path) -> Dataset:
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "f.md").write_text(TEXT)
    questions = (
        Question("q0", "What is first?"),
        Question("q1", "What is second?"),
        *(Question(f"u{i}", f"Who feeds dog {i}?", answerable=False) for i in range(3)),
    )
    passages = (
        GoldPassage("g0", TEXT[:27], file="f.md", start=0, end=27),
        GoldPassage("g1", TEXT[28:57], file="f.md", start=28, end=57),
    )
    qrels = {"q0": {"g0": 1}, "q1": {"g1": 1}}
    return Dataset("made", tmp_path, (Document("f", "f.md", "F"),), questions, passages, qrels, "d" * 64)


def hit(start: int, end: int) -> Hit:
    return Hit(1, 1.0, "f", None, "f.md", "s", None, "F", ("F",), start, end, start, end, None, TEXT[start:end], {})


def calibrated(*confidences: float, threshold: float | None) -> Calibrated:
    given, kinds = np.array(confidences), np.array([True, True, False, False, False])
    found = Calibration(DEFAULT_WEIGHTS, Model.SHIPPED, given, kinds, 1.0, {Model.SHIPPED: 0.5}, ())
    points: dict[float, CoveragePoint] = {point.threshold: point for point in risk_coverage(given, kinds)}
    chosen = None if threshold is None else points[min(points, key=lambda one: abs(one - threshold))]
    return Calibrated(found, chosen, (hit(28, 57), hit(0, 27), hit(0, 9), None, hit(0, 27)))


def test_the_worst_of_both_kinds_in_turn_with_gold_and_hit(dataset: Dataset) -> None:
    made = calibrated(0.9, 0.2, 0.7, 0.8, 0.1, threshold=0.5)
    first, second, third = misjudged(dataset, Corpus.FILES, dataset.questions, made)
    # Refused by 0.8 too little, and answered by 0.8 too much: the one that comes first; then the other unanswerable one.
    assert (first.question_id, first.told) == ("q1", "refused, confidence 0.20")
    assert first.left == ("gold: f.md, 28 to 57", "The second rule stands there.")
    assert first.right == ("found first: f.md, 0 to 27", "The first rule stands here.")
    assert (second.question_id, second.told) == ("u1", "answered, confidence 0.80")
    assert second.left == ("gold: none", "the policies do not answer it")
    assert second.right == ("nothing was found", "")
    assert (third.question_id, third.told) == ("u0", "answered, confidence 0.70")


def test_without_a_threshold_an_even_chance_parts_them(dataset: Dataset) -> None:
    made = calibrated(0.9, 0.6, 0.4, 0.45, 0.1, threshold=None)
    assert misjudged(dataset, Corpus.FILES, dataset.questions, made) == []
