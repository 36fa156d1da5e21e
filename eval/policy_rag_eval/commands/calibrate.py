"""`policy-rag eval calibrate`: fits the confidence to a data set's questions, and finds the threshold for a risk."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.output import Notices, console, notice, print_json, progress_bar, working
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.commands.options import AgainstOption, DatasetArgument, GridOption, MeasuringOptions
from policy_rag_eval.commands.progress import counting
from policy_rag_eval.commands.repeat import repeat_command

if TYPE_CHECKING:
    from policy_rag.answering.confidence.model import Features, Weights
    from policy_rag.records.search import Hit
    from policy_rag.settings import Settings
    from policy_rag_eval.calibration.comparison import CalibrationComparison
    from policy_rag_eval.calibration.fit import Calibrated, Calibration
    from policy_rag_eval.calibration.risk_coverage import CoveragePoint
    from policy_rag_eval.data.dataset import Corpus, Dataset
    from policy_rag_eval.reports.decision import Failure
    from policy_rag_eval.sweep.usage import QuestionUsage

_ROWS = 12


class NoThresholdError(PolicyRagError):
    """No threshold answers with as little risk as is asked for."""


def calibrate(
    context: typer.Context,
    dataset: DatasetArgument,
    risk: Annotated[
        float,
        typer.Option(
            "--risk",
            metavar="SHARE",
            help="Most unanswerable questions among those answered, by the interval's upper end.",
        ),
    ] = 0.05,
    refuse_at_most: Annotated[
        float | None,
        typer.Option("--refuse-at-most", metavar="SHARE", help="Choose by this instead: most answerable ones refused."),
    ] = None,
    grid: GridOption = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="What decides between configurations: log_score, or quadratic_score."),
    ] = None,
    against: AgainstOption = None,
    save: Annotated[
        bool, typer.Option("--save", help="Write `threshold` and `support` to policy_rag.toml, which `ask` then uses.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and about how long, and what LLMs would be asked.")
    ] = False,
    *,
    common: MeasuringOptions,
) -> None:
    """Fit when to answer and when to refuse.

    It is fitted to a data set's answerable and unanswerable questions.
    """
    from policy_rag_eval.answers.plans import setting_configurations
    from policy_rag_eval.calibration.comparison import compare_calibrations, comparison_page, measure_of
    from policy_rag_eval.calibration.estimate import estimate
    from policy_rag_eval.calibration.fit import Calibrated
    from policy_rag_eval.calibration.fit import calibrate as fitted
    from policy_rag_eval.calibration.page import CalibrationFacts, calibration_page, coverage_table
    from policy_rag_eval.calibration.support_features import calibrated_on
    from policy_rag_eval.calibration.tracking import keep_calibration, keep_comparison
    from policy_rag_eval.commands.retrieval_tables import show_estimate
    from policy_rag_eval.sweep.grids import read_grids

    wanted = _Wanted(risk, refuse_at_most)
    measure_of(measure)
    configurations = setting_configurations(read_grids(grid or ()), common.given, against=against)
    if save and len(configurations) > 1:
        raise UsageError(
            "--save writes one configuration: compare first, then run it again with --set instead of --grid"
        )
    data = _fitted(common.read(dataset))
    if dry_run:
        with working("timing the models"):
            planned = estimate(data, _corpus(data), configurations, common.index)
        show_estimate(planned, json=common.json)
        return
    _warn_of_rules(data)
    made: dict[str, Calibrated] = {}
    notices = Notices()
    for one in configurations:
        if len(configurations) > 1:
            notice(f"running {one.name}")
        features, hits, usage = _weighed(data, one.settings, common.index, notices)
        found = fitted(features, [question.answerable for question in calibrated_on(data)])
        made[one.name] = Calibrated(found, wanted.chosen(found), hits, usage)
    texts, command = all(one.settings.run.log_texts for one in configurations), repeat_command(context)
    settings = {one.name: dict(one.chosen) for one in configurations}
    params = {name: {**settings[name], **wanted.params, **_model(one.found)} for name, one in made.items()}
    # Kept first: see `eval retrieval`.
    if len(made) > 1:
        compared = compare_calibrations(
            data.name,
            [question.question_id for question in calibrated_on(data)],
            made,
            measure,
            against=against,
            margin=common.margin,
        )
        best = compared.several.best
        kept = keep_comparison(common.index, data, compared, params, settings, texts=texts)
        _tell_several(data.name, compared, wanted, json=common.json)
        write = partial(comparison_page, compared)
    else:
        ((best, alone),) = made.items()
        kept = keep_calibration(common.index, data, alone, params[best], texts=texts)
        if save and alone.chosen is not None:
            (own,) = (one.settings for one in configurations if one.name == best)
            _save(own, alone.found, alone.chosen)
        print_json(as_json(data.name, alone, wanted)) if common.json else _show(data.name, alone, wanted)
        write = partial(calibration_page, data.name, alone)
    facts = CalibrationFacts(wanted.told, wanted.most, _failures(data, made[best]), texts, command, settings[best])
    common.finish(kept, write(facts), coverage_table({name: one.found.curve for name, one in made.items()}))
    if save and made[best].chosen is None:
        raise NoThresholdError(f"policy_rag.toml stays as it is: {_none(made[best].found, risk)}")


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a threshold is chosen by."""

    risk: float
    refuse_at_most: float | None

    def __post_init__(self) -> None:
        """Refuses what is no share.

        Raises:
            UsageError: it says how to write one.
        """
        for name, share in (("--risk", self.risk), ("--refuse-at-most", self.refuse_at_most)):
            if share is not None and not 0 < share < 1:
                raise UsageError(f"{name} {share:g}: write a share between 0 and 1, for example 0.05")

    def chosen(self, found: "Calibration") -> "CoveragePoint | None":
        """The threshold, where one keeps it."""
        from policy_rag_eval.calibration.risk_coverage import threshold_for_refusals, threshold_for_risk

        if self.refuse_at_most is None:
            return threshold_for_risk(found.curve, self.risk)
        return threshold_for_refusals(found.curve, self.refuse_at_most)

    @property
    def told(self) -> str:
        """In words."""
        if self.refuse_at_most is None:
            return f"a risk of at most {_percent(self.risk)}"
        return f"{_percent(self.refuse_at_most)} refused at most"

    @property
    def most(self) -> float | None:
        """The risk, where it is chosen by that."""
        return self.risk if self.refuse_at_most is None else None

    @property
    def asked(self) -> dict[str, float]:
        """Under the option's name."""
        return {"risk": self.risk} if self.refuse_at_most is None else {"refuse_at_most": self.refuse_at_most}

    @property
    def params(self) -> dict[str, str]:
        """As MLflow keeps it."""
        return {name: str(share) for name, share in self.asked.items()}


