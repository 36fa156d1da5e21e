"""Quotations are shown as people read them, and judged by the words that stand in the document."""

from policy_rag.records.answer import Answer, Citation, Said, Status
from policy_rag_eval.answers.answer_set import judged_text


def test_quotations_are_judged_as_they_stand_in_the_document() -> None:
    quote, text = "Ask the [Desk](https://x.y)\nfirst.", "Ask the Desk first."
    cited = Citation(1, quote, "d", None, "d.md", "s", ("D",), 0, len(quote), None, text=text)
    given = {
        "question": "Whom?",
        "status": Status.ANSWERED,
        "citations": (cited,),
        "confidence": 1.0,
        "llm": "extractive",
    }
    said = (Said(text, 1, leads=True, quote=quote),)
    assert judged_text(Answer(answer=f"{text} [1]", said=said, **given)) == f"{quote} [1]"
    assert (
        judged_text(
            Answer(
                answer="Der Text, der am nächsten kommt; er beantwortet die Frage vielleicht nicht:\nThe desk is asked [1].",
                **given,
            )
        )
        == "The desk is asked [1]."
    )
    assert judged_text(Answer(answer="The desk is asked [1].", **given)) == "The desk is asked [1]."
