"""`context_recall`: how much of the right answer can be taken from what was found?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from policy_rag_eval.judges.llm_judge import LLMJudge, as_list, as_sections, quoted_from
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form, numbered_once
from policy_rag_eval.judges.statements import statements


class Found(Form):
    """What the model says of one statement of the reference."""

    n: int
    found: bool
    quote: str


class Reply(Form):
    """What the model says of all of them."""

    statements: list[Found]


@dataclass(frozen=True)
class ContextRecall(LLMJudge):
    """The share of the reference's statements that the contexts hold; 0 where nothing was found."""

    @property
    def kind(self) -> str:  # noqa: D102
        return "context_recall"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.CONTEXTS, Need.REFERENCE})

    def known(self, case: Case) -> Verdict | None:
        """0 where nothing was found."""
        if not case.contexts:
            return Verdict(self.name, 0.0, "nothing found", "nothing was found")
        return None if statements(case.reference or "").texts else self._cannot("the reference has no sentence")

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question about all statements of the reference."""
        contexts, texts = case.contexts or (), statements(case.reference or "").texts
        return (self._ask(Reply, *contexts, sections=as_sections(contexts), statements=as_list(texts)),)

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """`all found`, `partly found` or `nothing found`; a statement counts only with words of the contexts."""
        texts = statements(case.reference or "").texts
        said = cast("Reply", replies[0]).statements
        if not numbered_once([one.n for one in said], len(texts)):
            return self._cannot(f"the reply does not judge each of {len(texts)} statements once")
        held = [one for one in said if one.found]
        for one in held:
            if not quoted_from(one.quote, case.contexts or ()):
                return self._cannot(f"what it quotes for statement {one.n} is not in the contexts")
        score = len(held) / len(texts)
        label = "all found" if score == 1 else "partly found" if held else "nothing found"
        reason = f"{len(held)} of {len(texts)} statements are in the contexts"
        return Verdict(self.name, score, label, reason, tuple(one.quote for one in held))
