"""Negative rejection: only sections that do not answer are given (Chen et al. 2024)."""

from functools import partial

from policy_rag_eval.stress.question_sections import Material, Prepared, left_out, reached
from policy_rag_eval.stress.records import Condition, Outcome, StressTest, Trial

GIVEN = (1, 2, 4, 8)
WITHHELD, NEVER = "gold taken away", "unanswerable"


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:  # noqa: ARG001
    """Answerable questions whose gold sections are nowhere to be found, then those that no document answers.

    The sections come best first, as a search would give them. A section that is no gold may still hold an answer, so
    that not every answer here is wrong: see `other cited` beside the share.
    """
    groups = {WITHHELD: material.answerable, NEVER: material.unanswerable}
    everyone = [one for group in groups.values() for one in group]
    levels = reached(GIVEN, [len(one.distractors) for one in everyone])
    most = max(levels, default=1)
    able = {name: [one for one in group if len(one.distractors) >= most] for name, group in groups.items()}
    made = tuple(
        Condition(
            f"{name}, {count} given",
            {"questions": name, "given": count},
            tuple(_trial(material, one, count) for one in group),
        )
        for name, group in able.items()
        for count in levels
        if group
    )
    few = len(everyone) - sum(len(group) for group in able.values())
    return made, left_out({f"their search finds fewer than {most} sections without gold": few})


def _trial(material: Material, one: Prepared, count: int) -> Trial:
    return one.trial(
        one.distractors[:count],
        partial(material.any_gold, passages=one.passages),
        evidence=one.evidence(without=one.holding),
    )


TEST = StressTest(
    name="rejection",
    title="Negative rejection: only sections that hold no gold",
    share="questions that are refused",
    good=frozenset({Outcome.REFUSED}),
    axis="given",
    lines="questions",
    build=conditions,
)
