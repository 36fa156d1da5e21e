"""The decision page of an evaluation of answers: which way of answering to take, and where it loses."""

from policy_rag_eval.answers.answer_scores import AnswerEvaluation
from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.reports.decision import (
    FAILURES,
    DecisionRow,
    Failure,
    cut,
    write_all,
    write_best,
    write_failures,
    write_repeat,
    write_verdicts,
)
from policy_rag_eval.reports.decision_page import ReportPage
from policy_rag_eval.reports.number_format import with_span
from policy_rag_eval.reports.plots import PlottedPoint, points_plot
from policy_rag_eval.reports.table_files import Cell, FigureTable
from policy_rag_eval.sweep.choice import choice
from policy_rag_eval.sweep.usage import NO_USAGE

ANSWERS_HEAD = ("score", "floor", "ceiling", "lost by retrieval", "gold given")
_TOLD = (
    "Ceiling: the same answerer, given the sections that hold the answer. Floor: given nothing. What lies between the "
    "score and the ceiling is lost by retrieval. Gold given: the share of the gold among the sections given. ms: what "
    "a question takes that is asked alone, its search and its answer, an LLM's replies as long as they took. tokens "
    "and cost: what the LLM was asked and replied, a question, by the setting prices; – where no LLM answered, or no "
    "price is known."
)


def headline(run: AnswerRun) -> str:
    """What to do, in a sentence: the choice, its lead, what is undecided, and what it loses to retrieval."""
    best = run.ranked[0]
    if best.name not in run.means:
        return f"No judge could tell what the answers to {run.dataset} are worth"
    said = choice(best.name, run.means[best.name], str(run.decides), run.comparisons, run.margin)
    if best.loss is None:
        return said
    lost = f"{best.loss.by_retrieval.mean:.3f} is lost by retrieval, {best.loss.by_generation:.3f} by the answerer"
    return f"{said}; {lost}"


def answers_page(run: AnswerRun, *, texts: bool = True, command: str = "") -> ReportPage:
    """The page of a run.

    `texts` is whether words of questions and answers may stand in it, `command` what repeats it, if anything.
    """
    order = run.ranked
    best, rows, measure = order[0], answer_rows(run), run.decides or "score"
    page = ReportPage(
        headline(run),
        f"{run.dataset}: {run.questions} questions, losses over {run.scored}; judged by {run.decides or 'none'}",
    )
    write_best(page, rows, ANSWERS_HEAD, run.comparisons, measure=measure, about=_TOLD, margin=run.margin)
    write_failures(
        page,
        f"Where {best.name} fails" if len(order) > 1 else "Where it fails",
        _failures(best, run.decides),
        texts=texts,
    )
    page.heading("The rest")
    _against_retrieval(page, order)
    write_all(page, rows, ANSWERS_HEAD, measure=measure)
    _conditions(page, order, run)
    write_verdicts(page, run.verdicts, run.comparisons, best=best.name, measure=measure)
    write_repeat(
        page,
        command,
        dict(best.chosen),
        skipped={f"the judge {name}": reason for name, reason in run.skipped.items()},
        notes=run.notes,
    )
    return page


def answers_table(run: AnswerRun) -> FigureTable:
    """The figures by the judge that decides, a row a configuration, best first."""
    judge = run.decides or "score"
    ends = (judge, f"{judge}_low", f"{judge}_high")
    head = ("configuration", *ends, "floor", "ceiling", "lost_by_retrieval", "lost_by_answerer", "gold_given")
    rows: list[tuple[Cell, ...]] = []
    for one in run.ranked:
        found = (one.found.mean, one.found.low, one.found.high) if one.found else (None,) * 3
        given = one.recall.mean if one.recall else None
        rows.append((one.name, *found, *one.levels, given, *one.usage.as_json().values()))
    return FigureTable((*head, *NO_USAGE.as_json()), tuple(rows))


def answer_rows(run: AnswerRun) -> list[DecisionRow]:
    """The configurations under `ANSWERS_HEAD`, best first."""
    return [_row(one) for one in run.ranked]


def _row(one: AnswerEvaluation) -> DecisionRow:
    levels = ("–" if level is None else f"{level:.3f}" for level in one.levels[:3])
    found = "–" if one.found is None else with_span(one.found)
    recall = "–" if one.recall is None else f"{one.recall.mean:.3f}"
    return DecisionRow(one.name, (found, *levels, recall), one.usage, one.found)


def _failures(best: AnswerEvaluation, judge: str | None) -> list[Failure]:
    """Questions that the ceiling answers and the search loses, else those that are answered worst."""
    if judge is None:
        return []
    found = [verdict.score for verdict in best.verdicts[Condition.FOUND][judge]]
    perfect = best.verdicts.get(Condition.CEILING, {}).get(judge)
    ceiling = [verdict.score for verdict in perfect] if perfect else [None] * len(found)
    places = [i for i, score in enumerate(found) if score is not None and score < 1]
    worst = sorted(places, key=lambda i: (found[i] or 0.0) - (ceiling[i] or 0.0))[:FAILURES]
    return [
        Failure(
            (case := best.cases[Condition.FOUND][i]).case_id,
            case.question,
            f"{judge} {found[i]:.2f}",
            ("what the policies say", cut(case.reference or "they do not answer it")),
            ("what was answered", cut(case.answer)),
        )
        for i in worst
    ]


def _against_retrieval(page: ReportPage, order: list[AnswerEvaluation]) -> None:
    points = [
        PlottedPoint(one.name, one.recall.mean, one.loss.found, str(place), place == 1, one.loss.ceiling.mean)
        for place, one in enumerate(order, 1)
        if one.recall and one.loss
    ]
    if len(points) > 1:
        with page.folded("Answers against retrieval"):
            page.plot(
                points_plot(
                    points,
                    across="share of the gold among the sections given",
                    up="score",
                    title="retrieval and answers",
                ),
                "Numbered in their order; a triangle is the ceiling.",
            )


def _conditions(page: ReportPage, order: list[AnswerEvaluation], run: AnswerRun) -> None:
    with page.folded(
        "All judges", f"{len(order)} configuration{'s' * (len(order) != 1)}, {len(run.judges)} judges, three conditions"
    ):
        rows = []
        for one in order:
            for judge in run.judges:
                scores = [one.scores[condition][judge] if condition in one.scores else None for condition in Condition]
                means = [f"{with_span(of.score)}, {of.judged}" if of and of.score else "–" for of in scores]
                rows.append((one.name, judge, *means))
        page.table(("configuration", "judge", *(f"{condition}, judged" for condition in Condition)), rows, figures=2)
