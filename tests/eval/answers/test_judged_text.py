"""Quotations are shown as people read them, and judged by the words that stand in the document."""

import pytest

from policy_rag.records.answer import Answer, Citation, Said, Status
from policy_rag_eval.answers.answer_set import judged_text

QUOTE, TEXT = "Ask the [Desk](https://x.y)\nfirst.", "Ask the Desk first."
DOUBT = "Der Text, der am nächsten kommt; er beantwortet die Frage vielleicht nicht:\n"


@pytest.mark.parametrize(
    ("answer", "said", "judged"),
    [
        (f"{TEXT} [1]", (Said(TEXT, 1, leads=True, quote=QUOTE),), f"{QUOTE} [1]"),
        (f"{DOUBT}The desk is asked [1].", (), "The desk is asked [1]."),
        ("The desk is asked [1].", (), "The desk is asked [1]."),
    ],
)
def test_quotations_are_judged_as_they_stand_in_the_document(answer: str, said: tuple[Said, ...], judged: str) -> None:
    cited = Citation(1, QUOTE, "d", None, "d.md", "s", ("D",), 0, len(QUOTE), None, text=TEXT)
    given = Answer(
        question="Whom?",
        status=Status.ANSWERED,
        answer=answer,
        citations=(cited,),
        confidence=1.0,
        llm="extractive",
        said=said,
    )
    assert judged_text(given) == judged
