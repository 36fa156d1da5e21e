"""The plot of retrieval against answers: every configuration is numbered and named beside it."""

import dataclasses
import struct

import pytest

from policy_rag_eval.answers import scatter
from policy_rag_eval.answers.run import AnswerRun
from policy_rag_eval.answers.scatter import scatter_plot
from policy_rag_eval.answers.scoring import AnswerEvaluation, Loss
from policy_rag_eval.statistics.intervals import Interval


def evaluation(name: str, x: float, y: float, llm: str = "extractive") -> AnswerEvaluation:
    def level(mean: float) -> Interval:
        return Interval(mean, max(0, mean - 0.06), min(1, mean + 0.06))

    loss = Loss("accepted_span", 100, level(y), level(0.966), level(0.0), level(0.966 - y), 0.034, None)
    return AnswerEvaluation(name, llm, (), level(x), {}, loss, {}, {})


@pytest.mark.parametrize(("count", "numbers"), [(1, []), (3, ["1", "2, 3"]), (41, [])])
def test_points_are_numbered_and_those_at_one_place_share_a_label(count: int, numbers: list[str]) -> None:
    made = [evaluation(f"n={n}", 0.5 if n == 1 else 0.8, 0.7) for n in range(1, count + 1)]
    points = [scatter._Point(one.name, one.llm, one.recall, one.loss) for one in made if one.recall and one.loss]
    texts = [text.get_text() for text in scatter._figure(points, "t").axes[0].texts]
    assert texts == ([*numbers, "1  n=1\n2  n=2\n3  n=3"] if numbers else [])


def test_the_questions_shown_are_those_that_the_losses_are_of() -> None:
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


def test_the_plot_grows_with_its_names_and_draws_any_letters() -> None:
    plain = size(scatter_plot([], title="none"))
    assert size(scatter_plot([evaluation("one", 0.5, 0.5)], title="$one$")) == plain
    several = size(scatter_plot([evaluation("\N{CJK UNIFIED IDEOGRAPH-4E2D}", 0.5, 0.5)] * 2, title="letters"))
    assert (several[0] > plain[0], several[1]) == (True, plain[1])
    many = [evaluation(f"{'a long name of a configuration ' * 3}{n}", 0.9, 0.5) for n in range(20)]
    assert size(scatter_plot(many, title="many"))[1] > plain[1]
