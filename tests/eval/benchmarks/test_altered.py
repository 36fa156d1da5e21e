"""Falsehoods made from real policies are caught and true statements pass, alone and from a scripted LLM."""

import json
import re
from pathlib import Path

import pytest
from ollama_server import OllamaStandIn

from benchmarks.altered import StatementCase, StatementOrigin, check_cases, make_cases, passage_hit
from policy_rag.answering.generation.generator import generate
from policy_rag.llm.ollama import OllamaModel, OllamaServer

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
PASSAGE = (
    "5.2 Reports. If a loss is found by anybody on the premises, staff must report it to the desk within 5 days. "
    "The desk may not pass a report on without the consent of the person who made it, nor keep it for 90 months. "
    "Reports are kept in a locked cupboard in the office of the desk and are read by nobody else."
)


def passages(name: str) -> list[str]:
    corpus = BENCHMARKS / name / "corpus.jsonl"
    if not corpus.exists():
        pytest.skip(f"{corpus} is absent")
    return [json.loads(line)["text"] for line in corpus.read_text("utf-8").splitlines()]


def made(kind: StatementOrigin, seeds: int = 40) -> set[str]:
    cases = [case for seed in range(seeds) for case in make_cases([PASSAGE], passages=1, seed=seed)]
    return {case.statement for case in cases if case.kind is kind}


def test_each_kind_is_made_as_its_name_says() -> None:
    first = "If a loss is found by anybody on the premises, staff must report it to the desk within 5 days."
    second = (
        "The desk may not pass a report on without the consent of the person who made it, nor keep it for 90 months."
    )
    third = "Reports are kept in a locked cupboard in the office of the desk and are read by nobody else."
    own = made(StatementOrigin.OWN)
    assert {second, third} <= own
    assert made(StatementOrigin.BOUND_TURNED) == {first.replace("within", "no earlier than")}
    assert made(StatementOrigin.BOUND_REWORDED) == set()
    assert made(StatementOrigin.NOT_DROPPED) == {second.replace("may not", "may")}
    assert made(StatementOrigin.NOT_ADDED) >= {third.replace("are kept", "are not kept")}
    assert second.replace("may not", "must not") in made(StatementOrigin.MODAL_REWORDED)
    assert any(
        first.split(", ")[1].replace("5", "90") in statement for statement in made(StatementOrigin.NUMBER_SWAPPED)
    )
    assert all("notwithstanding" in statement for statement in made(StatementOrigin.NEARLY_QUOTED))
    assert all("97 months" in s or "12 days" in s for s in made(StatementOrigin.NUMBER_CHANGED))


def test_a_bound_is_turned_and_reworded_only_before_a_number() -> None:
    texts = [
        "Each desk is staffed by at least two people at all times, as the house rules of 1987 have laid down. " * 3
    ]
    texts += ["The desks are staffed more than ever, with at least a part of the people who work there by day. " * 3]
    cases = make_cases(texts, passages=0, seed=1)
    bounds = {
        case.kind: case.statement.split(" people")[0]
        for case in cases
        if case.kind in {StatementOrigin.BOUND_TURNED, StatementOrigin.BOUND_REWORDED}
    }
    assert bounds == {
        StatementOrigin.BOUND_TURNED: "Each desk is staffed by at most two",
        StatementOrigin.BOUND_REWORDED: "Each desk is staffed by no less than two",
    }


def test_a_role_and_a_subject_are_ones_that_the_passage_has_not() -> None:
    text = "The Desk Manager, who may be a dean, keeps the lost keys of the guests in a drawer for 30 days. " * 3
    kinds = {case.kind: case.statement for seed in range(9) for case in make_cases([text], passages=0, seed=seed)}
    role = re.fullmatch(r"The Desk (\w+), who may be a dean, keeps .*", kinds[StatementOrigin.ROLE_CHANGED])
    assert role
    assert role[1] in {"Ombudsman", "Dispatcher", "Pharmacist", "Registrar", "Inspector"}
    assert re.fullmatch(
        r"The (probation|parking|bicycle .*|cafeteria .*) is 30 days\.", kinds[StatementOrigin.SUBJECT_INVENTED]
    )
    known = text.replace("the guests", "probation, parking, bicycles, cafeterias")
    assert StatementOrigin.SUBJECT_INVENTED not in {case.kind for case in make_cases([known], passages=0, seed=1)}


def test_cases_repeat_with_the_seed_and_short_passages_give_none() -> None:
    assert make_cases([PASSAGE], passages=0, seed=3) == make_cases([PASSAGE], passages=0, seed=3)
    assert make_cases(["Too short."], passages=0, seed=3) == ()


def test_the_counts_are_of_what_was_removed() -> None:
    cases = (
        StatementCase(StatementOrigin.OWN, "Reports are kept in a locked cupboard in the office of the desk.", PASSAGE),
        StatementCase(StatementOrigin.OWN, "Reports are kept for 7 years.", PASSAGE),  # a false alarm, were it true
        StatementCase(StatementOrigin.NUMBER_CHANGED, "Staff must report it within 6 days.", PASSAGE),
        StatementCase(StatementOrigin.NOT_ADDED, "Reports are read by nobody else.", PASSAGE),  # would be missed
    )
    found = check_cases(cases)
    assert found["true"] == {
        "made": 2,
        "removed": 1,
        "share": 0.5,
        "kinds": {"own sentence": {"made": 2, "removed": 1}},
    }
    assert (found["false"]["made"], found["false"]["removed"]) == (2, 1)
    assert [one["statement"] for one in found["missed"]] == ["Reports are read by nobody else."]
    assert [one["statement"] for one in found["alarms"]] == ["Reports are kept for 7 years."]


@pytest.mark.benchmark_data
@pytest.mark.parametrize("name", ["obliqa", "policyqa"])
def test_all_falsehoods_are_caught_and_few_true_statements_are_removed(name: str) -> None:
    found = check_cases(make_cases(passages(name), passages=180, seed=5))
    assert found["missed"] == []
    assert found["false"]["made"] >= 250
    assert found["true"]["made"] >= 250
    assert found["true"]["share"] < 0.01
    paraphrases = [counts for kind, counts in found["true"]["kinds"].items() if kind != StatementOrigin.OWN]
    assert sum(counts["made"] for counts in paraphrases) >= 100
    assert sum(counts["removed"] for counts in paraphrases) < 0.05 * sum(counts["made"] for counts in paraphrases)


@pytest.mark.benchmark_data
def test_what_a_scripted_model_falsifies_never_reaches_the_answer(ollama: OllamaStandIn) -> None:
    model = OllamaModel("llama3.2", OllamaServer(ollama.url))
    cases = [case for name in ("obliqa", "policyqa") for case in make_cases(passages(name), passages=35, seed=11)]
    counts = {True: 0, False: 0}
    alarms = 0
    for case in cases:
        hit = passage_hit(case.passage)
        ollama.replies = [f"{case.statement[:-1]} [1]."]
        draft = generate("What applies?", [hit], model)
        counts[case.kind.true] += 1
        if case.kind.true:
            alarms += bool(draft.removed)
        else:
            assert draft.removed, case
        # With a section that was not given, what nearly copies the one that was is held against that.
        ollama.replies = [f"{case.statement[:-1]} [7]."]
        miscited = generate("What applies?", [hit], model)
        assert miscited.refused or (case.kind.true and all(one.quote in hit.text for one in miscited.citations)), case
    assert min(counts.values()) >= 100
    assert alarms < 0.05 * counts[True]
