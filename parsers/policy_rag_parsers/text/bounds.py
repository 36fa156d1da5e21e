"""Whether a number in a text is a least or a most: "at least 30 days", "up to EUR 50", "no later than 31 May".

Words in front of a number or behind it give its bound. A bound is read with what its clause does: "gifts over 50 euros
are refused" says the same as "gifts up to 50 euros are accepted", so bounds contradict each other only where both
clauses deny, or neither does.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from policy_rag_parsers.text.dates import month_names
from policy_rag_parsers.text.lexicon import alternatives, any_word, lexicon
from policy_rag_parsers.text.modality import clause_end, negative

_BEFORE_CHARS = 120
_AFTER_CHARS = 60
_SENTENCE_CHARS = 240
_MONEY = r"eur|euro|euros|gbp|usd|chf|brl|r\$|[£€$]"


class Side(StrEnum):
    """On which side of the number what is meant lies."""

    LEAST = "least"
    MOST = "most"


@dataclass(frozen=True, slots=True)
class Bound:
    """What a text makes of a number: a least (and what lies above, comes after) or a most.

    Attributes:
        side: on which side.
        shown: the words that say so, in lower case.
        denied: whether their clause also negates, excludes, refuses, or tells of what is late.
        rest: whether the sentence goes on with what lies on the other side ("for longer trips").
    """

    side: Side
    shown: str
    denied: bool
    rest: bool = False

    def contradicts(self, other: "Bound") -> bool:
        """Whether the other is a bound to the other side in a clause of the same kind."""
        return self.side is not other.side and self.denied is other.denied and not (self.rest or other.rest)


@dataclass(frozen=True, slots=True)
class _Patterns:
    before: re.Pattern[str]
    before_date: re.Pattern[str]
    measure: re.Pattern[str]
    between: re.Pattern[str]
    behind: re.Pattern[str]
    late: re.Pattern[str]
    rest: re.Pattern[str]


@cache
def _patterns(language: str) -> _Patterns:
    known = lexicon(language)
    say = known.bounds
    months = alternatives(month_names(language))
    filler = rf"(?:[\s(~]*(?:{say.filler}|{_MONEY}|{months})(?![^\W\d_])\.?){{0,4}}[\s(~]*$"

    def before(least: str, most: str) -> re.Pattern[str]:
        no = rf"(?P<not>{say.negation})?"
        return re.compile(rf"{no}(?<![\w-])(?:(?P<least>{least})|(?P<most>{most}))(?![^\W\d_]){filler}")

    measures = rf"(?P<most>{say.is_most})|(?P<least>{say.is_least})"
    negators, joint = alternatives(known.negators), alternatives(known.and_)
    return _Patterns(
        before=before(say.least, say.most),
        before_date=before(f"{say.least}|{say.from_date}", f"{say.most}|{say.until_date}"),
        measure=re.compile(rf"\b(?:{measures})\b[^.;:,\d]{{0,60}}(?:\b(?:{say.tells})\b|:){filler}"),
        between=re.compile(rf"\b(?:{say.between})\b(?P<first>[^.;:]{{1,40}}\b(?:{joint})\b)?{filler}"),
        behind=re.compile(
            rf"(?:\s*(?:%|[£€$]|[^\W\d_]+\b)){{0,3}}?[\s,(]*(?P<not>\b(?:{negators}) )?"
            rf"(?:(?P<least>{say.least_behind})|(?P<most>{say.most_behind}))\b(?! (?:than|als|de|que|of|von|do)\b)"
        ),
        late=any_word(known.late),
        rest=any_word(say.rest),
    )


def bound_of(text: str, start: int, end: int, *, following: int, dated: bool, language: str) -> Bound | None:
    """The bound of the number at `[start, end)`, if words directly at it give one.

    Args:
        text: the whole text.
        start: where the number begins.
        end: where it ends, its sign or scale included or not.
        following: where the next number begins, or the end of the text: words behind that one are not looked at.
        dated: whether the number is a day of a month or a year.
        language: of `lexicon.LEXICONS`.

    >>> bound_of("Claims are sent within 30 days.", 23, 25, following=31, dated=False, language="english")
    Bound(side=<Side.MOST: 'most'>, shown='within', denied=False, rest=False)
    >>> bound_of("Maximum stay: 5 days", 14, 15, following=20, dated=False, language="english").side
    <Side.MOST: 'most'>
    >>> bound_of("It may not exceed 30 days.", 18, 20, following=26, dated=False, language="english").side
    <Side.MOST: 'most'>
    """
    patterns, ends = _patterns(language), clause_end(language)
    before = text[max(0, start - _BEFORE_CHARS) : start].lower().replace("’", "'")
    after = text[end : min(end + _AFTER_CHARS, following)].lower().replace("’", "'")
    found = _worded(patterns, before, after, dated=dated)
    if found is None:
        return None
    side, said = found
    clause = ends.split(before)[-1].replace(said, " ") + ends.split(after, maxsplit=1)[0].replace(said, " ")
    if not ends.search(after):  # the clause goes on behind the words that were looked at
        clause += ends.split(text[end + len(after) :][:_BEFORE_CHARS].lower(), maxsplit=1)[0]
    behind = re.split(r"[.!?]\s|\n\n", text[end : end + _SENTENCE_CHARS].lower(), maxsplit=1)[0]
    denied = bool(negative(language).search(clause) or patterns.late.search(clause))
    return Bound(side, said.strip(), denied=denied, rest=bool(patterns.rest.search(behind)))


def _worded(patterns: _Patterns, before: str, after: str, *, dated: bool) -> tuple[Side, str] | None:
    """The side, and the words that say so."""
    found = (patterns.before_date if dated else patterns.before).search(before) or patterns.measure.search(before)
    if not found:
        between = patterns.between.search(before)
        if between:
            return (Side.MOST if between["first"] else Side.LEAST), between[0].split()[0]
        found = patterns.behind.match(after)
    if not found:
        return None
    groups = found.groupdict()
    said = groups["least"] or groups["most"]
    upper = bool(groups["most"]) != bool(groups.get("not"))
    return (Side.MOST if upper else Side.LEAST), (groups.get("not") or "") + said
