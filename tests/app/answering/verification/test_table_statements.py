"""Statements that say what a row of a table says: the reader is shown the row in words, behind its titles."""

import pytest
from made_hits import made_hit

from policy_rag.answering.verification.support import support_of
from policy_rag.models.reader import Reader
from policy_rag.records.statement import StatementVerdict

RETENTION = """| Record | System | Retention |
| --- | --- | --- |
| Camera recordings | video system | 72 hours |
| Visitor lists | reception | 30 days |
| Backups | backup system | 35 days |
"""


TRAVEL = "| City | Hotel | Meals |\n| --- | --- | --- |\n| Rome | 140 EUR | 80 EUR |\n| Paris | 190 EUR | 110 EUR |\n"
GIFTS = "| Value | Accepted | Approval |\n| --- | --- | --- |\n| Up to £50 | Permitted | None |\n| Over £500 | Not permitted | None |\n"
SCHEDULE = (
    "| Ref. | Record | Retention | Owner |\n| --- | --- | --- | --- |\n"
    "| R04 | Customs declarations | 4 years | Customs team |\n| R05 | Accident book | 3 years | Safety team |\n"
)
PAY = "| Weeks | Pay |\n| --- | --- |\n| 1 to 16 | Full pay |\n| 17 to 39 | Statutory pay |\n| 40 to 52 | Unpaid |\n"
LIMITS = "| Rolle | Einzelauftrag | Jahr |\n| --- | --- | --- |\n| Einkauf | 500 EUR | 5.000 EUR |\n"


@pytest.mark.parametrize(
    ("title", "table", "statement", "expected"),
    [
        *(
            ("Retention", RETENTION, statement, StatementVerdict.SUPPORTED)
            for statement in (
                "Visitor lists are kept for 30 days",
                "Visitor lists are kept for 30 days.",
                "The retention period of visitor lists is 30 days.",
            )
        ),
        *(
            ("Retention", RETENTION, statement, None)
            for statement in (
                "Visitor lists are kept for 35 days.",
                "Backups are kept for 72 hours.",
                "Visitor lists are published for 30 days.",
                "Visitor lists are sent to the police after 30 days.",
            )
        ),
        ("Schedule", SCHEDULE, "Accident books are kept for 3 years.", StatementVerdict.DOUBTFUL),
        ("Schedule", SCHEDULE, "Accident books are kept for 4 years.", None),
        ("Pay during maternity leave", PAY, "Maternity leave is unpaid.", StatementVerdict.DOUBTFUL),
        ("Gifts", GIFTS, "Gifts over £500 are not permitted.", StatementVerdict.SUPPORTED),
        ("Gifts", GIFTS, "Gifts up to £50 are not permitted.", StatementVerdict.UNSUPPORTED),
        ("Allowances", TRAVEL, "In Rome, 80 EUR are paid for food.", StatementVerdict.SUPPORTED),
        ("Allowances", TRAVEL, "In Rome, 140 EUR are paid for food.", StatementVerdict.DOUBTFUL),
        ("Limits", LIMITS, "Der Einkauf darf im Jahr bis 5.000 EUR freigeben.", StatementVerdict.SUPPORTED),
        ("Limits", LIMITS, "Der Einkauf darf bis 5.000 EUR freigeben.", StatementVerdict.DOUBTFUL),
    ],
)
def test_a_cell_is_held_against_its_row_and_column(
    title: str, table: str, statement: str, expected: StatementVerdict | None
) -> None:
    """None: whatever but supported."""
    hit = made_hit(f"## {title}\n\n{table}", title=title, path=("Policy", title))
    found = support_of(statement, [hit], reader=Reader.load()).verdict
    assert found is expected if expected else found is not StatementVerdict.SUPPORTED
