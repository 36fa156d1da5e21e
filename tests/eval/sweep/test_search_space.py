"""What `eval tune` may choose from, and how a file says so."""

from pathlib import Path

import optuna
import pytest

from policy_rag.errors import UsageError
from policy_rag.settings import load_settings
from policy_rag_eval.sweep.search_space import DEFAULT_SPACE, Choices, Range, read_space


def read(tmp_path: Path, text: str):
    (tmp_path / "space.yaml").write_text(text)
    return read_space(tmp_path / "space.yaml")


def test_lists_and_ranges(tmp_path):
    space = read(
        tmp_path,
        "search: [vector, or]\nvector_weight: {low: 0, high: 1.0, step: 0.25}\n"
        "candidates: {low: 10, high: 40, step: 10}\nbm25_k1: {low: 0.1, high: 3.0, log: true}\n",
    )
    assert space == {
        "search": Choices(("vector", "or")),
        "vector_weight": Range(0, 1.0, 0.25),
        "candidates": Range(10, 40, 10, whole=True),
        "bm25_k1": Range(0.1, 3.0, log=True),
    }


def test_a_range_gives_what_lies_on_its_steps_and_nothing_else():
    study = optuna.create_study(sampler=optuna.samplers.RandomSampler(seed=1))
    trials = [study.ask() for _ in range(60)]
    assert {Range(0, 1.0, 0.25).suggest(t, "w") for t in trials} == {0.0, 0.25, 0.5, 0.75, 1.0}
    assert {Range(10, 40, 10, whole=True).suggest(t, "n") for t in trials} == {10, 20, 30, 40}
    assert all(0.1 <= Range(0.1, 3.0, log=True).suggest(t, "k") <= 3.0 for t in trials)
    assert {Choices((None, 3, "x")).suggest(t, "c") for t in trials} == {None, 3, "x"}


@pytest.mark.parametrize("name", DEFAULT_SPACE)
def test_the_default_space_holds_values_that_settings_take(name):
    dimension = DEFAULT_SPACE[name]
    values = dimension.values if isinstance(dimension, Choices) else (dimension.low, dimension.high)
    assert [load_settings({name: value}).value(name) for value in values] == list(values)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("[1]", "is empty"),
        ("a: [", "cannot be read as YAML"),
        ("serach: [or]", "names serach, which is no setting"),
        ("search: or", "needs a list of values for search"),
        ("search: []", "needs a list of values for search"),
        ("search: [or, or]", "gives a value of search twice"),
        ("candidates: {low: 1}", "needs a list of values for candidates"),
        ("candidates: {low: 5, high: 5}", "must rise"),
        ("candidates: {low: 1, high: 5, step: 0}", "must rise"),
        ("bm25_k1: {low: 0, high: 5, log: true}", "must rise"),
        ("bm25_k1: {low: a, high: 5}", "must be of numbers"),
        ("bm25_k1: {low: true, high: 5}", "must be of numbers"),
    ],
)
def test_what_a_space_cannot_say(tmp_path, text, said):
    with pytest.raises(UsageError, match=said):
        read(tmp_path, text)
    with pytest.raises(UsageError, match="there is no space"):
        read_space(tmp_path / "none.yaml")
