"""Plots: what is drawn, from which figures, and that a picture is the same each time."""

import io
import math
from typing import Any

import pytest

from policy_rag_eval.measures.measures import Measure, Scores
from policy_rag_eval.measures.slices import Slice
from policy_rag_eval.reports.plots import (
    HEAT_MAP,
    LATENCY_PLOT,
    MEASURES_PLOT,
    SLICES_PLOT,
    differences_figure,
    heat_map,
    latency_figure,
    measures_figure,
    milliseconds,
    plots,
    png,
    slices_figure,
)
from policy_rag_eval.statistics.intervals import Interval
from policy_rag_eval.sweep.evaluation import Evaluation, Latency, varied_settings

NDCG = Measure.parse("ndcg@10")
PRECISION = Measure.parse("precision@5")


def made(name: str, settings: dict[str, Any], ndcg: float, precision: float = 0.3, **more: Any) -> Evaluation:
    return Evaluation(
        name=name,
        settings=settings,
        measures={
            PRECISION: Interval(precision, precision - 0.05, precision + 0.05),
            NDCG: Interval(ndcg, ndcg - 0.1, ndcg + 0.1),
        },
        timings_ms=more.pop("timings_ms", {"embed": 4.0, "search": 1.0}),
        scores=Scores(("q",), {NDCG: (ndcg,), PRECISION: (precision,)}),
        rankings={},
        **more,
    )


def grid() -> list[Evaluation]:
    means = {("vector", "none"): 0.5, ("vector", "big"): 0.7, ("or", "none"): 0.6, ("or", "big"): 0.8}
    return [
        made(f"search={search} reranker={reranker}", {"search": search, "reranker": reranker, "top_k": 5}, mean)
        for (search, reranker), mean in means.items()
    ]


def size(image: bytes) -> tuple[int, int]:
    from PIL import Image

    with Image.open(io.BytesIO(image)) as opened:
        assert opened.format == "PNG"
        return opened.size


def test_the_settings_that_differ_are_the_dimensions_without_those_that_only_follow() -> None:
    rows = [
        {"embedding": "a", "max_tokens": 256, "search": "or", "k": 5},
        {"embedding": "b", "max_tokens": 512, "search": "or", "k": 5},
        {"embedding": "a", "max_tokens": 256, "search": "and", "k": 5},
    ]
    runs = [made(str(number), row, 0.5) for number, row in enumerate(rows)]
    assert varied_settings(runs) == {"embedding": ("a", "b"), "search": ("or", "and")}
    assert varied_settings(runs[:1]) == {}


def test_measures_are_drawn_at_their_figures_best_first() -> None:
    figure = measures_figure(grid())
    first = figure.axes[0]
    assert first.get_title() == "ndcg@10"
    assert [text.get_text() for text in first.get_yticklabels()] == [
        "search=or reranker=big",
        "search=vector reranker=big",
        "search=or reranker=none",
        "search=vector reranker=none",
    ]
    bars = [line for line in first.lines if len(line.get_xdata()) == 2]
    dots = [line for line in first.lines if len(line.get_xdata()) == 1]
    assert [float(dot.get_xdata()[0]) for dot in dots] == [0.8, 0.7, 0.6, 0.5]
    assert [tuple(map(float, bar.get_xdata())) for bar in bars] == [
        pytest.approx((mean - 0.1, mean + 0.1)) for mean in (0.8, 0.7, 0.6, 0.5)
    ]
    assert figure.axes[1].get_title() == "precision@5"


def test_forty_of_more_configurations_are_drawn_and_the_title_says_so() -> None:
    figure = measures_figure([made(f"k={k}", {"k": k}, k / 100) for k in range(50)])
    assert len(figure.axes[0].get_yticklabels()) == 40
    assert "the best 40 of 50" in figure.get_suptitle()


def test_only_what_nothing_beats_in_both_is_numbered() -> None:
    runs = [
        made("quick and poor", {}, 0.5, 0.2, timings_ms={"all": 1.0}),
        made("slow and poor", {}, 0.5, 0.2, timings_ms={"all": 9.0}),
        made("slow and good", {}, 0.5, 0.6, timings_ms={"all": 8.0}),
    ]
    figure = latency_figure(runs)
    assert figure is not None
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts == ["1", "2", "1  quick and poor\n2  slow and good"]
    assert latency_figure(runs[:1]) is None


