"""A statement held against several hits: which of them decides."""

from made_hits import made_hit

from policy_rag.answering.statement_check import check_statement
from policy_rag.models.reader import Reader
from policy_rag.records.statement import CheckedStatement, StatementVerdict
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

DEVICES = "Devices of students need not be registered. Devices of staff are registered before first use."
HELP_DESK = "Every student must register each laptop or phone with the help desk."


def held(statement: str, *texts: str) -> CheckedStatement:
    hits = with_parsed_blocks([made_hit(text, file=f"{n}.md") for n, text in enumerate(texts)])
    return check_statement(statement, lambda _: hits, Reader.load())


def test_what_is_nearer_to_the_wording_decides_wherever_it_stands() -> None:
    statement = "Devices of students have to be registered."
    assert held(statement, HELP_DESK).verdict is StatementVerdict.DOUBTFUL
    for texts in ((DEVICES, HELP_DESK), (HELP_DESK, DEVICES)):
        found = held(statement, *texts)
        assert found.verdict is StatementVerdict.UNSUPPORTED
        assert found.citations[0].quote == "Devices of students need not be registered."


def test_an_exact_source_stands_whatever_another_says() -> None:
    found = held("Devices of students need not be registered.", "Devices of students must be registered.", DEVICES)
    assert found.verdict is StatementVerdict.SUPPORTED
