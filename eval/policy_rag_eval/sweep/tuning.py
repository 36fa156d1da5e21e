"""Searching a space of settings instead of trying everything, and an honest figure for what is found.

The questions are divided: Optuna's tree-structured Parzen estimator (Bergstra et al. 2011) looks for the settings that
score highest on the larger part; the figure that counts is that of the questions held out, which no trial has seen. The
best of many trials scores too well on the questions that it was chosen by.
"""

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from policy_rag.errors import ModelError, UsageError
from policy_rag.settings import ALL_SETTINGS, Settings, load_settings
from policy_rag_eval.data.corpora import Progress
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.errors import TuningError
from policy_rag_eval.measures.measures import BY_TEXT, DECIDED_BY, DEFAULT_MEASURES, MARGIN, Measure
from policy_rag_eval.sweep.cache import digest
from policy_rag_eval.sweep.evaluation import CUTTING, Configuration, Evaluation, evaluate_on, hits_needed, ranked
from policy_rag_eval.sweep.runner import SweepRunner
from policy_rag_eval.sweep.search_space import choice_count, does_something, ends, in_order, suggested
from policy_rag_eval.sweep.verdicts import Comparison, compare, verdict

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

    from policy_rag_eval.sweep.search_space import Space

STUDIES = "tuning.db"
AS_THEY_ARE = "the settings as they are"
_FEWEST = 10
_DRAWS = 100  # for a choice that was not tried; of a space of 25 the last one is missed by these in 2 of 100 cases
_SIZES = {"chunk_tokens", "chunk_overlap"}  # what one of them may be depends on the other


@dataclass(frozen=True, slots=True)
class TrialResult:
    """A choice of settings that was tried.

    Attributes:
        number: from 0, in the order in which they were tried; each choice is tried once.
        settings: what was chosen from the space.
        value: mean of the measure over the questions that are tuned on; None where a model was not there.
        why: why there is no value, or None.
    """

    number: int
    settings: Mapping[str, Any]
    value: float | None
    why: str | None = None


@dataclass(frozen=True, slots=True)
class TuningResult:
    """What was found.

    Attributes:
        measure: what was tuned for.
        trials: in the order in which they were tried.
        best: the settings of the first trial with the highest value.
        tuned_on: the best on the questions that it was chosen by; its figures are too high.
        held_out: the best on the questions held out: the figures that count.
        baseline: the settings as they are, or those that were named, on the questions held out.
        verdict: the two compared on those, in words.
        comparison: the same as figures.
        evaluations: of every distinct choice that was tried, on the questions that are tuned on, best first.
        tuning_set: those questions.
        held_out_set: the others.
    """

    measure: Measure
    trials: tuple[TrialResult, ...]
    best: Mapping[str, Any]
    tuned_on: Evaluation
    held_out: Evaluation
    baseline: Evaluation
    verdict: str
    comparison: Comparison
    evaluations: tuple[Evaluation, ...]
    tuning_set: Dataset
    held_out_set: Dataset


