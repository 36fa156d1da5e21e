"""Noise robustness: the gold sections among more and more of the best hits that are not gold (Chen et al. 2024)."""

from functools import partial

from policy_rag_eval.stress.question_sections import Material, left_out, reached, shuffled
from policy_rag_eval.stress.records import Condition, Outcome, StressTest

DISTRACTORS = (0, 1, 2, 4, 8)


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:
    """A condition a number of distractors; questions with fewer of them are left out of all, so that rows compare.

    The sections are given in an order that the seed fixes for each question and number.
    """
    levels = reached(DISTRACTORS, [len(one.distractors) for one in material.answerable])
    able = [one for one in material.answerable if len(one.distractors) >= max(levels, default=0)]
    few = len(material.answerable) - len(able)
    made = tuple(
        Condition(
            f"{count} distractors",
            {"distractors": count},
            tuple(
                one.trial(
                    shuffled([*one.gold, *one.distractors[:count]], seed, one.question.question_id, count),
                    partial(material.any_gold, passages=one.passages),
                )
                for one in able
            ),
        )
        for count in levels
    )
    return made, left_out({f"their search finds fewer than {max(levels, default=0)} sections without gold": few})


TEST = StressTest(
    name="noise",
    title="Noise robustness: distracting sections beside the gold",
    share="answers that cite the gold",
    good=frozenset({Outcome.GOLD}),
    axis="distractors",
    build=conditions,
)
