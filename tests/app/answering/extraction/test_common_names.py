"""Names that many sections hold are no part of what is asked."""

import numpy as np
import pytest

from policy_rag.answering.extraction.common_names import without_common_names


def idf(stems):
    """As of an index in which these words stand in every fifth section, and others in one of a thousand."""
    common = {"acm", "18f", "leav", "can"}
    return np.array([1.6 if stem in common else 6.9 for stem in stems], dtype=np.float32)


@pytest.mark.parametrize(
    ("asked", "understood"),
    [
        ("How long does Acme keep invoices?", "How long does we keep invoices?"),
        ("What is the rate of 18F for Rome?", "What is the rate of we for Rome?"),
        ("How much leave do I get?", "How much leave do I get?"),
        ("I am ill. Can I go?", "I am ill. Can I go?"),
        ("Leave: Can it be sold?", "Leave: Can it be sold?"),
        ("Does a trip cost $2,000?", "Does a trip cost $2,000?"),
        ("Wie lange bewahrt die Acme Rechnungen auf?", "Wie lange bewahrt die Acme Rechnungen auf?"),
        ("Combien de temps Acme garde-t-elle les factures ?", "Combien de temps Acme garde-t-elle les factures ?"),
        ("Does the Nordic Fjord Group pay?", "Does the Nordic Fjord Group pay?"),
    ],
)
def test_a_common_name_inside_of_a_sentence_is_we(asked, understood):
    assert without_common_names(asked, idf) == understood
