"""Texts read with the names that a question uses."""

import pytest

from policy_rag.answering.extraction.other_names import named_as_asked

TEXTS = [
    '- "PEP" means a politically exposed person, and includes relatives.',
    "The Data Protection Officer (DPO) advises. Ask the DPO first.",
    "Paid leave, also known as time off, ends.",
]


@pytest.mark.parametrize(
    ("question", "text", "read"),
    [
        ("Who takes on a politically exposed person?", "A PEP is approved.", "A politically exposed person is approved."),
        ("Are politically exposed persons taken?", "Any PEP is.", "Any politically exposed persons is."),
        ("What is a PEP?", "Each politically exposed person is listed.", "Each PEP is listed."),
        ("Who is the data protection officer?", "Write to the DPO.", "Write to the data protection officer."),
        ("How long is time off?", "Paid leave ends.", "time off ends."),
        ("Is paid leave long?", "Ask for time off.", "Ask for paid leave."),
        # nothing to put in place of
        ("Is a PEP a politically exposed person?", "A PEP is one.", "A PEP is one."),
        ("Who takes on a person?", "A PEP is approved.", "A PEP is approved."),
        ("Who takes on a politically exposed person?", "The PEPSI is cold.", "The PEPSI is cold."),
        ("Who is the officer?", "Write to the DPO.", "Write to the DPO."),
        ("Who is the CFO?", "The PEP asks the DPO.", "The PEP asks the DPO."),
    ],
)  # fmt: skip
def test_a_text_is_read_with_the_names_of_the_question(question: str, text: str, read: str) -> None:
    assert named_as_asked(question, TEXTS)(text).casefold() == read.casefold()


def test_names_are_those_that_the_texts_give() -> None:
    assert named_as_asked("Who takes on a politically exposed person?", [])("A PEP is.") == "A PEP is."
