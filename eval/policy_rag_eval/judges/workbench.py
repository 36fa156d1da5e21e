"""Judges in one call: `evaluate_judges` says what they are worth, as `policy-rag eval judges` does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from policy_rag.index.store.place import home_of, index_place
from policy_rag.settings import load_settings
from policy_rag_eval.judges.accuracy import JudgeAccuracy, measure_judge
from policy_rag_eval.judges.catalogue import named_judges
from policy_rag_eval.judges.evaluation_models import open_replies
from policy_rag_eval.judges.judge import Judge, able_judges, judge_all
from policy_rag_eval.judges.judge_cases import JudgeVerdict
from policy_rag_eval.judges.labelled import LabelledAnswer, builtin_labelled, read_labelled
from policy_rag_eval.judges.panel import Panel, panel
from policy_rag_eval.parallel import Counting, uncounted


@dataclass(frozen=True, slots=True)
class JudgeResults:
    """What judges are worth, measured on answers that people have labelled.

    Attributes:
        judges: best first; those that could judge none last.
        panel: how far they agree; None for one judge alone.
        verdicts: judge to what it said of each answer, in order.
        skipped: judge that lacks what it needs, to the reason.
    """

    judges: tuple[JudgeAccuracy, ...]
    panel: Panel | None
    verdicts: Mapping[str, tuple[JudgeVerdict, ...]]
    skipped: Mapping[str, str]

    @property
    def best(self) -> JudgeAccuracy:
        """The judge that most often says what people say."""
        return self.judges[0]

    def table(self) -> list[dict[str, Any]]:
        """A row a judge, best first; `pandas.DataFrame(results.table())` makes a frame of it."""
        return [_row(one) for one in self.judges]


def evaluate_judges(
    judges: Sequence[str] = (),
    *,
    labelled: str | Path | None = None,
    judge_llm: str | Sequence[str] = (),
    guidelines: str | Path | None = None,
    index: str | Path = ".policy_rag",
    workers: int = 4,
) -> JudgeResults:
    """Measures judges against labelled answers; thresholds are fixed on one half, figures come from the other.

    Args:
        judges: names, as `policy-rag eval judges` lists them; by default all that need nothing that is not given.
        labelled: the folder of the answers; by default those that come with the project.
        judge_llm: the LLM of judges that ask one, `ollama/NAME` or `openai/NAME`, or several.
        guidelines: a YAML file of rules for the judge `guidelines`.
        index: the folder under which replies of LLMs are kept.
        workers: how many answers are with a judge at a time.

    Raises:
        DatasetError: the labelled answers cannot be read.
        UsageError: there is no such judge, or it lacks its LLM or its rules.
        ModelError: an LLM is not there, or fails.
    """
    answers = read_labelled(Path(labelled) if labelled else builtin_labelled())
    with open_replies(home_of(index_place(index))) as store:
        made = named_judges(judges, judge_llm, load_settings({}), store, guidelines=guidelines)
        return measure_judges(made, answers, workers=workers)


def measure_judges(
    judges: Sequence[Judge], labelled: Sequence[LabelledAnswer], *, workers: int, counting: Counting = uncounted
) -> JudgeResults:
    """Has each judge judge all labelled answers, and compares what it says with the labels.

    At most `workers` answers are with a judge at a time; `counting` makes progress bars.

    Raises:
        ModelError: a model that a judge asks is gone.
    """
    cases = [one.case for one in labelled]
    able, lacking = able_judges(judges, cases)
    verdicts: dict[str, tuple[JudgeVerdict, ...]] = {}
    for one in able:
        with counting(one.name) as done:
            verdicts[one.name] = judge_all(one, cases, workers=workers, done=done)
    measured = [measure_judge(one, labelled, verdicts[one.name]) for one in able]
    thresholds = {one.judge: one.threshold for one in measured}
    return JudgeResults(
        judges=tuple(sorted(measured, key=lambda one: -(one.accuracy.mean if one.accuracy else -1.0))),
        panel=panel(cases, verdicts, thresholds) if len(verdicts) > 1 else None,
        verdicts=verdicts,
        skipped={
            name: f"it needs {' and '.join(needs)}, which no labelled answer has" for name, needs in lacking.items()
        },
    )


def _row(one: JudgeAccuracy) -> dict[str, Any]:
    figures = {
        "accuracy": one.accuracy.mean if one.accuracy else None,
        "95 % interval": f"{one.accuracy.low:.3f} to {one.accuracy.high:.3f}" if one.accuracy else None,
        "balanced": one.balanced.mean if one.balanced else None,
        "passes right": one.passes_right,
        "fails wrong": one.fails_wrong,
        "kappa": one.kappa,
        "not judged": one.unjudged,
    }
    rounded = {name: round(value, 3) if isinstance(value, float) else value for name, value in figures.items()}
    return {"judge": one.judge, **rounded}
