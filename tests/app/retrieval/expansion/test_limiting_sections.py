"""A rule comes with the exception that another section makes to it, and an exception with its rule."""

import datetime as dt
from functools import cache

import pytest

from policy_rag.records.search import Hit, SearchRank, SearchRequest
from policy_rag.retrieval.expansion.limiting_sections import LIMITS, NOTE, limiting_sections
from policy_rag.retrieval.expansion.read_documents import ReadDocuments
from policy_rag.retrieval.visibility import Visibility

GIFTS = """# Gifts

## 2 Sponsors

2.1 Gifts of up to 100 euros may be taken.

2.2 Section 2.1 does not apply to the ethics committee. They take nothing.

2.3 Thanks are sent as section 2.1 says.

## 3 Travel

3.1 Trips are paid, subject to section 2.1 of the Tax Act.
"""


@pytest.fixture(scope="module")
def related(ingested):
    """Files become an index; gives what the hits of sections of the gift rules bring, as (section, text, rank)."""
    index_of = cache(ingested)

    def found(*sections, text=GIFTS, groups=(), access="", **others):
        index, _ = index_of(gifts=f"---\naccess: [{access}]\n---\n{text}", **others)
        with index.snapshot() as snapshot:
            ((key, whole),) = snapshot.db.execute("SELECT doc_key, text FROM documents WHERE doc_id = 'gifts.md'")
            rows = snapshot.db.execute('SELECT section_id, start, "end" FROM sections WHERE doc_key = ?', (key,))
            places = {section: (start, end) for section, start, end in rows}
            hits = [_hit(section, *places[section], rank, whole) for rank, section in enumerate(sections, 1)]
            view = Visibility.of(snapshot, SearchRequest("", groups=groups), dt.date(2025, 1, 1))
            made = limiting_sections(ReadDocuments(), view, hits)
            return [(one.section_id, one.text, (one.found_by.get(LIMITS) or one.found_by[NOTE]).rank) for one in made]

    return found


def _hit(section: str, start: int, end: int, rank: int, whole: str) -> Hit:
    return Hit(
        rank=rank, score=0.9, doc_id="gifts.md", version=None, file="gifts.md", section_id=section, number=None,
        title="", path=("Gifts",), start=start, end=end, chunk_start=start, chunk_end=end, page=None,
        text=whole[start:end], found_by={"vector": SearchRank(rank, 0.9)},
    )  # fmt: skip


def test_a_rule_brings_its_exception_whole_and_an_exception_its_rule(related):
    exception = "2.2 Section 2.1 does not apply to the ethics committee. They take nothing."
    assert related("2.1") == [("2.2", exception, 1)]
    assert related("2.2") == [("2.1", "2.1 Gifts of up to 100 euros may be taken.", 1)]


@pytest.mark.parametrize("section", ["2.3", "3.1"])  # names a section without limiting it; limits another law's
def test_what_only_names_a_number_brings_nothing(related, section):
    assert related(section) == []


def test_what_two_hits_bring_comes_once_with_the_rank_of_the_first(related):
    text = GIFTS.replace("2.3 Thanks are sent as section 2.1 says.", "2.3 Notwithstanding section 2.2, tea is free.")
    assert [(section, rank) for section, _, rank in related("2.3", "2.1", text=text)] == [("2.2", 1)]
    assert related() == []


def test_an_exception_to_a_chapter_is_one_to_what_is_under_it(related):
    text = GIFTS.replace("3.1 Trips are paid,", "3.1 Section 2 does not apply to trips,")
    assert [section for section, _, _ in related("2.3", text=text)] == ["3.1"]


def test_of_a_long_section_the_sentence_comes(related):
    long = "They take nothing. " + "The committee says so every year anew. " * 20
    (only,) = related("2.1", text=GIFTS.replace("They take nothing.", long))
    assert only[1] == "2.2 Section 2.1 does not apply to the ethics committee."


def test_what_the_asker_may_not_read_brings_nothing(related):
    assert related("2.1", access="hr") == []
    assert len(related("2.1", access="hr", groups=("hr",))) == 1


def test_a_mark_brings_its_note_from_wherever_it_stands_as_one_of_its_section(related):
    text = GIFTS.replace("be taken.", "be taken.[^1]").replace("is kept whatever", "is kept[^2] whatever")
    note = "[^1]: In December\nup to 150 euros."
    assert ("2.1", note, 1) in related("2.1", text=f"{text}\n{note}\n\n[^2]: For ever.\n")
    assert not [one for one in related("2.1", text=f"{text}\n{note}\n\n[^1]: For ever.\n") if one[0] == "2.1"]
    written = text.replace("[^", "[")
    assert ("2.1", "[1] In December all.", 1) in related(
        "2.1", text=f"{written}\n[1] In December all.\n\n[2] For ever.\n"
    )


RULES = GIFTS.replace("# Gifts\n", "# Gifts Rules\n", 1)
ALONE = RULES.replace("Section 2.1 does not apply to", "Tea is sent to")


def board(said, front=""):
    return f"---\n{front}\n---\n# Board Rules\n\n## 9 Gifts\n\n{said}\n"


@pytest.mark.parametrize(
    ("text", "said", "brought"),
    [
        (ALONE, "Section 2.1 of the Gifts Rules does not apply to the board.", [("9", 1)]),
        (RULES, "Section 2.1 of the Gifts Rules is well known.", [("2.2", 1)]),
    ],
)
def test_a_rule_brings_the_exception_that_another_document_makes_to_it(related, text, said, brought):
    assert [(section, rank) for section, _, rank in related("2.1", text=text, board=board(said))] == brought


@pytest.mark.parametrize(("front", "found"), [("", 1), ("access: [board]", 0), ("effective_from: 2026-01-01", 0)])
def test_of_another_document_that_the_asker_may_not_read_or_that_is_not_in_force_nothing_comes(related, front, found):
    said = "Notwithstanding section 2.1 of the Gifts Rules, tea is free."
    assert len(related("2.1", text=ALONE, board=board(said, front))) == found
