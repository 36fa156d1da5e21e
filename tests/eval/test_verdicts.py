"""Verdicts: who beats whom, corrected for all pairs, and what is said when it is undecided."""

import numpy as np
import pytest

from policy_rag_eval.measures import Measure, Scores
from policy_rag_eval.runs import Evaluation
from policy_rag_eval.statistics import bootstrap_intervals
from policy_rag_eval.verdicts import DECIDED_BY, compare, verdict


def evaluation(name: str, values: list[float]) -> Evaluation:
    scores = Scores(tuple(f"q{i}" for i in range(len(values))), {DECIDED_BY: tuple(values)})
    return Evaluation(name, {}, bootstrap_intervals(scores.values, resamples=50), {}, scores, {})


def test_the_best_is_compared_with_each_other_in_order() -> None:
    low, middle, high = evaluation("low", [0.0] * 20), evaluation("mid", [0.5] * 20), evaluation("high", [1.0] * 20)
    made = compare([low, high, middle])
    assert [(c.first, c.second) for c in made] == [("high", "mid"), ("high", "low")]
    assert made[0].difference.mean == pytest.approx(0.5)
    assert (made[0].wins, made[0].losses) == (20, 0)
    assert all(c.decided for c in made)


def test_p_values_are_corrected_for_every_pair() -> None:
    # Six questions, always better: 2 of 64 assignments of signs, p = 1/32. Alone that is below 0.05; times 3 it is not.
    alone = compare([evaluation("a", [1.0] * 6), evaluation("b", [0.0] * 6)])
    assert alone[0].p_value == pytest.approx(1 / 32)
    assert alone[0].decided
    three = compare([evaluation("a", [1.0] * 6), evaluation("b", [0.0] * 6), evaluation("c", [0.5] * 6)])
    assert [c.p_value for c in three] == pytest.approx([3 / 32, 3 / 32])
    assert not three[0].decided


def test_words_for_a_decision_and_for_none() -> None:
    better = compare([evaluation("or", [1.0] * 30), evaluation("and", [0.5] * 30)])[0]
    said = verdict(better, 30)
    assert said.startswith("or beats and by 0.500 ± 0.000 ndcg@10 (better on 30 of 30 questions, worse on 0; p < 0.001")
    same = compare([evaluation("or", [0.5] * 30), evaluation("and", [0.5] * 30)])[0]
    assert verdict(same, 30) == "or against and is undecided with 30 questions (0.000 ± 0.000 ndcg@10, p = 1.000)"
    rng = np.random.default_rng(1)
    near = compare([evaluation("or", list(rng.random(50))), evaluation("and", list(rng.random(50)))])[0]
    assert "undecided with 50 questions" in verdict(near, 50)
    assert "would be needed" in verdict(near, 50)


def test_where_nothing_differs_beats_comes_out_at_the_level() -> None:
    rng = np.random.default_rng(5)
    claims = sum(
        compare([evaluation("a", list(rng.random(12))), evaluation("b", list(rng.random(12)))])[0].decided
        for _ in range(300)
    )
    assert 0.02 * 300 <= claims <= 0.08 * 300


def test_one_configuration_has_no_verdict_and_other_questions_cannot_be_compared() -> None:
    one = evaluation("a", [1.0, 0.0])
    assert compare([one]) == ()
    with pytest.raises(ValueError, match="same questions"):
        compare([one, evaluation("b", [1.0])])
    assert Measure.parse("ndcg@10") == DECIDED_BY
