"""Plots: every figure at its place, the same picture each time, and nothing where there is nothing to draw."""

import re
from xml.etree import ElementTree as ET

import pytest

from policy_rag_eval.reports.plots import PlottedPoint, curve_plot, intervals_plot, points_plot
from policy_rag_eval.statistics.intervals import Interval

NAMES = ["one", "a <b>name</b> & more", "x" * 200]
INTERVALS = [Interval(0.5, 0.25, 0.75), Interval(0.25, 0.0, 0.5), Interval(0.75, 0.7, 1.0)]


def circles(svg: str) -> list[dict[str, str]]:
    return [node.attrib for node in ET.fromstring(svg).iter("circle")]  # noqa: S314 - our own


def test_intervals_stand_at_their_figures() -> None:
    svg = intervals_plot(NAMES, INTERVALS, title="ndcg@10")
    xs = [float(one["cx"]) for one in circles(svg)]
    assert xs[2] - xs[0] == pytest.approx(xs[0] - xs[1], abs=0.2)  # 0.25, 0.5, 0.75
    assert [one["class"] for one in circles(svg)] == ["accent", "mark", "mark"]
    texts = [node.text for node in ET.fromstring(svg).iter("text")]  # noqa: S314 - our own
    assert {"0.500", "0.250", "0.750", "a <b>name</b> & more"} <= set(texts)
    assert all(len(text or "") < 70 for text in texts)
    assert svg == intervals_plot(NAMES, INTERVALS, title="ndcg@10")


def test_differences_have_a_line_at_zero_and_their_signs() -> None:
    svg = intervals_plot(["a", "b"], [Interval(0.1, -0.1, 0.3), Interval(-0.2, -0.4, 0.0)], title="d", zero=True)
    assert "+0.100" in svg
    assert "-0.200" in svg
    line = re.search(r'<line class="accent" x1="([\d.]+)"', svg)
    assert line is not None
    first, second = (float(one["cx"]) for one in circles(svg))
    assert second < float(line[1]) < first


def test_nothing_is_drawn_of_nothing() -> None:
    assert intervals_plot([], [], title="") == ""
    assert points_plot([PlottedPoint("a", 1.0, INTERVALS[0])], across="", up="", title="") == ""
    # All equal: a scale of some width is still found.
    same = [Interval(0.0, 0.0, 0.0)] * 2
    assert len(circles(intervals_plot(["a", "b"], same, title=""))) == 2


def test_points_are_placed_by_both_figures_and_the_chosen_one_stands_out() -> None:
    points = [
        PlottedPoint("fast", 10.0, Interval(0.2, 0.1, 0.3), "2"),
        PlottedPoint("slow", 1000.0, Interval(0.8, 0.7, 0.9), "1", chosen=True, ceiling=0.95),
        PlottedPoint("between", 100.0, Interval(0.5, 0.4, 0.6)),
    ]
    svg = points_plot(points, across="ms", up="ndcg", title="t", logarithmic=True)
    by_class = circles(svg)
    assert [one["class"] for one in by_class] == ["mark", "mark", "accent"]  # the chosen one is drawn last
    fast, between, slow = (float(one["cx"]) for one in by_class)
    assert between - fast == pytest.approx(slow - between, abs=0.2)  # a tenth, a tenth
    assert float(by_class[2]["cy"]) < float(by_class[0]["cy"]), "higher is up"
    assert svg.count("<path") == 1


def test_labels_of_near_points_never_lie_on_each_other() -> None:
    points = [
        PlottedPoint(f"p{number}", 10.0 + number / 100, Interval(0.5, 0.1, 0.9), str(number), chosen=number == 7)
        for number in range(1, 8)
    ]
    far = PlottedPoint("far", 100.0, Interval(0.5, 0.1, 0.9), "8")
    svg = points_plot([*points, far], across="ms", up="ndcg", title="t", logarithmic=True)
    labels = {
        node.text: (float(node.attrib["x"]), float(node.attrib["y"]))
        for node in ET.fromstring(svg).iter("text")  # noqa: S314 - our own
        if node.attrib.get("stroke") == "none"
    }
    assert {"7", "8"} <= labels.keys()
    places = list(labels.values())
    for number, (x, y) in enumerate(places):
        assert all(abs(x - left) > 7.6 or abs(y - line) >= 16 for left, line in places[:number])


def test_a_curve_has_its_band_its_level_and_its_point() -> None:
    svg = curve_plot([1.0, 0.5], INTERVALS[:2], across="coverage", up="risk", title="t", asked=0.1, chosen=(0.5, 0.25))
    root = ET.fromstring(svg)  # noqa: S314 - our own
    assert len((root.find("polygon").attrib["points"]).split()) == 4  # type: ignore[union-attr]
    assert len((root.find("polyline").attrib["points"]).split()) == 2  # type: ignore[union-attr]
    assert len(circles(svg)) == 1
    assert "stroke-dasharray" in svg