def tune(
    dataset: Dataset,
    corpus: Corpus,
    space: "Space",
    index: Path,
    *,
    trials: int,
    measure: Measure | None = None,
    held_out: float = 0.3,
    seed: int = 0,
    changes: Mapping[str, Any] | None = None,
    against: Mapping[str, Any] | None = None,
    margin: float = MARGIN,
    progress: Progress | None = None,
    tried: Callable[[TrialResult], None] | None = None,
) -> TuningResult:
    """Looks for the settings that score highest. Broken off and called again, it goes on where it stopped.

    Args:
        dataset: as it was read.
        corpus: what is searched.
        space: what may be chosen.
        index: the folder under which evaluations keep their indexes, and this its trials.
        trials: how many choices are tried in all, those of an earlier call with the same arguments among them; fewer
            where the space has no more.
        measure: what is tuned for; by default `ndcg@10`, or `recall@2000chars` where hits may be cut in other ways.
        held_out: share of the questions that no trial sees, above 0 and below 1.
        seed: of the division and of the search.
        changes: settings that hold for every trial.
        against: settings of the baseline, beside `changes`; by default none: the settings as they are.
        margin: a baseline that is worse by no more is said to be no worse.
        progress: called with the step, how much of it is done, and of how much.
        tried: called with each trial when it is done, those of an earlier call first.

    Raises:
        UsageError: a setting is both in the space and in `changes`, or there are too few questions to divide.
        SettingsError: a value that a setting cannot have.
        TuningError: no trial could be run, or the trials cannot be kept.
        PolicyRagError: what indexing and searching raise.
    """
    given = dict(changes or {})
    both = sorted(space.keys() & given.keys())
    if both:
        raise UsageError(f"{both[0]} is given with --set and in the space: leave it out of one")
    measure = measure or (BY_TEXT if space.keys() & set(CUTTING) else DECIDED_BY)
    fitted = dataset.for_corpus(corpus)
    tuning_set, held_out_set = divide(fitted, held_out, seed)
    measures = tuple(dict.fromkeys((*DEFAULT_MEASURES, DECIDED_BY, measure)))
    top_k = _deepest(space, given, against or {})
    with _store_errors(index), _Evaluator(tuning_set, corpus, index, measures, given, top_k, progress) as evaluator:
        for name, distribution in space.items():
            for value in ends(distribution):
                evaluator.check({name: value})
        if against:
            evaluator.check(against)
        study = _study(index, _study_name(fitted, corpus, space, measure, held_out, seed, given, evaluator.depth), seed)
        known = [trial for trial in study.trials if trial.value is not None or "why" in trial.user_attrs]
        results = [_result(number, trial) for number, trial in enumerate(known)]
        for result in results:
            if tried:
                tried(result)
        most = min(trials, choice_count(space, evaluator.settings))
        while len(results) < most and (made := _try(study, space, evaluator, measure, results)):
            results.append(made)
            if tried:
                tried(results[-1])
        of_trials = _distinct(results, evaluator, measure)
    best = next(r for r in results if r.value is not None and choice_name(r.settings) == of_trials[0].name)
    with _Evaluator(held_out_set, corpus, index, measures, given, top_k, progress) as evaluator:
        found = evaluator.evaluate(best.settings)
        baseline = evaluator.evaluate(against or {}, choice_name(against) if against else AS_THEY_ARE)
    (comparison,) = compare((found, baseline), measure)
    return TuningResult(
        measure=measure,
        trials=tuple(results),
        best=best.settings,
        tuned_on=of_trials[0],
        held_out=found,
        baseline=baseline,
        verdict=verdict(comparison, len(found.scores.questions), measure, margin=margin),
        comparison=comparison,
        evaluations=of_trials,
        tuning_set=tuning_set,
        held_out_set=held_out_set,
    )


def choice_name(chosen: Mapping[str, Any]) -> str:
    """What a choice of settings is called."""
    return " ".join(f"{key}={value}" for key, value in chosen.items())


def divide(dataset: Dataset, held_out: float, seed: int) -> tuple[Dataset, Dataset]:
    """The data set in two, by question: those to tune on and those held out, in their order.

    Each kind of question is divided by itself, at random, so that both parts are alike.

    Raises:
        UsageError: `held_out` is out of range, or a part has fewer than ten questions that can be scored.
    """
    if not 0 < held_out < 1:
        raise UsageError(f"--held-out {held_out:g}: give a share above 0 and below 1, such as 0.3")
    chance = np.random.default_rng(seed)
    kinds: dict[tuple[str | None, bool], list[str]] = {}
    for question in dataset.questions:
        kinds.setdefault((question.kind, question.answerable), []).append(question.question_id)
    apart: set[str] = set()
    for ids in kinds.values():
        apart.update(chance.permutation(np.array(ids, dtype=object))[: round(len(ids) * held_out)].tolist())
    parts = tuple(_part(dataset, apart, inside=inside) for inside in (False, True))
    if min(len(part.scored) for part in parts) < _FEWEST:
        needed = math.ceil(_FEWEST / min(held_out, 1 - held_out))
        half = ", or half of them with --held-out 0.5" if len(dataset.scored) >= 2 * _FEWEST else ""
        raise UsageError(
            f"{len(dataset.scored)} questions with gold are too few to tune on some and hold {held_out:.0%} out: each "
            f"part needs {_FEWEST}, so write more (about {needed} in all){half}, or compare a few configurations with "
            "`policy-rag eval retrieval --grid`"
        )
    return parts[0], parts[1]


def _part(dataset: Dataset, apart: set[str], *, inside: bool) -> Dataset:
    kept = tuple(q for q in dataset.questions if (q.question_id in apart) is inside)
    return dataset.part(kept, digest(dataset.digest, [question.question_id for question in kept]))


class _Evaluator:
    """Evaluates choices over one part of the questions; a choice that was made before is not evaluated again."""

    def __init__(
        self,
        dataset: Dataset,
        corpus: Corpus,
        index: Path,
        measures: tuple[Measure, ...],
        given: Mapping[str, Any],
        top_k: int,
        progress: Progress | None,
    ) -> None:
        self._measures = measures
        self._given = given
        self.depth = hits_needed(dataset, corpus, measures, top_k)
        self._runner = SweepRunner(dataset, corpus, index, self.depth, measures=measures, progress=progress)
        self._made: dict[str, Evaluation] = {}

    def __enter__(self) -> "_Evaluator":
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.close()

    def check(self, chosen: Mapping[str, Any]) -> None:
        """Whether a choice is possible; a model that is not there is a matter of its trial.

        Raises:
            PolicyRagError: it is not, whatever else is chosen.
        """
        settings = load_settings({**self._given, **chosen})
        if not _SIZES & chosen.keys():
            with suppress(ModelError):
                self._runner.corpus_key(settings)

    def settings(self, chosen: Mapping[str, Any]) -> Settings:
        """All settings under a choice."""
        return load_settings({**self._given, **chosen})

    def evaluate(self, chosen: Mapping[str, Any], name: str = "") -> Evaluation:
        """Scores a choice."""
        called = name or choice_name(chosen)
        if called not in self._made:
            settings = self.settings(chosen)
            self._made[called] = evaluate_on(self._runner, Configuration(called, settings), self._measures)
        return self._made[called]


