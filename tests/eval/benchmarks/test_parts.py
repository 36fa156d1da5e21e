"""The benchmark of plans on a made data set: what counts as quoted, and that both ways are asked."""

from benchmarks.parts import AnsweredByParts, cited_share, report
from policy_rag.records.answer import Answer, Citation, Status
from policy_rag_eval.data.dataset import GoldPassage, Question


def citation(file: str, start: int, end: int) -> Citation:
    return Citation(
        n=1, quote="x" * (end - start), doc_id=file, version=None, file=file, section_id="1", path=(), start=start,
        end=end, page=None,
    )  # fmt: skip


def answer(*citations: Citation) -> Answer:
    status = Status.ANSWERED if citations else Status.REFUSED
    return Answer(question="?", status=status, answer="text", citations=citations, confidence=0.5, llm="extractive")


def gold(file: str, start: int, end: int) -> GoldPassage:
    return GoldPassage(f"{file}:{start}", "text", doc_id=file, file=file, start=start, end=end)


def test_a_gold_passage_is_quoted_when_half_of_a_citation_lies_in_it() -> None:
    passages = (gold("a.md", 100, 200), gold("a.md", 300, 400), gold("b.md", 100, 200))
    assert cited_share(answer(citation("a.md", 190, 210)), passages) == 1 / 3  # 10 of 20
    assert cited_share(answer(citation("a.md", 191, 211)), passages) == 0  # 9 of 20
    assert cited_share(answer(citation("a.md", 110, 120), citation("b.md", 0, 150)), passages) == 1 / 3
    assert cited_share(answer(citation("a.md", 100, 400)), passages) == 0
    assert cited_share(answer(), passages) == 0


def test_both_ways_are_reported_side_by_side() -> None:
    passages = (gold("a.md", 0, 50), gold("a.md", 50, 100))
    asked = [
        AnsweredByParts(
            Question(str(i), "Who?"), passages, answer(citation("a.md", 0, 20)),
            answer(citation("a.md", 0, 20), citation("a.md", 60, 80)),
        )
        for i in range(3)
    ]  # fmt: skip
    asked.append(
        AnsweredByParts(Question("x", "Who?", answerable=False), (), answer(), answer(citation("a.md", 0, 20)))
    )
    lines = report(asked)
    assert lines[0] == "4 questions with parts: 3 with gold passages, 1 unanswerable"
    assert "gold passages quoted, whole: 0.500 (0.146 to 0.854)" in lines
    assert "gold passages quoted, by plan: 1.000 (0.292 to 1.000)" in lines
    assert "unanswerable refused, whole and by plan: 1 and 0 of 1" in lines
