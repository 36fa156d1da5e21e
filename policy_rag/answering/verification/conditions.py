"""Whether a statement keeps the conditions of its source: "only", "unless", the "if" of a permission.

What a statement leaves out counts only where it follows its source closely: a shorter statement says less, not
something else. What it takes in against the source ("even where", "without", what the source excepts) counts always,
and so does an exception left out of what it says of every case ("never", "all").
"""

import re
from collections.abc import Sequence
from functools import cache

from policy_rag.answering.verification.halves import halves
from policy_rag.answering.verification.near_copy import followed
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Lexicon, Modality
from policy_rag_parsers.text.tokenizer import words
from policy_rag_parsers.text.units import unit_names

_CLOSE = 0.75  # share of a statement's words that stand in the source in its order
_MOST_OF = 0.75  # share of a clause, without its exception, that the statement has
_LEAST_EXCEPTED = 2  # stems by which an exception is told


def other_condition(statement: Sentence, evidence: Evidence) -> str:
    """What a statement leaves out of the conditions of the sentences that it stands on, or takes in against them."""
    found = (_taken_in(statement, source) or _left_out(statement, source) for source in evidence.prose)
    return next(filter(None, found), "") or _without(statement, evidence.prose) or _of_every_case(statement, evidence)


def _left_out(statement: Sentence, source: Sentence) -> str:
    """The "only", "unless" or "if" of the half that the statement follows, where it has none."""
    known = statement.lexicon
    half = max((one.whole for one in halves(source)), key=lambda one: followed(statement, one))
    kept = followed(statement, half)
    if kept < _CLOSE * len(statement.words):
        return ""
    limit = half.says(known.only)
    if limit and not statement.says(*_keeps(known), alternatives(known.negators)):
        return f'it leaves out "{limit}"'
    exception = _exception(statement, half)
    if (
        exception
        and not statement.says(*_keeps(known), known.if_, known.when)
        and kept >= _MOST_OF * len(words(_parted(half, exception)[0]))
    ):
        return f'it leaves out "{exception[0]}"'
    return ""


def _keeps(known: Lexicon) -> tuple[str, ...]:
    """What says that a statement keeps a limit."""
    return known.only, known.except_, known.besides, known.without, known.until


def _exception(statement: Sentence, half: Sentence) -> re.Match[str] | None:
    """What opens the exception of a half; that of a permission may be an "if"."""
    known = statement.lexicon
    permits = Modality.PERMISSION in statement.modals and Modality.PERMISSION in half.modals
    opens = (known.except_, known.if_) if permits else (known.except_,)
    return next(filter(None, (any_word(one).search(half.text) for one in opens)), None)


def _parted(half: Sentence, exception: re.Match[str]) -> tuple[str, str]:
    """A half without its exception, and the exception."""
    before, behind = half.text[: exception.start()], half.text[exception.end() :]
    first, _, rest = behind.partition(",")
    return (before, behind) if words(before) else (rest, first)


def _of_every_case(statement: Sentence, evidence: Evidence) -> str:
    """The exception that a statement on every case leaves out of a half that it needs, however freely it words it.

    It needs the half where no other one without an exception has the words that it shares with it. One that says what
    is excepted is on that case.
    """
    known, said = statement.lexicon, statement.content
    word, all_of = statement.says(known.always), _all_of(statement)
    bare = read(any_word(known.always, known.even_if).sub(" ", statement.text), statement.language)
    if not (word or all_of) or bare.says(*_keeps(known), known.if_, known.when):
        return ""
    parts = [one.whole for text in evidence.said_of(statement) for one in halves(read(text, statement.language))]
    opened = [(half, _exception(statement, half)) for half in parts]
    plain = [half.content & said for half, exception in opened if not exception]
    for half, exception in opened:
        if not exception:
            continue
        main, excepted = (read(text, statement.language) for text in _parted(half, exception))
        shared = main.content & said
        counted = word or all_of & main.content - _all_of(main)
        if counted and shared and not excepted.content <= said and not any(shared <= one for one in plain):
            return f'it leaves out "{exception[0]}"'
    return ""


def _all_of(sentence: Sentence) -> frozenset[str]:
    """The stems of what a text speaks of all of: not "every month"."""
    names = unit_names(sentence.language)
    behind = (sentence.words[i + 1 : i + 3] for i, word in enumerate(sentence.words) if word in sentence.lexicon.all_)
    counted = " ".join(word for two in behind if names.keys().isdisjoint(two) for word in two)
    return read(counted, sentence.language).content


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
