"""Whether a statement obliges, permits, forbids and denies what its sources do."""

import pytest

from policy_rag.answering.verification.modality import wrong_stance

RIGHT = [
    # a plain sentence binds, whatever another one permits
    ("Requests must be answered within a month.", ["Requests are answered within a month.", "It may be longer."]),
    # what may be up to a limit must not be above it
    ("A van may carry up to 900 kg.", ["No van may carry more than the load on its plate.", "Load: 900 kg."]),
    ("The wait may be at most 5 hours.", ["The wait must not exceed 5 hours."]),
    # what is excepted is denied
    ("Dogs are allowed, but not in the lab.", ["Dogs are allowed, except in the lab."]),
    ("Bills are not paid without a stamp.", ["Bills are paid only with a stamp."]),
    ("Nothing is paid after 90 days.", ["Claims are paid within 30 days, and never after 90 days."]),
    ("The chair must agree.", ["A pilot may begin once the chair agrees."]),
    ("Groups of at least 8 may be studied.", ["Groups of fewer than 8 may not be studied."]),
    ("Whoever has no receipt gets 20 euros.", ["Without a receipt 20 euros are paid."]),
    ("Bids must be opened by two officers.", ["Bids are opened by two officers, neither of whom may bid."]),
    ("Visitors must not enter the lab.", ["No visitor may enter the lab."]),
    ("The lab may not be entered by visitors.", ["No visitor may enter the lab."]),
]
WRONG = [
    ("Requests must be answered.", ["Requests may be answered."], "it states an obligation"),
    ("A van may carry 900 kg or more.", ["No van may carry more than 900 kg."], "it states a permission"),
    ("Dogs are not allowed.", ["Dogs are allowed, except in the lab."], 'it negates "dog"|it states a prohibition'),
    ("The chair must agree.", ["A pilot may begin, and the chair may agree."], "it states an obligation"),
    ("Visitors enter the lab.", ["No visitor may enter the lab."], "negates"),
]


@pytest.mark.parametrize(("statement", "prose"), RIGHT)
def test_the_same_in_other_words_is_not_wrong(statement: str, prose: list[str]) -> None:
    assert wrong_stance(statement, prose, [], "english") == ""


@pytest.mark.parametrize(("statement", "prose", "reason"), WRONG)
def test_the_opposite_is_wrong(statement: str, prose: list[str], reason: str) -> None:
    found = wrong_stance(statement, prose, [], "english")
    assert any(part in found for part in reason.split("|")), found


def test_a_no_in_a_table_denies_what_the_statement_denies_in_its_clause() -> None:
    row = "Ward clerk; Revenue: 500 euros; no Capital"
    assert wrong_stance("A ward clerk may not commit any capital.", [], [row], "english") == ""
    assert 'negates "capit"' in wrong_stance("A ward clerk commits capital.", [], [row], "english")
    row = "Reporter; Meaning: any office that is not a non-reporting office"
    assert "negates" in wrong_stance("A reporter is any office that is a non-reporting office.", [], [row], "english")
