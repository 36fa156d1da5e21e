"""What a conversation is about: how it moves on, and what of it a follow-up leans on."""

import pytest

from policy_rag.answering.planning.condense import Condensed, condense_by_rules
from policy_rag.answering.planning.topic import Topic, without_replaced_modifiers

LEAVE = "How many days of annual leave do I get?"


@pytest.mark.parametrize(
    ("before", "question", "expected"),
    [
        ([LEAVE, "And sick pay?"], "How long?", "(sick pay days annual leave)"),
        ([LEAVE, "And sick pay?"], "And parental leave?", "(days)"),  # one in the place of the other
        ([LEAVE, "And for contractors?"], "What about for interns?", "(days annual leave)"),
        ([LEAVE, "And for contractors?"], "And in Germany?", "(contractors days annual leave)"),
        ([LEAVE, "How long?"], "Why?", "(days annual leave)"),  # what names nothing changes nothing
        ([LEAVE, "And parental leave?", "Who approves it?"], "How soon?", "(approves parental leave days)"),
        (["Who approves an order of GBP 300,000?", "and for 20,000?"], "why?", "(20,000 approves order GBP)"),
    ],
)
def test_a_follow_up_leans_on_the_last_that_named_something(before, question, expected):
    topic = Topic()
    for i, asked in enumerate(before):
        topic = topic.after(asked, follows=i > 0)
    assert condense_by_rules(question, topic.under(question)).question == f"{question} {expected}"


def test_a_question_that_follows_nothing_is_the_topic():
    assert Topic(LEAVE, "And sick pay?").after("Who approves hotels?", follows=False) == Topic("Who approves hotels?")
    assert condense_by_rules("Why?", "How long?") == Condensed("Why?", follows=False)  # there is nothing to put in


def test_a_topic_does_not_grow_without_end():
    topic = Topic("x" * 1500)
    for i in range(20):
        topic = topic.after(f"Is it number{i} {'y' * 500}?", follows=True)
    assert len(topic.under("Why?")) == 2000


@pytest.mark.parametrize(
    ("question", "topic", "left"),
    [
        ("And parental leave?", LEAVE, "How many days of leave do I get?"),
        ("And parental leave?", "Who approves annual leave?", "Who approves leave?"),
        ("And parental leave?", "Does annual leave lapse?", "Does leave lapse?"),
        ("And economy class flights?", "When is a business class flight paid?", "When is a class flight paid?"),
        ("Und der unbezahlte Urlaub?", "Wer genehmigt den bezahlten Urlaub?", "Wer genehmigt den Urlaub?"),
        ("Et les congés parentaux ?", "Qui approuve les congés annuels ?", "Qui approuve les congés ?"),
        ("¿Y las dietas extranjeras?", "¿Quién paga las dietas nacionales?", "¿Quién paga las dietas ?"),
        # What stands before the noun is a verb, or another's noun, or the follow-up has nothing of its own there.
        *(
            ("And parental leave?", topic, topic)
            for topic in ("Who approves leave?", "May I carry leave?", "May employees carry leave?", "Gifts, leave?")
        ),
        ("And who approves leave?", LEAVE, LEAVE),
        ("And may contractors take leave?", LEAVE, LEAVE),
        ("And the contractors' leave?", LEAVE, LEAVE),
        ("And leave for contractors?", LEAVE, LEAVE),
    ],
)
def test_the_word_before_a_noun_gives_way_to_another_and_a_verb_does_not(question, topic, left):
    assert " ".join(without_replaced_modifiers(question, topic).split()) == left
