"""Runs stress tests: every trial of every condition once, then the figures."""

from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from itertools import islice
from typing import TYPE_CHECKING

from policy_rag.errors import ModelError
from policy_rag_eval.statistics.intervals import Interval, bootstrap_interval, difference_interval
from policy_rag_eval.stress.records import (
    Condition,
    ConditionResult,
    Given,
    Outcome,
    StressResult,
    StressTest,
    Trial,
)

if TYPE_CHECKING:
    from policy_rag_eval.stress.question_sections import Material

Counting = Callable[[str], AbstractContextManager[Callable[[int, int], None]]]

PATIENCE = 20
"""Failures in a row after which an LLM is asked no more."""


def run_test(
    test: StressTest,
    material: "Material",
    answer: Callable[[Trial], Given],
    *,
    seed: int,
    counting: Counting,
    workers: int = 1,
) -> StressResult:
    """All conditions of a test.

    Args:
        test: which.
        material: the questions with their sections.
        answer: who answers a trial; a failure is told in what it returns.
        seed: fixes orders and what is planted.
        counting: makes a progress bar.
        workers: how many trials are answered at a time.

    Raises:
        ModelError: the LLM failed `PATIENCE` times in a row.
    """
    conditions, notes = test.build(material, seed)
    total = sum(len(one.trials) for one in conditions)
    results: list[ConditionResult] = []
    done = 0
    with counting(test.name) as tell:

        def told() -> None:
            nonlocal done
            done += 1
            tell(done, total)

        for condition in conditions:
            given = _answers(condition.trials, answer, workers, told)
            results.append(_result(test, condition, given, _first_alike(results, condition)))
    return StressResult(test, tuple(results), notes)


def _first_alike(results: Sequence[ConditionResult], condition: Condition) -> ConditionResult | None:
    """The first condition that was put to any of the same questions."""
    asked = {trial.question.question_id for trial in condition.trials}
    return next((one for one in results if asked & one.outcomes.keys()), None)


def _answers(
    trials: Sequence[Trial], answer: Callable[[Trial], Given], workers: int, told: Callable[[], None]
) -> list[Given]:
    """One a trial, in order."""
    made: list[Given] = []
    failed = 0
    ahead = iter(trials)
    with ThreadPoolExecutor(max_workers=max(1, workers)) as pool:
        # A few ahead and no more: what is stopped must not have asked for everything.
        waiting = deque(pool.submit(answer, trial) for trial in islice(ahead, 2 * max(1, workers)))
        try:
            while waiting:
                given = waiting.popleft().result()
                failed = failed + 1 if given.failure else 0
                _stop_at(failed, given.failure)
                made.append(given)
                told()
                waiting.extend(pool.submit(answer, trial) for trial in islice(ahead, 1))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return made


def _stop_at(failed: int, reason: str) -> None:
    """Asks no more of an LLM that only fails: thousands of trials would each wait for it."""
    if failed >= PATIENCE:
        raise ModelError(
            f"the LLM failed {failed} times in a row ({reason}): mend that, then run this again; what it has replied "
            "so far is kept"
        )


def _result(
    test: StressTest, condition: Condition, answers: Sequence[Given], first: ConditionResult | None
) -> ConditionResult:
    judged = [trial.judge(given) for trial, given in zip(condition.trials, answers, strict=True)]
    outcomes = {
        trial.question.question_id: outcome for trial, (outcome, _) in zip(condition.trials, judged, strict=True)
    }
    counts = Counter(outcomes.values())
    good = scored(outcomes, test.good)
    noticed = [seen for _, seen in judged if seen is not None]
    reachable = condition.reachable
    return ConditionResult(
        name=condition.name,
        levels=condition.levels,
        share=bootstrap_interval(list(good.values())) if good else None,
        change=change(scored(first.outcomes, test.good), good) if first is not None else None,
        counts={outcome: counts[outcome] for outcome in Outcome},
        reachable=sum(reachable.values()) / len(reachable) if reachable else None,
        noticed=sum(noticed) if noticed else None,
        left_out=sum(given.left_out for given in answers),
        outcomes=outcomes,
        failures=tuple(dict.fromkeys(given.failure for given in answers if given.failure)),
    )


def scored(outcomes: Mapping[str, Outcome], good: frozenset[Outcome]) -> dict[str, float]:
    """Question id to 1 for a good outcome, else 0; what failed is not there.

    >>> scored({"a": Outcome.GOLD, "b": Outcome.FAILED, "c": Outcome.REFUSED}, frozenset({Outcome.GOLD}))
    {'a': 1.0, 'c': 0.0}
    """
    return {name: float(one in good) for name, one in outcomes.items() if one is not Outcome.FAILED}


def change(first: Mapping[str, float], other: Mapping[str, float]) -> Interval | None:
    """The mean difference over the questions that both have, with its interval; None without a common one.

    >>> change({"a": 1.0, "b": 1.0}, {"a": 0.0, "c": 1.0}).mean
    -1.0
    """
    both = [other[name] - value for name, value in first.items() if name in other]
    return difference_interval(both) if both else None
