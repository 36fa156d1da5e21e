"""Counterfactual robustness: a false clause beside the true one (after Chen et al. 2024)."""

import random
import re
from functools import partial

from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_eval.stress.false_clauses import Planted, plant
from policy_rag_eval.stress.question_sections import Material, Prepared, left_out, place_of, plain_outcome
from policy_rag_eval.stress.records import Condition, Given, Outcome, StressTest, Trial

TRUE_FIRST, PLANTED_FIRST, ALONE = "true first", "planted first", "none planted"

_CONTRAST = re.compile(
    r"\b(?:conflict(?:s|ing)?|contradict(?:s|ory|ion|ing)?|inconsisten(?:t|cy)|differ(?:s|ent|ing)?|discrepan(?:t|cy)|"
    r"disagree(?:s|ment)?|whereas|however|superseded|outdated|older|earlier|previous(?:ly)?|two (?:different )?"
    r"(?:figures|amounts|periods|rules|versions|editions)|widersprech\w*|widerspruch|abweichend\w*|jedoch|dagegen|"
    r"überholt\w*|frühere\w*|ältere\w*)\b",
    re.IGNORECASE,
)


def conditions(material: Material, seed: int) -> tuple[tuple[Condition, ...], tuple[str, ...]]:
    """The gold sections alone, then with a changed copy of one of them behind it, then with the copy before it."""
    made = [(one, planted) for one in material.answerable if (planted := _planted(one, seed)) is not None]
    unchanged = len(material.answerable) - len(made)
    names = (ALONE, TRUE_FIRST, PLANTED_FIRST) if made else ()
    rows = tuple(
        Condition(name, {"order": name}, tuple(_trial(one, planted, name) for one, planted in made)) for name in names
    )
    return rows, left_out({"their gold has no amount, period or modal that a rule can change": unchanged})


def _planted(one: Prepared, seed: int) -> Planted | None:
    """The first gold place in which something can be changed."""
    rng = random.Random(f"{seed}:{one.question.question_id}")
    for passage in one.passages:
        hit = one.holder(passage)
        if hit is None or passage.start is None or passage.end is None:
            continue
        found = plant(hit, passage.start, passage.end, rng)
        if found is not None:
            return found
    return None


def _trial(one: Prepared, planted: Planted, order: str) -> Trial:
    evidence = one.evidence()
    if order == ALONE:
        return one.trial(one.gold, partial(judge, planted=planted, shown=False))
    given = _beside(one.gold, planted, first=order == PLANTED_FIRST)
    decides = _beside(evidence, planted, first=False)[: len(evidence)]
    return one.trial(given, partial(judge, planted=planted, shown=True), evidence=decides)


def _beside(hits: tuple[Hit, ...], planted: Planted, *, first: bool) -> list[Hit]:
    """Hits with the false section next to the true one, which the change tells from all others."""
    file, start, end = planted.true
    listed: list[Hit] = []
    for hit in hits:
        own = hit.file == file and hit.start <= start and end <= hit.end
        pair = [planted.hit, hit] if first else [hit, planted.hit]
        listed += pair if own and place_of(planted.hit) not in {place_of(one) for one in listed} else [hit]
    return listed


def judge(given: Given, planted: Planted, *, shown: bool) -> tuple[Outcome, bool | None]:
    """Which of the two the citations hold, word for word where they differ; and whether the answer says so.

    A contradiction is noticed where both are cited and the answer's own words, its quotations aside, set them against
    each other ("however", "superseded", "differs", ...). That is a lower bound: who says it in other words is missed.
    """
    outcome = plain_outcome(given)
    if outcome is not None:
        return outcome, False if shown else None
    true, false = (any(_holds(one, place) for one in given.citations) for place in (planted.true, planted.false))
    if true and false:
        return Outcome.BOTH, bool(_CONTRAST.search(_own_words(given)))
    outcome = Outcome.GOLD if true else Outcome.PLANTED if false else Outcome.OTHER
    return outcome, False if shown else None


def _holds(citation: Citation, place: tuple[str, int, int]) -> bool:
    file, start, end = place
    return citation.file == file and citation.start <= start and end <= citation.end


def _own_words(given: Given) -> str:
    text = " ".join(given.text.split())
    for citation in given.citations:
        text = text.replace(" ".join(citation.quote.split()), " ")
    return text


TEST = StressTest(
    name="counterfactual",
    title="Counterfactual robustness: a false clause beside the true one",
    share="answers that cite the true clause and not the planted one",
    good=frozenset({Outcome.GOLD}),
    axis="order",
    build=conditions,
)