def _percent(share: float) -> str:
    """A share as it was given: no digit is rounded away.

    >>> _percent(0.325), _percent(0.05)
    ('32.5%', '5%')
    """
    return f"{100 * share:.10g}%"


def _tell_several(name: str, compared: "CalibrationComparison", wanted: _Wanted, *, json: bool) -> None:
    from policy_rag_eval.calibration.comparison import alike, comparison_head, comparison_rows
    from policy_rag_eval.calibration.comparison import as_json as comparison_json
    from policy_rag_eval.commands.several import show_best, show_folded

    made, several = compared.made, compared.several
    for line in alike(made):
        notice(f"note: {line}")
    if json:
        print_json(comparison_json(compared, {one: as_json(name, of, wanted) for one, of in made.items()}))
        return
    heads = [head.replace("answerable ", "answerable\n") for head in comparison_head(compared)]
    show_best(several.headline, comparison_rows(compared), heads, several.comparisons, several.verdicts)
    console().print(f"\n{several.best}", markup=False, style="bold")
    _show(name, made[several.best], wanted)
    show_folded(len(made) - 1, "not shown: the thresholds of the others ({})", where=("--csv FILE", "--json"))


def _warn_of_rules(data: "Dataset") -> None:
    by_rules = sum(question.made_by == "rules" for question in data.unanswerable)
    if by_rules:
        notice(
            f"warning: {by_rules} of {len(data.unanswerable)} unanswerable questions are made by rule, and easier to "
            "tell than people's: these figures flatter, and the threshold may not suit what people ask; have people "
            "write such questions before you use it"
        )


def _corpus(data: "Dataset") -> "Corpus":
    from policy_rag_eval.data.dataset import Corpus

    return Corpus.FILES if data.documents else Corpus.PASSAGES


def _fitted(data: "Dataset") -> "Dataset":
    """As it is searched, once for all that is told: gold without a place is none in files."""
    return data.for_corpus(_corpus(data))


def _failures(data: "Dataset", made: "Calibrated") -> "list[Failure]":
    from policy_rag_eval.calibration.misjudged import misjudged
    from policy_rag_eval.calibration.support_features import calibrated_on

    return misjudged(data, _corpus(data), calibrated_on(data), made)


def _weighed(
    data: "Dataset", settings: "Settings", index: Path, notices: Notices
) -> "tuple[list[Features], tuple[Hit | None, ...], QuestionUsage]":
    """The features of the data set's questions, what was found first for each, and what a question takes.

    An LLM that is named is asked its view.
    """
    from policy_rag.answering.confidence.llm_feature import VIEWED
    from policy_rag.assistant import PolicyAssistant
    from policy_rag_eval.calibration.support_features import calibrated_on, weighed
    from policy_rag_eval.data.corpora import open_corpus
    from policy_rag_eval.judges.evaluation_models import answering_model, open_replies
    from policy_rag_eval.sweep.search_calls import asks_llm
    from policy_rag_eval.sweep.usage import MeteredModel, QuestionUsage, asked_alone

    corpus = _corpus(data)
    requests = [question.request() for question in calibrated_on(data)]
    with progress_bar() as progress:
        assistant, notes = open_corpus(data, corpus, settings, index, progress=progress)
    for note in notes:
        notices.tell(f"note: {note}")
    with open_replies(index) as store:
        model = answering_model(settings, store)[0] if settings.llm.llm != "auto" else None
        if model is not None:
            notices.tell(
                f"{model.name} is asked for its view of {len(requests)} questions, in up to {VIEWED} calls each; "
                "--set llm=extractive calibrates without"
            )
        searching = answering_model(settings, store)[0] if asks_llm(settings) else None
        asking = PolicyAssistant(assistant.index, settings, today=assistant.today(), llm=lambda _: searching)
        metered, timed = (MeteredModel(model) if model else None for _ in range(2))
        with assistant, counting("questions") as done:
            found = weighed(asking, requests, model=metered, done=done)
            latency = asked_alone(lambda one: weighed(asking, [one], model=timed), requests, timed)
    usage = QuestionUsage.of(metered.spent(settings) if metered else None, len(requests), latency)
    return [one.features for one in found], tuple(one.first for one in found), usage


