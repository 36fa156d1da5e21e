"""The halves of a sentence: parts that each have a figure or a modal of their own, with what they share."""

import re
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from policy_rag.answering.verification.number_words import number_in_words
from policy_rag.answering.verification.quantities import Quantity, quantities
from policy_rag.answering.verification.surface_checks import modals
from policy_rag.index.search.tokens import words
from policy_rag_parsers.text.sentences import LIST_MARK

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_JOINT = re.compile(
    r",?\s+\b(?P<word>and|or|but|while|whereas|und|oder|sowie|aber|während|et|ou|mais)\b\s+"
    r"|(?P<comma>,)\s+",
    re.IGNORECASE,
)
# What such a word opens belongs to the clause beside it.
_CONDITION = re.compile(
    r"(?:if|where|when|whenever|unless|except|provided|until|once|as|because|since|although|who|that|whose|"
    r"wenn|falls|sofern|soweit|es sei denn|außer|bis|weil|da|obwohl|die|der|das|welche\w*|si|sauf|lorsque|qui|que)\b",
    re.IGNORECASE,
)
_PREPOSITION = (
    "for|in|at|on|with|during|after|before|bei|für|im|am|an|auf|mit|nach|vor|ab|pour|en|dans|avec|après|avant"
)
_FRONT_PHRASE = re.compile(rf"(?:{_PREPOSITION})\b", re.IGNORECASE)
_FRONT_CONDITION = re.compile(
    rf"(?:if|where|when|unless|wenn|falls|sofern|si|lorsque|{_PREPOSITION})\b[^,]{{1,200}},(?=\s)", re.IGNORECASE
)
_CONDITION_BEHIND = re.compile(r"\b(?:if|where|when|unless|except|wenn|falls|sofern|sauf)\b.{1,300}\Z", re.IGNORECASE)
_REFERENCE = re.compile(
    r"\b(?:sections?|articles?|art|rules?|regulations?|paragraphs?|clauses?|parts?|chapters?|schedules?|annex(?:es)?"
    r"|appendix|items?|forms?|versions?|tables?|figures?|no|nos|abschnitte?s?|ziffern?|artikels?|absatz|absätze|nummern?"
    r"|anlagen?|anhang|kapitel)\.?\s+\d[\w.()]*(?:(?:,|\s+(?:and|or|to|und|oder|bis))\s+\d[\w.()]*)*|§+\s*\d[\w.()]*",
    re.IGNORECASE,
)
_RANGE = re.compile(r"\b(?:between|zwischen|entre)\s+(?:(?!\b(?:and|und|et)\b)[^;:]){1,40}$", re.IGNORECASE)
_FIGURE = re.compile(r"(?:(?:EUR|USD|GBP|CHF|[€$£])\s?)?\d[\d.,:]*")
_FIGURE_AND_UNIT = re.compile(r"\d[\d.,:]*(?:\s?(?:[%€$£°]|\w+))?")
_ENDS_WITH_FIGURE = re.compile(r"\d[\d.,:]*\W*\w*$")
_LONGEST_FIGURE = 30
_MOST_WORDS = 60  # of halves of which one leaves out what the other says
_BEGINS_WITH_FIGURE = re.compile(
    r"(?:(?:up|to|at|most|least|within|for|from|of|after|over|about|than|more|less|later|earlier|longer|fewer|not|no|a|an|the|maximum|only"
    r"|bis|zu|höchstens|mindestens|nach|von|um|über|ab|jedoch|aber|insgesamt|jeweils|jusqu'à|de|à)\s+){0,4}(?:(?:EUR|USD|GBP|CHF|[€$£])\s?)?\d",
    re.IGNORECASE,
)
MODAL_WORD = re.compile(
    r"\b(?:may|must|shall|should|can|cannot|need|is|are|has to|have to|darf|dürfen|muss|müssen|soll\w*|kann|können)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a sentence, with words of its neighbours that count for it too.

    Attributes:
        text: as it stands.
        head: what stands before the first figure or modal of the one before, where this one begins with its own:
            "The limit is" of "The limit is 5 euros a day and 9 euros a week".
        tail: what stands behind the figure of the next, where this one ends with its own: "for gifts" of "Trainees may
            claim 5 euros and engineers 9 euros for gifts"; and what it leaves out of the one before: "paid days" of
            "Parents have 5 paid days, carers 9". A condition in front of the first or behind the last part is in the
            heads or tails of all others.
    """

    text: str
    head: str = ""
    tail: str = ""

    @property
    def whole(self) -> str:
        """The segment as a sentence of its own."""
        return " ".join(filter(None, (self.head.strip(), self.text.strip(), self.tail.strip())))


def claims_of(text: str) -> list[Quantity]:
    """The figures of a text that are no references to sections or forms.

    >>> [one.shown for one in claims_of("Under sections 4 and 5 it takes 10 days.")]
    ['10']
    """
    return quantities(_REFERENCE.sub(" ", _INVISIBLE.sub("", without_mark(text))))


def without_mark(sentence: str) -> str:
    """A sentence without the number or bullet that it begins with.

    >>> without_mark("(a) Rent is due."), without_mark("4.2 Rent is due."), without_mark("Rent is due.")
    ('Rent is due.', 'Rent is due.', 'Rent is due.')
    """
    mark = LIST_MARK.match(sentence)
    return sentence[mark.end() :].lstrip() if mark else sentence


def segments(sentence: str) -> list[Segment]:
    """The halves of a sentence in order; a sentence with one claim is one.

    A sentence is cut at semicolons, commas and words that join, where a figure or a modal stands on both sides. A
    range ("between 5 and 10") and a condition with its clause stay whole.

    >>> [one.text for one in segments("Cash is limited to 5 euros a claim and 60 euros a month.")]
    ['Cash is limited to 5 euros a claim', '60 euros a month.']
    >>> segments("Cash is limited to 5 euros a claim and 60 euros a month.")[1].head
    'Cash is limited to'
    """
    groups = re.split(r";\s+", without_mark(sentence))
    return [segment for group in groups for segment in _shared([Segment(text) for text in _parts(group)])]


def _parts(sentence: str) -> list[str]:
    cuts = list(_JOINT.finditer(sentence))
    parts: list[str] = []
    begin = 0
    for place, found in enumerate(cuts):
        left = sentence[begin : found.start()]
        end = cuts[place + 1].start() if place + 1 < len(cuts) else len(sentence)
        if found["word"]:
            # "and rejected bids, if any, are kept for 5 years": the claim may come behind a further comma
            ahead = _until_claim(sentence, found.end(), cuts[place + 1 :])
            cut = _has_claim(left) and _has_claim(ahead) and not _is_one(left, sentence[found.end() :])
        else:
            right = sentence[found.end() : end]
            cut = _has_claim(left) and _has_claim(right) and not _CONDITION.match(right)
            cut = cut and not _CONDITION.match(left.lstrip()) and not _is_one(left, right)
            cut = cut and (begin > 0 or not _FRONT_PHRASE.match(left) or bool(_FRONT_PHRASE.match(right)))
        if cut:
            listed = _first_of_list(left) if found["word"] else None
            parts.append(left[: listed.start()] if listed else left)
            begin = begin + listed.end() if listed else found.end()
    return [*parts, sentence[begin:]]


def _first_of_list(left: str) -> re.Match[str] | None:
    """The comma at which a list begins that runs up to a joint: "is 5 euros, in Bonn, Ulm" before "and Kiel"."""
    first, end = None, len(left)
    for comma in reversed(list(re.finditer(r",\s+", left))):
        if _CONDITION.match(left, comma.end()) or _has_claim(left[comma.end() : end]):
            break
        first, end = comma, comma.start()
    return first


def _until_claim(sentence: str, begin: int, later: list[re.Match[str]]) -> str:
    """What follows up to the next joint that is no comma."""
    return sentence[begin : next((one.start() for one in later if not one["comma"]), len(sentence))]


def _is_one(left: str, right: str) -> bool:
    """Whether a joint stands within a range or between two bare numbers."""
    return bool(_RANGE.search(left) or (left[-1:].isdigit() and right[:1].isdigit()))


def _has_claim(text: str) -> bool:
    return bool(claims_of(text) or modals(text))


def _shared(parts: list[Segment]) -> list[Segment]:
    """The parts of what no semicolon cuts, each with the head and the tail that it shares."""
    if len(parts) < 2:
        return parts
    for place in range(1, len(parts)):
        parts[place] = replace(parts[place], head=_head(parts[place - 1], parts[place].text))
    for place in range(len(parts) - 2, -1, -1):
        after = parts[place + 1]
        found = _FIGURE_AND_UNIT.search(after.text)
        if found and _ENDS_WITH_FIGURE.search(parts[place].text.rstrip()[-_LONGEST_FIGURE:]):
            parts[place] = replace(parts[place], tail=f"{after.text[found.end() :]} {after.tail}".strip())
    for place in range(1, len(parts)):
        left_out = _left_out(parts[place - 1], parts[place].text)
        parts[place] = replace(parts[place], tail=f"{parts[place].tail} {left_out}".strip())
    return _conditional(parts)


def _left_out(before: Segment, own: str) -> str:
    """The words of the part before that one which goes on without a modal, figure by figure, leaves out.

    Both are aligned with all figures alike: "Parents have # paid days" and "carers #" differ in who has them, and the
    second leaves "paid days" out.
    """
    if modals(own):
        return ""
    theirs, ours = _with_figures_alike(f"{before.text} {before.tail}"), _with_figures_alike(own)
    if max(len(theirs), len(ours)) > _MOST_WORDS:
        return ""
    matcher = SequenceMatcher(None, theirs, ours, autojunk=False)
    changes = [change for change in matcher.get_opcodes() if change[0] != "equal"]
    if not any("#" in theirs[block.a : block.a + block.size] for block in matcher.get_matching_blocks()):
        return ""
    return " ".join(word for kind, begin, end, _, _ in changes if kind == "delete" for word in theirs[begin:end])


def _with_figures_alike(text: str) -> list[str]:
    """The words of a text in lower case, each figure as "#"."""
    tokens = words(text)
    return ["#" if token[0].isdigit() or number_in_words([token]) else token for token in tokens]


def _conditional(parts: list[Segment]) -> list[Segment]:
    """The parts; a condition in front of the first, or behind the last, is one of all."""
    front = _FRONT_CONDITION.match(parts[0].text)
    behind = _CONDITION_BEHIND.search(parts[-1].text)
    return [
        replace(
            part,
            head=f"{front[0]} {part.head}".strip() if front and not part.whole.startswith(front[0]) else part.head,
            tail=f"{part.tail} {behind[0]}".strip() if behind and place < len(parts) - 1 else part.tail,
        )
        for place, part in enumerate(parts)
    ]


def _head(before: Segment, own: str) -> str:
    first = _FIGURE if _BEGINS_WITH_FIGURE.match(own) else MODAL_WORD if MODAL_WORD.match(own) else None
    found = first.search(before.text) if first else None
    return f"{before.head} {before.text[: found.start()]}".strip() if found else ""
