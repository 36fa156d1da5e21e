"""Filters as they are typed, and who may see what."""

import datetime as dt
from dataclasses import replace

import pytest
from named_editions import info

from policy_rag.errors import UsageError
from policy_rag.retrieval.filters import Filter, Operator, known_keys, matching, parse_filter

LEAVE = info(1, "leave", "1.10", department="HR", level="2", topics=("holiday", "sickness"), reviewed="2025-06-30")
TRAVEL = info(2, "travel", "2", "2026-03-01", department="Finance", level="10")
BOTH = (LEAVE, TRAVEL)


def chosen(*filters):
    return [d.title for d in matching(BOTH, [parse_filter(f) for f in filters], known=known_keys(BOTH))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("department=HR", ["leave"]),
        ("department=hr,finance", ["leave", "travel"]),
        ("topics=sickness", ["leave"]),
        ("level>=3", ["travel"]),
        ("level<=2", ["leave"]),
        ("effective_from>=2026-01-01", ["travel"]),
        ("effective_from<=2026-02-28", []),
        ("effective_from>=2026", ["travel"]),
        ("effective_from>=2026-04", []),
        ("effective_from<=2026-03", ["travel"]),
        ("effective_from<=2025", []),
        ("effective_from=2026-03", ["travel"]),
        ("effective_from=2026-02,2026-03-02", []),
        ("reviewed>=2025-06", ["leave"]),
        ("reviewed<=31.12.2024", []),  # as text it would come first
        ("doc_id=doc2", ["travel"]),
        ("version>=1.9", ["leave", "travel"]),
        ("version<=1.9", []),
        ("version>=2", ["travel"]),
        ("version<=v2.0", ["leave", "travel"]),
        ("version=1.10", ["leave"]),
        ("version=v2.0", ["travel"]),
        ("version=2 draft", []),
        ("department>=3", []),
        ("department=Legal", []),
    ],
)
def test_a_filter_keeps_what_it_names(text, expected):
    assert chosen(text) == expected


def test_all_filters_must_hold():
    assert chosen("department=HR,Finance", "level>=3") == ["travel"]


def test_values_may_hold_blanks_and_equal_signs():
    assert parse_filter(" owner = Head of HR ") == Filter("owner", Operator.EQUAL, ("Head of HR",))
    assert parse_filter("formula=a=b") == Filter("formula", Operator.EQUAL, ("a=b",))


@pytest.mark.parametrize(
    "text",
    ["department", "=HR", "department=", "department=,", ">=3", "", "department!HR", "department!=HR", "level=>3"],
)
def test_what_is_no_filter_is_refused_with_the_forms(text):
    with pytest.raises(UsageError, match="KEY="):
        parse_filter(text)


def test_an_unknown_key_is_answered_with_those_there_are():
    with pytest.raises(UsageError, match=r"no document has 'departement'.*department.*topics"):
        chosen("departement=HR")


@pytest.mark.parametrize("bound", ["31.12.2024", "2026-02-31", "2026-13", "soon"])
@pytest.mark.parametrize("comparison", ["<=", ">=", "="])
def test_a_day_is_compared_with_a_day_only(comparison, bound):
    with pytest.raises(UsageError, match="write it as 2026-01-31"):
        chosen(f"effective_from{comparison}{bound}")


def test_access_is_open_without_groups_and_else_by_any_of_them():
    board = replace(info(3, "board"), access=("board", "legal"))
    assert LEAVE.open_to(())
    assert LEAVE.open_to(("hr",))
    assert not board.open_to(())
    assert not board.open_to(("hr",))
    assert board.open_to(("hr", "legal"))


@pytest.mark.parametrize(
    ("day", "holds"),
    [("2025-12-31", False), ("2026-01-01", True), ("2026-06-30", True), ("2026-07-01", False)],
)
def test_both_ends_of_a_period_count(day, holds):
    assert info(3, "x", None, "2026-01-01", "2026-06-30").in_force(dt.date.fromisoformat(day)) is holds


def test_the_day_of_a_successor_no_longer_counts():
    old = replace(info(3, "x"), superseded_from=dt.date(2026, 7, 1))
    assert old.in_force(dt.date(2026, 6, 30))
    assert not old.in_force(dt.date(2026, 7, 1))
