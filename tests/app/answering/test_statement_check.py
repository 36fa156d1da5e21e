"""A statement held against several hits: which of them decides."""

import pytest
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


GIFTS = (
    "Staff may accept a gift worth up to GBP 50 without approval. A gift worth more than GBP 50 and up to GBP 200 requires "
    "the approval of the manager. A gift worth more than GBP 200 requires the approval of Compliance."
)


@pytest.mark.parametrize(
    ("statement", "verdict"),
    [
        ("A gift worth GBP 40 may be accepted without approval.", StatementVerdict.DOUBTFUL),
        ("A gift worth GBP 150 requires the approval of the manager.", StatementVerdict.DOUBTFUL),
        ("A gift worth GBP 300 requires the approval of Compliance.", StatementVerdict.DOUBTFUL),
        ("A gift worth GBP 80 may be accepted without approval.", StatementVerdict.UNSUPPORTED),
        ("A gift worth GBP 300 requires the approval of the manager.", StatementVerdict.UNSUPPORTED),
        ("A gift worth GBP 300 needs only the approval of the manager.", StatementVerdict.UNSUPPORTED),
        ("A gift worth GBP 40 requires the approval of Compliance.", StatementVerdict.UNSUPPORTED),
        ("A gift worth more than GBP 300 requires the approval of Compliance.", StatementVerdict.UNSUPPORTED),
    ],
)
def test_a_case_within_a_span_is_in_doubt_and_never_supported(statement: str, verdict: StatementVerdict) -> None:
    assert held(statement, GIFTS).verdict is verdict


def test_the_figure_of_a_rule_is_no_case() -> None:
    found = held("Shares must be held for 60 days.", "Shares must be held for at least 30 days.")
    assert found.verdict is StatementVerdict.UNSUPPORTED
