"""Number of sections given: the search's own first hits, few or many."""

from functools import partial

from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag_eval.measures.gold_matching import shared
from policy_rag_eval.stress.question_sections import Material, left_out, reached
from policy_rag_eval.stress.records import Condition, Outcome, StressTest

COUNTS = (1, 2, 3, 5, 8, 12)


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:  # noqa: ARG001
    """A condition a number: the first hits as they were found, gold or not, best first."""
    counts = reached(COUNTS, [len(one.hits) for one in material.answerable])
    most = max(counts, default=1)
    able = [one for one in material.answerable if len(one.hits) >= most]
    made = tuple(
        Condition(
            f"first {count}",
            {"sections": count},
            tuple(
                one.trial(
                    one.hits[:count],
                    partial(material.any_gold, passages=one.passages),
                    evidence=one.hits[:EVIDENCE],
                )
                for one in able
            ),
            {
                one.question.question_id: any(
                    2 * shared(each, hit) >= (each.end or 0) - (each.start or 0)
                    for each in one.passages
                    for hit in one.hits[:count]
                )
                for one in able
            },
        )
        for count in counts
    )
    few = len(material.answerable) - len(able)
    return made, left_out({f"their search finds fewer than {most} sections": few})


TEST = StressTest(
    name="sections",
    title="Number of sections given: the search's first hits",
    share="answers that cite the gold",
    good=frozenset({Outcome.GOLD}),
    axis="sections",
    build=conditions,
)
