"""What a judge looks at besides the verifier: rougher checks, which doubt what an answer's reader would not let pass.

The verifier of answers must not withhold what is right; a judge may err on that side. Each check is a function of a
statement and its evidence that answers with a reason, or "" where it finds nothing.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence, EvidencePassage
from policy_rag_eval.words import WORDS, of_all
from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, any_word, in_all
from policy_rag_parsers.text.modality import denial
from policy_rag_parsers.text.quantities import Quantity, without_mark

_UNIVERSAL = any_word(of_all("universal"))
_NOBODY = any_word(of_all("nobody"))
_OPPOSITES = tuple(pair for one in WORDS.values() for pair in one.opposites)
_BUT = (one.but.split("|")[0] for one in LEXICONS.values())
_POLAR = re.compile(rf"[;:]\s|,\s|{any_word(in_all('and_'), *_BUT).pattern}", re.IGNORECASE)
_ENOUGH_TO_COMPARE = 2


def rough_issue(statement: Sentence, evidence: Evidence, question: str) -> str:
    """The first reason of a rough check why a statement may not hold, or ""."""
    return (
        number_of_another(statement, evidence)
        or opposite(statement, evidence, question)
        or turned_round(statement, evidence)
        or too_general(statement, evidence)
    )


def opposite(statement: Sentence, evidence: Evidence, question: str) -> str:
    """A word must not stand for its opposite; where the nearest sentence denies nothing can be told."""
    best = evidence.support[0].sentence if evidence.support else None
    if best is None or best.negators:
        return ""
    said, there, asked = (f" {' '.join(one.words)} " for one in (statement, best, read(question, statement.language)))
    for pair in _OPPOSITES:
        for here, other in (pair, pair[::-1]):
            if f" {here} " in said and f" {here} " not in there + asked and f" {other} " in there and other not in said:
                return f'"{here}" stands for "{other}"'
    return ""


def turned_round(statement: Sentence, evidence: Evidence) -> str:
    """A clause must be negated where the clause of the evidence nearest in words is, and not where that is not.

    Nothing is said of clauses that share too few words (half of the statement's, a third of their own), nor where an
    exception stands.
    """
    known = statement.lexicon
    sources = [without_mark(one.sentence.text) for one in evidence.support]
    there = [read(clause, statement.language) for one in sources for clause in _POLAR.split(one) if clause]
    denied = any_word(denial(statement.language).pattern, known.bans)
    excepts = any_word(known.only, known.except_, known.besides, known.until, known.without, "whatever")
    for clause in _POLAR.split(statement.text):
        said = read(clause, statement.language)
        if len(said.content) < _ENOUGH_TO_COMPARE or not there:
            continue
        nearest = max(there, key=lambda one: len(said.content & one.content))
        shared = len(said.content & nearest.content)
        is_far = 2 * shared < len(said.content) or 3 * shared < len(nearest.content)
        if is_far or excepts.search(f"{clause} {nearest.text}"):
            continue
        if bool(denied.search(clause)) != bool(denied.search(nearest.text)):
            return f'"{nearest.text.strip()}" is turned round'
    return ""


def too_general(statement: Sentence, evidence: Evidence) -> str:
    """What is said of all, of every time, of never must be said so there too."""
    if any(_UNIVERSAL.search(one.sentence.text) or _NOBODY.search(one.sentence.text) for one in evidence.support):
        return ""
    found = _UNIVERSAL.search(statement.text)
    return f'"{found[0]}" is not said there' if found else ""


# --- numbers -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Clause:
    text: Sentence
    place: int
    sentence: str

    @property
    def numbers(self) -> tuple[Quantity, ...]:
        return self.text.given

    @property
    def values(self) -> frozenset[str]:
        return frozenset[str]().union(*(one.values for one in self.numbers))


def number_of_another(statement: Sentence, evidence: Evidence) -> str:
    """A number must stand beside the words that the statement puts beside it, not beside those of its neighbour.

    Statement and evidence are cut into clauses and table rows. Where a clause's number stands in one of the evidence,
    and another has a different number of the same unit and more of the clause's own words, the numbers were taken for
    each other. Clauses with several numbers are left alone. Of the earlier of two clauses in a sentence the words
    before its number are left out, since the later one means them too.
    """
    clauses = [clause for one in evidence.support for clause in _cut(one.sentence, one)]
    for said in _cut(statement, None):
        for quantity in said.numbers if len(said.numbers) == 1 else ():
            own = [clause for clause in clauses if quantity.values & clause.values]
            for other in clauses:
                if own and _is_rival(quantity, own, other, said) and all(_is_nearer(said, other, one) for one in own):
                    return f'{quantity.shown} stands there for something else: "{other.text.text}"'
    return ""


def _cut(sentence: Sentence, passage: EvidencePassage | None) -> list[_Clause]:
    """A sentence's clauses, each with a number but where there is none at all; a table row is one."""
    text = without_mark(sentence.text)
    if passage and passage.row:
        return [_Clause(sentence, 0, text)]
    known = sentence.lexicon
    joints = rf"[;|]|:(?=\s)|,(?!\d)|\.(?=\s)|\b(?:{alternatives(known.and_ | known.or_)})\b"
    joined: list[str] = []
    for piece in filter(None, map(str.strip, re.split(joints, text, flags=re.IGNORECASE))):
        apart = joined and read(joined[-1], sentence.language).given and read(piece, sentence.language).given
        joined[-1:] = [joined[-1], piece] if apart else [" ".join([*joined[-1:], piece])]
    return [_Clause(read(piece, sentence.language), place, text) for place, piece in enumerate(joined)]


def _is_rival(quantity: Quantity, own: Sequence[_Clause], other: _Clause, said: _Clause) -> bool:
    """Whether a clause has a number of the same unit (or one that means its neighbour's), and none that is said."""
    if other in own or not other.numbers or said.values & other.values:
        return False
    units = {one.unit for clause in own for one in clause.numbers if quantity.values & one.values}
    together = any(clause.sentence == other.sentence for clause in own)
    return any(one.unit in units or (together and (one.unit is None or None in units)) for one in other.numbers)


def _is_nearer(said: _Clause, other: _Clause, own: _Clause) -> bool:
    mine, theirs = _beside(own, other), _beside(other, own)
    return len(said.text.content & (theirs - mine)) > len(said.text.content & (mine - theirs))


def _beside(clause: _Clause, against: _Clause) -> frozenset[str]:
    text = clause.text
    if clause.sentence == against.sentence and clause.place < against.place and clause.numbers:
        text = read(text.text.rpartition(clause.numbers[-1].shown)[2] or text.text, text.language)
    return frozenset(stem for stem in text.content if not stem[0].isdigit())
