"""Position of the gold section among those given, by how many there are (Liu et al. 2024, "Lost in the Middle")."""

from functools import partial

from policy_rag_eval.stress.question_sections import Material, left_out, reached
from policy_rag_eval.stress.records import Condition, Outcome, StressTest

LENGTHS = (2, 4, 8, 16)
DEPTHS = {"first": 0.0, "a third in": 1 / 3, "two thirds in": 2 / 3, "last": 1.0}


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:  # noqa: ARG001
    """A condition a depth and length: the gold section there, the best distractors around it in their order.

    Asked are the questions with one gold section. Among two sections there is a first and a last only.
    """
    single = [one for one in material.answerable if len(one.gold) == 1]
    lengths = reached(LENGTHS, [1 + len(one.distractors) for one in single])
    most = max(lengths, default=1)
    able = [one for one in single if 1 + len(one.distractors) >= most]
    made: list[Condition] = []
    for length in lengths:
        taken: set[int] = set()
        for depth, share in DEPTHS.items():
            place = round(share * (length - 1))
            if place in taken or (length == 2 and 0 < share < 1):
                continue
            taken.add(place)
            trials = tuple(
                one.trial(
                    [*one.distractors[:place], one.gold[0], *one.distractors[place : length - 1]],
                    partial(material.any_gold, passages=one.passages),
                )
                for one in able
            )
            made.append(Condition(f"{depth} of {length}", {"depth": depth, "length": length}, trials))
    several = sum(len(one.gold) > 1 for one in material.answerable)
    few = f"their search finds fewer than {most - 1} sections without gold"
    return tuple(made), left_out({"their gold lies in several sections": several, few: len(single) - len(able)})


TEST = StressTest(
    name="position",
    title="Position of the gold section, by the number of sections given",
    share="answers that cite the gold",
    good=frozenset({Outcome.GOLD}),
    axis="length",
    lines="depth",
    rows=tuple(DEPTHS),
    build=conditions,
)
