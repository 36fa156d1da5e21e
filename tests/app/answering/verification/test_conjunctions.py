"""And for or, all for one: caught where it changes a rule, and let be where it does not."""

import pytest

from policy_rag.answering.verification.conjunctions import other_joint, other_list_joint

SOURCES = [
    "Access takes a managed laptop and a token.",
    "Staff may travel by train or bus.",
    "Pets must not be brought into the lab or the kitchen.",
    "One of the following proves identity: a passport or a licence.",
    "Der Zutritt erfordert einen Ausweis und einen Schlüssel.",
]


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("Access takes a managed laptop or a token.", 'says "or" where what it cites says "and"'),
        ("For access either a token or a laptop is needed.", 'says "or" where what it cites says "and"'),
        ("All of the following prove identity: a passport or a licence.", 'says "all" where what it cites says "one"'),
    ],
)
def test_a_joint_that_changes_a_rule_is_caught(statement: str, reason: str) -> None:
    found = [other_joint(statement, [source], "english") for source in SOURCES]
    assert [one for one in found if one] == [f"it {reason}"]


def test_german_joints_are_read() -> None:
    source = [SOURCES[-1]]
    assert other_joint("Der Zutritt erfordert einen Ausweis oder einen Schlüssel.", source, "german") != ""
    assert other_joint("Ein Ausweis und ein Schlüssel sind für den Zutritt nötig.", source, "german") == ""


@pytest.mark.parametrize(
    "statement",
    [
        "Access takes both a managed laptop and a token.",
        "Staff may travel by train and bus.",  # permitted freely: the same
        "Pets must not be brought into the lab and the kitchen.",  # denied: the same
        "A passport or a licence proves identity.",
    ],
)
def test_what_means_the_same_is_let_be(statement: str) -> None:
    assert other_joint(statement, SOURCES[:-1], "english") == ""


ITEMS = [
    "(a) a large contribution to the design;",
    "(b) writing or revising the work; and",
    "(c) final approval of the text.",
]


@pytest.mark.parametrize(
    ("statement", "caught"),
    [
        ("It takes a large contribution or final approval of the text.", True),
        ("It takes a large contribution and final approval of the text.", False),
        ("It takes writing or revising the work.", False),  # within one item
        ("It takes no large contribution or final approval.", False),  # denied: the same
        ("It takes money or final approval of the text.", False),
    ],
)
def test_items_are_joined_as_in_their_list(statement: str, caught: bool) -> None:
    assert (other_list_joint(statement, ITEMS, "english") != "") is caught


def test_a_list_without_a_joint_tells_nothing() -> None:
    items = ["- a large contribution;", "- final approval of the text."]
    assert other_list_joint("It takes a large contribution or final approval.", items, "english") == ""
    assert other_list_joint("It takes a large contribution or final approval.", [], "english") == ""
