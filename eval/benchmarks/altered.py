"""Statements made from passages: true ones that must hold by them, and falsehoods that must not.

True are a sentence of the passage as it stands, and paraphrases by rule: an obligation, permission or ban in other
words, a number in the other notation, its bound in other words, a condition moved to the end, words of reporting in
front. Falsehoods are small: another number, or the passage's own number from another place; a bound to the other side
("at most" for "at least"); a "not" left out or put in; a modal of another kind; a quotation with one word changed;
another role ("the auditor" for "the manager"); a figure said of something that the passage does not know.
"""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from policy_rag.answering.verification.checker import check
from policy_rag.records.search import Hit
from policy_rag_parsers.text.sentences import sentence_spans

_PASSAGE_CHARS = range(200, 3000)
_SENTENCE_CHARS = range(60, 300)
_MOST_SHOWN = 20
_NUMBER = re.compile(r"(?<![\w.(/-])\d+(?:,\d{3})*(?![\w.)/-]|,\d)")
_WORDED = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "twelve": "12", "fourteen": "14", "twenty": "20", "thirty": "30",
}  # fmt: skip
_IN_WORDS = {digits: word for word, digits in _WORDED.items()}


class StatementOrigin(StrEnum):
    """How a statement was made."""

    OWN = "own sentence"
    MODAL_REWORDED = "modal in other words"
    NUMBER_REWRITTEN = "number in the other notation"
    BOUND_REWORDED = "bound in other words"
    CONDITION_MOVED = "condition moved"
    REPORTED = "reported"
    NUMBER_CHANGED = "number changed"
    NUMBER_SWAPPED = "number from elsewhere in the passage"
    BOUND_TURNED = "bound to the other side"
    NOT_DROPPED = "not dropped"
    NOT_ADDED = "not added"
    MODAL_TURNED = "modal turned"
    NEARLY_QUOTED = "nearly quoted"
    ROLE_CHANGED = "role changed"
    SUBJECT_INVENTED = "subject invented"

    @property
    def true(self) -> bool:
        """Whether statements of this kind hold."""
        return self in _TRUE


_TRUE = frozenset(
    {
        StatementOrigin.OWN,
        StatementOrigin.MODAL_REWORDED,
        StatementOrigin.NUMBER_REWRITTEN,
        StatementOrigin.BOUND_REWORDED,
        StatementOrigin.CONDITION_MOVED,
        StatementOrigin.REPORTED,
    },
)


@dataclass(frozen=True, slots=True)
class StatementCase:
    """A statement made from a sentence of `passage`."""

    kind: StatementOrigin
    statement: str
    passage: str


Make = Callable[[str, str, random.Random], str | None]


def make_cases(texts: Sequence[str], *, passages: int, seed: int) -> tuple[StatementCase, ...]:
    """Statements of every kind that a sentence allows, from one sentence each of as many passages (0: of all).

    Passages have 200 to 2,999 characters, sentences 60 to 299, a capital in front and a full stop at the end. The
    same seed gives the same cases.
    """
    rng = random.Random(seed)
    fitting = [text for text in texts if len(text) in _PASSAGE_CHARS]
    taken = rng.sample(fitting, min(passages or len(fitting), len(fitting)))
    cases: list[StatementCase] = []
    for passage in taken:
        spans = sentence_spans(passage, 0, len(passage))
        whole = [" ".join(passage[start:end].split()) for start, end in spans if end - start in _SENTENCE_CHARS]
        sentences = [sentence for sentence in whole if sentence[0].isupper() and sentence.endswith(".")]
        if not sentences:
            continue
        sentence = rng.choice(sentences)
        for kind, make in _MAKERS.items():
            statement = make(sentence, passage, rng)
            if statement is not None and (kind is StatementOrigin.OWN or statement != sentence):
                cases.append(StatementCase(kind, statement, passage))
    return tuple(cases)


def check_cases(cases: Sequence[StatementCase]) -> dict[str, Any]:
    """Counts by kind; `missed` are falsehoods that pass, `alarms` true statements that do not, a few of each."""
    counts: dict[StatementOrigin, list[int]] = {}
    wrong: dict[bool, list[dict[str, str]]] = {True: [], False: []}
    for case in cases:
        verdict = check(case.statement, [passage_hit(case.passage)])
        count = counts.setdefault(case.kind, [0, 0])
        count[0] += 1
        count[1] += not verdict.holds
        if verdict.holds is not case.kind.true:
            wrong[case.kind.true].append(
                {"kind": str(case.kind), "statement": case.statement, "reason": verdict.reason}
            )
    return {
        "true": _shares(counts, true=True),
        "false": _shares(counts, true=False),
        "missed": wrong[False][:_MOST_SHOWN],
        "alarms": wrong[True][:_MOST_SHOWN],
    }


