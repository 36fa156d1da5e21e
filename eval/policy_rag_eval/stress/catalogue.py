"""The stress tests by name."""

from collections.abc import Sequence

from policy_rag.errors import UsageError
from policy_rag_eval.stress import context_size as sections
from policy_rag_eval.stress import counterfactual, integration, noise, position, rejection
from policy_rag_eval.stress.records import StressTest

TESTS = {one.TEST.name: one.TEST for one in (noise, rejection, integration, counterfactual, position, sections)}


def chosen_tests(names: Sequence[str]) -> tuple[StressTest, ...]:
    """The tests of these names, each once, in the order of the names; all of them for none.

    Raises:
        UsageError: an unknown name.

    >>> [one.name for one in chosen_tests(["position", "noise"])]
    ['position', 'noise']
    """
    for name in names:
        if name not in TESTS:
            raise UsageError(f"there is no stress test {name!r}: they are {', '.join(TESTS)}")
    return tuple(TESTS[name] for name in dict.fromkeys(names or TESTS))
