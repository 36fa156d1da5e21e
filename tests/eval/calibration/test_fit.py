"""Calibration: curves counted by hand, fits that an oracle confirms, thresholds that keep their promise."""

import math
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from policy_rag.answering.confidence.model import DEFAULT_WEIGHTS, Features, SupportPiece, Weights, confidence
from policy_rag_eval.calibration.fit import Calibrated, Calibration, Model, calibrate, fit, platt, scaled
from policy_rag_eval.calibration.page import CalibrationFacts, calibration_page
from policy_rag_eval.calibration.risk_coverage import (
    risk_coverage,
    threshold_for_refusals,
    threshold_for_risk,
    wilson,
)
from policy_rag_eval.calibration.support_features import roc_area
from policy_rag_eval.calibration.tracking import figures, table
from policy_rag_eval.errors import DatasetError


def made(answerable: int, unanswerable: int, *, apart: float, seed: int = 3) -> tuple[list[Features], list[bool]]:
    """Questions whose cosine says how answerable they are, the more so the further the kinds are apart."""
    rng = np.random.default_rng(seed)
    kinds = [True] * answerable + [False] * unanswerable
    cosines = [float(np.clip(rng.normal(0.4 + apart * kind, 0.08), 0.01, 1)) for kind in kinds]
    return [Features(cosine=c, mean_cosine=0.7 * c, coverage=0.5, substance=0.7, keyword=0.4) for c in cosines], kinds


@cache
def calibrated(answerable: int = 120, unanswerable: int = 80, apart: float = 0.2) -> Calibration:
    return calibrate(*made(answerable, unanswerable, apart=apart))


def test_the_curve_by_hand() -> None:
    confidences = np.array([0.9, 0.8, 0.6, 0.6, 0.2])
    answerable = np.array([True, False, True, True, False])
    curve = risk_coverage(confidences, answerable)
    assert [point.threshold for point in curve] == pytest.approx([0, 0.4, 0.7, 0.85])
    assert [point.answered for point in curve] == [5, 4, 2, 1]
    assert [point.risk.mean for point in curve] == pytest.approx([2 / 5, 1 / 4, 1 / 2, 0])
    assert [point.coverage.mean for point in curve] == pytest.approx([1, 0.8, 0.4, 0.2])
    assert [point.answerable_refused for point in curve] == pytest.approx([0, 0, 2 / 3, 2 / 3])
    assert [point.unanswerable_refused for point in curve] == pytest.approx([0, 0.5, 0.5, 1])


def test_the_threshold_answers_most_within_the_risk_and_none_is_said_to_be_none() -> None:
    confidences = np.linspace(0.01, 0.99, 60)
    answerable = np.arange(60) >= 20  # the 20 lowest are unanswerable
    answerable[50] = False
    curve = risk_coverage(confidences, answerable)
    found = threshold_for_risk(curve, 0.2)
    assert found is not None
    # 40 upper ones with one wrong; k more wrong below. Wilson's upper end of 3 of 42 is 0.190, of 4 of 43 it is 0.216.
    assert (found.answered, found.risk.mean) == (42, pytest.approx(3 / 42))
    assert found.risk.high == pytest.approx(0.190, abs=0.001)
    # 9 answered without a mistake are a risk of 0, that may be one of 0.299; 1 of 40 may be one of 0.129.
    assert threshold_for_risk(curve, 0.1) is None
    assert threshold_for_risk(risk_coverage(confidences, ~answerable), 0.05) is None
    with pytest.raises(ValueError, match="between 0 and 1"):
        threshold_for_risk(curve, 0)


def test_the_threshold_by_refusals_is_the_highest_that_keeps_them() -> None:
    confidences = np.arange(1, 21) / 20
    answerable = np.array([True, False] * 10)
    found = threshold_for_refusals(risk_coverage(confidences, answerable), 0.2)
    # Answerable are 0.05, 0.15, 0.25 ...: two of ten lie below a threshold between 0.15 and 0.25.
    assert (found.answerable_refused, found.threshold) == (0.2, pytest.approx(0.225))
    assert found.unanswerable_refused == pytest.approx(0.2)


def test_wilson_against_the_textbook() -> None:
    # Newcombe 1998, table I: 81 of 263, score method without correction: 0.2553 to 0.3662; 0 of 20: 0 to 0.1611.
    some, none = wilson(81, 263), wilson(0, 20)
    assert (some.low, some.high) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert (none.low, none.high) == (0, pytest.approx(0.1611, abs=1e-4))


def test_an_area_needs_both_kinds() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        roc_area([1.0], [])


def test_platt_is_logistic_regression_with_platts_targets() -> None:
    rng = np.random.default_rng(1)
    kinds = np.arange(300) < 120
    scores = rng.normal(size=300) + 1.5 * kinds + 4
    slope, offset = platt(scores, kinds)
    errors = 1 / (1 + np.exp(-(slope * scores + offset))) - np.where(kinds, 121 / 122, 1 / 182)
    # At the optimum the gradient vanishes in both directions.
    assert float(errors.sum()) == pytest.approx(0, abs=1e-5)
    assert float((errors * scores).sum()) == pytest.approx(0, abs=1e-5)
    assert platt(-scores, kinds)[0] == 0  # turned round, the score says nothing


