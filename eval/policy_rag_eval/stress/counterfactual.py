"""Counterfactual robustness: a false clause, made by rule, beside the true one (after Chen et al. 2024)."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_eval.stress.question_sections import QuestionSections, no_answer, place_of
from policy_rag_eval.stress.trials import ConditionsAndNotes, StressAnswer, StressCondition, StressOutcome, Trial
from policy_rag_eval.words import WORDS, of_all
from policy_rag_parsers.text.dates import month_pattern
from policy_rag_parsers.text.lexicon import alternatives, any_word, in_all
from policy_rag_parsers.text.tokenizer import detect_language

TRUE_FIRST, PLANTED_FIRST, ALONE = "true first", "planted first", "none planted"
PLANTED_FILE = "superseded/"

_CONTRAST = any_word(of_all("conflicts"))
_NUMBER = re.compile(r"(?<![\w.,/§:+-])\d+(?:,\d{3})*(?![\w/:-]|[.,]\d)")
_YEARS = range(1900, 2100)
_TURNED = {modal: instead for one in WORDS.values() for modal, instead in one.turned}
_MODAL = re.compile(rf"\b(?:{alternatives(_TURNED)})\b")


@dataclass(frozen=True, slots=True)
class Change:
    """What is changed in a text: `[start, end)` of it becomes `new`."""

    start: int
    end: int
    new: str


@dataclass(frozen=True, slots=True)
class Planted:
    """A section with a false clause in it.

    Attributes:
        hit: the section as from an older edition of its document; offsets are of that edition.
        true: `(file, start, end)` of the words that were changed, where they are true.
        false: the same of what took their place.
    """

    hit: Hit
    true: tuple[str, int, int]
    false: tuple[str, int, int]


def counterfactual(questions: Sequence[QuestionSections], seed: int) -> ConditionsAndNotes:
    """The gold sections alone, then with a changed copy of one of them behind it, then with the copy before it."""
    answerable = [one for one in questions if one.gold]
    made = [(one, planted) for one in answerable if (planted := _planted(one, seed)) is not None]
    orders = (ALONE, TRUE_FIRST, PLANTED_FIRST) if made else ()
    conditions = tuple(
        StressCondition(order, {"order": order}, tuple(_trial(one, planted, order) for one, planted in made))
        for order in orders
    )
    unchanged = len(answerable) - len(made)
    reason = "left out: their gold has no amount, period or modal that a rule can change"
    return conditions, (f"{unchanged} question{'' if unchanged == 1 else 's'} {reason}",) if unchanged else ()


def _planted(one: QuestionSections, seed: int) -> Planted | None:
    """The first gold place in which something can be changed."""
    rng = random.Random(f"{seed}:{one.question.question_id}")
    for passage in one.passages:
        hit = one.holder(passage)
        if hit is not None and passage.start is not None and passage.end is not None:
            planted = plant(hit, passage.start, passage.end, rng)
            if planted is not None:
                return planted
    return None


def _trial(one: QuestionSections, planted: Planted, order: str) -> Trial:
    if order == ALONE:
        return one.trial(one.gold, partial(_judge, planted=planted, shown=False))
    evidence = one.evidence()
    given = _beside(one.gold, planted, first=order == PLANTED_FIRST)
    decides = _beside(evidence, planted, first=False)[: len(evidence)]
    return one.trial(given, partial(_judge, planted=planted, shown=True), evidence=decides)


def _beside(hits: Sequence[Hit], planted: Planted, *, first: bool) -> list[Hit]:
    """Hits with the false section next to the true one, which the change tells from all others."""
    file, start, end = planted.true
    listed: list[Hit] = []
    for hit in hits:
        own = hit.file == file and hit.start <= start and end <= hit.end
        pair = [planted.hit, hit] if first else [hit, planted.hit]
        listed += pair if own and place_of(planted.hit) not in {place_of(one) for one in listed} else [hit]
    return listed


def _judge(answer: StressAnswer, planted: Planted, *, shown: bool) -> tuple[StressOutcome, bool | None]:
    """Which of the two the citations hold, word for word where they differ; and whether the answer says so.

    A contradiction is noticed where both are cited and the answer's own words, its quotations aside, set them against
    each other ("however", "superseded", "differs", ...). That is a lower bound: who says it in other words is missed.
    """
    outcome = no_answer(answer)
    if outcome is not None:
        return outcome, False if shown else None
    true, false = (any(_holds(one, place) for one in answer.citations) for place in (planted.true, planted.false))
    if true and false:
        return StressOutcome.BOTH, bool(_CONTRAST.search(_own_words(answer)))
    outcome = StressOutcome.GOLD if true else StressOutcome.PLANTED if false else StressOutcome.OTHER
    return outcome, False if shown else None


def _holds(citation: Citation, place: tuple[str, int, int]) -> bool:
    file, start, end = place
    return citation.file == file and citation.start <= start and end <= citation.end


def _own_words(answer: StressAnswer) -> str:
    text = " ".join(answer.text.split())
    for citation in answer.citations:
        text = text.replace(" ".join(citation.quote.split()), " ")
    return text


def plant(hit: Hit, start: int, end: int, rng: random.Random) -> Planted | None:
    """The section with one change inside `[start, end)` of its document's text, as from a superseded edition.

    It looks like the true one in all that the answerer is told of a section's origin, but for the first of its titles;
    and the searches would have found it at the same place.

    The gold is `[start, end)`; `rng` chooses what is changed.

    Returns:
        None where no rule finds anything to change.
    """
    first, last = max(start, hit.start), min(end, hit.end)
    made = change(hit.text[first - hit.start : last - hit.start], rng) if first < last else None
    if made is None:
        return None
    begin, stop = first + made.start, first + made.end
    grown = len(made.new) - (stop - begin)
    file = PLANTED_FILE + hit.file
    name = hit.path[0] if hit.path else hit.file
    planted = replace(
        hit,
        doc_id=PLANTED_FILE + hit.doc_id,
        version="superseded",
        file=file,
        path=(f"{name} (superseded edition)", *hit.path[1:]),
        end=hit.end + grown,
        chunk_start=hit.chunk_start + (grown if hit.chunk_start >= stop else 0),
        chunk_end=hit.chunk_end + (grown if hit.chunk_end >= stop else 0),
        text=hit.text[: begin - hit.start] + made.new + hit.text[stop - hit.start :],
    )
    return Planted(planted, (hit.file, begin, stop), (file, begin, begin + len(made.new)))


def change(text: str, rng: random.Random) -> Change | None:
    """One change that makes the text say something else, or None where no rule finds anything.

    An amount or period in digits is doubled or tripled; else one in words becomes another of the same language; else a
    modal is turned. Numbers of sections and forms, dates and years are left as they are.
    """
    amounts = [found for found in _NUMBER.finditer(text) if _is_amount(text, found)]
    if amounts:
        found = rng.choice(amounts)
        value = int(found[0].replace(",", ""))
        new = rng.choice((2, 3)) * value if value else 10
        return Change(found.start(), found.end(), f"{new:,}" if "," in found[0] or new >= 10_000 else str(new))
    own = WORDS.get(detect_language(text), WORDS["english"]).numbers
    words = list(any_word(own).finditer(text))
    if words:
        found = rng.choice(words)
        other = rng.choice([one for one in own.split("|") if one != found[0].lower()])
        return Change(found.start(), found.end(), other.capitalize() if found[0][0].isupper() else other)
    turned = _MODAL.search(text)
    return None if turned is None else Change(turned.start(), turned.end(), _TURNED[turned[0]])


def _is_amount(text: str, found: re.Match[str]) -> bool:
    if found[0].isdigit() and int(found[0]) in _YEARS:
        return False
    before, after = _no_amount()
    return not before.search(text[: found.start()]) and not after.match(text[found.end() :])


@cache
def _no_amount() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands before a number that is no amount, and what behind it: references and dates."""
    named = f"{in_all('references')}|{of_all('no_amounts')}"
    month = f"(?:{month_pattern()})"
    before = rf"(?:\b(?:{named}|{month})\.?|§{{1,2}}|\([a-z]\) and)\s*$"
    return re.compile(before, re.IGNORECASE), re.compile(rf"\.?\s+{month}\b", re.IGNORECASE)
