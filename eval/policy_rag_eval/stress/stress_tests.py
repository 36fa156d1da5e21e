"""The stress tests by name, and the conditions of those that give true sections (Chen et al. 2024, Liu et al. 2024)."""

import random
from collections.abc import Callable, Mapping, Sequence

from policy_rag.answering.confidence.model import EVIDENCE
from policy_rag.errors import UsageError
from policy_rag.records.search import Hit
from policy_rag_eval.measures.gold_matching import shared
from policy_rag_eval.stress.counterfactual import counterfactual
from policy_rag_eval.stress.question_sections import QuestionSections, no_answer
from policy_rag_eval.stress.results import StressTest
from policy_rag_eval.stress.trials import ConditionsAndNotes, StressAnswer, StressCondition, StressOutcome, Trial
from policy_rag_parsers.text.near_names import did_you_mean

DISTRACTORS = (0, 1, 2, 4, 8)
GIVEN = (1, 2, 4, 8)
LENGTHS = (2, 4, 8, 16)
DEPTHS = {"first": 0.0, "a third in": 1 / 3, "two thirds in": 2 / 3, "last": 1.0}
COUNTS = (1, 2, 3, 5, 8, 12)

Questions = Sequence[QuestionSections]


def noise(questions: Questions, seed: int) -> ConditionsAndNotes:
    """The gold sections among more and more of the best hits that are not gold, in an order that the seed fixes."""
    levels, able, note = _reaching(DISTRACTORS, _answerable(questions), lambda one: len(one.distractors))
    conditions = tuple(
        StressCondition(
            f"{count} distractor{'' if count == 1 else 's'}",
            {"distractors": count},
            tuple(one.trial(_shuffled([*one.gold, *one.distractors[:count]], one, seed, count)) for one in able),
        )
        for count in levels
    )
    return conditions, note


def rejection(questions: Questions, seed: int) -> ConditionsAndNotes:  # noqa: ARG001 - nothing is left to chance
    """Answerable questions whose gold sections are nowhere to be found, then those that no document answers.

    The sections come best first, as a search would give them. A section that is no gold may still hold an answer, so
    that not every answer here is wrong: see `other cited` beside the share.
    """
    unanswerable = [one for one in questions if not one.question.answerable]
    groups = {"gold taken away": _answerable(questions), "unanswerable": unanswerable}
    everyone = [one for group in groups.values() for one in group]
    levels, able, note = _reaching(GIVEN, everyone, lambda one: len(one.distractors))
    conditions = tuple(
        StressCondition(
            f"{name}, {count} given",
            {"questions": name, "given": count},
            tuple(
                one.trial(one.distractors[:count], evidence=one.evidence(without=one.holding))
                for one in group
                if one in able
            ),
        )
        for name, group in groups.items()
        for count in levels
        if any(one in able for one in group)
    )
    return conditions, note


def integration(questions: Questions, seed: int) -> ConditionsAndNotes:
    """Both sections in an order that the seed fixes; the first alone and the second alone as controls.

    First and second are in the order of the files. Asked are the questions whose gold lies in exactly two sections. One
    section cannot give gold of both, so the controls show only what an answerer makes of half of what is needed.
    """
    answerable = _answerable(questions)
    pairs = [one for one in answerable if len(one.gold) == 2]
    names = {"both sections": (0, 1), "the first alone": (0,), "the second alone": (1,)} if pairs else {}
    conditions = tuple(
        StressCondition(name, {"given": name}, tuple(_of_two(one, kept, seed) for one in pairs), control=len(kept) == 1)
        for name, kept in names.items()
    )
    wider = sum(len(one.gold) > 2 for one in answerable)
    together = sum(len(one.gold) == 1 and len({each.gold_id for each in one.passages}) > 1 for one in answerable)
    reasons = {"their gold lies in more than two sections": wider, "both their places lie in one section": together}
    controls = " and ".join(one.name for one in conditions if one.control)
    told = (f"{controls} are controls: no answer from one section cites both, so they count in no mean",)
    return conditions, (*(told if controls else ()), *_left_out(reasons))


def _of_two(one: QuestionSections, kept: Sequence[int], seed: int) -> Trial:
    given = [one.gold[place] for place in kept]
    away = [hit for hit in one.gold if hit not in given]

    def judge(answer: StressAnswer) -> tuple[StressOutcome, None]:
        """`GOLD` where gold of both sections is cited, `PART` where one's is."""
        outcome = no_answer(answer)
        if outcome is not None:
            return outcome, None
        of_sections = ([passage for passage in one.passages if one.holder(passage) is hit] for hit in one.gold)
        cited = sum(one.cited_gold(answer, passages) for passages in of_sections)
        return (
            StressOutcome.GOLD if cited == len(one.gold) else StressOutcome.PART if cited else StressOutcome.OTHER
        ), None

    return one.trial(_shuffled(given, one, seed), judge, evidence=one.evidence(without=away))


