"""What was asked of real documents: questions find their sections, and what answers stands where they say."""

import json
from pathlib import Path

import pytest

from training.asked import ASKED, QUESTIONS, read_asked
from training.examples import json_rows
from training.reading_sets import context_key
from training.written_groups import sentence_groups

DOCUMENTS = Path(__file__).parents[3] / "shared" / "benchmarks" / "headings" / "documents"
LEAVE = "Staff get 25 days. Ask your lead two weeks before. Unused days expire in March."
TRAVEL = "Book by train. Flights need a director's consent."
POLICY = f"# Handbook\n\n## Leave\n\n{LEAVE}\n\n## Travel\n\n{TRAVEL}\n"
ITEMS = [
    ["q", "How many days off do I have?", [[10, 17]]],
    ["q", "When do I ask, and until when can I take them?", [[33, 49], [70, 78]]],
    ["n", "Can I sell days?", []],
]


@pytest.fixture
def asked(tmp_path):
    (tmp_path / "policy.md").write_text(POLICY, encoding="utf-8")

    def read(passage=LEAVE):
        row = {"document": "policy.md", "section": context_key(passage), "items": ITEMS}
        (tmp_path / "asked.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
        return read_asked(tmp_path, tmp_path / "asked.jsonl")

    return read


def test_questions_stand_with_their_section_and_their_answers(asked):
    leave = next(section for section in asked() if section.items)
    assert (leave.organisation, leave.source, leave.passage) == ("policy.md", ASKED, LEAVE)
    assert leave.titles == "Handbook > Leave"
    first, second, silent = leave.items
    assert [leave.passage[slice(*quote)] for quote in first.quotes] == ["25 days"]
    assert [leave.passage[slice(*quote)] for quote in second.quotes] == ["two weeks before", "in March"]
    assert (silent.kind, silent.quote) == ("n", None)


def test_sections_that_nobody_asked_about_are_there_to_be_told_from(asked):
    assert [section.passage for section in asked() if not section.items][-1] == TRAVEL


def test_each_half_of_an_answer_stands_against_what_does_not_answer(asked, by_letters):
    groups = {group.text: group for group in sentence_groups(asked(), 1, by_letters)}
    both = groups["When do I ask, and until when can I take them?"]
    assert both.source == "asked sentences"
    assert [pair.passage.split(": ")[1] for pair in both.pairs if pair.answerable] == [
        "Ask your lead two weeks before.",
        "Unused days expire in March.",
    ]
    assert {pair.passage.split(": ")[1] for pair in both.pairs if not pair.answerable} == {
        "Staff get 25 days.",
        "Book by train.",
        "Flights need a director's consent.",
    }
    assert not any(pair.answerable for pair in groups["Can I sell days?"].pairs)


def test_a_section_that_is_not_there_is_told(asked):
    with pytest.raises(ValueError, match=r"sections that .*policy\.md does not have"):
        asked("Another text.")


def test_what_was_asked_is_in_form():
    for row in json_rows(QUESTIONS):
        for kind, text, quotes in row["items"]:
            assert (kind == "q") is bool(quotes)
            assert text.strip()
            assert all(0 <= start < end for start, end in quotes)


@pytest.mark.benchmark_data
@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"{DOCUMENTS} is absent")
def test_every_question_finds_its_section_and_its_words():
    rows = list(json_rows(QUESTIONS))
    sections = read_asked(DOCUMENTS)
    assert sum(len(section.items) for section in sections) == sum(len(row["items"]) for row in rows)
    for section in sections:
        for item in section.items:
            assert all(section.passage[start:end].split() for start, end in item.quotes)
            assert all(end <= len(section.passage) for _, end in item.quotes)
