"""What two statements on one matter say against each other: figures, a ban against a permission, persons."""

from dataclasses import dataclass

from policy_rag.answering.bare_bans import bans_what_is_permitted
from policy_rag.answering.conflict_statements import ComparedStatement
from policy_rag.answering.deciding_person import essence, persons
from policy_rag.records.conflict import ConflictKind
from policy_rag_parsers.text.bounds import Side
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.quantities import Quantity, are_apart, is_other_time, lengths_of_time

SAME_MATTER = {ConflictKind.FIGURE: 1.1, ConflictKind.MODALITY: 1.25, ConflictKind.PERSON: 1.0}
"""Least sum of the words' and the vectors' likeness from which two statements are on the same matter."""
SAME_DEED = 0.8
"""The same where what one forbids outright is what the other permits, by its subject and verb."""
_OPPOSED = (
    (Modality.PERMISSION, Modality.PROHIBITION, False),
    (Modality.OBLIGATION, Modality.EXEMPTION, True),
    (Modality.OBLIGATION, Modality.PROHIBITION, True),
)
"""Kinds of modals that contradict each other, and whether only before a word of both."""


@dataclass(frozen=True, slots=True)
class Opposition:
    """What two statements say against each other.

    Attributes:
        kind: in what they differ.
        reason: what the one says against what the other says.
        figures: those that differ, with units that differ.
        least: likeness from which they are on the same matter.
        is_plain: whether the words alone tell that nothing else differs, so that nobody has to read them.
    """

    kind: ConflictKind
    reason: str
    figures: tuple[str, ...] = ()
    least: float = 0.0
    is_plain: bool = False


def opposed(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """What two statements say against each other, whether or not they are on the same matter; a cell only by figures.

    Args:
        one: of a document.
        other: of another.
        words: in which the reason is told.
    """
    if one.text.language != other.text.language or one.is_aim != other.is_aim or not _may_be_of_one(one, other):
        return None
    finders = [_other_figure, _other_time, _other_frequency]
    if not (one.row or other.row):
        finders += [_other_day, _other_person, _other_modal]
    return next(filter(None, (find(one, other, words) for find in finders)), None)


def _may_be_of_one(one: ComparedStatement, other: ComparedStatement) -> bool:
    """Whether a row speaks of what a sentence or another row speaks of; two sentences may always."""
    if one.row and other.row:
        return one.row.is_same_as(other.row)
    row, said = one.row or other.row, other if one.row else one
    return row is None or row.is_of(said.own.content)


def _against(
    kind: ConflictKind,
    words: AnswerWords,
    said: tuple[str, str],
    unit: str = "",
    *,
    figures: tuple[str, ...] = (),
    least: float | None = None,
    is_plain: bool = False,
) -> Opposition:
    reason = words.against.format(one=said[0], other=said[1])
    least = SAME_MATTER[kind] if least is None else least
    return Opposition(kind, f"{reason} ({unit})" if unit else reason, figures, least, is_plain)


def _other_figure(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """A figure of each of one unit, or that counts the same."""
    for unit in (unit for unit in one.figures if unit in other.figures):
        pairs = [*zip(one.figures[unit], other.figures[unit], strict=False)]
        unlike = [pair for pair in pairs if not pair[0].values & pair[1].values]
        same_count = len(one.figures[unit]) == len(other.figures[unit])
        if same_count and len(unlike) == 1 and not any(_bound_otherwise(*pair) for pair in pairs):
            shown = unlike[0][0].shown, unlike[0][1].shown
            return _against(ConflictKind.FIGURE, words, shown, one.named(unit), figures=shown)
    return None


def _bound_otherwise(first: Quantity, second: Quantity) -> bool:
    return first.bound is not None and second.bound is not None and first.bound.side is not second.bound.side


def _other_time(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """The one length of time of each, in units that differ."""
    if len(one.times) != 1 or len(other.times) != 1:
        return None
    first, second = one.times[0], other.times[0]
    if _bound_otherwise(first, second) or first.unit == second.unit or not is_other_time(first, second):
        return None
    shown = one.with_unit(first), other.with_unit(second)
    return _against(ConflictKind.FIGURE, words, shown, figures=shown)


def _other_day(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """The one time by which each says that something is due, one at least told by a day: "by the next working day"."""
    ours, theirs = _due(one), _due(other)
    if ours is None or theirs is None or not (one.days or other.days) or one.is_limited != other.is_limited:
        return None
    apart = ours[0] != theirs[0] if one.days and other.days else are_apart(ours[0], theirs[0])
    shown = ours[1], theirs[1]
    return _against(ConflictKind.FIGURE, words, shown, figures=shown) if apart else None


def _due(one: ComparedStatement) -> tuple[list[tuple[float, float]], str] | None:
    """The one time by which something is due, in minutes, and how that is told."""
    if len(one.days) + len(one.times) != 1:
        return None
    if one.days:
        return [one.days[0].minutes], one.days[0].shown
    (time,) = one.times
    is_most = time.bound is not None and time.bound.side is Side.MOST
    return (lengths_of_time(time), one.with_bound(time)) if is_most else None


def _other_frequency(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """The one frequency of each."""
    if len(one.own.frequencies) != 1 or len(other.own.frequencies) != 1:
        return None
    first, second = one.own.frequencies[0], other.own.frequencies[0]
    if first.is_as_often_as(second):
        return None
    shown = first.shown, second.shown
    return _against(ConflictKind.FIGURE, words, shown, figures=shown)


def _other_person(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """Who decides, where all else is the same, or what makes no difference to that is left out."""
    found = persons(one.own, other.own)
    if found:
        return _against(ConflictKind.PERSON, words, found, is_plain=True)
    found = persons(essence(one.own), essence(other.own))
    return _against(ConflictKind.PERSON, words, found) if found else None


def _other_modal(one: ComparedStatement, other: ComparedStatement, words: AnswerWords) -> Opposition | None:
    """A modal of each that contradicts the other's."""
    if one.is_limited or other.is_limited:
        return None
    ours, theirs = one.own.modals, other.own.modals
    for left, right, same in _OPPOSED:
        for kind, against in ((left, right), (right, left)):
            if kind not in ours or against not in theirs or against in ours or kind in theirs:
                continue
            if not same or ours[kind] & other.stems or theirs[against] & one.stems:
                said = one.own.lexicon.verdicts
                shown = said[kind].lower(), said[against].lower()
                if _is_same_deed(one, other):
                    return _against(ConflictKind.MODALITY, words, shown, least=SAME_DEED, is_plain=True)
                return _against(ConflictKind.MODALITY, words, shown)
    return None


def _is_same_deed(one: ComparedStatement, other: ComparedStatement) -> bool:
    """Whether what one forbids outright the other permits, neither below a line that leads into it."""
    if any(each.text.text != each.own.text for each in (one, other)):
        return False
    return bans_what_is_permitted(one.own, other.own) or bans_what_is_permitted(other.own, one.own)
