"""LLM judges of what was found: relevant to the question, in the right order, and enough for the right answer."""

from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.judges.judge_replies import ReplyForm, numbered_once
from policy_rag_eval.judges.llm_judge import LLMJudge, as_list, as_sections, quoted_from
from policy_rag_eval.judges.statements import statements
from policy_rag_prompts.data import as_data


class SectionVerdict(ReplyForm):
    """What the model says of one section."""

    n: int
    relevant: bool
    quote: str


class SectionsReply(ReplyForm):
    """What the model says of all sections."""

    sections: list[SectionVerdict]


def _relevant(reply: SectionsReply, contexts: Sequence[str]) -> tuple[list[bool], tuple[str, ...]] | str:
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


@dataclass(frozen=True)
class ContextRelevancy(LLMJudge[SectionsReply]):
    """The share of the contexts that hold something that belongs in the answer; 0 where nothing was found."""

    kind = "context_relevancy"
    needs = frozenset({Need.CONTEXTS})
    form = SectionsReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """0 where nothing was found."""
        return None if case.contexts else JudgeVerdict(self.name, 0.0, "irrelevant", "nothing was found")

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call for all contexts."""
        return [{"question": as_data(case.question), "sections": as_sections(case.contexts or ())}]

    def read(self, case: Case, replies: Sequence[SectionsReply]) -> JudgeVerdict:
        """`relevant` where all are, `partly relevant`, or `irrelevant`."""
        found = _relevant(replies[0], case.contexts or ())
        if isinstance(found, str):
            return self.unjudged(found)
        flags, quotes = found
        score = sum(flags) / len(flags)
        label = "relevant" if score == 1 else "partly relevant" if score else "irrelevant"
        return JudgeVerdict(self.name, score, label, f"{sum(flags)} of {len(flags)} sections are relevant", quotes)


def mean_precision(flags: Sequence[bool]) -> float:
    """Mean, over the relevant ranks, of the share of relevant ones up to that rank; 0 without a relevant one (RAGAS).

    >>> mean_precision([True, False, True]), mean_precision([False, False])
    (0.8333333333333333, 0.0)
    """
    precisions = [sum(flags[: rank + 1]) / (rank + 1) for rank, flag in enumerate(flags) if flag]
    return sum(precisions) / len(precisions) if precisions else 0.0


@dataclass(frozen=True)
class ContextPrecision(LLMJudge[SectionsReply]):
    """`mean_precision` of the contexts that the right answer needs, best first; 0 where nothing was found."""

    kind = "context_precision"
    needs = frozenset({Need.CONTEXTS, Need.REFERENCE})
    form = SectionsReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """0 where nothing was found."""
        return None if case.contexts else JudgeVerdict(self.name, 0.0, "imprecise", "nothing was found")

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call for all contexts."""
        values = {"question": as_data(case.question), "reference": as_data(case.reference or "")}
        return [{**values, "sections": as_sections(case.contexts or ())}]

    def read(self, case: Case, replies: Sequence[SectionsReply]) -> JudgeVerdict:
        """`precise` where every needed context stands before the others, else `imprecise`."""
        found = _relevant(replies[0], case.contexts or ())
        if isinstance(found, str):
            return self.unjudged(found)
        flags, quotes = found
        score = mean_precision(flags)
        ranks = ", ".join(str(rank) for rank, flag in enumerate(flags, 1) if flag) or "none"
        return JudgeVerdict(
            self.name, score, "precise" if score == 1 else "imprecise", f"needed ranks: {ranks}", quotes
        )


class StatementFound(ReplyForm):
    """What the model says of one statement of the reference."""

    n: int
    found: bool
    quote: str


class RecallReply(ReplyForm):
    """What the model says of all of them."""

    statements: list[StatementFound]


@dataclass(frozen=True)
class ContextRecall(LLMJudge[RecallReply]):
    """The share of the reference's statements that the contexts hold; 0 where nothing was found."""

    kind = "context_recall"
    needs = frozenset({Need.CONTEXTS, Need.REFERENCE})
    form = RecallReply

    def known(self, case: Case) -> JudgeVerdict | None:
        """0 where nothing was found."""
        if not case.contexts:
            return JudgeVerdict(self.name, 0.0, "nothing found", "nothing was found")
        return None if statements(case.reference or "").texts else self.unjudged("the reference has no sentence")

    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """One call for all statements of the reference."""
        texts = statements(case.reference or "").texts
        return [{"sections": as_sections(case.contexts or ()), "statements": as_list(texts)}]

    def read(self, case: Case, replies: Sequence[RecallReply]) -> JudgeVerdict:
        """`all found`, `partly found` or `nothing found`; a statement counts only with words of the contexts."""
        texts, judged = statements(case.reference or "").texts, replies[0].statements
        if not numbered_once([one.n for one in judged], len(texts)):
            return self.unjudged(f"the reply does not judge each of {len(texts)} statements once")
        held = [one for one in judged if one.found]
        for one in held:
            if not quoted_from(one.quote, case.contexts or ()):
                return self.unjudged(f"what it quotes for statement {one.n} is not in the contexts")
        score = len(held) / len(texts)
        label = "all found" if score == 1 else "partly found" if held else "nothing found"
        reason = f"{len(held)} of {len(texts)} statements are in the contexts"
        return JudgeVerdict(self.name, score, label, reason, tuple(one.quote for one in held))
