"""Questions that name no subject: a question back instead of an answer about whichever document came first."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from policy_rag.answering.extraction.leading_words import asks_yes_or_no
from policy_rag.answering.presentation.wording import ALL_WORDS
from policy_rag.index.search.terms import detect_language, terms
from policy_rag.records.search import Hit
from policy_rag.retrieval.transforms.conversation_rules import own_words
from policy_rag_parsers.text.answer_language import words_for
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon

_BEFORE_NAME = "- "
_MOST_CANDIDATES = 5
_A_NAME = 3
_CLAUSE = "clause"


@dataclass(frozen=True, slots=True)
class Clarification:
    """A question back, and the hits that stand for its candidates: the best of each document, best first."""

    question: str
    candidates: tuple[Hit, ...]


def clarify(question: str, hits: Sequence[Hit], languages: Sequence[str] = ("english",)) -> Clarification | None:
    """The question back to one that names no subject of its own, while several documents match it equally.

    A document matches as well as another if its best hit holds as many of the question's words. Every candidate is a
    hit, so none is named that the asker may not read.

    Args:
        question: as asked.
        hits: best first.
        languages: those of the index's documents; the question is general if it is so in one of them.

    Returns:
        None where a word of the question is no general one, a clause is asked for, or one document matches best.
    """
    general = [language for language in dict.fromkeys(languages) if _is_general(question, language)]
    if not general or any(_CLAUSE in hit.found_by for hit in hits):
        return None
    asked = {language: frozenset(terms(question, language)) for language in general}
    best: dict[str, tuple[int, Hit]] = {}
    for hit in hits:
        shared = max(len(asked[language].intersection(terms(_text(hit), language))) for language in general)
        if hit.doc_id not in best or shared > best[hit.doc_id][0]:
            best[hit.doc_id] = (shared, hit)
    most = max((shared for shared, _ in best.values()), default=0)
    candidates = tuple(hit for shared, hit in best.values() if shared == most)[:_MOST_CANDIDATES]
    if len(candidates) < 2:
        return None
    return Clarification(_question_back(question, candidates, languages), candidates)


def is_question_back(text: str) -> bool:
    """Whether a text begins as a question back does, in any language."""
    return any(text.startswith(one.which) for one in ALL_WORDS)


def listed_candidates(text: str) -> tuple[str, ...]:
    r"""What a question back lists, by name; nothing where a text is no question back.

    >>> listed_candidates("Several policies could be meant. Which one do you ask about?\n- Conduct\n- Leave")
    ('Conduct', 'Leave')
    """
    begin, *lines = text.split("\n")
    if not is_question_back(begin):
        return ()
    return tuple(line.removeprefix(_BEFORE_NAME) for line in lines if line.startswith(_BEFORE_NAME))


def names_candidate(reply: str, candidates: Sequence[str]) -> bool:
    """Whether a reply to a question back says which policy is meant, and is no question of its own.

    Args:
        reply: what was said next.
        candidates: what the question back listed, where that is known.

    >>> names_candidate("the one on remote work", ()), names_candidate("What is the limit for gifts?", ())
    (True, False)
    """
    language = detect_language(reply)
    said = frozenset(terms(reply, language))
    names = [named for one in candidates if (named := frozenset(terms(one, language)))]
    if said and any(said <= named for named in names):
        return True
    if any_word(lexicon(language).question.asks).search(reply) or asks_yes_or_no(reply, language):
        return False
    return own_words(reply) <= _A_NAME or any(named <= said for named in names)


def _is_general(question: str, language: str) -> bool:
    return language in LEXICONS and _general(language).issuperset(terms(question, language))


@cache
def _general(language: str) -> frozenset[str]:
    return frozenset(terms(" ".join(lexicon(language).question.any_policy), language))


def _text(hit: Hit) -> str:
    return "\n".join([*hit.path, hit.text])


def _question_back(question: str, candidates: Sequence[Hit], languages: Sequence[str]) -> str:
    return "\n".join([words_for(question, languages).which, *(f"{_BEFORE_NAME}{_name(hit)}" for hit in candidates)])


def _name(hit: Hit) -> str:
    """The document's title, and that of the section that matches where it has one: `Expenses Policy: 2 Claims`."""
    document = hit.path[0] if hit.path else hit.file
    section = " ".join(part for part in (hit.number, hit.title) if part)
    return f"{document}: {section}" if hit.title and hit.title != document else document
