"""The picture of retrieval against answers: every configuration is named, and no name covers another or a mark."""

import dataclasses
import struct
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policy_rag_eval.answers import scatter
from policy_rag_eval.answers.label_placement import Box, placed
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.answers.scatter import scatter_plot
from policy_rag_eval.answers.scoring import AnswerEvaluation, Loss
from policy_rag_eval.statistics.intervals import Interval

FRAME = Box(0, 0, 400, 300)


def around(x: float, y: float, half: float = 4.0) -> Box:
    return Box(x - half, y - half, x + half, y + half)


def test_a_lone_label_stands_to_the_right_and_above() -> None:
    (box,) = placed([(100, 100)], [(40, 10)], within=FRAME, marks=[around(100, 100)])
    assert box is not None
    assert box.left > 100
    assert box.bottom > 100
    assert box.right - box.left == pytest.approx(40)


def test_a_label_at_the_edge_turns_inwards_and_one_without_a_place_is_told() -> None:
    (box,) = placed([(398, 298)], [(40, 10)], within=FRAME, marks=[])
    assert box is not None
    assert FRAME.holds(box)
    assert placed([(10, 10)], [(500, 10)], within=FRAME, marks=[]) == (None,)


def test_a_line_is_gone_round_where_that_is_near() -> None:
    (crossed,) = placed([(100, 100)], [(40, 10)], within=FRAME, marks=[])
    assert crossed is not None
    (other,) = placed([(100, 100)], [(40, 10)], within=FRAME, marks=[], lines=[crossed])
    assert other is not None
    assert not other.overlaps(crossed)


spots = st.tuples(st.floats(0, 400), st.floats(0, 300))
sizes = st.tuples(st.floats(5, 120), st.floats(5, 30))


@given(st.lists(st.tuples(spots, sizes), max_size=12))
def test_no_label_covers_another_or_a_mark_or_the_edge(
    given_: list[tuple[tuple[float, float], tuple[float, float]]],
) -> None:
    points, wanted = [one for one, _ in given_], [one for _, one in given_]
    marks = [around(*point) for point in points]
    found = placed(points, wanted, within=FRAME, marks=marks)
    made = [box for box in found if box is not None]
    assert len(found) == len(points)
    assert all(FRAME.holds(box) for box in made)
    assert not any(first.overlaps(second) for first, second in combinations(made, 2))
    assert not any(box.overlaps(mark) for box in made for mark in marks)


def evaluation(name: str, x: float, y: float, llm: str = "extractive") -> AnswerEvaluation:
    def level(mean: float) -> Interval:
        return Interval(mean, max(0, mean - 0.06), min(1, mean + 0.06))

    loss = Loss("accepted_span", 100, level(y), level(0.966), level(0.0), level(0.966 - y), 0.034, None)
    return AnswerEvaluation(name, llm, (), level(x), {}, loss, {}, {})


def close(count: int) -> list[AnswerEvaluation]:
    """Configurations that lie within a hundredth of each other, every third of them equal to the one before."""
    places = [number - (number % 3 == 2) for number in range(count)]
    return [evaluation(f"search=weighted n={n}", 0.8 + at * 0.001, 0.7 + at % 4 * 0.003) for n, at in enumerate(places)]


@pytest.mark.parametrize("count", [3, 9, 18])
def test_every_configuration_is_told_and_no_label_covers_another(count: int) -> None:
    points = [
        scatter._Point(one.name, one.llm, one.recall, one.loss) for one in close(count) if one.recall and one.loss
    ]
    figure, whole = scatter._figure(points, "close", numbered=count > 9)
    assert whole
    axes = figure.axes[0]
    labels = [text for text in axes.texts if text.get_text()]
    told = [name for text in labels for name in text.get_text().replace("\n", ", ").split(", ")]
    names = [one.name for one in points]
    assert sorted(told) == sorted(names if count <= 9 else [str(n) for n in range(1, count + 1)])
    if count > 9:
        assert {text.get_text() for text in figure.axes[1].texts} >= set(names)
    boxes = [Box(*text.get_window_extent().extents) for text in labels]
    assert not any(first.overlaps(second) for first, second in combinations(boxes, 2))
    centres = [axes.transData.transform((one.recall.mean, one.loss.found.mean)) for one in points]
    assert not any(box.overlaps(around(float(centre[0]), float(centre[1]), 2)) for box in boxes for centre in centres)


def test_the_questions_told_are_those_that_the_losses_are_of() -> None:
    def run(*made: AnswerEvaluation) -> str:
        return AnswerRun("own", 128, ("accepted_span",), "accepted_span", made, {}, ()).scored

    few = evaluation("few", 0.5, 0.5)
    few = dataclasses.replace(few, loss=dataclasses.replace(few.loss, questions=90)) if few.loss else few
    assert run(evaluation("a", 0.5, 0.5)) == "100 of 128"
    assert run(evaluation("a", 0.5, 0.5), few) == "90 to 100 of 128"
    assert AnswerRun("own", 100, (), None, (evaluation("a", 0.5, 0.5),), {}, ()).scored == "100"


def size(png: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", png[16:24])
    return width, height


def test_many_or_crowded_names_are_numbered_beside_the_picture() -> None:
    plain = size(scatter_plot(close(3), title="few"))
    assert size(scatter_plot(close(10), title="many"))[0] > plain[0]
    corner = [evaluation(f"{'a long name of a configuration ' * 3}{n}", 0.99, 0.9 + n / 100) for n in range(8)]
    assert size(scatter_plot(corner, title="crowded"))[0] > plain[0]
    assert size(scatter_plot([], title="none")) == plain
    assert size(scatter_plot([evaluation("\N{CJK UNIFIED IDEOGRAPH-4E2D}", 0.5, 0.5)] * 2, title="letters")) == plain
