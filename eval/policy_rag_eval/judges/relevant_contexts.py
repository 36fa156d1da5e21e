"""Which of the contexts a model calls relevant: what `context_relevancy` and `context_precision` share."""

from collections.abc import Sequence

from policy_rag_eval.judges.llm_judge import quoted_from
from policy_rag_eval.judges.replies import Form, numbered_once


class SectionVerdict(Form):
    """What the model says of one section."""

    n: int
    relevant: bool
    quote: str


class SectionsReply(Form):
    """What the model says of all sections."""

    sections: list[SectionVerdict]


def relevant(reply: SectionsReply, contexts: Sequence[str]) -> tuple[list[bool], tuple[str, ...]] | str:
    """For each context in order whether it is relevant, and the quotations that show it; or why that cannot be told.

    A section counts as relevant only with words that stand in it.
    """
    if not numbered_once([one.n for one in reply.sections], len(contexts)):
        return f"the reply does not judge each of {len(contexts)} sections once"
    ordered = sorted(reply.sections, key=lambda one: one.n)
    for one in ordered:
        if one.relevant and not quoted_from(one.quote, [contexts[one.n - 1]]):
            return f"what it quotes of section {one.n} is not in it"
    return [one.relevant for one in ordered], tuple(one.quote for one in ordered if one.relevant)
