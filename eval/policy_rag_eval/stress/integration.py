"""Information integration: questions that need two sections, given both or one of them (Chen et al. 2024)."""

from functools import partial

from policy_rag.records.search import Hit
from policy_rag_eval.data.dataset import GoldPassage
from policy_rag_eval.stress.question_sections import Material, Prepared, left_out, plain_outcome, shuffled
from policy_rag_eval.stress.records import Condition, Given, Outcome, StressTest, Trial

BOTH, FIRST, SECOND = "both sections", "the first alone", "the second alone"


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:
    """Both sections in an order that the seed fixes, the first alone, the second alone.

    First and second are in the order of the files. Asked are the questions whose gold lies in exactly two sections.
    """
    pairs = [one for one in material.answerable if len(one.gold) == 2]
    wider = sum(len(one.gold) > 2 for one in material.answerable)
    together = sum(
        len(one.gold) == 1 and len({each.gold_id for each in one.passages}) > 1 for one in material.answerable
    )
    made = tuple(
        Condition(
            name,
            {"given": name},
            tuple(_trial(material, one, kept, seed) for one in pairs),
        )
        for name, kept in ((BOTH, (0, 1)), (FIRST, (0,)), (SECOND, (1,)))
        if pairs
    )
    reasons = {"their gold lies in more than two sections": wider, "both their places lie in one section": together}
    return made, left_out(reasons)


def _trial(material: Material, one: Prepared, kept: tuple[int, ...], seed: int) -> Trial:
    given = [one.gold[place] for place in kept]
    away = [hit for hit in one.gold if hit not in given]
    sections = shuffled(given, seed, one.question.question_id)
    return one.trial(sections, partial(judge, material, one), evidence=one.evidence(without=away))


def judge(material: Material, one: Prepared, given: Given) -> tuple[Outcome, None]:
    """`GOLD` where both sections' gold is cited, `PART` where one's is.

    A section's gold is cited where at least one of its places is held.
    """
    outcome = plain_outcome(given)
    if outcome is not None:
        return outcome, None
    cited = sum(bool(material.held(given, _of_section(one, hit))) for hit in one.gold)
    return (Outcome.GOLD if cited == len(one.gold) else Outcome.PART if cited else Outcome.OTHER), None


def _of_section(one: Prepared, hit: Hit) -> list[GoldPassage]:
    """The gold places that a section holds most of."""
    return [passage for passage in one.passages if one.holder(passage) is hit]


TEST = StressTest(
    name="integration",
    title="Information integration: questions that need two sections",
    share="answers that cite both sections' gold",
    good=frozenset({Outcome.GOLD}),
    axis="given",
    build=conditions,
)
