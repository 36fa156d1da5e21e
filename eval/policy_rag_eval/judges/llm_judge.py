"""What judges that ask an LLM share: prompts from a case, one verdict from the replies, and texts as data."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.verification.surface_checks import is_verbatim
from policy_rag.llm.protocol import LanguageModel
from policy_rag_eval.judges.records import Case, Need, Verdict
from policy_rag_eval.judges.replies import Ask, Form, Unreadable, put
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template


@dataclass(frozen=True)
class LLMJudge(ABC):
    """A judge that asks an LLM: `asks` makes its questions, `read` a verdict of the replies, both without the model.

    So that what a run will cost is known before it, and every way of reading is tested without a server.
    """

    model: LanguageModel

    @property
    @abstractmethod
    def kind(self) -> str:
        """What it judges; with the model it makes the name."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What it needs of a case."""

    @property
    def name(self) -> str:
        """The kind and the model, as in `faithfulness:ollama/llama3.2`."""
        return f"{self.kind}:{self.model.name}"

    def known(self, case: Case) -> Verdict | None:  # noqa: ARG002 - most judges always ask
        """The verdict where there is nothing to ask, else None."""
        return None

    @abstractmethod
    def asks(self, case: Case) -> tuple[Ask, ...]:
        """The questions to the model; at least one where `known` gives none."""

    @abstractmethod
    def read(self, case: Case, replies: Sequence[Form]) -> Verdict:
        """The verdict that the replies give, one for each question, in order."""

    def judge(self, case: Case) -> Verdict:
        """The verdict; one reply that cannot be read makes it a verdict without a score.

        Raises:
            ModelError: the server fails.
        """
        known = self.known(case)
        if known is not None:
            return known
        replies: list[Form] = []
        for ask in self.asks(case):
            reply = put(ask, self.model)
            if isinstance(reply, Unreadable):
                return self._cannot(reply.reason)
            replies.append(reply)
        return self.read(case, replies)

    def _cannot(self, reason: str) -> Verdict:
        return Verdict.unjudged(self.name, reason)

    def _ask(self, form: type[Form], *judged: str, **values: str) -> Ask:
        return Ask(load_template(f"judge_{self.kind}").render(**values), form, judged)


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
    return len(quote.split()) > 1 and is_verbatim(quote.strip().strip("\"'“”"), [as_data(text) for text in contexts])