def position(questions: Questions, seed: int) -> ConditionsAndNotes:  # noqa: ARG001 - nothing is left to chance
    """The gold section at a depth of so many sections, the best distractors around it in their order.

    Asked are the questions with one gold section. Among two sections there is a first and a last only.
    """
    answerable = _answerable(questions)
    single = [one for one in answerable if len(one.gold) == 1]
    levels, able, note = _reaching(LENGTHS, single, lambda one: 1 + len(one.distractors))
    conditions: list[StressCondition] = []
    for length in levels:
        places = {round(share * (length - 1)): depth for depth, share in reversed(DEPTHS.items())}
        if length == 2:
            places = {0: "first", 1: "last"}
        for place, depth in sorted(places.items()):
            trials = tuple(
                one.trial([*one.distractors[:place], one.gold[0], *one.distractors[place : length - 1]]) for one in able
            )
            conditions.append(StressCondition(f"{depth} of {length}", {"depth": depth, "length": length}, trials))
    several = {"their gold lies in several sections": len(answerable) - len(single)}
    return tuple(conditions), (*_left_out(several), *note)


def context_size(questions: Questions, seed: int) -> ConditionsAndNotes:  # noqa: ARG001 - nothing is left to chance
    """The search's own first hits, few or many, gold or not, best first."""
    levels, able, note = _reaching(COUNTS, _answerable(questions), lambda one: len(one.hits))
    conditions = tuple(
        StressCondition(
            f"first {count}",
            {"sections": count},
            tuple(one.trial(one.hits[:count], evidence=one.hits[:EVIDENCE]) for one in able),
            {one.question.question_id: _holds_gold(one, count) for one in able},
        )
        for count in levels
    )
    return conditions, note


def _holds_gold(one: QuestionSections, count: int) -> bool:
    """Whether one of the first hits holds half of a gold place."""
    return any(
        2 * shared(passage, hit) >= (passage.end or 0) - (passage.start or 0)
        for passage in one.passages
        for hit in one.hits[:count]
    )


def _answerable(questions: Questions) -> list[QuestionSections]:
    """Those with a gold section in the index."""
    return [one for one in questions if one.gold]


def _reaching(
    levels: Sequence[int], questions: Questions, available: Callable[[QuestionSections], int]
) -> tuple[tuple[int, ...], list[QuestionSections], tuple[str, ...]]:
    """The levels that half of the questions reach, and the questions that reach all of these, so that rows compare.

    The note says how many questions are left out, for the sections that their search finds.
    """
    found = [available(one) for one in questions]
    reached = tuple(level for level in levels if found and 2 * sum(one >= level for one in found) >= len(found))
    most = max(reached, default=0)
    able = [one for one, sections in zip(questions, found, strict=True) if sections >= most]
    return reached, able, _left_out({f"their search finds too few sections for {most}": len(questions) - len(able)})


def _left_out(reasons: Mapping[str, int]) -> tuple[str, ...]:
    """Notes on questions that a test had to leave out: reason to how many; none where there are none."""
    return tuple(
        f"{count} question{'' if count == 1 else 's'} left out: {reason}" for reason, count in reasons.items() if count
    )


def _shuffled(hits: Sequence[Hit], one: QuestionSections, seed: int, *names: int) -> list[Hit]:
    """Hits in an order that the seed, the question and names fix."""
    order = list(hits)
    random.Random(":".join(map(str, (seed, one.question.question_id, *names)))).shuffle(order)
    return order


_CITES_GOLD = "answers that cite the gold"
_GOLD = frozenset({StressOutcome.GOLD})
TESTS = {
    test.name: test
    for test in (
        StressTest("noise", "Noise robustness: distracting sections beside the gold", _CITES_GOLD, _GOLD, noise),
        StressTest(
            "rejection",
            "Negative rejection: only sections that hold no gold",
            "questions that are refused",
            frozenset({StressOutcome.REFUSED}),
            rejection,
        ),
        StressTest(
            "integration",
            "Information integration: questions that need two sections",
            "answers that cite both sections' gold",
            _GOLD,
            integration,
        ),
        StressTest(
            "counterfactual",
            "Counterfactual robustness: a false clause beside the true one",
            "answers that cite the true clause and not the planted one",
            _GOLD,
            counterfactual,
        ),
        StressTest(
            "position", "Position of the gold section, by the number of sections given", _CITES_GOLD, _GOLD, position
        ),
        StressTest("sections", "Number of sections given: the search's first hits", _CITES_GOLD, _GOLD, context_size),
    )
}


def chosen_tests(names: Sequence[str]) -> tuple[StressTest, ...]:
    """The tests of these names, each once, in the order of the names; all of them for none.

    Raises:
        UsageError: an unknown name.

    >>> [one.name for one in chosen_tests(["position", "noise"])]
    ['position', 'noise']
    """
    for name in names:
        if name not in TESTS:
            hint = did_you_mean(name, TESTS, otherwise=f"they are {', '.join(TESTS)}")
            raise UsageError(f"there is no stress test {name!r}: {hint}")
    return tuple(TESTS[name] for name in dict.fromkeys(names or TESTS))
