"""Calibrations compared by proper scores of what each gave to what is the case."""

import numpy as np
import pytest

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS
from policy_rag.errors import UsageError
from policy_rag_eval.calibration.comparison import (
    alike,
    compare_calibrations,
    comparison_page,
    log_score,
    measure_of,
    probabilities,
    quadratic_score,
)
from policy_rag_eval.calibration.fit import Calibrated, Calibration, Model
from policy_rag_eval.calibration.page import CalibrationFacts
from policy_rag_eval.calibration.risk_coverage import risk_coverage

KINDS = np.array([True, True, False, False])


def calibrated(*confidences: float) -> Calibrated:
    given = np.array(confidences)
    curve = risk_coverage(given, KINDS)
    found = Calibration(DEFAULT_WEIGHTS, Model.SHIPPED, given, KINDS, 1.0, {Model.SHIPPED: 0.5}, curve)
    return Calibrated(found, curve[0])


def test_scores_of_what_is_the_case() -> None:
    assert probabilities(calibrated(0.9, 0.5, 0.2, 1.0).found).tolist() == pytest.approx([0.9, 0.5, 0.8, 0.0])
    assert log_score(np.array([1.0, 0.5])).tolist() == pytest.approx([0.0, -0.693147])
    assert log_score(np.array([0.0])).tolist() == pytest.approx([-6.907755])  # as if it were one in a thousand
    assert quadratic_score(np.array([1.0, 0.5, 0.0])).tolist() == [1.0, 0.75, 0.0]


def test_the_surer_one_is_the_best() -> None:
    made = {"unsure": calibrated(0.5, 0.5, 0.5, 0.5), "sure": calibrated(1.0, 1.0, 0.0, 0.0)}
    found = compare_calibrations("small", ["a", "b", "c", "d"], made, "quadratic_score")
    assert found.several.means == {"sure": 1.0, "unsure": 0.75}
    page = comparison_page(found, CalibrationFacts("a risk of at most 5%", 0.05))
    assert "sure: 1.000 quadratic_score" in page.headline
    assert page.html().count("<svg") == 4  # the scores, their difference, and a curve each


def test_configurations_that_differ_in_nothing_that_counts_are_told() -> None:
    made = {"search=or": calibrated(0.9, 0.5, 0.2, 0.1), "other": calibrated(0.9, 0.5, 0.2, 0.2)}
    assert alike(made) == ()
    made["search=and"] = calibrated(0.9, 0.5, 0.2, 0.1)
    (line,) = alike(made)
    assert line.startswith("search=or, search=and give equal figures: ")
    page = comparison_page(compare_calibrations("small", ["a", "b", "c", "d"], made), CalibrationFacts("a risk", None))
    assert line in page.html()


def test_a_score_that_is_none() -> None:
    assert measure_of(None) == "log_score"
    with pytest.raises(UsageError, match="--measure auc: there are log_score, quadratic_score"):
        measure_of("auc")
