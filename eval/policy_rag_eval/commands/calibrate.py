"""`policy-rag eval calibrate`: fits the confidence to a data set's questions, and finds the threshold for a risk."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.options import DebugOption, IndexOption, JsonOption, OfflineOption
from policy_rag.cli.output import Notices, console, notice, print_json, progress_bar, working
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag_eval.commands.options import (
    AgainstOption,
    ChangesOption,
    CsvOption,
    DatasetArgument,
    GridOption,
    LatexOption,
    MarginOption,
    QuestionsOption,
    ReportOption,
)
from policy_rag_eval.commands.progress import counting
from policy_rag_eval.commands.repeat import repeat_command
from policy_rag_eval.commands.tracked import finish
from policy_rag_eval.sweep.verdicts import MARGIN

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    index: IndexOption = Path(".policy_rag"),
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
    changes: ChangesOption = None,
    measure: Annotated[
        str | None,
        typer.Option("--measure", help="What decides between configurations: log_score, or quadratic_score."),
    ] = None,
    against: AgainstOption = None,
    margin: MarginOption = MARGIN,
    questions: QuestionsOption = 0,
    report: ReportOption = None,
    csv: CsvOption = None,
    latex: LatexOption = None,
    save: Annotated[
        bool, typer.Option("--save", help="Write `threshold` and `support` to policy_rag.toml, which `ask` then uses.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would run and about how long, and what LLMs would be asked.")
    ] = False,
    offline: OfflineOption = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Fit when to answer and when to refuse to a data set's answerable and unanswerable questions."""
    from policy_rag_eval.answers.plans import setting_configurations
    from policy_rag_eval.calibration.comparison import compare_calibrations, measure_of
    from policy_rag_eval.calibration.estimate import estimate
    from policy_rag_eval.calibration.fit import Calibrated
    from policy_rag_eval.calibration.fit import calibrate as fitted
    from policy_rag_eval.calibration.page import coverage_table
    from policy_rag_eval.calibration.risk_coverage import threshold_for_refusals, threshold_for_risk
    from policy_rag_eval.calibration.support_features import calibrated_on
    from policy_rag_eval.commands.retrieval_tables import show_estimate
    from policy_rag_eval.data.samples import sample_of
    from policy_rag_eval.sweep.grids import read_changes, read_grids
    from policy_rag_eval.tracking.evaluation_datasets import read_named

    for name, share in (("--risk", risk), ("--refuse-at-most", refuse_at_most)):
        if share is not None and not 0 < share < 1:
            raise UsageError(f"{name} {share:g}: write a share between 0 and 1, for example 0.05")
    measure_of(measure)
    given = {**({"offline": True} if offline else {}), **read_changes(changes or ())}
    configurations = setting_configurations(read_grids(grid or ()), given, against=against)
    if save and len(configurations) > 1:
        raise UsageError(
            "--save writes one configuration: compare first, then run it again with --set instead of --grid"
        )
    data = sample_of(read_named(dataset, index), questions)
    if dry_run:
        with working("timing the models"):
            planned = estimate(data, _corpus(data), configurations, index)
        show_estimate(planned, json=json)
        return
    by_rules = sum(question.made_by == "rules" for question in data.unanswerable)
    if by_rules:
        notice(
            f"warning: {by_rules} of {len(data.unanswerable)} unanswerable questions are made by rule, and easier to "
            "tell than people's: these figures flatter, and the threshold may not suit what people ask; have people "
            "write such questions before you use it"
        )
    made: dict[str, Calibrated] = {}
    notices = Notices()
    for one in configurations:
        if len(configurations) > 1:
            notice(f"running {one.name}")
        features, hits, usage = _weighed(data, one.settings, index, notices)
        found = fitted(features, [question.answerable for question in calibrated_on(data)])
        if refuse_at_most is None:
            chosen = threshold_for_risk(found.curve, risk)
        else:
            chosen = threshold_for_refusals(found.curve, refuse_at_most)
        made[one.name] = Calibrated(found, chosen, hits, usage)
    coverage_table({name: one.found.curve for name, one in made.items()}).write(csv, latex)
    texts = all(one.settings.run.log_texts for one in configurations)
    wanted = _Wanted(risk, refuse_at_most, texts, repeat_command(context))
    settings = {one.name: dict(one.chosen) for one in configurations}
    if len(made) > 1:
        ids = [question.question_id for question in calibrated_on(data)]
        compared = compare_calibrations(data.name, ids, made, measure, against=against, margin=margin)
        _finish_several(data, compared, wanted, settings, index, report, json=json)
        return
    ((name, alone),) = made.items()
    (own,) = (one.settings for one in configurations if one.name == name)
    _finish(data, alone, wanted, own if save else None, settings[name], index, report, json=json)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a threshold is chosen by, whether the page may have words, and the command that is running."""

    risk: float
    refuse_at_most: float | None
    texts: bool
    command: str

    @property
    def told(self) -> str:
        """In words."""
        if self.refuse_at_most is None:
            return f"a risk of at most {self.risk:.0%}"
        return f"{self.refuse_at_most:.0%} refused at most"

    @property
    def most(self) -> float | None:
        """The risk, where it is chosen by that."""
        return self.risk if self.refuse_at_most is None else None

    @property
    def params(self) -> dict[str, str]:
        """As MLflow keeps it."""
        if self.refuse_at_most is None:
            return {"risk": str(self.risk)}
        return {"refuse_at_most": str(self.refuse_at_most)}


def _finish(
    data: "Dataset",
    made: "Calibrated",
    wanted: _Wanted,
    save_into: "Settings | None",
    settings: "Mapping[str, str]",
    index: Path,
    report: Path | None,
    *,
    json: bool,
) -> None:
    """Keeps, saves, shows and writes one calibration; `save_into` are the settings that are to be saved, if any."""
    from policy_rag.settings import SETTINGS_FILE
    from policy_rag_eval.calibration.page import calibration_page
    from policy_rag_eval.calibration.tracking import keep_calibration

    found, chosen = made.found, made.chosen
    params = {**settings, **wanted.params, "model": str(found.model), **_model(found.weights)}
    kept = keep_calibration(index, data, found, chosen, params, texts=wanted.texts)  # first: see `eval retrieval`
    if save_into is not None and chosen is not None:
        _save(save_into, found, chosen)
    if json:
        print_json(as_json(data.name, made, risk=wanted.risk, refuse_at_most=wanted.refuse_at_most))
    else:
        _show(data.name, found, chosen, wanted.risk, wanted.refuse_at_most)
    page = calibration_page(
        data.name,
        made,
        asked=wanted.told,
        risk=wanted.most,
        failures=_failures(data, made),
        texts=wanted.texts,
        command=wanted.command,
        settings=settings,
    )
    finish(kept, page, index, report)
    if save_into is not None and chosen is None:
        raise NoThresholdError(f"{SETTINGS_FILE} stays as it is: {_none(found, wanted.risk)}")


def _finish_several(
    data: "Dataset",
    compared: "CalibrationComparison",
    wanted: _Wanted,
    settings: "Mapping[str, Mapping[str, str]]",
    index: Path,
    report: Path | None,
    *,
    json: bool,
) -> None:
    from policy_rag_eval.calibration.comparison import alike, comparison_head, comparison_page, comparison_rows
    from policy_rag_eval.calibration.comparison import as_json as comparison_json
    from policy_rag_eval.calibration.tracking import keep_comparison
    from policy_rag_eval.commands.several import show_best, show_folded

    made, several = compared.made, compared.several
    params = {
        name: {**wanted.params, "model": str(one.found.model), **_model(one.found.weights)}
        for name, one in made.items()
    }
    kept = keep_comparison(index, data, compared, params, settings, texts=wanted.texts)
    for line in alike(made):
        notice(f"note: {line}")
    best = made[several.best]
    if json:
        risk, refused = wanted.risk, wanted.refuse_at_most
        each = {name: as_json(data.name, one, risk=risk, refuse_at_most=refused) for name, one in made.items()}
        print_json(comparison_json(compared, each))
    else:
        heads = [head.replace("answerable ", "answerable\n") for head in comparison_head(compared)]
        show_best(several.headline, comparison_rows(compared), heads, several.comparisons, several.verdicts)
        console().print(f"\n{several.best}", markup=False, style="bold")
        _show(data.name, best.found, best.chosen, wanted.risk, wanted.refuse_at_most)
        show_folded(len(made) - 1, "not shown: the thresholds of the others ({})", where=("--csv FILE", "--json"))
    page = comparison_page(
        compared,
        asked=wanted.told,
        risk=wanted.most,
        failures=_failures(data, best),
        texts=wanted.texts,
        command=wanted.command,
        settings=settings[several.best],
    )
    finish(kept, page, index, report)


def _corpus(data: "Dataset") -> "Corpus":
    from policy_rag_eval.data.dataset import Corpus

    return Corpus.FILES if data.documents else Corpus.PASSAGES


def _failures(data: "Dataset", made: "Calibrated") -> "list[Failure]":
    from policy_rag_eval.calibration.misjudged import misjudged
    from policy_rag_eval.calibration.support_features import calibrated_on

    corpus = _corpus(data)
    return misjudged(data.for_corpus(corpus), corpus, calibrated_on(data), made)


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
        assistant, notes = open_corpus(data.for_corpus(corpus), corpus, settings, index, progress=progress)
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


def _model(weights: "Weights") -> dict[str, str]:
    pieces = " ".join(f"{p.feature}[{p.low:g},{p.high:g}]={p.weight:.3f}" for p in weights.pieces)
    return {"intercept": f"{weights.intercept:.3f}", "pieces": pieces}


def as_json(name: str, made: "Calibrated", *, risk: float, refuse_at_most: float | None) -> dict[str, Any]:
    """What `--json` prints."""
    found, chosen = made.found, made.chosen
    return {
        "dataset": name,
        "questions": len(found.answerable),
        "answerable": int(found.answerable.sum()),
        "unanswerable": int((~found.answerable).sum()),
        "asked": {"risk": risk} if refuse_at_most is None else {"refuse_at_most": refuse_at_most},
        "method": "platt, cross-validated",
        "model": str(found.model),
        "log_loss": {str(model): loss for model, loss in found.log_loss.items()},
        "auc": found.area,
        "chosen": None if chosen is None else chosen.as_json(),
        "settings": None if chosen is None else _settings(found.weights, chosen),
        "curve": [point.as_json() for point in found.curve],
        "usage": made.usage.as_json(),
    }


def _settings(weights: "Weights", chosen: "CoveragePoint") -> dict[str, Any]:
    pieces = [[p.feature, round(p.weight, 6), p.low, p.high] for p in weights.pieces if p.weight > 0]
    return {
        "threshold": round(chosen.threshold, 6),
        "support": {"intercept": round(weights.intercept, 6), "pieces": pieces},
    }


def _show(
    name: str, found: "Calibration", chosen: "CoveragePoint | None", risk: float, refuse_at_most: float | None
) -> None:
    from rich import box
    from rich.table import Table

    out = console()
    answerable = int(found.answerable.sum())
    out.print(
        f"{name}: {answerable} answerable and {len(found.answerable) - answerable} unanswerable questions, each scored "
        f"by a model that did not see it; area under the ROC curve {found.area:.3f}",
        markup=False,
    )
    losses = ", ".join(f"{model} {loss:.3f}" for model, loss in found.log_loss.items())
    out.print(f"weights: {found.model} (log-loss: {losses}), calibrated by Platt's method", markup=False)
    table = Table(box=box.SIMPLE, padding=0, collapse_padding=True)
    for title in ("threshold", "answered", "coverage", "risk", "95 % interval"):
        table.add_column(title, justify="right", no_wrap=True)
    for title in ("answerable\nrefused", "unanswerable\nrefused"):
        table.add_column(title, justify="right", no_wrap=True)
    for point in rows_shown(found.curve, chosen):
        table.add_row(
            f"{point.threshold:.3f}",
            str(point.answered),
            f"{point.coverage.mean:.0%}",
            f"{point.risk.mean:.1%}",
            f"{point.risk.low:.1%}-{point.risk.high:.1%}",
            f"{point.answerable_refused:.0%}",
            f"{point.unanswerable_refused:.0%}",
            style="bold" if point == chosen else None,
        )
    out.print(table)
    if chosen is None:
        out.print(_none(found, risk), markup=False)
        return
    asked = f"a risk of at most {risk:.0%}" if refuse_at_most is None else f"{refuse_at_most:.0%} refused at most"
    out.print(
        f"threshold for {asked}: {chosen.threshold:.3f} (risk {chosen.risk.mean:.1%}, {chosen.risk.low:.1%} to "
        f"{chosen.risk.high:.1%}; {chosen.coverage.mean:.0%} of the questions are answered)",
        markup=False,
    )


def rows_shown(curve: "tuple[CoveragePoint, ...]", chosen: "CoveragePoint | None") -> list["CoveragePoint"]:
    """About a dozen points, evenly over the coverage, the chosen one among them."""
    places = {round(i * (len(curve) - 1) / _ROWS) for i in range(_ROWS + 1)}
    kept = [point for place, point in enumerate(curve) if place in places or point == chosen]
    return [point for point in kept if point.answered]


def _none(found: "Calibration", risk: float) -> str:
    enough = [point for point in found.curve if point.answered]
    best = min(enough, key=lambda point: point.risk.high)
    return (
        f"no threshold keeps the risk below {risk:.1%} for certain: the least is {best.risk.mean:.1%}, up to "
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
