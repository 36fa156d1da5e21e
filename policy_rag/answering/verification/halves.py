"""The halves of a sentence: parts that each have a figure or a modal of their own, with what they share."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import cache, lru_cache

from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.numbers import number_in_words
from policy_rag_parsers.text.quantities import quantities, without_mark

MONEY = r"(?:(?:EUR|USD|GBP|CHF|[€$£])\s?)?"
"""The sign or code of a currency before a figure, or none."""
_FIGURE = re.compile(rf"{MONEY}\d[\d.,:]*")
_FIGURE_AND_UNIT = re.compile(r"\d[\d.,:]*(?:\s?(?:[%€$£°]|\w+))?")
_ENDS_WITH_FIGURE = re.compile(r"\d[\d.,:]*\W*\w*$")
_LONGEST_FIGURE = 30
_MOST_WORDS = 60  # of halves of which one leaves out what the other says


@dataclass(frozen=True, slots=True)
class SentenceHalf:
    """A part of a sentence, with words of its neighbours that count for it too.

    Attributes:
        own: the part as it stands.
        language: in which it is read.
        head: what stands before the first figure or modal of the one before, where this one begins with its own:
            "The limit is" of "The limit is 5 euros a day and 9 euros a week".
        tail: what stands behind the figure of the next, where this one ends with its own: "for gifts" of "Trainees may
            claim 5 euros and engineers 9 euros for gifts"; and what it leaves out of the one before: "paid days" of
            "Parents have 5 paid days, carers 9".
        replaced: what the ones before have and it has not, of which it may share some: "Sunday earns" of
            "Sunday work earns 5%, night work 9%".
        in_place: what it has there: "night".
    """

    own: str
    language: str
    head: str = ""
    tail: str = ""
    replaced: str = ""
    in_place: str = ""

    @property
    def part(self) -> Sentence:
        """The part alone."""
        return read(self.own, self.language)

    @property
    def headed(self) -> Sentence:
        """The part with its head."""
        return read(f"{self.head} {self.own}", self.language)

    @property
    def whole(self) -> Sentence:
        """The part as a sentence of its own."""
        return _joined((self.head, self.own, self.tail), self.language)

    def said_by(self, statement: Sentence) -> Sentence:
        """The same, with what it may share, where a statement says words of its own and not all that they replace.

        "Night work earns 9%" is on the second half of "Sunday work earns 5%, night work 9%": "earns" tells nothing. Of
        a part with a verb, which may share less, it must say all words.
        """
        replaced = read(self.replaced, self.language).content
        own = read(self.in_place, self.language).content - replaced
        has_verb = any_word(statement.lexicon.verbs).search(self.own)
        is_said = own.issubset(statement.stems) if has_verb else not own or not own.isdisjoint(statement.stems)
        shares = is_said and not replaced.issubset(statement.stems)
        return _joined((self.head, self.own, self.tail, self.replaced), self.language) if shares else self.whole


def _joined(parts: Sequence[str], language: str) -> Sentence:
    return read(" ".join(filter(None, (part.strip() for part in parts))), language)


@dataclass(frozen=True, slots=True)
class _Patterns:
    joint: re.Pattern[str]
    opens_clause: re.Pattern[str]
    front_phrase: re.Pattern[str]
    range: re.Pattern[str]
    ends_with_least: re.Pattern[str]
    begins_with_most: re.Pattern[str]
    begins_with_figure: re.Pattern[str]
    modal: re.Pattern[str]


@cache
def _patterns(language: str) -> _Patterns:
    known = lexicon(language)
    words = f"{alternatives(known.and_ | known.or_)}|{known.but}"
    cases = f"{known.if_}|{known.when}|{known.except_}"
    return _Patterns(
        joint=re.compile(rf",?\s+\b(?P<word>{words})\b\s+|(?P<comma>,)\s+", re.IGNORECASE),
        opens_clause=any_word(cases, known.until, known.relative),
        front_phrase=any_word(known.prepositions),
        range=re.compile(
            rf"\b(?:{known.bounds.between})\s+(?:(?!\b(?:{alternatives(known.and_)})\b)[^;:]){{1,40}}$", re.IGNORECASE
        ),
        ends_with_least=re.compile(
            rf"\b(?:{known.bounds.least})\s+{MONEY}\d[\d.,]*(?:\s?(?:[%€$£]|[^\W\d_]+))?$", re.IGNORECASE
        ),
        begins_with_most=re.compile(rf"(?:{known.bounds.most})\s+{MONEY}\d", re.IGNORECASE),
        begins_with_figure=re.compile(
            rf"(?:(?:{alternatives(known.before_figure)})\W+){{0,4}}{MONEY}\d", re.IGNORECASE
        ),
        modal=any_word(known.modal_verbs),
    )


def modal_verb(language: str) -> re.Pattern[str]:
    """The verbs behind which stands what a sentence says of its subject."""
    return _patterns(language).modal


@lru_cache(maxsize=16384)
def halves(sentence: Sentence) -> tuple[SentenceHalf, ...]:
    """The halves of a sentence in order; a sentence with one claim is one.

    A sentence is cut at semicolons, commas and words that join, where a figure or a modal stands on both sides. A
    range ("between 5 and 10") and a condition with its clause stay whole.

    >>> first, second = halves(read("Cash is limited to 5 euros a claim and 60 euros a month.", "english"))
    >>> first.own, second.own, second.head
    ('Cash is limited to 5 euros a claim', '60 euros a month.', 'Cash is limited to')
    """
    language = sentence.language
    groups = re.split(r";\s+", without_mark(sentence.text))
    return tuple(
        half for group in groups for half in _shared([SentenceHalf(text, language) for text in _parts(group, language)])
    )


def _parts(sentence: str, language: str) -> list[str]:
    patterns = _patterns(language)
    numbers = quantities(sentence, language)  # "four and a half" is one
    cuts = [
        found
        for found in patterns.joint.finditer(sentence)
        if not any(one.start < found.start() and found.end() < one.end for one in numbers)
    ]
    parts: list[str] = []
    begin = 0
    for place, found in enumerate(cuts):
        left = sentence[begin : found.start()]
        later = cuts[place + 1 :]
        if found["word"]:
            # "and rejected bids, if any, are kept for 5 years": the claim may come behind a further comma
            later = [one for one in later if not one["comma"]]
        right = sentence[found.end() : later[0].start() if later else len(sentence)]
        cut = _has_claim(left, language) and _has_claim(right, language)
        if found["comma"]:
            cut = cut and not patterns.opens_clause.match(right) and not patterns.opens_clause.match(left.lstrip())
            is_front = begin == 0 and patterns.front_phrase.match(left)
            cut = cut and (not is_front or bool(patterns.front_phrase.match(right)))
        if cut and not _is_one(left, right, patterns):
            listed = _first_of_list(left, language) if found["word"] else None
            parts.append(left[: listed.start()] if listed else left)
            begin = begin + listed.end() if listed else found.end()
    return [*parts, sentence[begin:]]


def _first_of_list(left: str, language: str) -> re.Match[str] | None:
    """The comma at which a list begins that runs up to a joint: "is 5 euros, in Bonn, Ulm" before "and Kiel"."""
    first, end = None, len(left)
    for comma in reversed(list(re.finditer(r",\s+", left))):
        opens = _patterns(language).opens_clause.match(left, comma.end())
        if opens or _has_claim(left[comma.end() : end], language):
            break
        first, end = comma, comma.start()
    return first


def _is_one(left: str, right: str, patterns: _Patterns) -> bool:
    """Whether a joint stands within a range, also "more than 50 and up to 200", or between two bare numbers."""
    bounds = patterns.ends_with_least.search(left) and patterns.begins_with_most.match(right)
    return bool(patterns.range.search(left) or bounds or (left[-1:].isdigit() and right[:1].isdigit()))


def _has_claim(text: str, language: str) -> bool:
    part = read(text, language)
    return bool(part.claims or part.modals)


def _shared(parts: list[SentenceHalf]) -> list[SentenceHalf]:
    """The parts of what no semicolon cuts, each with the head and the tail that it shares."""
    if len(parts) < 2:
        return parts
    for place in range(1, len(parts)):
        parts[place] = replace(parts[place], head=_head(parts[place - 1], parts[place].own))
    for place in range(len(parts) - 2, -1, -1):
        after = parts[place + 1]
        found = _FIGURE_AND_UNIT.search(after.own)
        if found and _ENDS_WITH_FIGURE.search(parts[place].own.rstrip()[-_LONGEST_FIGURE:]):
            parts[place] = replace(parts[place], tail=f"{after.own[found.end() :]} {after.tail}".strip())
    for place in range(1, len(parts)):
        before = parts[place - 1]
        changes = _changes(before, parts[place].part)
        left_out = " ".join(theirs for kind, theirs, _ in changes if kind == "delete")
        parts[place] = replace(
            parts[place],
            tail=f"{parts[place].tail} {left_out}".strip(),
            replaced=" ".join([before.replaced, *(theirs for _, theirs, _ in changes)]).strip() if changes else "",
            in_place=" ".join(ours for _, _, ours in changes).strip(),
        )
    return parts


def _changes(before: SentenceHalf, own: Sentence) -> list[tuple[str, str, str]]:
    """How a part that goes on without a modal, figure by figure, differs from the one before: kind, words of each.

    Both are aligned at their first figures, with all alike: "Parents have # paid days" and "carers #" differ in who has
    them, and the second leaves "paid days" out. What replaces other words may leave some of them out.
    """
    if own.modals:
        return []
    theirs, ours = (_with_figures_alike(one) for one in (read(f"{before.own} {before.tail}", own.language), own))
    if max(len(theirs), len(ours)) > _MOST_WORDS or "#" not in theirs or "#" not in ours:
        return []
    at, own_at = theirs.index("#"), ours.index("#")
    return [
        (kind, " ".join(side[a:b]), " ".join(own_side[c:d]))
        for side, own_side in ((theirs[:at], ours[:own_at]), (theirs[at:], ours[own_at:]))
        for kind, a, b, c, d in SequenceMatcher(None, side, own_side, autojunk=False).get_opcodes()
        if kind != "equal"
    ]


def _with_figures_alike(text: Sentence) -> list[str]:
    """The words of a text in lower case, each figure as "#", and so what is paid "in full"."""
    words = read(any_word(text.lexicon.in_full).sub("100%", text.text), text.language).words
    return ["#" if word[0].isdigit() or number_in_words([word], text.language) else word for word in words]


def _head(before: SentenceHalf, own: str) -> str:
    patterns = _patterns(before.language)
    first = _FIGURE if patterns.begins_with_figure.match(own) else patterns.modal if patterns.modal.match(own) else None
    found = first.search(before.own) if first else None
    return f"{before.head} {before.own[: found.start()]}".strip() if found else ""
