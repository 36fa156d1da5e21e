"""Plans: made by rules, and mended where they cannot be right."""

import datetime as dt

import pytest

from policy_rag.answering.planning.planner import make_plan
from policy_rag.answering.planning.query_plan import Method, SubQuestion, mend, source_filters
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.records import FileFormat

DAY = dt.date(2026, 9, 1)


def document(doc_id: str, title: str, **extra: str) -> DocumentInfo:
    return DocumentInfo(
        doc_key=hash(doc_id), doc_id=doc_id, root="", file=doc_id, title=title, format=FileFormat.MARKDOWN,
        language="english", version=None, effective_from=None, effective_to=None, supersedes=(), superseded_from=None,
        access=(), extra=extra, sections=3,
    )  # fmt: skip


DOCUMENTS = (
    document("leave.md", "Leave Policy", department="HR"),
    document("travel, abroad.md", "Travel Policy", department="Finance"),
    document("remote.md", "Remote Work Policy", department="HR"),
)


def mended(*parts: SubQuestion, most: int = 4, asked: str = "Compare leave and travel"):
    return mend(parts, DOCUMENTS, most=most, asked=asked, by="test")


def test_a_part_that_repeats_another_is_left_out_and_references_follow() -> None:
    plan = mended(
        SubQuestion("How many days of leave are there?"),
        SubQuestion("Days of leave: how many are there?"),
        SubQuestion("How many days of leave are there?", ("leave.md",)),  # elsewhere: another part
        SubQuestion("Who approves #2 and #3?"),
    )
    days = "How many days of leave are there?"
    assert [part.question for part in plan.parts] == [days, days, "Who approves #1 and #2?"]
    assert plan.mended == ("part 2 repeats part 1 and is left out",)


@pytest.mark.parametrize(
    "source", ["secret.md", "Board Policy", "department=Board", "nokey=x", "=", "leave.md,remote.md"]
)
def test_an_unknown_source_is_searched_everywhere_and_is_not_named(source: str) -> None:
    plan = mended(SubQuestion("What is decided?", (source,)), SubQuestion("Who decides?"))
    assert plan.parts[0].where == ()
    assert plan.mended == ("part 1 names a source that is not here: all documents are searched for it",)


def test_sources_are_documents_by_any_name_or_filters() -> None:
    assert source_filters(("LEAVE.md", "remote work policy"), DOCUMENTS) == ("doc_id=leave.md,remote.md",)
    assert source_filters(("Travel Policy",), DOCUMENTS) == ('doc_id="travel, abroad.md"',)
    assert source_filters(("department=hr",), DOCUMENTS) == ("department=hr",)
    assert source_filters((), DOCUMENTS) == ()


def test_whole_documents_are_taken_only_for_a_summary_of_one() -> None:
    summary = SubQuestion("Summarise the leave policy", ("leave.md",), Method.SUMMARY)
    assert mended(summary, asked="Summarise the leave policy").parts[0].method is Method.SUMMARY
    # a search would do
    plan = mended(SubQuestion("How many days of leave?", ("leave.md",), Method.SUMMARY))
    assert plan.parts[0].method is Method.RETRIEVAL
    assert plan.mended == ("part 1 asks for no summary: it is searched for instead of taking whole documents",)
    # a planner that makes a summary out of a plain question
    assert mended(summary, asked="How many days of leave?").parts[0].method is Method.RETRIEVAL
    for source in ((), ("department=HR",), ("nowhere.md",)):
        plan = mended(SubQuestion("Summarise leave", source, Method.SUMMARY), asked="Summarise leave")
        assert plan.parts[0].method is Method.RETRIEVAL
        assert "names no single document" in plan.mended[-1]


def test_a_part_uses_earlier_answers_only() -> None:
    plan = mended(SubQuestion("Who decides after #2?"), SubQuestion("What is #1 and #7?"))
    assert [part.question for part in plan.parts] == ["Who decides after ?", "What is #1 and ?"]
    assert [part.uses for part in plan.parts] == [(), (1,)]
    assert len(plan.mended) == 2


def test_parts_above_the_limit_are_left_out_and_told() -> None:
    plan = mended(*(SubQuestion(f"What is rule {name}?") for name in ("alpha", "beta", "gamma")), most=2)
    assert len(plan.parts) == 2
    assert plan.mended == ("part 3 and what follows are left out: max_sub_questions is 2",)


def test_rules_look_for_each_part_where_it_says() -> None:
    plan, _ = make_plan(
        "What is the difference between the leave policy and the remote work policy?", DOCUMENTS, most=4, day=DAY
    )
    assert [(part.question, part.where) for part in plan.parts] == [
        ("the leave policy", ("title=Leave Policy",)),
        ("the remote work policy", ("title=Remote Work Policy",)),
    ]
    assert (plan.by, plan.is_plain) == ("rules", False)
    plan, _ = make_plan("Who wrote the leave policy, and who pays for a trip?", DOCUMENTS, most=4, day=DAY)
    assert [part.where for part in plan.parts] == [(), ()]


def test_a_question_with_one_part_is_plain_unless_it_wants_a_summary() -> None:
    assert make_plan("How many days of leave are there?", DOCUMENTS, most=4, day=DAY)[0].is_plain
    plan, _ = make_plan("Summarise the Leave Policy for me.", DOCUMENTS, most=4, day=DAY)
    assert not plan.is_plain
    assert plan.parts[0].method is Method.SUMMARY
    assert make_plan("Give me an overview of everything.", DOCUMENTS, most=4, day=DAY)[0].is_plain
