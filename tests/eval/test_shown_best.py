"""What a terminal shows of many configurations: the best five, the verdicts among them, and where the rest is."""

import pytest

from policy_rag.cli.output import console
from policy_rag_eval.commands.several import known_figures, show_best, show_folded
from policy_rag_eval.reports.decision import DecisionRow
from policy_rag_eval.sweep.evaluation import Latency
from policy_rag_eval.sweep.several import compared
from policy_rag_eval.sweep.usage import NO_USAGE, QuestionUsage


def test_forty_five_are_shown_as_five(capfd: pytest.CaptureFixture[str]) -> None:
    figures = {f"candidates={n}": {str(q): n / 100 for q in range(4)} for n in range(45)}
    found = compared(figures, "noise")
    rows = [DecisionRow(name, (f"{mean:.3f} (0.1 to 0.2)", "–"), NO_USAGE) for name, mean in found.means.items()]
    show_best(found.headline, rows, ("noise", "of\nanother"), found.comparisons, found.verdicts)
    out = capfd.readouterr().out
    assert [f"candidates={n} " in out for n in (44, 43, 40, 39, 0)] == [True, True, True, False, False]
    assert out.count("candidates=44 against candidates=") == 4
    assert "and 40 more: --report FILE, --csv FILE and --json have all of them" in out
    assert "another" not in out  # nothing is known of it
    assert max(map(len, out.splitlines()[2:8])) <= 80


def test_what_is_known_of_some_is_shown_of_all(capfd: pytest.CaptureFixture[str]) -> None:
    rows = [
        DecisionRow("a", ("0.900",), QuestionUsage(Latency(12.4, 20.0), 1234.0, 0.5)),
        DecisionRow("b", ("0.800",), NO_USAGE),
    ]
    show_best("Take a", rows, ("noise",), (), ())
    lines = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert ["a", "0.900", "12", "/", "20", "1,234", "0.50"] in lines
    assert ["b", "0.800", "–", "–", "–"] in lines


def test_nothing_folded_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    show_folded(0, "and {} more")
    assert capfd.readouterr().out == ""
    show_folded(2, "not shown: the thresholds of the others ({})", where=("--csv FILE", "--json"))
    assert (
        capfd.readouterr().out
        == "not shown: the thresholds of the others (2): --csv FILE and --json have all of them\n"
    )


def test_a_sweep_without_prices_has_no_column_of_costs(capfd: pytest.CaptureFixture[str]) -> None:
    rows = [("search=vector", ("0.900", "12", "–")), ("search=keyword", ("0.800", "–", "–"))]
    console().print(known_figures(("ndcg@10", "ms", "cost"), rows))
    lines = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert ["configuration", "ndcg@10", "ms"] in lines
    assert ["search=keyword", "0.800", "–"] in lines


def test_a_long_name_is_broken_between_its_settings(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    figures = ("0.731\n0.701 to 0.761", "0.812", "0.913", "120", "1,200", "0.12")
    rows = [("chunking=clauses,embed_context=true", figures), ("model=intfloat/multilingual-e5-small", figures)]
    heads = ("ndcg@10\n95 % interval", "recall\n@10", "hit_rate\n@5", "ms", "tokens", "cost\nof 1,000")
    console().print(known_figures(heads, rows))
    begins = [line.split()[0] for line in capfd.readouterr().out.splitlines() if line.strip()]
    assert begins[3:] == ["chunking=clauses,", "embed_context=true", "model=intfloat/", "multilingual-e5-small"]
