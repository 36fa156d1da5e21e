"""Whether a statement keeps the conditions of its source: "only", "unless", the "if" of a permission.

What a statement leaves out counts only where it follows its source closely: a shorter statement says less, not
something else. What it takes in against the source ("even where", "without", what the source excepts) counts always.
"""

import re
from collections.abc import Sequence
from functools import cache

from policy_rag.answering.verification.halves import halves
from policy_rag.answering.verification.near_copy import followed
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.tokenizer import words

_CLOSE = 0.75  # share of a statement's words that stand in the source in its order
_MOST_OF = 0.75  # share of a clause, without its exception, that the statement has
_LEAST_EXCEPTED = 2  # stems by which an exception is told


def other_condition(statement: Sentence, evidence: Evidence) -> str:
    """What a statement leaves out of the conditions of the sentences that it stands on, or takes in against them."""
    found = (_taken_in(statement, source) or _left_out(statement, source) for source in evidence.prose)
    return next(filter(None, found), "") or _without(statement, evidence.prose)


def _left_out(statement: Sentence, source: Sentence) -> str:
    """The "only", "unless" or "if" of the half that the statement follows, where it has none."""
    known = statement.lexicon
    half = max((one.whole for one in halves(source)), key=lambda one: followed(statement, one))
    kept = followed(statement, half)
    if kept < _CLOSE * len(statement.words):
        return ""
    keeps = (known.only, known.except_, known.besides, known.without, known.until)
    limit = half.says(known.only)
    if limit and not statement.says(*keeps, alternatives(known.negators)):
        return f'it leaves out "{limit}"'
    opens = [known.except_]
    if Modality.PERMISSION in statement.modals and Modality.PERMISSION in half.modals:
        opens.append(known.if_)
    exception = next(filter(None, (any_word(one).search(half.text) for one in opens)), None)
    if (
        exception
        and not statement.says(*keeps, known.if_, known.when)
        and kept >= _MOST_OF * _main_words(half, exception)
    ):
        return f'it leaves out "{exception[0]}"'
    return ""


def _main_words(half: Sentence, exception: re.Match[str]) -> int:
    """How many words a half has beside its exception."""
    before = words(half.text[: exception.start()])
    return len(before) or len(words(half.text[exception.end() :].partition(",")[2]))


def _taken_in(statement: Sentence, source: Sentence) -> str:
    """What a source restricts or excepts and the statement takes in."""
    known = statement.lexicon
    widens = statement.says(known.even_if)
    if widens and source.says(known.only, known.except_, known.if_, known.after) and not source.says(known.even_if):
        return f'it says "{widens}", what it cites sets a condition'
    exception = any_word(known.except_).search(source.text)
    contrasts = (known.only, known.except_, known.besides, known.without, known.until, known.but, known.however)
    if exception is None or statement.negators > source.negators or statement.says(*contrasts):
        return ""  # more negations: "if no court forbids it"
    excepted = frozenset(read(re.split(r"[.;!?]", source.text[exception.end() :])[0], source.language).stems)
    main = frozenset(read(source.text[: exception.start()], source.language).stems) - excepted
    said = frozenset(statement.stems)
    if len(excepted) >= _LEAST_EXCEPTED and excepted <= said and len(main & said) >= _MOST_OF * len(main):
        return f'it takes in what is behind "{exception[0]}"'
    return ""


@cache
def _spared(language: str) -> re.Pattern[str]:
    return re.compile(rf"{any_word(lexicon(language).without).pattern}\s+([^.;:,]+)", re.IGNORECASE)


def _without(statement: Sentence, sources: Sequence[Sentence]) -> str:
    """What is done without something that the sources have with it; "not without" asks for it, as they may do."""
    if statement.negators or Modality.PROHIBITION in statement.modals or any(source.negators for source in sources):
        return ""
    pattern = _spared(statement.language)
    evidence = " ".join(source.text for source in sources)
    spared = frozenset(read(" ".join(pattern.findall(evidence)), statement.language).stems)
    given = frozenset(stem for source in sources for stem in source.stems)
    for found in pattern.finditer(statement.text):
        first = next(iter(read(found[1], statement.language).stems), "")
        if first in given - spared:
            return f'it says "{found[0].strip()}", what it cites does not'
    return ""
