"""Whether a number in a text is a least or a most: "at least 30 days", "up to EUR 50", "no later than 31 May".

Words in front of a number or behind it give its bound, in English, German and French. A bound is read with what its
clause does: "gifts over 50 euros are refused" says the same as "gifts up to 50 euros are accepted", so bounds
contradict each other only where both clauses deny, or neither does.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from policy_rag.answering.verification.surface_checks import CLAUSE_END, NEGATIVE

_BEFORE_CHARS = 120
_AFTER_CHARS = 60

# "Carry over five days" says how many, not more than how many.
_NO_PARTICLE = "".join(
    f"(?<!{verb} )"
    for verb in ("carry", "carries", "carried", "carrying", "roll", "rolls", "rolled", "rolling", "handed", "left")
)
_LEAST = (
    r"at least|(?:a |the )?minimum|(?:more|longer|greater|higher|older|larger|later|further) than"
    rf"|{_NO_PARTICLE}over(?! (?:a|the) (?:period|term))|above|beyond|exceed(?:s|ing|ed)?|in excess of|after"
    r"|(?:starting|effective) (?:on|from)|upwards of"
    r"|mindestens|wenigstens|zumindest|(?:mehr|länger|größer|höher|älter|später) als|über|oberhalb(?: von)?|ab|nach"
    r"|nach ablauf(?: von)?|frühestens|jenseits(?: von)?"
    r"|au moins|(?:au )?minimum|plus (?:de|tard que|longtemps que)|(?:supéri|postéri)eure?s? (?:à|aux?)|au[- ]delà"
    r"|(?:excède(?:nt)?|dépasse(?:nt)?)(?: pas)?|excédant|excéder|dépass(?:ant|er)"
    r"|à (?:partir|compter)|après|dès|au plus tôt"
)
_MOST = (
    r"at (?:the )?most|up to|within|(?:a |the )?maximum|max\.?"
    r"|(?:less|fewer|lower|smaller|shorter|younger|earlier|sooner) than|under|below|before|prior to"
    r"|(?:limited|restricted|capped) (?:to|at)|limit|ceiling|cap"
    r"|höchstens|maximal|längstens|bis(?: zu| zum)?|innerhalb(?: von)?|binnen|innert"
    r"|spätestens(?: nach| bis(?: zum)?)?|(?:weniger|kürzer|kleiner|geringer|niedriger|jünger|früher) als"
    r"|unter|unterhalb(?: von)?|begrenzt auf"
    r"|au (?:plus|maximum)|jusqu'(?:à|aux?)|dans (?:la|une) limite|dans un délai|dans les|sous|moins (?:de|d)"
    r"|(?:inféri|antéri)eure?s? (?:à|aux?)|avant|au plus tard|(?:plafonn|limit)ée?s? à"
)
# With a date they bound; with an amount ("increased by 5", "from 5 to 10") they do not.
_LEAST_OF_DATES = r"from|since|as of|seit|vom|depuis"
_MOST_OF_DATES = r"by|until|till|vor|d'ici"
_NOT = (
    r"(?P<not>(?:\bno|not|n't|never|\bnicht|\bkeine?\w?|\bpas|\bni|\bne)"
    r"(?: (?:to|be|to be|last|have|peut|peuvent|doit|doivent))? |\bn')?"
)
_FILLER = (
    r"(?:[\s(~]*(?:of|the|a|an|about|further|another|total|period|term|age|sum|amount|value|am|an|dem|den|der|zum|von|vom"
    r"|einem|einer|jedoch|du|de|d'|la|le|les|des|un|une|l'|eur|euro|euros|gbp|usd|chf|[£€$]|jan\w*|feb\w*|mar\w*|märz|apr\w*"
    r"|ma[iy]|jun\w*|jul\w*|aug\w*|sep\w*|o[ck]t\w*|nov\w*|de[cz]\w*)(?![^\W\d_])\.?){0,4}[\s(~]*$"
)


def _in_front(least: str, most: str) -> re.Pattern[str]:
    return re.compile(rf"{_NOT}(?<![\w-])(?:(?P<least>{least})|(?P<most>{most}))(?![^\W\d_]){_FILLER}")


_IN_FRONT = _in_front(_LEAST, _MOST)
_IN_FRONT_OF_DATE = _in_front(f"{_LEAST}|{_LEAST_OF_DATES}", f"{_MOST}|{_MOST_OF_DATES}")
_BETWEEN = re.compile(r"\b(?:between|zwischen|entre)\b(?P<first>[^.;:]{1,40}\b(?:and|und|et)\b)?" + _FILLER)
_MEASURE = re.compile(
    r"\b(?:(?P<most>maximum|maximal\w*|höchst\w+|obergrenze|limit)|(?P<least>minimum|minimal\w*|mindest\w+))\b"
    r"[^.;:,\d]{0,60}\b(?:is|are|be|of|was|beträgt|betragen|ist|sind|bei|est|sont)\b" + _FILLER
)
_BEHIND = re.compile(
    r"(?:\s*(?:%|[£€$]|[^\W\d_]+\b)){0,3}?[\s,(]*(?P<not>\bnicht |\bnot )?"
    r"(?:(?P<least>(?:or|and|oder|und|ou|et) (?:more|over|above|longer|later|older|greater|higher|upwards|beyond|mehr"
    r"|darüber|länger|später|älter|plus)|at least|at the earliest|minimum|mindestens|überschreit\w+|übersteig\w+"
    r"|au moins|au minimum)"
    r"|(?P<most>(?:or|and|oder|und|ou|et) (?:less|fewer|under|below|shorter|earlier|before|younger|weniger|darunter"
    r"|kürzer|früher|jünger|moins)|at (?:the )?most|at the latest|maximum|höchstens|maximal|spätestens|unterschreit\w+"
    r"|au plus|au maximum|au plus tard))\b(?! (?:than|als|de|que|of|von)\b)"
)
_LATE = re.compile(r"\b(?:late|lapses?|lost|lose[sn]?|expires?|void|forfeit\w*|verf\w+|verspätet|perdue?s?)\b")
# What tells of the other side without its number: "up to 50 km by bicycle; for longer trips ...".
_REST = re.compile(
    r"\b(?:(?<!such )(?<!any )others?|further|remaining|otherwise"
    r"|(?:longer|larger|higher|shorter|smaller|lower|earlier|later)(?! than)"
    r"|(?:above|beyond|below) (?:this|that)|weitere\w*|andere\w*|übrige\w*|(?:länger|größer|höher|kürzer|kleiner)e\w*"
    r"|darüber|darunter|sonst|autres?|au-delà)\b"
)
_SENTENCE_CHARS = 240


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


def bound_of(text: str, start: int, end: int, *, following: int, dated: bool) -> Bound | None:
    """The bound of the number at `[start, end)`, if words directly at it give one.

    Args:
        text: the whole text.
        start: where the number begins.
        end: where it ends, its sign or scale included or not.
        following: where the next number begins, or the end of the text: words behind that one are not looked at.
        dated: whether the number is a day of a month or a year.

    >>> bound_of("Claims are sent within 30 days.", 23, 25, following=31, dated=False)
    Bound(side=<Side.MOST: 'most'>, shown='within', denied=False, rest=False)
    >>> bound_of("It may not exceed 30 days.", 18, 20, following=26, dated=False).side
    <Side.MOST: 'most'>
    """
    before = text[max(0, start - _BEFORE_CHARS) : start].lower().replace("’", "'")
    after = text[end : min(end + _AFTER_CHARS, following)].lower().replace("’", "'")
    found = _in_words(before, dated=dated) or _between(before) or _behind(after)
    if found is None:
        return None
    side, said = found
    clause = CLAUSE_END.split(before)[-1].replace(said, " ") + CLAUSE_END.split(after, maxsplit=1)[0].replace(said, " ")
    clause += _clause_end(text[end + len(after) :], after)
    behind = re.split(r"[.!?]\s|\n\n", text[end : end + _SENTENCE_CHARS].lower(), maxsplit=1)[0]
    denied = bool(NEGATIVE.search(clause) or _LATE.search(clause))
    return Bound(side, said.strip(), denied=denied, rest=bool(_REST.search(behind)))


def _clause_end(text: str, after: str) -> str:
    """What goes on of the clause behind the words that were looked at."""
    if CLAUSE_END.search(after):
        return ""
    return CLAUSE_END.split(text[:_BEFORE_CHARS].lower(), maxsplit=1)[0]


def _in_words(before: str, *, dated: bool) -> tuple[Side, str] | None:
    found = (_IN_FRONT_OF_DATE if dated else _IN_FRONT).search(before) or _MEASURE.search(before)
    return _side_and_words(found) if found else None


def _behind(after: str) -> tuple[Side, str] | None:
    found = _BEHIND.match(after)
    return _side_and_words(found) if found else None


def _side_and_words(found: re.Match[str]) -> tuple[Side, str]:
    groups = found.groupdict()
    said = groups["least"] or groups["most"]
    upper = bool(groups["most"]) != bool(groups.get("not"))
    return (Side.MOST if upper else Side.LEAST), (groups.get("not") or "") + said


def _between(before: str) -> tuple[Side, str] | None:
    found = _BETWEEN.search(before)
    return ((Side.MOST if found["first"] else Side.LEAST), "between") if found else None
