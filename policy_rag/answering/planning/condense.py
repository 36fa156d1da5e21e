"""Follow-up questions: "and for contractors?" becomes a question that can be searched alone.

Only the asker's own questions are used, never an answer: what stands in a policy has no say in what is asked next.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.presentation.escaping import without_unseen
from policy_rag.index.search.terms import terms
from policy_rag.llm.metering import Calls
from policy_rag.retrieval.transforms.conversation_rules import ASKING, condense, is_follow_up
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
_LABEL = re.compile(r"\A[\W_]*[^:?]{0,40}\bquestion\b[^:?]{0,30}:", re.IGNORECASE)
_AROUND = " \t\n\"'“”*_`{}>"
_MOST_EARLIER = 4
_MOST_CHARS = 500


@dataclass(frozen=True, slots=True)
class Condensed:
    """A question as it is searched, and how it came about.

    Attributes:
        question: understood alone.
        follows: whether anything was put in from earlier questions.
    """

    question: str
    follows: bool


def condense_by_rules(question: str, topic: str) -> Condensed:
    """A follow-up with the words of its topic; see `condense`. It follows nothing where there is none to put in."""
    read = condense(question, topic)
    return Condensed(read, follows=read != question)


def condense_by_llm(calls: Calls, question: str, earlier: Sequence[str], topic: str) -> Condensed:
    """A question as an LLM writes it out. A reply that is no single question of reasonable length gives way to rules.

    Args:
        calls: who writes.
        question: the last question.
        earlier: those before it, oldest first; the last four are used.
        topic: see `condense`.

    Raises:
        ModelError: the model fails.
    """
    shown = "\n".join(f"- {' '.join(as_data(text).split())}" for text in earlier[-_MOST_EARLIER:])
    reply = calls.ask(load_template("condense"), {"earlier": shown, "question": as_data(question)})
    written = _question_in(without_unseen(reply.text))
    if not _is_question(written, question, earlier):
        follows = is_follow_up(question, topic)
        return condense_by_rules(question, topic) if follows else Condensed(question, follows=False)
    return Condensed(written, written != question)


def _question_in(reply: str) -> str:
    r"""The question in a reply, which small models introduce, quote or give as JSON; of several lines the last one.

    >>> _question_in('Sure!\n\nStandalone question: "How long?"'), _question_in('{"question": "How long?"}')
    ('How long?', 'How long?')
    """
    asking = [line for line in reply.splitlines() if line.rstrip(_AROUND).endswith("?")] or [reply]
    return _LABEL.sub("", asking[-1]).strip(_AROUND)


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
