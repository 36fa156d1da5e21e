"""A statement held against several hits: which of them decides."""

from made_hits import made_hit

from policy_rag.answering.statement_check import check_statement
from policy_rag.models.reader import Reader
from policy_rag.records.statement import CheckedStatement, StatementVerdict
from policy_rag.retrieval.hit_blocks import with_parsed_blocks

DEVICES = "Devices of students need not be registered. Devices of staff are registered before first use."
START_UPS = (
    "2.3 Commercial use requires the prior agreement of the Director of IT Services and a contract with the Research and "
    "Enterprise Office. Student start-ups registered with the Enterprise Office are exempt from this requirement for "
    "their first 12 months."
)


def held(statement: str, *texts: str) -> CheckedStatement:
    hits = with_parsed_blocks([made_hit(text, file=f"{n}.md") for n, text in enumerate(texts)])
    return check_statement(statement, lambda _: hits, Reader.load())


def test_what_is_nearer_to_the_wording_and_says_otherwise_leaves_a_doubt() -> None:
    statement = "Devices of students have to be registered."
    assert held(statement, START_UPS).verdict is StatementVerdict.SUPPORTED, "the reader alone is led astray"
    for texts in ((DEVICES, START_UPS), (START_UPS, DEVICES)):
        found = held(statement, *texts)
        assert found.verdict is StatementVerdict.DOUBTFUL
        assert found.citations[0].quote == "Devices of students need not be registered."


def test_an_exact_source_stands_whatever_another_says() -> None:
    found = held("Devices of students need not be registered.", "Devices of students must be registered.", DEVICES)
    assert found.verdict is StatementVerdict.SUPPORTED
