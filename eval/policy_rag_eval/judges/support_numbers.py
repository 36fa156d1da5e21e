"""Whether the numbers of a statement stand in its evidence, and beside the words that the statement puts there."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from policy_rag.answering.verification.quantities import Quantity, is_backed, quantities
from policy_rag.index.search.tokens import terms, words
from policy_rag_eval.judges.support_evidence import SECTION_MARK, Evidence, numbers, stems

_CLAUSES = re.compile(r"[;|]|:(?=\s)|,(?!\d)|\.(?=\s)|\band\b|\bor\b|\bund\b|\boder\b", re.IGNORECASE)


def wrong_number(statement: str, evidence: Evidence) -> str:
    """A number must stand, with its unit, in the evidence or in the question.

    >>> wrong_number("Within 31 days.", Evidence(("Within 30 days.",), (), "By when?"))
    '31 (day) is not where it stands'
    """
    sources = numbers(evidence.text)
    asked = numbers(evidence.question)
    around = frozenset(words(" ".join(evidence.contexts)))
    for quantity in numbers(statement):
        if not (_backed(quantity, sources, around) or _backed(quantity, asked, frozenset())):
            unit = f" ({quantity.unit})" if quantity.unit else ""
            return f"{quantity.shown}{unit} is not where it stands"
    return ""


def _backed(quantity: Quantity, sources: list[Quantity], around: frozenset[str]) -> bool:
    if is_backed(quantity, sources, around):
        return True
    # A table's header says "Working days" in two words, so its rows know only days.
    kind, _, plain = (quantity.unit or "").rpartition(" ")
    bare = Quantity(quantity.shown, quantity.values, plain)
    return kind in around and is_backed(bare, [one for one in sources if one.unit is None], around)


def number_of_another(statement: str, evidence: Evidence) -> str:
    """A number must stand beside the words that the statement puts beside it, not beside those of its neighbour.

    Statement and evidence are cut into clauses and table rows. Where a clause's number stands in one of the evidence,
    and another has a different number of the same unit and more of the clause's own words, the numbers were taken for
    each other. Clauses with several numbers are left alone. Of the earlier of two clauses in a sentence the words
    before its number are left out, since the later one means them too.

    >>> number_of_another("Wills are kept for seven years.",
    ...                   Evidence(("Files are kept for seven years, wills for fifteen years.",), (), ""))
    'seven stands there for something else: "wills for fifteen years."'
    """
    clauses = [clause for sentence in evidence.sentences for clause in _cut(sentence)]
    for said in _cut(statement):
        told = frozenset(stems(said.text, evidence.language))
        for quantity in said.numbers if len(said.numbers) == 1 else ():
            own = [clause for clause in clauses if any(quantity.values & one.values for one in clause.numbers)]
            for other in clauses:
                if (
                    own
                    and _rivals(quantity, own, other, said)
                    and all(_nearer(told, other, clause, evidence.language) for clause in own)
                ):
                    return f'{quantity.shown} stands there for something else: "{other.text}"'
    return ""


def number_beside(statement: str, evidence: Evidence) -> str:
    """The word right behind a number without a unit must not be the one behind another number there.

    >>> number_beside("After 30 attempts it is locked.",
    ...               Evidence(("After eight attempts it is locked for 30 minutes.",), (), ""))
    '"30 attempt" is not there: 30 stands before another word'
    """
    behind: dict[str, set[str]] = {}
    for value, word in _followed(evidence.text, evidence.language):
        behind.setdefault(value, set()).add(word)
    bare = {value for quantity in numbers(statement) if quantity.unit is None for value in quantity.values}
    for value, word in _followed(statement, evidence.language):
        if value not in bare:
            continue
        elsewhere = any(word in known for other, known in behind.items() if other != value)
        if elsewhere and value in behind and word not in behind[value]:
            return f'"{value} {word}" is not there: {value} stands before another word'
    return ""


def _followed(text: str, language: str) -> list[tuple[str, str]]:
    """Each number (in digits) with the stem of the word right behind it."""
    tokens = words(text)
    found = []
    for token, following in pairwise(tokens):
        values = {value for quantity in quantities(token) for value in quantity.values}
        if values and following.isalpha():
            found += [(value, stem) for value in values for stem in terms(following, language)]
    return found


@dataclass(frozen=True)
class _Clause:
    text: str
    place: int
    sentence: str
    numbers: tuple[Quantity, ...]


def _cut(sentence: str) -> list[_Clause]:
    """A sentence's clauses, each with a number but where there is none at all; a table row is one."""
    sentence = SECTION_MARK.sub("", sentence)
    if sentence.lstrip().startswith("|"):
        return [_Clause(sentence, 0, sentence, tuple(numbers(sentence)))]
    joined: list[str] = []
    for piece in (piece.strip() for piece in _CLAUSES.split(sentence)):
        if not piece:
            continue
        if joined and not (numbers(joined[-1]) and numbers(piece)):
            joined[-1] = f"{joined[-1]} {piece}"
        else:
            joined.append(piece)
    return [_Clause(text, place, sentence, tuple(numbers(text))) for place, text in enumerate(joined)]


def _rivals(quantity: Quantity, own: Sequence[_Clause], other: _Clause, said: _Clause) -> bool:
    """Whether a clause has a number of the same unit (or one that means its neighbour's), and none that is said."""
    values = frozenset().union(*(one.values for one in said.numbers))
    if other in own or not other.numbers or any(values & one.values for one in other.numbers):
        return False
    units = {one.unit for clause in own for one in clause.numbers if quantity.values & one.values}
    together = any(clause.sentence == other.sentence for clause in own)
    return any(one.unit in units or (together and (one.unit is None or None in units)) for one in other.numbers)


def _nearer(told: frozenset[str], other: _Clause, own: _Clause, language: str) -> bool:
    mine, theirs = _beside(own, other, language), _beside(other, own, language)
    return len(told & (theirs - mine)) > len(told & (mine - theirs))


def _beside(clause: _Clause, against: _Clause, language: str) -> frozenset[str]:
    text = clause.text
    if clause.sentence == against.sentence and clause.place < against.place:
        last = clause.numbers[-1].shown if clause.numbers else ""
        text = text.rpartition(last)[2] if last else text
    return frozenset(stem for stem in stems(text, language) if not stem[0].isdigit())
