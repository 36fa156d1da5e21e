"""Configurations served by share of users: who gets which, and what of it is taken down."""

from dataclasses import replace

import pytest

from policy_rag.errors import UsageError
from policy_rag.server.asking import QuestionRequest, ask
from policy_rag.server.callers import Caller
from policy_rag.server.experiments import Experiment, Variant, read_experiment
from policy_rag.settings import Settings

LEAVE = "How many days of annual leave are there?"
TWO = Experiment("strict", (Variant("strict", "as it is", 1, {}), Variant("strict", "refusing", 1, {"threshold": 1.0})))


def test_shares_are_kept_and_the_same_user_is_always_served_the_same():
    experiment = Experiment("one", (Variant("one", "a", 1, {}), Variant("one", "b", 3, {})))
    served = [experiment.variant_of(f"user {number}").name for number in range(10_000)]
    assert served == [experiment.variant_of(f"user {number}").name for number in range(10_000)]
    # 3/4 of 10,000 drawn by a fair hash: four standard errors of 43.3 either side.
    assert 7327 < served.count("b") < 7673
    other = Experiment("two", experiment.variants)
    moved = sum(other.variant_of(f"user {number}").name != name for number, name in enumerate(served))
    # Drawn anew: 2 * 3/4 * 1/4 of them change sides, four standard errors of 48.4.
    assert 3556 < moved < 3944


def test_the_hash_does_not_hang_on_the_process():
    # sha256 of "strict", a zero byte and the name, its first 8 bytes as a share of 2^64: 0.278 and 0.927.
    assert [TWO.variant_of(name).name for name in ("ann", "bob")] == ["as it is", "refusing"]


@pytest.fixture
def service(app_of, options):
    return app_of(replace(options, experiment=TWO)).state.service


def test_each_is_answered_by_its_configuration_and_that_is_taken_down(service):
    outcomes = {}
    for number in range(8):
        caller = Caller(f"user {number}")
        outcomes.setdefault(TWO.variant_of(caller.name).name, set()).add(
            ask(service, caller, QuestionRequest(text=LEAVE)).answer.answered
        )
    assert outcomes == {"as it is": {True}, "refusing": {False}}
    served = service.questions.served()
    assert len(served) == 8
    assert {(one.experiment, one.variant, one.outcome == "refused") for one in served} == {
        ("strict", "as it is", False),
        ("strict", "refusing", True),
    }
    assert b'variant="refusing"' in service.watch.metrics.text()


def test_who_asks_for_settings_is_no_part_of_it(service):
    refused = next(name for name in map(str, range(99)) if TWO.variant_of(name).name == "refusing")
    assert ask(service, Caller(refused), QuestionRequest(text=LEAVE, changes={"top_k": 5})).answer.answered
    assert service.questions.served("strict") == ()


def test_an_experiment_is_a_file(tmp_path):
    path = tmp_path / "experiment.yaml"
    path.write_text("name: one\nvariants:\n  a: {share: 0.9}\n  b: {share: 0.1, settings: {reranker: none}}\n")
    assert read_experiment(path, Settings()) == Experiment(
        "one", (Variant("one", "a", 0.9, {}), Variant("one", "b", 0.1, {"reranker": "none"}))
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "is no experiment"),
        ("[1", "is no experiment"),
        ("name: one\nvariants: {a: {}}\n", "variants"),
        ("name: one\nvariants: {a: {}, b: {share: 0}}\n", "share"),
        ("name: one\nvariants: {a: {}, b: {groups: [hr]}}\n", "groups"),
        ("name: one\nvariants: {a: {}, b: {settings: {rerank: none}}}\n", "did you mean reranker"),
        ("name: one\nvariants: {a: {}, b: {settings: {chunk_tokens: 64}}}\n", "chunk_tokens shapes no search"),
        ("name: one\nvariants: {a: {}, b: {settings: {top_k: 0}}}\n", "top_k"),
    ],
)
def test_what_is_none_is_said_before_anything_is_served(tmp_path, text, said):
    path = tmp_path / "experiment.yaml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UsageError, match=said) as raised:
        read_experiment(path, Settings())
    assert "\n" not in str(raised.value)
