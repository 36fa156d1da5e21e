"""Days by which something is due, in every language."""

import pytest

from policy_rag_parsers.text.named_days import named_days


@pytest.mark.parametrize(
    ("text", "language", "shown"),
    [
        ("Losses are told by the close of the next business day.", "english", ["by the close of the next business day"]),
        ("The form is sent on the same day.", "english", ["on the same day"]),
        ("The next working day is a holiday.", "english", []),
        ("Der Verlust ist am nächsten Werktag zu melden.", "german", ["am nächsten Werktag"]),
        ("Der Verlust ist noch am selben Tag zu melden.", "german", ["noch am selben Tag"]),
        ("La perte est déclarée au plus tard le jour ouvrable suivant.", "french",
         ["au plus tard le jour ouvrable suivant"]),
        ("La perte est déclarée le jour même.", "french", ["le jour même"]),
        ("La pérdida se comunica antes del final del siguiente día hábil.", "spanish",
         ["antes del final del siguiente día hábil"]),
        ("La pérdida se comunica el mismo día.", "spanish", ["el mismo día"]),
        ("A perda é comunicada até o fim do próximo dia útil.", "portuguese", ["até o fim do próximo dia útil"]),
        ("A perda é comunicada no mesmo dia.", "portuguese", ["no mesmo dia"]),
    ],
)  # fmt: skip
def test_the_day_is_found_with_what_leads_to_it(text: str, language: str, shown: list[str]) -> None:
    assert [one.shown for one in named_days(text, language)] == shown
