"""Follow-up questions: "and for contractors?" becomes a question that can be searched alone.

Only the asker's own questions are used, never an answer: what stands in a policy has no say in what is asked next.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.presentation.escaping import without_unseen
from policy_rag.index.search.tokens import terms
from policy_rag.llm.metering import Calls
from policy_rag.llm.protocol import LanguageModel, Reply
from policy_rag.retrieval.transforms.conversation_rules import ASKING, condense, is_follow_up, own_words
from policy_rag_parsers.text.modality import negative
from policy_rag_parsers.text.tokenizer import detect_language
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

# Words that a model may put in: every question here is about what the policies say.
_OF_POLICIES = frozenset(
    terms(
        "policy policies rule rules regulation regulations company organisation organization regarding concerning "
        "Richtlinie Richtlinien Regel Regeln Regelung Regelungen Unternehmen bezüglich hinsichtlich"
    )
)
_MOST_EARLIER = 4
_MOST_CHARS = 500


@dataclass(frozen=True, slots=True)
class Condensed:
    """A question as it is searched, and how it came about.

    Attributes:
        question: understood alone.
        follows: whether anything was put in from earlier questions.
        template: name, version and hash of the prompt, or None where rules did it.
        reply: the LLM's, or None.
    """

    question: str
    follows: bool
    template: str | None = None
    reply: Reply | None = None


def condense_with(model: LanguageModel, question: str, earlier: Sequence[str], topic: str) -> Condensed:
    """The same by an LLM. A reply that is no single question of reasonable length gives way to the rules.

    Args:
        model: who writes.
        question: the last question.
        earlier: those before it, oldest first; the last four are used.
        topic: see `condense`.

    Raises:
        ModelError: the model fails.
    """
    template = load_template("condense")
    shown = "\n".join(f"- {' '.join(as_data(text).split())}" for text in earlier[-_MOST_EARLIER:])
    reply = Calls.of(model).ask(template, {"earlier": shown, "question": as_data(question)})
    label = template.label
    written = without_unseen(reply.text).strip().strip('"')
    if not _is_question(written, question, earlier):
        follows = is_follow_up(question)
        return Condensed(condense(question, topic) if follows else question, follows, label, reply)
    return Condensed(written, written != question, label, reply)


def _is_question(written: str, question: str, earlier: Sequence[str]) -> bool:
    """Whether a model kept to its task: one line, no answer, and no word or denial that nobody has asked about."""
    if not written or "\n" in written or len(written) > _MOST_CHARS:
        return False
    if question.rstrip().endswith("?") and not written.endswith("?"):
        return False
    denies = negative(detect_language(" ".join((written, question))))
    if denies.search(written) and not denies.search(" ".join((question, *earlier))):
        return False
    said = {stem for text in (question, *earlier) for stem in terms(text)} | ASKING | _OF_POLICIES
    return said.issuperset(terms(written))


__all__ = ["Condensed", "condense", "condense_with", "is_follow_up", "own_words"]
