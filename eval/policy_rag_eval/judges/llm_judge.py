"""What judges that ask an LLM share: prompts from a case, one verdict from the replies, and texts as data."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar, cast

from policy_rag.answering.verification.quoted_names import is_verbatim
from policy_rag.llm.language_model import LanguageModel
from policy_rag_eval.judges.judge_cases import Case, JudgeVerdict, Need
from policy_rag_eval.judges.judge_replies import JudgeQuestion, ReplyForm, Unreadable, ask_judge
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

R = TypeVar("R", bound=ReplyForm)


@dataclass(frozen=True)
class LLMJudge(ABC, Generic[R]):
    """A judge that asks an LLM: `prompts` fills its template, `read` makes a verdict of the replies.

    Attributes:
        model: the LLM.
        kind: what it judges, and `judge_KIND` its template; with the model it makes the name.
        needs: what it needs of a case.
        form: of each reply.
    """

    model: LanguageModel
    kind: ClassVar[str]
    needs: ClassVar[frozenset[Need]]
    form: ClassVar[type[ReplyForm]]

    @property
    def name(self) -> str:
        """The kind and the model, as in `faithfulness:ollama/llama3.2`."""
        return f"{self.kind}:{self.model.name}"

    def known(self, case: Case) -> JudgeVerdict | None:  # noqa: ARG002 - most judges always ask
        """The verdict where there is nothing to ask, else None."""
        return None

    @abstractmethod
    def prompts(self, case: Case) -> Sequence[dict[str, str]]:
        """The values of the template for each call; at least one where `known` gives no verdict."""

    @abstractmethod
    def read(self, case: Case, replies: Sequence[R]) -> JudgeVerdict:
        """The verdict that the replies give, one for each call, in order."""

    def judge(self, case: Case) -> JudgeVerdict:
        """The verdict; one reply that cannot be read makes it a verdict without a score.

        Raises:
            ModelError: the server fails.
        """
        known = self.known(case)
        if known is not None:
            return known
        template = load_template(f"judge_{self.kind}")
        # Whoever judges may be told by the answer, or by a context, what to reply.
        untrusted = (case.answer, *(case.contexts or ()))
        replies = [
            ask_judge(JudgeQuestion(template.render(**values), self.form, untrusted), self.model)
            for values in self.prompts(case)
        ]
        for reply in replies:
            if isinstance(reply, Unreadable):
                return self.unjudged(reply.reason)
        return self.read(case, cast("list[R]", replies))

    def unjudged(self, reason: str) -> JudgeVerdict:
        """The verdict where it could not judge."""
        return JudgeVerdict.unjudged(self.name, reason)


def as_sections(contexts: Sequence[str]) -> str:
    """The contexts as numbered sections of a prompt; what stands in them is data there."""
    return "\n\n".join(f'<section n="{n}">\n{as_data(text).strip()}\n</section>' for n, text in enumerate(contexts, 1))


def as_list(texts: Sequence[str]) -> str:
    """Texts as a numbered list, each on one line, as data."""
    return "\n".join(f"{n}. {' '.join(as_data(text).split())}" for n, text in enumerate(texts, 1))


def quoted_from(quote: str, contexts: Sequence[str]) -> bool:
    """Whether a quotation of two words or more stands in one of the contexts, up to case, blanks and marks.

    >>> quoted_from("25 days", ["Leave is 25 days."]), quoted_from("", ["Leave is 25 days."])
    (True, False)
    """
    return len(quote.split()) > 1 and is_verbatim(
        quote.strip().strip("\"'“”"), tuple(as_data(text) for text in contexts)
    )
