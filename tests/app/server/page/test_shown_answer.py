"""How the pages lay an answer out: its tables with the header that they have, as wide as they are."""

from policy_rag.answering.citations import cite
from policy_rag.records.answer import Answer, Said, Status, as_text
from policy_rag.records.search import Hit
from policy_rag.server.page.shown_answer import ShownLine, ShownPiece, shown_parts


def lines_of(*quotes: str) -> list[ShownLine]:
    """The lines of an answer that quotes Markdown."""
    citations = []
    for n, text in enumerate(quotes, 1):
        hit = Hit(
            rank=1, score=1.0, doc_id="a", version=None, file="a.md", section_id="s", number=None, title="", path=(),
            start=0, end=len(text), chunk_start=0, chunk_end=len(text), page=None, text=text, found_by={},
        )  # fmt: skip
        citations.append(cite(n, hit, 0, len(text)))
    said = tuple(Said(one.text, one.n, leads=True) for one in citations)
    answer = Answer(
        question="q", status=Status.ANSWERED, answer=as_text(said), citations=tuple(citations), confidence=1.0, llm=""
    )
    (part,) = shown_parts(answer)
    return list(part.leading)


def test_a_table_begins_at_its_header_row_and_keeps_its_columns() -> None:
    fees = "| Group | Weekday | Weekend |\n|---|---|---|\n| Trainees | | 5 EUR |\n| Managers | 60 EUR |"
    (table,) = lines_of(fees)
    assert table.pieces == (ShownPiece("", 1),)
    assert table.header == ("Group", "Weekday", "Weekend")
    assert table.rows == (("Trainees", "–", "5 EUR"), ("Managers", "60 EUR", "–"))


def test_rows_without_a_header_row_have_none() -> None:
    (table,) = lines_of("| 1 | a |\n| 2 | b | c |")
    assert (table.header, table.rows) == ((), (("1", "a", ""), ("2", "b", "c")))


def test_a_header_row_begins_another_table() -> None:
    one, other = lines_of("| A | B |\n|---|---|\n| x | 1 |", "| C | D |\n|---|---|\n| y | 2 |")
    assert (one.header, one.rows, one.pieces) == (("A", "B"), (("x", "1"),), (ShownPiece("", 1),))
    assert (other.header, other.rows, other.pieces) == (("C", "D"), (("y", "2"),), (ShownPiece("", 2),))


def test_numbers_in_brackets_of_a_document_are_no_sources() -> None:
    (line,) = lines_of("Keep it in shed [1] for 30 days[^1].")
    assert line.pieces == (ShownPiece("Keep it in shed ¹ for 30 days¹."), ShownPiece("", 1))
