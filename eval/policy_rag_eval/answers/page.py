"""The decision page of an evaluation of answers: which way of answering to take, and where it loses."""

from policy_rag_eval.answers.answer_set import Condition
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.answers.scoring import AnswerEvaluation
from policy_rag_eval.reports.figures import money, with_span
from policy_rag_eval.reports.pages import ReportPage
from policy_rag_eval.reports.plots import PlottedPoint, points_plot
from policy_rag_eval.reports.tables import Cell, FigureTable
from policy_rag_eval.sweep.choice import choice, compared_with, standing

_FIRST, _FAILURES, _CHARACTERS = 5, 3, 700


def ranked_answers(run: AnswerRun) -> list[AnswerEvaluation]:
    """Best first by the judge that decides, equals in their order."""
    return sorted(run.evaluations, key=lambda one: -(one.found.mean if one.found else -1.0))


def headline(run: AnswerRun) -> str:
    """What to do, in a sentence: the choice, its lead, what is undecided, and what it loses to retrieval."""
    best = ranked_answers(run)[0]
    if best.found is None:
        return f"No judge could tell what the answers to {run.dataset} are worth"
    of = f"{best.found.mean:.3f} {run.decides}"
    said = choice(best.name, of, run.comparisons) if len(run.evaluations) > 1 else f"{best.name}: {of}"
    if best.loss is None:
        return said
    lost = f"{best.loss.by_retrieval.mean:.3f} is lost by retrieval, {best.loss.by_generation:.3f} by the answerer"
    return f"{said}; {lost}"


def answers_page(run: AnswerRun, *, texts: bool = True) -> ReportPage:
    """The page of a run.

    Args:
        run: what was judged.
        texts: whether words of questions and answers may stand in it.
    """
    order = ranked_answers(run)
    page = ReportPage(
        headline(run),
        f"{run.dataset}: {run.questions} questions, losses over {run.scored}; judged by {run.decides or 'none'}",
    )
    page.heading(f"The best {min(_FIRST, len(order))} of {len(order)}" if len(order) > 1 else "What it is worth")
    base = compared_with(order[0].name, run.comparisons)
    rows = [_row(one, standing(one.name, base, run.comparisons), run) for one in order[:_FIRST]]
    against = f"against {'the best' if base == order[0].name else base}"
    head = ("configuration", "score", "floor", "ceiling", "gold given", against, "tokens", "cost of 1,000")
    page.table(head, rows, chosen=0 if len(order) > 1 else None)
    page.paragraph(
        "Ceiling: the same answerer, given the sections that hold the answer. Floor: given nothing. What lies "
        "between the "
        "score and the ceiling is lost by retrieval. tokens and cost: what the LLM was asked and replied, a "
        "question, by "
        "the setting prices; – where no LLM answered, or no price is known."
    )
    points = [
        PlottedPoint(one.name, one.recall.mean, one.loss.found, str(place), place == 1, one.loss.ceiling.mean)
        for place, one in enumerate(order, 1)
        if one.recall and one.loss
    ]
    page.plot(
        points_plot(
            points, across="share of the gold among the sections given", up="score", title="retrieval and answers"
        ),
        "Answers against retrieval; a triangle is the ceiling." if len(points) > 1 else "",
    )
    if texts:
        _failures(page, order[0], run.decides)
    page.heading("The rest")
    _conditions(page, order, run)
    if run.comparisons:
        with page.folded("All verdicts", f"{len(run.comparisons)}"):
            page.items(run.verdicts)
    with page.folded("Notes", "judges that were left out, and what a reader should know"):
        page.items(f"left out: {name}: {reason}" for name, reason in run.skipped.items())
        page.items(run.notes)
    return page


def answers_table(run: AnswerRun) -> FigureTable:
    """The figures by the judge that decides, a row a configuration, best first."""
    judge = run.decides or "score"
    ends = (judge, f"{judge}_low", f"{judge}_high")
    head = ("configuration", *ends, "floor", "ceiling", "lost_by_retrieval", "lost_by_answerer", "gold_given")
    rows: list[tuple[Cell, ...]] = []
    for one in ranked_answers(run):
        loss, spent = one.loss, one.spent
        found: tuple[Cell, ...] = (None,) * 3
        levels: tuple[Cell, ...] = (None,) * 4
        if one.found is not None:
            found = (one.found.mean, one.found.low, one.found.high)
        if loss is not None:
            levels = (loss.floor.mean, loss.ceiling.mean, loss.by_retrieval.mean, loss.by_generation)
        tokens = None if spent is None else (spent.tokens_in + spent.tokens_out) / run.questions
        cost = None if spent is None or spent.cost is None else 1000 * spent.cost / run.questions
        rows.append((one.name, *found, *levels, one.recall.mean if one.recall else None, tokens, cost))
    return FigureTable((*head, "tokens", "cost_of_1000"), tuple(rows))


def _row(one: AnswerEvaluation, stands: str, run: AnswerRun) -> tuple[str, ...]:
    loss = one.loss
    levels = ("–", "–") if loss is None else (f"{loss.floor.mean:.3f}", f"{loss.ceiling.mean:.3f}")
    figures = ("–" if one.found is None else with_span(one.found), *levels)
    spent = one.spent
    tokens = "–" if spent is None else f"{(spent.tokens_in + spent.tokens_out) / run.questions:,.0f}"
    cost = money(None if spent is None or spent.cost is None else 1000 * spent.cost / run.questions)
    return (one.name, *figures, "–" if one.recall is None else f"{one.recall.mean:.3f}", stands, tokens, cost)


def _failures(page: ReportPage, best: AnswerEvaluation, judge: str | None) -> None:
    """Questions that the ceiling answers and the search loses, else those that are answered worst."""
    if judge is None:
        return
    found = [verdict.score for verdict in best.verdicts[Condition.FOUND][judge]]
    perfect = best.verdicts.get(Condition.CEILING, {}).get(judge)
    ceiling = [verdict.score for verdict in perfect] if perfect else [None] * len(found)
    places = [i for i, score in enumerate(found) if score is not None and score < 1]
    worst = sorted(places, key=lambda i: (found[i] or 0.0) - (ceiling[i] or 0.0))[:_FAILURES]
    if not worst:
        return
    page.heading(f"Where {best.name} fails")
    for i in worst:
        case = best.cases[Condition.FOUND][i]
        page.pair(
            f"{case.question} ({judge} {found[i]:.2f})",
            ("what the policies say", _cut(case.reference or "they do not answer it")),
            ("what was answered", _cut(case.answer)),
        )


def _cut(text: str) -> str:
    return text if len(text) <= _CHARACTERS else f"{text[:_CHARACTERS].rstrip()} …"


def _conditions(page: ReportPage, order: list[AnswerEvaluation], run: AnswerRun) -> None:
    with page.folded("All judges", f"{len(order)} configurations, {len(run.judges)} judges, three conditions"):
        rows = []
        for one in order:
            for judge in run.judges:
                scores = [one.scores[condition][judge] if condition in one.scores else None for condition in Condition]
                means = [f"{with_span(of.score)}, {of.judged}" if of and of.score else "–" for of in scores]
                rows.append((one.name, judge, *means))
        page.table(("configuration", "judge", *(f"{condition}, judged" for condition in Condition)), rows, figures=2)