def _shares(counts: dict[StatementOrigin, list[int]], *, true: bool) -> dict[str, Any]:
    of_kind = {kind: tuple(count) for kind, count in counts.items() if kind.true is true}
    made, removed = (sum(count[place] for count in of_kind.values()) for place in (0, 1))
    kinds = {str(kind): {"made": made, "removed": removed} for kind, (made, removed) in of_kind.items()}
    return {"made": made, "removed": removed, "share": round(removed / made, 4) if made else None, "kinds": kinds}


def passage_hit(text: str) -> Hit:
    """A passage as a hit without titles."""
    return Hit(
        rank=1, score=1.0, doc_id="passage", version=None, file="passage", section_id="1", number=None, title="",
        path=(), start=0, end=len(text), chunk_start=0, chunk_end=len(text), page=None, text=text, found_by={},
    )  # fmt: skip


# --- true ---------------------------------------------------------------------------------------------------------


def _own(sentence: str, _: str, __: random.Random) -> str:
    return sentence


_OTHER_WORDS = (
    (r"\b(?:must|shall) not\b", ("may not", "cannot", "is not permitted to")),
    (r"\bmay not\b", ("must not", "cannot", "is not allowed to")),
    (r"\bmust\b", ("has to", "is required to", "shall")),
    (r"\bshall\b", ("must", "has to", "is required to")),
    (r"\bmay\b", ("can", "is permitted to", "is allowed to")),
    (r"\bshould\b", ("ought to", "is encouraged to")),
    (r"\b(?:is|are) required to\b", ("must", "has to")),
    (r"\b(?:is|are) not (?:permitted|allowed) to\b", ("must not", "may not")),
)


def _modal_reworded(sentence: str, _: str, rng: random.Random) -> str | None:
    if re.search(r"\b(?:if|whether|as|that|so far as) (?:may|shall)\b|\bor (?:may|shall|must)\b", sentence):
        return None
    for pattern, others in _OTHER_WORDS:
        if re.search(pattern, sentence):
            return re.sub(pattern, rng.choice(others), sentence, count=1)
    return None


def _number_rewritten(sentence: str, _: str, __: random.Random) -> str | None:
    for word, digits in _WORDED.items():
        changed = re.sub(rf"(?<![\w-]){word}\b(?!-| ?\()", digits, sentence, count=1)
        if changed != sentence:
            return changed
    for found in _NUMBER.finditer(sentence):
        if found[0] in _IN_WORDS and not sentence.startswith(("(", "%"), found.end()):
            return sentence[: found.start()] + _IN_WORDS[found[0]] + sentence[found.end() :]
    return None


_BOUNDED = (
    r"(?= (?:(?:a|the) period of )?(?:[A-Z]{3} ?|[$£€])?(?:\d|(?:two|three|four|five|six|seven|ten|twelve|thirty)\b))"
)
_SAME_BOUNDS = {
    "at least": "no less than",
    "a minimum of": "at least",
    "no less than": "at least",
    "not less than": "at least",
    "up to": "at most",
    "at most": "no more than",
    "no more than": "at most",
    "not more than": "no more than",
    "a maximum of": "up to",
    "not exceeding": "of at most",
    "more than": "over",
    "less than": "under",
    "fewer than": "less than",
    "no later than": "not later than",
    "not later than": "no later than",
    "in excess of": "over",
}


def _bound_reworded(sentence: str, _: str, __: random.Random) -> str | None:
    return _with_bound(sentence, _SAME_BOUNDS)


def _with_bound(sentence: str, others: dict[str, str]) -> str | None:
    """The sentence with its first bound before a number in other words."""
    found = re.search(rf"(?<!not )(?<!no )\b({'|'.join(others)}){_BOUNDED}", sentence)
    return sentence[: found.start()] + others[found[1]] + sentence[found.end() :] if found else None


def _condition_moved(sentence: str, _: str, __: random.Random) -> str | None:
    found = re.fullmatch(r"(If|Where|When|Unless) ([^,]{10,150}), (?!and\b|or\b)([^,;:]{10,})\.", sentence)
    return f"{found[3][0].upper()}{found[3][1:]} {found[1].lower()} {found[2]}." if found else None


def _reported(sentence: str, _: str, rng: random.Random) -> str:
    front = rng.choice(("The policy says that", "It is stated that", "According to this section,"))
    return f"{front} {sentence[0].lower()}{sentence[1:]}"


# --- false --------------------------------------------------------------------------------------------------------


def _number_changed(sentence: str, passage: str, rng: random.Random) -> str | None:
    numbers = list(_NUMBER.finditer(sentence))
    if not numbers:
        return None
    found = rng.choice(numbers)
    changed = str(int(found[0].replace(",", "")) + 7)
    return None if changed in passage else sentence[: found.start()] + changed + sentence[found.end() :]