def test_a_fit_is_at_the_optimum_and_no_weight_is_negative() -> None:
    found, kinds = made(80, 60, apart=0.15)
    weights = fit(found, np.array(kinds))
    assert all(piece.weight >= 0 for piece in (*weights.pieces, *DEFAULT_WEIGHTS.pieces))
    # With an intercept the mean of what is given equals the share that there is.
    assert float(np.mean([confidence(one, weights) for one in found])) == pytest.approx(80 / 140, abs=1e-3)


def test_scaling_scales_the_score() -> None:
    weights = Weights(-2.0, (SupportPiece("cosine", 3.0),), 0.5, "")
    before, after = confidence(Features(cosine=0.5), weights), confidence(Features(cosine=0.5), scaled(weights, 2, 1))
    assert math.log(after / (1 - after)) == pytest.approx(2 * math.log(before / (1 - before)) + 1)


def test_calibration_of_separable_questions_reaches_the_risk_and_of_noise_does_not() -> None:
    clear = calibrated(100, 60, 0.3)
    assert clear.area > 0.97
    point = threshold_for_risk(clear.curve, 0.05)
    assert point is not None
    assert point.coverage.mean > 0.5
    noise = calibrated(60, 100, 0.0)
    assert 0.3 < noise.area < 0.7
    assert threshold_for_risk(noise.curve, 0.05) is None


def test_what_is_given_out_of_fold_is_a_probability() -> None:
    found = calibrated(300, 200, 0.12)
    sure = found.confidences > 0.8
    assert sure.sum() > 50
    assert float(found.answerable[sure].mean()) == pytest.approx(float(found.confidences[sure].mean()), abs=0.06)


def test_the_model_with_the_lower_log_loss_is_taken_and_its_weights_give_the_confidences() -> None:
    found = calibrated()
    assert found.model is min(Model, key=lambda model: found.log_loss[model])
    again = np.array([confidence(one, found.weights) for one in made(120, 80, apart=0.2)[0]])
    # Fitted on all instead of four fifths, they order nearly alike.
    assert np.corrcoef(again, found.confidences)[0, 1] > 0.98


def test_a_question_without_hits_is_never_answered() -> None:
    features, kinds = made(40, 40, apart=0.2)
    found = calibrate([*features, Features()], [*kinds, False])
    assert found.confidences[-1] == 0


def test_the_same_questions_give_the_same_calibration() -> None:
    again, found = calibrate(*made(120, 80, apart=0.2)), calibrated()
    assert (again.weights, again.curve) == (found.weights, found.curve)


@pytest.mark.parametrize(("answerable", "unanswerable", "said"), [(9, 50, "answerable"), (50, 9, "unanswerable")])
def test_too_few_of_a_kind_are_refused(answerable: int, unanswerable: int, said: str) -> None:
    with pytest.raises(DatasetError, match=f"only 9 {said} questions"):
        calibrate(*made(answerable, unanswerable, apart=0.2))


def test_what_is_logged_and_drawn() -> None:
    found = calibrated()
    point = threshold_for_risk(found.curve, 0.2)
    assert point is not None
    kept = figures(Calibrated(found, point))
    assert (kept["auc"], kept["threshold"], kept["risk"]) == (found.area, point.threshold, point.risk.mean)
    assert "threshold" not in figures(Calibrated(found, None))
    rows = table(found.curve)
    assert {len(column) for column in rows.values()} == {len(found.curve)}
    page = calibration_page("small", Calibrated(found, point), CalibrationFacts("a risk of 20 %", 0.2)).html()
    assert f"Answer from a confidence of {point.threshold:.3f} on" in page
    assert page.count("<svg") == 1
    none = calibration_page("small", Calibrated(found, None), CalibrationFacts("it", 0.01))
    assert "No threshold on small keeps" in none.html()


@pytest.mark.parametrize("judge", ["reranked", "llm"])
def test_a_model_that_tells_the_kinds_apart_is_used_where_it_was_asked(judge: str) -> None:
    rng = np.random.default_rng(5)
    found, kinds = made(120, 60, apart=0.03)
    scores = [float(1 / (1 + math.exp(-rng.normal(2.0 if kind else -2.0, 1.0)))) for kind in kinds]
    judged = [replace(one, **{judge: score}) for one, score in zip(found, scores, strict=True)]
    assert not any(piece.feature == judge for piece in fit(found, np.array(kinds)).pieces)
    plain, fitted = calibrate(found, kinds), calibrate(judged, kinds)
    assert sum(piece.weight for piece in fitted.weights.pieces if piece.feature == judge) > 0
    assert plain.area < 0.75
    # The scores alone: two normal curves four deviations apart have an area of Phi(4 / sqrt(2)) = 0.998.
    assert fitted.area > 0.98
    worse = replace(judged[0], **{judge: 0.01})
    assert confidence(worse, fitted.weights) < confidence(judged[0], fitted.weights)
