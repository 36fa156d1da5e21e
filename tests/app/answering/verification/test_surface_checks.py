"""Quotations, modals, negations and acronyms in a sentence."""

import pytest

from policy_rag.answering.verification.surface_checks import (
    is_verbatim,
    modals,
    negated_and_plain,
    quotations,
    unknown_acronyms,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('It says "in writing" twice: "in writing".', ["in writing", "in writing"]),
        ("Es heißt „schriftlich“ und «sofort».", ["schriftlich", "sofort"]),
        ("It says ‘the employee’s manager’ decides.", ["the employee’s manager"]),
        ("The employee's and the company's rules", []),
    ],
)
def test_quotations_are_found_in_every_kind_of_marks(text: str, expected: list[str]) -> None:
    assert quotations(text) == expected


@pytest.mark.parametrize(
    ("quotation", "verbatim"),
    [
        ("must be approved in writing", True),
        ("Must be approved in writing.", True),
        ("must be\napproved  in writing", True),
        ("the employee's manager", True),
        ("Travel ... approved in writing", True),
        ("approved in writing [...] Travel", False),
        ("must be approved in writing by email", False),
        ("must be approved verbally", False),
    ],
)
def test_a_quotation_is_verbatim_up_to_looks(quotation: str, verbatim: bool) -> None:
    source = "Travel must be\u00a0approved in wri\u00adting by the employee’s manager."
    assert is_verbatim(quotation, ["Nothing.", source]) is verbatim


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Staff must lock screens.", {"obligation": {"lock"}}),
        ("Approval is required.", {"obligation": set()}),
        ("Staff mustn’t share keys.", {"prohibition": {"share"}}),
        ("No visitor may enter the archive.", {"prohibition": {"enter"}}),
        ("You don't have to pay.", {"exemption": {"pay"}}),
        ("Dogs aren't allowed.", {"prohibition": set()}),
        ("You need not ask, and are not required to report.", {"exemption": {"ask", "report"}}),
        ("Staff can work abroad, but should ask.", {"permission": {"work"}, "advice": {"ask"}}),
        ("It starts on 1 May and in May 2024.", {}),
        (
            "Mitarbeitende dürfen Daten nicht kopieren und müssen sie löschen.",
            {"prohibition": None, "obligation": None},
        ),
    ],
)
def test_modals_are_told_apart(text: str, expected: dict[str, set[str] | None]) -> None:
    found = modals(text)
    assert found.keys() == expected.keys()
    for kind, heads in expected.items():
        assert heads is None or set(found[kind]) == heads


def test_negation_reaches_the_next_content_word_of_its_clause() -> None:
    negated, plain = negated_and_plain("Staff must not share keys; they may share rooms, no later than today.")
    assert dict(negated) == {"share": 1}
    assert plain["share"] == 1
    assert plain["today"] == 1
    negated, plain = negated_and_plain("Sharing of keys is prohibited, lending is fine.")
    assert set(negated) == {"share", "key"}
    assert "lend" in plain


def test_acronyms_must_occur_or_be_initials() -> None:
    source = ["The Data Protection Officer reports to the CEO."]
    assert unknown_acronyms("The DPO and the CEO", source) == []
    assert unknown_acronyms("The CFO, the CISO and the CFO", source) == ["CFO", "CISO"]
