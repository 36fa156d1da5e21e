"""What the shipped reader makes of statements in free wording that the rules find fault with, or none."""

import pytest
from made_hits import made_hit

from policy_rag.answering.verification.checker import IssueKind, check
from policy_rag.answering.verification.support import support_of
from policy_rag.models.reader import Reader
from policy_rag.records.statement import StatementVerdict

PANEL = "Complaints are heard by a panel on which nobody from the same unit sits."


def test_a_negation_in_other_words_stands_where_the_reader_is_certain() -> None:
    statement = "A complaint is not decided by colleagues of one's own unit."
    issue = check(statement, [made_hit(PANEL)]).issue
    assert issue is not None
    assert issue.kind is IssueKind.NEGATION
    assert support_of(statement, [made_hit(PANEL)], reader=Reader.load()).verdict is StatementVerdict.SUPPORTED
    assert support_of(statement, [made_hit(PANEL)]).verdict is StatementVerdict.UNSUPPORTED


@pytest.mark.parametrize(
    ("source", "statement"),
    [
        (PANEL, "A complaint is decided by colleagues of one's own unit."),
        ("The panel is made up of two teachers and one student.", "Three people sit on the panel."),
        ("Guests must not be photographed.", "Taking photographs of guests is allowed."),
    ],
)
def test_what_is_false_or_a_figure_of_its_own_does_not(source: str, statement: str) -> None:
    found = support_of(statement, [made_hit(source)], reader=Reader.load())
    assert found.verdict is not StatementVerdict.SUPPORTED
    assert found.reason


def test_an_item_is_read_behind_the_line_that_leads_into_its_list() -> None:
    text = "The following uses are prohibited, by the board too:\n\n(a) open fire in the store;\n(b) ranking staff by a program for the purpose of pay;"
    statement = "Ranking staff by a program for pay is prohibited."
    assert support_of(statement, [made_hit(text)], reader=Reader.load()).verdict is StatementVerdict.SUPPORTED
    bare = made_hit("(b) ranking staff by a program for the purpose of pay;")
    assert support_of(statement, [bare], reader=Reader.load()).verdict is not StatementVerdict.SUPPORTED


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("The company canteen serves vegan food.", StatementVerdict.UNSUPPORTED),
        ("Guests leave food outside of the company's server room.", StatementVerdict.SUPPORTED),
    ],
)
def test_what_is_on_another_matter_has_nothing_behind_it(statement: str, expected: StatementVerdict) -> None:
    source = made_hit("Food is not stored in the server room of the company.")
    assert support_of(statement, [source], reader=Reader.load()).verdict is expected


HOURS = "Die wöchentliche Arbeitszeit beträgt für Vollzeitbeschäftigte 38,5 Stunden.\n\nZwischen dem Ende der Arbeit und ihrem Beginn liegen elf Stunden."
GRANTS = "| Leistung | Betrag |\n| --- | --- |\n| Geburtsbeihilfe | 500 EUR |\n| Umzugsbeihilfe | 150 EUR |"


@pytest.mark.parametrize(
    ("source", "statement", "expected"),
    [
        (HOURS, "Eine Vollzeitkraft arbeitet 38,5 Stunden in der Woche.", StatementVerdict.DOUBTFUL),
        (HOURS, "Eine Vollzeitkraft arbeitet 40 Stunden in der Woche.", StatementVerdict.UNSUPPORTED),
        (GRANTS, "Die Geburtsbeihilfe beträgt 150 EUR.", StatementVerdict.UNSUPPORTED),
    ],
)
def test_whose_figure_it_is_the_rules_alone_do_not_tell_in_other_words(
    source: str, statement: str, expected: StatementVerdict
) -> None:
    assert support_of(statement, [made_hit(source, title="", path=())]).verdict is expected


SPECIAL = (
    "| Anlass | Arbeitstage |\n| --- | --- |\n| Eigene Hochzeit | 2 |\n| Tod eines Elternteils | 3 |\n\n"
    "Für einen privaten Umzug gibt es keinen Sonderurlaub."
)


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("Beim Tod eines Elternteils gibt es drei Tage Sonderurlaub.", ""),
        ("Beim Tod eines Elternteils gibt es zwei Tage Sonderurlaub.", "elternteils"),
        ("Für einen privaten Umzug gibt es Sonderurlaub.", "negates"),
    ],
)
def test_the_title_of_a_table_is_said_of_its_rows_though_a_sentence_below_denies_it(
    statement: str, expected: str
) -> None:
    found = check(statement, [made_hit(SPECIAL, title="Sonderurlaub", path=())])
    assert found.holds if not expected else expected in found.reason