def _model(found: "Calibration") -> dict[str, str]:
    """What was fitted, as MLflow keeps it."""
    weights = found.weights
    pieces = " ".join(f"{p.feature}[{p.low:g},{p.high:g}]={p.weight:.3f}" for p in weights.pieces)
    return {"model": str(found.model), "intercept": f"{weights.intercept:.3f}", "pieces": pieces}


def as_json(name: str, made: "Calibrated", wanted: _Wanted) -> dict[str, Any]:
    """What `--json` prints."""
    found, chosen = made.found, made.chosen
    return {
        "dataset": name,
        "questions": len(found.answerable),
        "answerable": int(found.answerable.sum()),
        "unanswerable": int((~found.answerable).sum()),
        "asked": wanted.asked,
        "method": "platt, cross-validated",
        "model": str(found.model),
        "log_loss": {str(model): loss for model, loss in found.log_loss.items()},
        "auc": found.area,
        "chosen": chosen,
        "settings": None if chosen is None else _settings(found.weights, chosen),
        "curve": found.curve,
        "usage": made.usage.as_json(),
    }


def _settings(weights: "Weights", chosen: "CoveragePoint") -> dict[str, Any]:
    pieces = [[p.feature, round(p.weight, 6), p.low, p.high] for p in weights.pieces if p.weight > 0]
    return {
        "threshold": round(chosen.threshold, 6),
        "support": {"intercept": round(weights.intercept, 6), "pieces": pieces},
    }


def _show(name: str, made: "Calibrated", wanted: _Wanted) -> None:
    from policy_rag_eval.calibration.page import point_cells, points_shown
    from policy_rag_eval.commands.several import figure_table

    found, chosen, out = made.found, made.chosen, console()
    answerable = int(found.answerable.sum())
    out.print(
        f"{name}: {answerable} answerable and {len(found.answerable) - answerable} unanswerable questions, each scored "
        f"by a model that did not see it; area under the ROC curve {found.area:.3f}",
        markup=False,
    )
    losses = ", ".join(f"{model} {loss:.3f}" for model, loss in found.log_loss.items())
    out.print(f"weights: {found.model} (log-loss: {losses}), calibrated by Platt's method", markup=False)
    refused = ("answerable\nrefused", "unanswerable\nrefused")
    table = figure_table((), ("threshold", "answered", "coverage", "risk", "95 % interval", *refused))
    for point in points_shown(found.curve, chosen, _ROWS):
        cells = (cell.replace(" to ", "-") for cell in point_cells(point))
        table.add_row(*cells, style="bold" if point == chosen else None)
    out.print(table)
    if chosen is None:
        out.print(_none(found, wanted.risk), markup=False)
        return
    out.print(
        f"threshold for {wanted.told}: {chosen.threshold:.3f} (risk {chosen.risk.mean:.1%}, {chosen.risk.low:.1%} to "
        f"{chosen.risk.high:.1%}; {chosen.coverage.mean:.0%} of the questions are answered)",
        markup=False,
    )


def _none(found: "Calibration", risk: float) -> str:
    enough = [point for point in found.curve if point.answered]
    best = min(enough, key=lambda point: point.risk.high)
    return (
        f"no threshold keeps the risk below {_percent(risk)} for certain: the least is {best.risk.mean:.1%}, up to "
        f"{best.risk.high:.1%} by its 95 % interval; ask for more with --risk, choose by --refuse-at-most, or add "
        "questions"
    )


def _save(settings: "Settings", found: "Calibration", chosen: "CoveragePoint") -> None:
    from policy_rag.settings import SETTINGS_FILE
    from policy_rag_eval.sweep.save_best import save_settings

    made = settings.changed(_settings(found.weights, chosen))
    names = ["threshold", "support"]
    if any(piece.feature == "reranked" and piece.weight > 0 for piece in found.weights.pieces):
        names.append("reranker")  # whose scores the weights are for
    if found.weights.asks_llm:
        names.append("llm")
    saved = save_settings(Path(SETTINGS_FILE), made, names)
    listed = ", ".join(names[:-1]) + f" and {names[-1]}"
    notice(f"{listed} are written to {saved.file}: `policy-rag ask` uses them from now on")
    for variable in saved.overruled:
        notice(f"{variable} is set and wins over the file")
