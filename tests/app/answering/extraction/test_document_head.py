"""What a document says of itself: who answers for it, and which document a question names."""

import pytest

from policy_rag.answering.extraction.document_head import asks_responsible, is_named, says_responsible


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("Who is responsible for the travel policy?", True),
        ("Who approved the travel policy?", True),
        ("Wer ist für die Richtlinie Reisen verantwortlich?", True),
        ("Who approves trips under the travel policy?", False),
        ("When was the travel policy approved?", False),
        ("Who is responsible for travel?", False),
    ],
)
def test_only_who_answers_for_a_document_is_asked(question: str, asks: bool) -> None:
    assert asks_responsible(question, ["Travel and Expenses Policy", "Richtlinie Reisen"]) is asks


def test_a_head_names_who_answers_for_a_document_in_either_language() -> None:
    assert says_responsible("**Document owner:** Head of Finance")
    assert says_responsible("Verantwortlich: Dr. Petri")
    assert not says_responsible("Second class is the standard.")


def test_a_document_is_named_by_a_telling_word_of_its_title() -> None:
    assert is_named("Who owns the travel policy?", "Travel and Expenses Policy")
    assert not is_named("Who owns the travel policy?", "Procurement Policy")
