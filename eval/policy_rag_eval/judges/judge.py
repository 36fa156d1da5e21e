"""The seam that every judge fits, and how many cases go through one: concurrently, each with its outcome."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Protocol

from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.parallel import map_parallel


class Judge(Protocol):
    """Something that tells what an answer is worth. `judge` is all that is required besides the two attributes.

    Attributes:
        name: unique among the judges of a run.
        needs: what it needs of a case; a case that lacks one of them is never given to it.
    """

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def needs(self) -> frozenset[Need]: ...  # noqa: D102

    def judge(self, case: Case) -> JudgeVerdict:
        """The verdict on one answer; it must be safe to call from several threads.

        Raises:
            ModelError: a model that it asks is gone. What a model merely says wrongly is a verdict without a score.
        """
        ...


_OF_MLFLOW = frozenset({"correctness", "guidelines"})


def score_name(judge: str) -> str:
    """What a judge's scores are called in MLflow: by its kind; MLflow shows judges of its own names as yes or no.

    >>> score_name("correctness:ollama/llama3.2"), score_name("token_f1")
    ('correctness_score', 'token_f1')
    """
    kind = judge.partition(":")[0]
    return f"{kind}_score" if kind in _OF_MLFLOW else kind


def missing(judge: Judge, case: Case) -> tuple[Need, ...]:
    """What `judge` needs and `case` lacks, in the order of `Need`."""
    return tuple(need for need in Need if need in judge.needs and case.lacks(need))


def able_judges(
    judges: Sequence[Judge], cases: Sequence[Case]
) -> tuple[tuple[Judge, ...], dict[str, tuple[Need, ...]]]:
    """The judges that have what they need on at least one case; and of the others, by name, what they lack."""
    able: list[Judge] = []
    lacking: dict[str, tuple[Need, ...]] = {}
    for judge in judges:
        lacks = [missing(judge, case) for case in cases]
        if cases and all(lacks):
            lacking[judge.name] = tuple(need for need in Need if any(need in of for of in lacks))
        else:
            able.append(judge)
    return tuple(able), lacking


def judge_all(
    judge: Judge,
    cases: Sequence[Case],
    *,
    workers: int = 1,
    done: Callable[[int, int], None] | None = None,
) -> tuple[JudgeVerdict, ...]:
    """One verdict a case, in the order of the cases; a case that lacks what the judge needs could not be judged.

    So many `workers` are with the judge at a time; `done` is told how many cases are judged, and of how many.

    Raises:
        ModelError: a model that the judge asks is gone. Cases that wait are then not begun.
    """
    return tuple(map_parallel(partial(_judged, judge), cases, workers=workers, progress=done))


def why_unjudged(verdicts: Mapping[str, Sequence[JudgeVerdict]]) -> tuple[str, ...]:
    """For each judge, by name, that could judge less than half of the answers, a sentence with its commonest reason.

    >>> why_unjudged({"f1": [JudgeVerdict.unjudged("f1", "no reference")], "em": [JudgeVerdict("em", 0.5, "", "")]})
    ('f1 could not judge 1 of 1 answers, mostly because: no reference',)
    """
    lacking = {name: [one.reason for one in of if not one.judged] for name, of in verdicts.items()}
    return tuple(
        f"{name} could not judge {len(lacking[name])} of {len(of)} answers, mostly because: "
        f"{Counter(lacking[name]).most_common(1)[0][0]}"
        for name, of in verdicts.items()
        if len(lacking[name]) > len(of) / 2
    )


def _judged(judge: Judge, case: Case) -> JudgeVerdict:
    lacking = missing(judge, case)
    if lacking:
        needed = " and ".join(lacking)
        return JudgeVerdict.unjudged(judge.name, f"{judge.name} needs {needed}, which this question does not have")
    return judge.judge(case)
