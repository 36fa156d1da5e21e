"""Whether the figures of a statement stand in what it cites, with their units and their bounds."""

from collections.abc import Sequence

from policy_rag.answering.verification.quantities import Quantity, is_backed, quantities, turned_bound


def wrong_figure(statement: str, evidence: str, words_around: frozenset[str]) -> str:
    """The first figure that the evidence has not, or bounds on the other side; else "".

    Args:
        statement: a sentence.
        evidence: what it is held against.
        words_around: words in lower case that may name the unit of a figure that has none (a table's header).

    >>> wrong_figure("Claims are sent within 31 days.", "Claims are sent within 30 days.", frozenset())
    '31 (day) is not in what it cites'
    >>> wrong_figure("Claims take at least 30 days.", "Claims take at most 30 days.", frozenset())
    'it says "at least 30", what it cites says "at most"'
    """
    sources = quantities(evidence, given=True)
    for quantity in quantities(statement):
        reason = _reason(quantity, sources, words_around)
        if reason:
            return reason
    return ""


def _reason(quantity: Quantity, sources: Sequence[Quantity], words_around: frozenset[str]) -> str:
    if not is_backed(quantity, sources, words_around):
        unit = f" ({quantity.unit})" if quantity.unit else ""
        return f"{quantity.shown}{unit} is not in what it cites"
    turned = turned_bound(quantity, sources, words_around)
    if turned and quantity.bound:
        return f'it says "{quantity.bound.shown} {quantity.shown}", what it cites says "{turned}"'
    return ""