def _deepest(space: "Space", given: Mapping[str, Any], against: Mapping[str, Any]) -> int:
    """The highest `top_k` of any choice and of the baseline: all lists are searched as deep, so that none is cut.

    >>> from optuna.distributions import IntDistribution
    >>> _deepest({"top_k": IntDistribution(5, 40)}, {}, {"top_k": "60"})
    60
    """
    choices = [{"top_k": value} for value in (ends(space["top_k"]) if "top_k" in space else ())]
    return max(load_settings({**given, **chosen}).search.top_k for chosen in (*choices, {}, against))


def _try(
    study: "Study", space: "Space", evaluator: _Evaluator, measure: Measure, done: list[TrialResult]
) -> TrialResult | None:
    """One more trial of a study; a model that is not there fails it. None where no choice is left.

    The sampler draws what it knows to be good again and again: another is then drawn at random.
    """
    from optuna.samplers import RandomSampler
    from optuna.trial import TrialState

    names, sampler = {choice_name(result.settings) for result in done}, study.sampler
    for _ in range(_DRAWS):
        trial = study.ask()
        chosen: dict[str, Any] = {}
        for name in in_order(space):
            if does_something(name, evaluator.settings(chosen)):
                chosen[name] = suggested(trial, name, space[name])
        if choice_name(chosen) not in names:
            break
        study.tell(trial, state=TrialState.FAIL)
        study.sampler = RandomSampler(seed=trial.number) if study.sampler is sampler else study.sampler
    else:
        return None
    study.sampler = sampler
    trial.set_user_attr("settings", chosen)
    try:
        study.tell(trial, evaluator.evaluate(chosen).scores.mean(measure))
    except ModelError as error:
        trial.set_user_attr("why", str(error))
        study.tell(trial, state=TrialState.FAIL)
    return _result(len(done), study.trials[-1])


def _result(number: int, trial: "FrozenTrial") -> TrialResult:
    attributes = trial.user_attrs
    return TrialResult(number, attributes.get("settings", {}), trial.value, attributes.get("why"))


def _distinct(results: list[TrialResult], evaluator: _Evaluator, measure: Measure) -> tuple[Evaluation, ...]:
    """The evaluations of the choices tried, best first; see `ranked`."""
    by_name = {choice_name(r.settings): r.settings for r in results if r.value is not None}
    if not by_name:
        why = next((r.why for r in results if r.why), "no trial was run")
        raise TuningError(f"no choice of the space could be run: {why}")
    return tuple(ranked([evaluator.evaluate(settings) for settings in by_name.values()], measure))


def _study_name(
    dataset: Dataset,
    corpus: Corpus,
    space: "Space",
    measure: Measure,
    held_out: float,
    seed: int,
    given: Mapping[str, Any],
    depth: int,
) -> str:
    """Names what the trials of a study have in common: an earlier study goes on only where all of it is the same."""
    others = load_settings(given).as_json(name for name in ALL_SETTINGS if name not in space)
    of_space = {name: repr(distribution) for name, distribution in space.items()}
    asked = (dataset.digest, str(corpus), of_space, str(measure), held_out, seed, others, depth)
    return digest("only what does something", *asked)


def _study(index: Path, name: str, seed: int) -> "Study":
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)  # a trial that fails is told by us
    folder = (index / "eval").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    study = optuna.create_study(
        storage=f"sqlite:///{folder / STUDIES}", study_name=name, direction="maximize", load_if_exists=True
    )
    # A sampler begins anew when a study goes on: another seed, or it would draw its first choices again.
    study.sampler = optuna.samplers.TPESampler(seed=seed + len(study.trials))
    return study


@contextmanager
def _store_errors(index: Path) -> Iterator[None]:
    """Turns what Optuna's store raises into one error."""
    from optuna.exceptions import OptunaError
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except (OptunaError, SQLAlchemyError, OSError) as error:
        said = " ".join(str(error).split())[:200]
        raise TuningError(
            f"the trials in {index / 'eval' / STUDIES} cannot be kept ({said}): make room, or give another --index"
        ) from error
