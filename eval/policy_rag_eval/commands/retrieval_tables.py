"""What `policy-rag eval retrieval` shows people; the whole of it is in `--json`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from policy_rag.cli.output import console, print_json
from policy_rag_eval.commands.several import figure_table, known_figures, show_folded, show_verdicts
from policy_rag_eval.reports.number_format import money, span

if TYPE_CHECKING:
    from rich.table import Table

    from policy_rag_eval.measures.measures import Measure
    from policy_rag_eval.measures.unanswerable import Unanswerable
    from policy_rag_eval.sweep.evaluation import Evaluation
    from policy_rag_eval.sweep.plan import RunEstimate, SweepPlan
    from policy_rag_eval.sweep.search_calls import Spending
    from policy_rag_eval.sweep.sweep import Sweep


def show_sweep(result: "Sweep", margin: float) -> None:
    """The headline, then the best few, of whatever number; of the best its latency and the unanswerable questions."""
    from policy_rag_eval.reports.decision import FIRST
    from policy_rag_eval.reports.retrieval_page import headline
    from policy_rag_eval.sweep.evaluation import ranked

    out = console()
    out.print(f"{result.dataset}, --corpus {result.corpus}: {result.questions} questions", markup=False)
    best, *others = ranked(result.evaluations, result.measure)
    if others:
        out.print(headline(result, margin), markup=False, style="bold")
        shown = [best, *others[: FIRST - 1]]
        out.print(_ranked(shown, result.measure))
        show_verdicts({one.name for one in shown}, result.comparisons, result.verdicts)
        show_folded(len(result.evaluations) - len(shown), "and {} more")
    else:
        out.print(_measures(best))
    if best.latencies_ms:
        out.print(_latency(best), markup=False)
    if best.unanswerable is not None:
        out.print(_unanswerable(best.name, best.unanswerable), markup=False)


def show_slices(evaluation: "Evaluation", decides: "Measure") -> None:
    """The figures of each slice: how many questions, and the mean and interval of the measures that say most."""
    from policy_rag_eval.measures.slices import SHOWN

    table = figure_table(("slice",), ("questions", str(decides), "95 % interval", *map(str, SHOWN)))
    for part in evaluation.slices:
        found = part.measures.get(decides)
        mean, interval = (f"{found.mean:.3f}", span(found)) if found else ("", "")
        others = (part.measures.get(measure) for measure in SHOWN)
        figures = (f"{figure.mean:.3f}" if figure else "" for figure in others)
        table.add_row(f"{part.by}: {part.value}", str(part.questions), mean, interval, *figures)
    out = console()
    out.print(f"{evaluation.name}, part by part:", markup=False)
    out.print(table)


def show_plan(planned: "SweepPlan") -> None:
    """What would run, one line a stage; what LLMs would be asked."""
    table = figure_table(("stage", "for"), ("to do", "about"))
    for stage in planned.stages:
        took = "not known" if stage.seconds is None else _duration(stage.seconds)
        table.add_row(stage.name, stage.what, f"{stage.todo:,} {stage.unit}", took)
    out = console()
    out.print(f"{planned.configurations} configurations, {len(planned.done)} of them done already", markup=False)
    out.print(table)
    for line in (*skipped_lines(planned.skipped), *planned.notes):
        out.print(line, markup=False)
    if planned.searching:
        shared = len(planned.searching) > 1
        if shared:
            out.print(_searching(planned.searching))
        who = "searching, each question of several configurations asked once" if shared else "searching"
        out.print(spending_line(who, planned.asked), markup=False)
    beside = "; the LLM's time comes on top" if planned.asked.calls else ""
    out.print(f"about {_duration(planned.seconds)} in all, on this machine as busy as it is now{beside}", markup=False)


def show_estimate(found: "RunEstimate", *, json: bool) -> None:
    """What a run would take: calls, tokens with the longest replies and money, then what this machine would do."""
    if json:
        print_json(found.as_json())
        return
    for name, one in found.asked.items():
        console().print(spending_line(name, one), markup=False)
    if found.here is not None:
        show_plan(found.here)


def _searching(searching: Mapping[str, "Spending"]) -> "Table":
    """What each configuration asks of an LLM by itself."""
    table = figure_table(("an LLM while searching, by itself",), ("calls\nat most", "tokens\nat most", "cost\nat most"))
    for name, one in searching.items():
        table.add_row(name, f"{one.calls:,}", f"{one.tokens:,}", money(one.cost))
    return table


def spending_line(who: str, spent: "Spending") -> str:
    """What LLMs would be asked, as it is shown."""
    cost = "" if spent.cost is None else f", cost at most {money(spent.cost)}"
    return f"{who}: at most {spent.calls:,} calls, {spent.tokens:,} tokens with the longest replies{cost}"


def skipped_lines(skipped: Mapping[str, str]) -> list[str]:
    """The configurations that cannot be run, a line for each reason.

    >>> skipped_lines({"a": "no model", "b": "no model"})
    ['skipped a; b: no model']
    """
    by_reason: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        by_reason.setdefault(reason, []).append(name)
    return [f"skipped {'; '.join(names)}: {reason}" for reason, names in by_reason.items()]


def _measures(evaluation: "Evaluation") -> "Table":
    from rich.table import Table

    table = Table("measure", "mean", "95 % interval")
    for measure, interval in evaluation.measures.items():
        table.add_row(str(measure), f"{interval.mean:.3f}", span(interval))
    return table


def _ranked(evaluations: Sequence["Evaluation"], decides: "Measure") -> "Table":
    """The measure that decides with its interval, other means, and what a question takes, needs and costs."""
    from policy_rag_eval.measures.measures import BY_TEXT, DECIDED_BY, Measure
    from policy_rag_eval.sweep.runner import TOTAL

    wanted = (DECIDED_BY, BY_TEXT, Measure.parse("recall@10"), Measure.parse("hit_rate@5"))
    others = [m for m in wanted if m != decides and m in evaluations[0].measures]
    columns = [str(measure).replace("@", "\n@") for measure in others]
    rows: list[tuple[str, Sequence[str]]] = []
    for evaluation in evaluations:
        found, total = evaluation.measures[decides], evaluation.latencies_ms.get(TOTAL)
        means = (f"{evaluation.measures[measure].mean:.3f}" for measure in others)
        took = f"{total.median:.0f}" if total else "–"
        tokens = "–" if evaluation.tokens is None else f"{evaluation.tokens:,.0f}"
        cells = (f"{found.mean:.3f}\n{span(found)}", *means, took, tokens, money(evaluation.cost))
        rows.append((evaluation.name, cells))
    return known_figures((f"{decides}\n95 % interval", *columns, "ms", "tokens", "cost\nof 1,000"), rows)


def _latency(evaluation: "Evaluation") -> str:
    """How long a question takes that is asked alone."""
    from policy_rag_eval.sweep.runner import TOTAL

    latencies = evaluation.latencies_ms
    steps = ", ".join(f"{step} {latency.median:.1f}" for step, latency in latencies.items() if step != TOTAL)
    whole = latencies[TOTAL]
    return (
        f"milliseconds a question, {evaluation.name}: median {whole.median:.1f}, "
        f"95th percentile {whole.p95:.1f}{f' (medians: {steps})' if steps else ''}"
    )


def _unanswerable(name: str, found: "Unanswerable") -> str:
    """What was returned where nothing is relevant."""
    return (
        f"{found.questions} unanswerable questions, {name}: nothing returned for {found.silent.mean:.0%}, "
        f"{found.hits:.1f} hits on average; their best score is below an answerable question's "
        f"in {found.separation.mean:.0%} of pairs ({found.separation.low:.0%} to {found.separation.high:.0%})"
    )


def _duration(seconds: float) -> str:
    """A time as people say it.

    >>> _duration(0.2), _duration(75), _duration(7300)
    ('1 s', '1 min 15 s', '2 h 1 min')
    """
    whole = max(1, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
