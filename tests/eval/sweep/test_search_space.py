"""What `eval tune` may choose from, and how a file says so."""

from pathlib import Path

import pytest
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.settings import load_settings
from policy_rag_eval.sweep.search_space import DEFAULT_SPACE, does_something, ends, in_order, read_space


def read(tmp_path: Path, text: str):
    (tmp_path / "space.yaml").write_text(text)
    return read_space([str(tmp_path / "space.yaml")])


def test_lists_and_ranges(tmp_path):
    space = read(
        tmp_path,
        "search: [vector, or]\nvector_weight: {low: 0, high: 1.0, step: 0.25}\n"
        "candidates: {low: 10, high: 40, step: 10}\nbm25_k1: {low: 0.1, high: 3.0, log: true}\n",
    )
    assert space == {
        "search": CategoricalDistribution(("vector", "or")),
        "vector_weight": FloatDistribution(0, 1.0, step=0.25),
        "candidates": IntDistribution(10, 40, step=10),
        "bm25_k1": FloatDistribution(0.1, 3.0, log=True),
    }


@pytest.mark.parametrize("name", DEFAULT_SPACE)
def test_the_default_space_holds_values_that_settings_take(name):
    values = ends(read_space(())[name])
    assert [load_settings({name: value}).value(name) for value in values] == list(values)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("[1]", "is empty"),
        ("a: [", "cannot be read as YAML"),
        ("serach: [or]", "no setting serach: did you mean search"),
        ("search: or", "needs a list of values for search"),
        ("search: []", "values of search cannot be searched"),
        ("search: [or, or]", "gives a value of search twice"),
        ("candidates: {low: 1}", "needs a list of values for candidates"),
        ("candidates: {low: 6, high: 5}", "values of candidates cannot be searched"),
        ("candidates: {low: 1, high: 5, step: 0}", "cannot be searched"),
        ("bm25_k1: {low: 0, high: 5, log: true}", "cannot be searched"),
        ("bm25_k1: {low: a, high: 5}", "cannot be searched"),
        ("candidates: {low: 0, high: 5, step: 2}", "cannot be searched"),
    ],
)
def test_what_a_space_cannot_say(tmp_path, text, said):
    with pytest.raises(PolicyRagError, match=said):
        read(tmp_path, text)
    with pytest.raises(UsageError, match="there is no space"):
        read_space([str(tmp_path / "none.yaml")])


def test_a_space_as_it_is_typed(tmp_path):
    (tmp_path / "space.yaml").write_text("candidates: {low: 10, high: 40, step: 10}\n")
    space = read_space(["search=vector,or", str(tmp_path / "space.yaml")])
    assert space == {
        "search": CategoricalDistribution(("vector", "or")),
        "candidates": IntDistribution(10, 40, step=10),
    }
    with pytest.raises(UsageError, match="two --grid give search"):
        read_space(["search=vector,or", "search=and,rrf"])


@pytest.mark.parametrize(
    ("name", "does", "does_not"),
    [
        ("vector_weight", {"search": "weighted"}, {"search": "rrf"}),
        ("bm25_k1", {"search": "keyword"}, {"search": "vector"}),
        ("pair_weight", {"search": "or"}, {"search": "vector"}),
        ("reranker_backend", {"reranker": "policy-rag-reader"}, {"reranker": "none"}),
        ("chunk_overlap", {"chunker": "sentence"}, {"chunker": "section"}),
    ],
)
def test_what_a_setting_s_use_hangs_on(name, does, does_not):
    assert does_something(name, load_settings(does))
    assert not does_something(name, load_settings(does_not))
    assert does_something("candidates", load_settings(does_not))


def test_what_switches_others_off_is_chosen_first():
    assert in_order(read_space(["bm25_k1=0.6,0.9", "search=vector,or", "top_k=3,5"])) == ("search", "bm25_k1", "top_k")
