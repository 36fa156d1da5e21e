"""Follow-up questions: "and for contractors?" becomes a question that can be searched alone.

Only the asker's own questions are used, never an answer: what stands in a policy has no say in what is asked next.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.shown import without_unseen
from policy_rag.index.tokens import terms
from policy_rag.models.language_model import LanguageModel, Reply
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

_MOST_WORDS = 12
_MOST_EARLIER = 4
_MOST_CHARS = 500
_OPENING = re.compile(r"\W*(?:and|or|but|also|what about|how about|und|oder|aber|auch|wie ist es)\b", re.IGNORECASE)
# "IT" is a department, hence no ignoring of case; "that" and "this" point only where no noun follows.
_POINTING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|she|him|her|these|those|[Tt]hat one|[Tt]his one|the same|davon|dafür"
    r"|(?:[Tt]hat|[Tt]his)(?=\W*(?:$|\?|is|are|was|apply|applies|mean|means|include|includes|cover|covers|too|also))"
    r"|(?:[Ii]s|[Aa]re|[Dd]oes) (?:that|this|these)(?= \w+\W*$)|[Dd]ies(?:e|er|es)?)\b"
)
_OWN_WORDS = 2
_ASKING = frozenset(
    terms(
        "many much long often soon time when where which who what why how may must should can could would shall need "
        "get needed allowed happen happens apply applies exactly else else's mean means please tell explain"
    )
)


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


def is_follow_up(question: str) -> bool:
    """Whether a question leans on the one before: by how it opens, by a pronoun, or for want of a subject.

    A pronoun counts in a question of few words of its own: in a longer one it mostly refers to what the question names.

    >>> is_follow_up("And for contractors?"), is_follow_up("How long?"), is_follow_up("Who approves hotels?")
    (True, True, False)
    """
    own = own_words(question)
    return bool(not own or _OPENING.match(question) or (own <= _OWN_WORDS and _POINTING.search(question)))


def own_words(question: str) -> int:
    """How many stems of a question name something.

    >>> own_words("How long may contractors work abroad?")
    3
    """
    return len(set(terms(question)) - _ASKING)


def condense(question: str, topic: str) -> str:
    """A follow-up with the telling words of the question on which it leans.

    Args:
        question: the follow-up.
        topic: the last question that could be understood alone.

    Returns:
        The follow-up, then the words of `topic` that it lacks, in their order, 12 at most.

    >>> condense("And for contractors?", "How many days of annual leave do employees have?")
    'And for contractors? (days annual leave employees)'
    """
    present = set(terms(question)) | _ASKING
    words: list[str] = []
    for word in re.findall(r"\w+(?:[.'’-]\w+)*", topic):
        stems = terms(word)
        if stems and not present.issuperset(stems):
            words.append(word)
            present.update(stems)
    return f"{question} ({' '.join(words[:_MOST_WORDS])})" if words else question


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
    prompt = template.render(earlier=shown, question=as_data(question))
    reply = model.chat(prompt.system, prompt.user)
    label = f"{template.name} {template.version} {template.sha256[:12]}"
    written = without_unseen(reply.text).strip().strip('"')
    if not _is_question(written, question, earlier):
        follows = is_follow_up(question)
        return Condensed(condense(question, topic) if follows else question, follows, label, reply)
    return Condensed(written, written != question, label, reply)


def _is_question(written: str, question: str, earlier: Sequence[str]) -> bool:
    """Whether a model kept to its task: one line, and no word that nobody has asked about."""
    if not written or "\n" in written or len(written) > _MOST_CHARS:
        return False
    said = {stem for text in (question, *earlier) for stem in terms(text)} | _ASKING
    return said.issuperset(terms(written))