def test_latency_is_the_total_median_or_the_sum_of_the_means() -> None:
    medians = {"embed": Latency(4.0, 9.0), "search": Latency(2.0, 3.0)}
    assert milliseconds(made("a", {}, 0.5, latencies_ms={**medians, "total": Latency(5.5, 11.0)})) == 5.5
    assert milliseconds(made("a", {}, 0.5)) == 5.0
    assert milliseconds(made("a", {}, 0.5, timings_ms={})) is None


def cells(axis: Any) -> list[list[float]]:
    (image,) = axis.images
    return [
        [math.nan if math.isnan(value) else float(value) for value in row] for row in image.get_array().filled(math.nan)
    ]


def test_a_heat_map_has_a_cell_a_combination() -> None:
    figure = heat_map(grid())
    assert figure is not None
    axis = figure.axes[0]
    assert [text.get_text() for text in axis.get_xticklabels()] == ["vector", "or"]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["none", "big"]
    assert cells(axis) == [[0.5, 0.6], [0.7, 0.8]]
    assert sorted(text.get_text() for text in axis.texts) == ["0.500", "0.600", "0.700", "0.800"]


def test_a_combination_that_was_not_run_stays_empty() -> None:
    figure = heat_map(grid()[:3])
    assert figure is not None
    assert [text.get_text() for text in figure.axes[0].texts] == ["0.500", "0.600", "0.700", "not run"]


def test_of_more_settings_each_cell_shows_the_best() -> None:
    runs = [
        made(f"{a} {b} {c}", {"a": a, "b": b, "c": c}, 0.1 * a + 0.2 * b + 0.01 * c)
        for c in range(2)
        for a in range(14)
        for b in range(3)
    ]
    figure = heat_map(runs)
    assert figure is not None
    assert "the best over the other settings" in figure.get_suptitle()
    assert cells(figure.axes[0])[0][0] == pytest.approx(0.01)  # a = b = 0 and the best c, 1
    assert heat_map([made(f"{a} {b}", {"a": a, "b": b}, 0.1) for a in range(15) for b in range(2)]) is None


def test_one_dimension_has_no_heat_map() -> None:
    assert heat_map([run for run in grid() if run.settings["search"] == "or"]) is None


def slices() -> tuple[Slice, ...]:
    return tuple(
        Slice(by, value, questions, {NDCG: Interval(mean, mean - 0.1, mean + 0.1)})
        for by, value, questions, mean in (
            ("type", "clause", 12, 0.9),
            ("type", "table", 7, 0.4),
            ("answerable", "yes", 19, 0.7),
        )
    )


def test_slices_are_drawn_by_what_divides_them_where_it_divides() -> None:
    figure = slices_figure(made("best", {}, 0.7, slices=slices()))
    assert figure is not None
    (axis,) = figure.axes
    assert axis.get_title(loc="left") == "by type"
    assert [text.get_text() for text in axis.get_yticklabels()] == ["clause  (12)", "table  (7)"]
    assert slices_figure(made("best", {}, 0.7)) is None


def test_every_plot_that_has_something_to_show_is_made_the_same_each_time() -> None:
    runs = grid()
    runs[3] = made(runs[3].name, dict(runs[3].settings), 0.8, slices=slices())
    first, again = plots(runs), plots(runs)
    assert list(first) == [MEASURES_PLOT, LATENCY_PLOT, HEAT_MAP, SLICES_PLOT]
    assert first == again
    assert all(width > 600 and height > 150 for width, height in map(size, first.values()))
    assert list(plots(runs[:1])) == [MEASURES_PLOT]


def test_names_are_drawn_as_they_are() -> None:
    odd = made("model=$x_1$ 模型", {"a": 1}, 0.5)
    figure = measures_figure([odd])
    assert [text.get_text() for text in figure.axes[0].get_yticklabels()] == ["model=$x_1$ 模型"]
    assert size(png(figure))[0] > 600
    long = made("x" * 500, {"a": 2}, 0.4)
    assert size(png(measures_figure([odd, long])))[0] < 2000


def test_differences_are_drawn_around_zero() -> None:
    figure = differences_figure(
        ["a", "b"], [Interval(0.1, 0.05, 0.15), Interval(-0.1, -0.2, 0.0)], "ndcg@10: best minus"
    )
    axis = figure.axes[0]
    low, high = axis.get_xlim()
    assert low < -0.2
    assert high > 0.15
    assert any(list(line.get_xdata()) == [0.0, 0.0] for line in axis.lines)
