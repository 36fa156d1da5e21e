"""`faithfulness`: does what the answerer was given bear out each statement of the answer?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

from policy_rag_eval.judges.llm_judge import LLMJudge, as_list, as_sections, quoted_from
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form, numbered_once
from policy_rag_eval.judges.statements import refuses, statements

_AT_ONCE = 10
_MOST = 100


class StatementVerdict(Form):
    """What the model says of one statement."""

    n: int
    verdict: Literal["supported", "contradicted", "not_found"]
    quote: str


class Reply(Form):
    """What the model says of several."""

    statements: list[StatementVerdict]


@dataclass(frozen=True)
class Faithfulness(LLMJudge):
    """The share of the answer's statements that the contexts bear out.

    "Supported" counts only with words that stand in the contexts; without them the answer could not be judged, since a
    model that always says yes, or obeys the answer that it judges, has none. Orders to an assistant count as statements
    that nothing bears out.
    """

    @property
    def kind(self) -> str:  # noqa: D102
        return "faithfulness"

    @property
    def needs(self) -> frozenset[Need]:  # noqa: D102
        return frozenset({Need.CONTEXTS})

    def known(self, case: Case) -> Verdict | None:
        """An answer that states nothing could not be judged; one without contexts, or of orders only, is unfaithful."""
        found = statements(case.answer)
        if refuses(case):
            return self._cannot("a refusal or an empty answer states nothing")
        if not found.texts and not found.orders:
            return self._cannot("the answer has no sentence")
        if len(found.texts) > _MOST:
            return self._cannot(f"the answer has {len(found.texts)} sentences, more than {_MOST}")
        if not case.contexts or not found.texts:
            reason = "it gives orders to an assistant" if not found.texts else "there is no context"
            return Verdict(self.name, 0.0, "unfaithful", reason, (*found.orders, *found.texts)[:1])
        return None

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """One question for every ten statements."""
        texts, contexts = statements(case.answer).texts, as_sections(case.contexts or ())
        return tuple(
            self._ask(Reply, case.answer, sections=contexts, statements=as_list(texts[first : first + _AT_ONCE]))
            for first in range(0, len(texts), _AT_ONCE)
        )

    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """The share that is supported; `faithful` where that is all."""
        found = statements(case.answer)
        unsupported = list(found.orders)
        quotes: list[str] = []
        for first, reply in zip(range(0, len(found.texts), _AT_ONCE), replies, strict=True):
            texts = found.texts[first : first + _AT_ONCE]
            said = cast("Reply", reply).statements
            if not numbered_once([one.n for one in said], len(texts)):
                return self._cannot(f"the reply does not judge each of {len(texts)} statements once")
            for one in said:
                if one.verdict != "supported":
                    unsupported.append(texts[one.n - 1])
                elif quoted_from(one.quote, case.contexts or ()):
                    quotes.append(one.quote)
                else:
                    return self._cannot(f"what it quotes for statement {first + one.n} is not in the contexts")
        total = len(found.texts) + len(found.orders)
        score = len(quotes) / total
        label = "unfaithful" if unsupported else "faithful"
        return Verdict(self.name, score, label, f"{len(quotes)} of {total} statements are supported",
                       tuple(unsupported or quotes))  # fmt: skip
