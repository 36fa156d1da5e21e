"""The checks that a question must pass. Each looks at one thing and says whether it is wrong; none changes anything.

`check` runs those that need the question and its sections only; duplicates and finding need the others and a search,
and are in `question_filter`.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

import numpy as np
from numpy.typing import NDArray

from policy_rag.answering.verification.prompt_injection import gives_orders
from policy_rag.index.search.terms import LANGUAGES, terms, words
from policy_rag_eval.questions.drafts import QuestionDraft, QuestionStyle, Reason
from policy_rag_eval.words import of_all
from policy_rag_parsers.text.lexicon import any_word

MAX_COPIED = 0.75
"""Share of a question's words that may stand in its section in one run."""
MIN_RUN = 6
"""Words that a run must have before it counts as copied: short runs are names and terms."""
NEAR = 0.95
"""Cosine from which two questions are the same one in other words."""
ANSWERED_SHARE = 0.9
"""Share of an unanswerable question's content words that one section may not hold."""
MAX_CHARS = 400

_PREAMBLE = re.compile(rf"(?<!\w)(?:{of_all('preamble')})|\A\W*(?:q\d*|\d+)\s?[:.)]\s", re.IGNORECASE)
_REFERS = any_word(of_all("refers"))
_THIS = any_word(of_all("points"))
_PRONOUN = any_word(of_all("pronouns"))
_PERSON = any_word(of_all("persons"))
_REFERENCE = re.compile(rf"\b(?:{of_all('see')})\b[^.;]*", re.IGNORECASE)
_FUNCTION_WORDS = 2


def no_question(text: str) -> bool:
    """Whether it is none: no question mark at its end, two questions in a row, too long, or no word of content.

    >>> no_question("Explain leave."), no_question("How long is it? And why?"), no_question("Who approves leave?")
    (True, True, False)
    """
    inner = text.rstrip()[:-1]
    return (
        not text.rstrip().endswith("?")
        or "?" in inner
        or len(text) > MAX_CHARS
        or not terms(text)
        or "\n" in text.strip()
    )


def not_alone(text: str) -> bool:
    """Whether it names something only by pointing at it, so that it cannot be understood, and answered, by itself.

    A pronoun is fine behind what it may stand for: a person, or two words of content.

    >>> not_alone("Who approves it?"), not_alone("When must such a report be filed?")
    (True, True)
    >>> not_alone("Must a manager who sees fraud report it?"), not_alone("Do I lose leave that I did not take?")
    (False, False)
    """
    if _THIS.search(text):
        return True
    pronoun = _PRONOUN.search(text)
    if pronoun is None:
        return False
    before = text[: pronoun.start()]
    return not _PERSON.search(before) and len(terms(before)) < 2


def other_language(text: str, language: str) -> bool:
    """Whether its function words are clearly those of another language; a question with hardly any passes.

    >>> other_language("Wie viele Tage hat man?", "english"), other_language("Was regelt § 5?", "german")
    (True, False)
    """
    counts = {name: len(words(text)) - len(terms(text, name)) for name in LANGUAGES}
    best = max(counts.values())
    return best >= _FUNCTION_WORDS and counts.get(language, 0) < 0.6 * best


def copied_share(text: str, section: str) -> float:
    """Share of a question's words that stand in the section in one run, 0 to 1; runs below `MIN_RUN` count as 0.

    >>> copied_share("Must staff who are ill tell their manager before work?", "Staff who are ill tell their manager.")
    0.7
    """
    of_question = words(text)
    run = SequenceMatcher(None, of_question, words(section), autojunk=False).find_longest_match().size
    return run / len(of_question) if run >= MIN_RUN else 0.0


def points_elsewhere(quote: str) -> bool:
    """Whether a quote only says where the answer stands, so that its section alone does not answer.

    >>> points_elsewhere("See section 8 of the Code of Conduct."), points_elsewhere("The limit is 20 euros; see 4.2.")
    (True, False)
    """
    return len(terms(_REFERENCE.sub("", quote))) < 2 and _REFERENCE.search(quote) is not None


def answered_elsewhere(text: str, section: str, language: str = "english") -> bool:
    """Whether a section holds nearly all words of content of a question that is to have no answer."""
    content = set(terms(text, language))
    return bool(content) and len(content & set(terms(section, language))) / len(content) >= ANSWERED_SHARE


def plain_form(text: str) -> str:
    """A question as it is compared with others: its words alone.

    >>> plain_form("  Who approves  (trips)?")
    'who approves trips'
    """
    return " ".join(words(text))


def near_duplicate(
    text: str, vector: NDArray[np.float32], others: Sequence[str], vectors: Sequence[NDArray[np.float32]]
) -> bool:
    """Whether a question says the same as another: cosine of at least `NEAR`, and the same numbers named.

    Questions by clause number differ in nothing else than the number.

    Vectors have length 1; those of the others are in their order.
    """
    if not others:
        return False
    numbers = _numbers(text)
    cosines = (np.stack(vectors) @ vector).tolist()
    near = (other for other, cosine in zip(others, cosines, strict=True) if cosine >= NEAR)
    return any(numbers == _numbers(other) for other in near)


def _numbers(text: str) -> list[str]:
    return sorted(word for word in words(text) if any(char.isdigit() for char in word))


def check(draft: QuestionDraft, sections: Sequence[str]) -> Reason | None:
    """The first thing that is wrong with a question by itself, or None.

    `sections` are the texts of those that it was made from, in order.
    """
    text = draft.text
    alone = (
        (Reason.PREAMBLE, bool(_PREAMBLE.search(text))),
        (Reason.NO_QUESTION, no_question(text)),
        (Reason.ORDERS, gives_orders(text) or any(gives_orders(quote.text) for quote in draft.quotes)),
        (Reason.REFERS_TO_TEXT, bool(_REFERS.search(text))),
        (Reason.NOT_ALONE, not_alone(text)),
        (Reason.OTHER_LANGUAGE, other_language(text, draft.language)),
        (Reason.COPIES, any(copied_share(text, section) > MAX_COPIED for section in sections)),
        (Reason.POINTS_ELSEWHERE, any(points_elsewhere(quote.text) for quote in draft.quotes)),
    )
    found = next((reason for reason, wrong in alone if wrong), None)
    unanswerable = draft.style is QuestionStyle.UNANSWERABLE
    if found is None and unanswerable and any(answered_elsewhere(text, s, draft.language) for s in sections):
        return Reason.ANSWERED_ELSEWHERE
    return found