def _number_swapped(sentence: str, passage: str, rng: random.Random) -> str | None:
    """The number of something else in the passage; only where what follows it is another word."""
    numbers = list(_NUMBER.finditer(sentence))
    if not numbers:
        return None
    found = rng.choice(numbers)
    unit = re.match(r"[\s%]*(\w+)", sentence[found.end() :])
    plain = " ".join(passage.split())
    others = {
        other[0]
        for other in _NUMBER.finditer(plain)
        if other[0] not in sentence and not plain[other.end() :].lstrip().startswith(unit[1] if unit else "\0")
    }
    if unit is None or not others:
        return None
    return sentence[: found.start()] + rng.choice(sorted(others)) + sentence[found.end() :]


_OTHER_BOUNDS = {
    "at least": "at most",
    "a minimum of": "a maximum of",
    "no less than": "no more than",
    "not less than": "not more than",
    "up to": "at least",
    "at most": "at least",
    "no more than": "no less than",
    "not more than": "not less than",
    "a maximum of": "a minimum of",
    "not exceeding": "not less than",
    "more than": "less than",
    "less than": "more than",
    "fewer than": "more than",
    "no later than": "no earlier than",
    "not later than": "not earlier than",
    "in excess of": "below",
    "within": "no earlier than",
}


def _bound_turned(sentence: str, _: str, __: random.Random) -> str | None:
    return _with_bound(sentence, _OTHER_BOUNDS)


def _not_dropped(sentence: str, _: str, __: random.Random) -> str | None:
    changed, count = re.subn(r"\b(must|shall|do|does|is|are|should|may) not\b", r"\1", sentence, count=1)
    return changed if count else None


def _not_added(sentence: str, _: str, __: random.Random) -> str | None:
    changed, count = re.subn(r"\b(must|shall|may|should|is|are)\b(?! not| only| be no)", r"\1 not", sentence, count=1)
    return changed if count else None


def _modal_turned(sentence: str, _: str, __: random.Random) -> str | None:
    turned = {"must": "may", "shall": "may", "may": "must", "should": "must"}
    changed, count = re.subn(r"\b(must|shall|may|should)\b(?! not)", lambda m: turned[m[1]], sentence, count=1)
    return changed if count else None


def _nearly_quoted(sentence: str, _: str, rng: random.Random) -> str | None:
    words = sentence.split()
    if len(words) < 12 or re.search(r"[\"“”]", sentence):
        return None
    words[rng.randrange(3, 8)] = "notwithstanding"
    return f'It reads "{" ".join(words[2:9])}".'


_OTHER_ROLES = ("ombudsman", "dean", "dispatcher", "pharmacist", "registrar", "inspector")
_ROLE = re.compile(r"\b(officer|manager|director|board|committee|auditor|commissioner)\b", re.IGNORECASE)


def _role_changed(sentence: str, passage: str, rng: random.Random) -> str | None:
    others = [role for role in _OTHER_ROLES if role not in passage.lower()]
    found = _ROLE.search(sentence)
    if not others or found is None:
        return None
    other = rng.choice(others)
    return sentence[: found.start()] + (other.title() if found[0][0].isupper() else other) + sentence[found.end() :]


_INVENTED = ("probation", "parking", "bicycle allowance", "cafeteria budget")


def _subject_invented(sentence: str, passage: str, rng: random.Random) -> str | None:
    """The sentence's first figure, said of what no word of the passage begins like."""
    found = re.search(rf"{_NUMBER.pattern}(?:%| (?!and\b|of\b|or\b|to\b|above\b|for\b)[a-z]+)", sentence)
    words = passage.lower().split()
    known = {word[:3] for word in words}
    others = [one for one in _INVENTED if known.isdisjoint(part[:3] for part in one.split())]
    return f"The {rng.choice(others)} is {found[0]}." if found and others else None


_MAKERS: dict[StatementOrigin, Make] = {
    StatementOrigin.OWN: _own,
    StatementOrigin.MODAL_REWORDED: _modal_reworded,
    StatementOrigin.NUMBER_REWRITTEN: _number_rewritten,
    StatementOrigin.BOUND_REWORDED: _bound_reworded,
    StatementOrigin.CONDITION_MOVED: _condition_moved,
    StatementOrigin.REPORTED: _reported,
    StatementOrigin.NUMBER_CHANGED: _number_changed,
    StatementOrigin.NUMBER_SWAPPED: _number_swapped,
    StatementOrigin.BOUND_TURNED: _bound_turned,
    StatementOrigin.NOT_DROPPED: _not_dropped,
    StatementOrigin.NOT_ADDED: _not_added,
    StatementOrigin.MODAL_TURNED: _modal_turned,
    StatementOrigin.NEARLY_QUOTED: _nearly_quoted,
    StatementOrigin.ROLE_CHANGED: _role_changed,
    StatementOrigin.SUBJECT_INVENTED: _subject_invented,
}
