"""What is quoted word for word is borne out; a part of a sentence, another number or another mark is not a quotation."""

from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_dataset import WordHashes

from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.judges.judge_cases import Case
from policy_rag_eval.judges.support_overlap import SupportOverlap
from policy_rag_eval.judges.verbatim import Wording
from policy_rag_parsers.loaders import load

DOCUMENTS = Path(__file__).resolve().parents[3] / "eval" / "datasets" / "brannholt" / "documents"

# Answers as `policy-rag ask --llm extractive` gives them on the sample company's policies, and the file of each.
UPDATES = """6.1 Security updates are installed within these times, counted from publication:

Severity (CVSS) | Office IT and PulseLine | Production IT
Critical (9.0 and above) | 72 hours | 14 days, or isolation
High (7.0 to 8.9) | 14 days | next maintenance window, at most 60 days
Medium and low | 60 days | next maintenance window [1]"""
MEALS = """4.4 Working meals. Food for internal meetings is paid only if the meeting
lasts longer than five hours or takes place between 18:00 and 7:00, up to
EUR 15 a person. [1]"""
LONG_MEETINGS = " only if the meeting\nlasts longer than five hours or takes place"
USES = """The following uses are prohibited at Brannholt and cannot be approved by anyone, the Management Board included:

(a) inferring the emotions of employees, applicants or visitors from face, voice or typing behaviour; [1]"""
CLASSES = """| Class | Examples | Approved by | Time limit for the decision |
| --- | --- | --- | --- |
| A – high | sorting of job applications; predictions that trigger an automatic shutdown at a customer; anything that \
concerns children or health | Committee, with the Management Board's consent | 30 working days | [1]"""


@cache
def context(words: str) -> str:
    """The text of the one document of the sample company that has these words."""
    files = [file for file in sorted(DOCUMENTS.iterdir()) if file.name != "policies.yaml"]
    (found,) = [text for file in files if words in (text := load(file).text)]
    return found


def label(answer: str, text: str) -> tuple[str, float | None]:
    judge = SupportOverlap(WordHashes())
    verdict = judge.judge(Case("1", "What does the policy say?", answer, contexts=(text,)))
    return verdict.label, verdict.score


@pytest.mark.parametrize(
    ("answer", "of", "changed"),
    [
        (UPDATES, "Severity (CVSS)", ("72 hours", "24 hours")),
        (UPDATES, "Severity (CVSS)", ("6.1 Security", "6.7 Security")),
        (MEALS, "4.4 Working meals.", ("EUR 15", "EUR 50")),
        (MEALS, "4.4 Working meals.", (LONG_MEETINGS, ". It takes place")),
        (USES, "inferring the emotions", ("cannot be approved", "can be approved")),
        (CLASSES, "Time limit for the decision", ("30 working days", "10 working days")),
    ],
)
def test_quoted_answers_of_the_sample_company_are_borne_out_until_they_are_changed(
    answer: str, of: str, changed: tuple[str, str]
) -> None:
    text = context(of)
    assert label(answer, text) == ("supported", 1.0)
    other = answer.replace(*changed)
    assert other != answer
    assert label(other, text)[0] == "unsupported"


def test_every_sentence_item_and_row_of_the_sample_companys_gold_bears_itself_out() -> None:
    texts = {passage.text for passage in read_dataset("brannholt").passages if passage.text.strip()}
    assert len(texts) > 100
    judge = SupportOverlap(WordHashes())
    for text in sorted(texts):
        verdict = judge.judge(Case("1", "What does the policy say?", text, contexts=(text,), refused=False))
        assert verdict.score == 1.0, (text, verdict)


def test_a_number_is_the_units_own_and_what_is_left_out_counts() -> None:
    said = Wording.of(
        ["6.1 Claims are due in 30 days.", "(a) hotels", "- meals", "| --- | --- |", "No rewards are paid."]
    )
    for held in (
        "6.1 Claims are due in 30 days.",
        "Claims are due in 30 days.",
        "Claims are due in 30 days. (a) hotels\n* meals",
        "claims are due in 30 days\nhotels meals",
        "No rewards are paid.",
    ):
        assert said.holds(held), held
    for other in (
        "6.2 Claims are due in 30 days.",
        "Claims are due.",
        "are due in 30 days.",
        "(b) hotels",
        "(a) hotels (a) meals",
        "Claims are due in 30 days. meals",  # hotels are left out between them
        "rewards are paid.",
        "",
    ):
        assert not said.holds(other), other


@given(st.lists(st.text(st.sampled_from("ab 1.|-"), max_size=8), max_size=6), st.data())
def test_any_run_of_units_is_held(units: list[str], data: st.DataObject) -> None:
    said = Wording.of(units)
    first = data.draw(st.integers(0, len(units)))
    end = data.draw(st.integers(first, len(units)))
    run = "\n".join(units[first:end])
    assert said.holds(run) is any(character.isalnum() for character in run)
