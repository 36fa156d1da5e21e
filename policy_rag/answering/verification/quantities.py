"""Numbers in a text, in digits or words, with the unit or month beside them, and whether one backs another."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.verification.bounds import Bound, bound_of
from policy_rag.answering.verification.number_words import number_in_words, ordinal
from policy_rag.answering.verification.units import HUNDREDTHS, MONTH_NAMES, MONTHS, SCALES, UNITS, unit_beside

ORDINAL = "ordinal"
"""The unit of "third"."""


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_BLANK = "[ \u00a0\u2009\u202f]"
_TOKEN = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)|(?P<dotted>\b(?:\d{1,2}\.\d{1,2}\.\d{4}|\d{2}\.\d{2}\.\d{2})\b)"
    r"|(?P<clock>(?<![\w.:])\d{1,2}:\d{2}(?![\w:]))"
    r"|(?P<slashed>\b\d{1,2}/\d{1,2}/\d{4}\b)|(?P<yearless>(?<![\w.])\d{1,2}\.(?:0?[1-9]|1[0-2])\.(?!\w))"
    rf"|(?P<grouped>(?<![\w.,])\d{{1,3}}(?:{_BLANK}\d{{3}})+(?:[.,]\d{{1,2}})?(?![.,]?\w))"
    r"|(?P<number>(?<![\w.])\d+(?:[.,'’]\d+)*(?:(?:st|nd|rd|th|er|re|ère|e|ème)\b)?)"
    r"|(?P<mark>[%€$£;])|(?P<word>[^\W\d_]+)"
)
_INSIDE = re.compile(r"\s*-?\s*")
_MOST_WORDS = 8
_YEARS = range(1900, 2101)
_BEFORE_A_DAY = _listed("am bis zum vom ab seit den dem vor und spätestens le du au")
_ARTICLES = _listed("a an ein eine einen einem einer eines un une per pro je par")
_ONES = _listed("ein eins un une")
_MAYBE_NO_NUMBER = _listed("one zero null cent cents")
_DETERMINERS = _listed(
    "the a an this that their his her its our your every each any no der die das dem den des im am zum zur vom beim ab "
    "bis jede jeder jedes einen einer eine ein le la les du au un une chaque sa son leur"
)
_TIMES: dict[tuple[str | None, str | None], int] = {("year", "month"): 12, ("week", "day"): 7, ("hour", "minute"): 60}
"""How many of the second unit the first has."""
_SAME_UNITS = ({"cent", "eur"}, {"cent", "usd"})
_NO_RANK = _listed("party parties person persons country countries of aid")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written.

    Attributes:
        shown: the number alone.
        values: what it may stand for ("1.250" is 1250 or 1.25).
        unit: the unit or month beside it; `ORDINAL` for "third".
        bound: whether it is a least or a most.
    """

    shown: str
    values: frozenset[str]
    unit: str | None
    bound: Bound | None = None


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int

    @property
    def lower(self) -> str:
        """In lower case, but for the verb "may" and the number "sept", which are no months."""
        return "" if self.text in {"may", "sept"} else self.text.lower()


def quantities(text: str, *, given: bool = False) -> list[Quantity]:
    """The numbers in a text, in digits or words, in order, with the unit or month and the bound beside each.

    Args:
        text: any text.
        given: whether the text is one that others are held against. It is then read in every way that it allows: an
            article before a unit is also a one ("a day"), "150 220" also two numbers, and every ordinal counts.

    >>> [(q.shown, sorted(q.values), q.unit) for q in quantities("EUR 1,250.00 within thirty (30) working days")]
    [('1,250.00', ['1250'], 'eur'), ('thirty', ['30'], None), ('30', ['30'], 'working day')]
    """
    seen = _INVISIBLE.sub("", text)
    tokens = [_Token(found.lastgroup or "", found[0], *found.span()) for found in _TOKEN.finditer(seen)]
    read: list[tuple[list[Quantity], int, int]] = []
    place = 0
    while place < len(tokens):
        found, taken = _read(tokens, place, seen, given=given)
        if found:
            read.append((found, tokens[place].start, tokens[place + taken - 1].end))
        place += taken
    following = [*(start for _, start, _ in read), len(seen)][1:]
    return [
        _bounded(quantity, seen, start, end, until)
        for (found, start, end), until in zip(read, following, strict=True)
        for quantity in found
    ]


def _bounded(quantity: Quantity, text: str, start: int, end: int, until: int) -> Quantity:
    if quantity.unit == ORDINAL:
        return quantity
    year = quantity.unit is None and any(value.isdigit() and int(value) in _YEARS for value in quantity.values)
    bound = bound_of(text, start, end, following=until, dated=year or quantity.unit in MONTHS)
    return replace(quantity, bound=bound) if bound else quantity


def _read(tokens: Sequence[_Token], place: int, text: str, *, given: bool) -> tuple[list[Quantity], int]:
    """What the tokens from a place on hold of a number, and how many of them it takes, one at least."""
    token = tokens[place]
    previous = tokens[place - 1].lower if place else ""
    match token.kind:
        case "iso" | "dotted" | "slashed" | "clock":
            return _clock(token) if token.kind == "clock" else _date(token, given=given), 1
        case "yearless" if _is_day(token.text, previous):
            day, month = token.text.split(".")[:2]
            return [Quantity(token.text, frozenset({str(int(day))}), MONTHS[int(month) - 1])], 1
        case "number" | "yearless":
            return [_with_unit(tokens, place, 1, _values(token.text.rstrip(".")))], 1
        case "grouped":
            parts = re.findall(r"\d+(?:[.,]\d+)?", token.text) if given else []
            joined = _with_unit(tokens, place, 1, _values(re.sub(_BLANK, "", token.text)))
            return [joined, *(replace(joined, values=frozenset(_values(part))) for part in parts)], 1
        case "word":
            return _in_words(tokens, place, text, given=given)
        case _:
            return [], 1


def _in_words(tokens: Sequence[_Token], place: int, text: str, *, given: bool) -> tuple[list[Quantity], int]:
    row = [tokens[place].lower if tokens[place].text != "sept" else "sept"]
    for before, after in zip(tokens[place:], tokens[place + 1 : place + _MOST_WORDS], strict=False):
        if after.kind != "word" or not _INSIDE.fullmatch(text[before.end : after.start]):
            break
        row.append(after.text.lower())
    if row[0] in MONTH_NAMES and tokens[place].text[0].isupper():
        return [], 1  # 3 Sept
    found = number_in_words(row)
    if found is None or (found[1] == 1 and row[0] in _ONES):
        return _worded_rank(tokens, place, row, given=given), 1
    number, taken = found
    quantity = _with_unit(tokens, place, taken, {str(number)})
    if taken == 1 and row[0] in _MAYBE_NO_NUMBER and quantity.unit is None:
        return [], 1  # "no one", "one of", "per cent"
    return [quantity], taken


def _worded_rank(tokens: Sequence[_Token], place: int, row: Sequence[str], *, given: bool) -> list[Quantity]:
    """An ordinal in words, or an article that may stand for a one."""
    shown = tokens[place].text
    after = row[1:2]
    if given and row[0] in _ARTICLES and after and (after[0] in UNITS or row[1:3] == ["working", "day"]):
        return [_with_unit(tokens, place, 1, {"1"})]
    number = ordinal(row[0])
    if number is None:
        return []
    claims = number > 1 and not (after and after[0] in _NO_RANK)
    if row[0] == "second" or row[0].endswith(("te", "ten", "ter", "tes", "tem")):
        claims = claims and place > 0 and tokens[place - 1].lower in _DETERMINERS
    return [Quantity(shown, frozenset({str(number)}), ORDINAL)] if claims or given else []


def _with_unit(tokens: Sequence[_Token], place: int, taken: int, values: Iterable[str]) -> Quantity:
    behind = tokens[place + taken : place + taken + 4]
    after = [token.lower for token in behind]
    before = [token.lower for token in tokens[max(0, place - 2) : place]]
    scaled = set(values)
    if after and after[0] in SCALES and (tokens[place].kind != "word" or len(after[0]) > 2):
        scaled, after = _scaled(scaled, SCALES[after[0]]), after[1:]
    shown = " ".join(token.text for token in tokens[place : place + taken])
    if after and after[0] in HUNDREDTHS:
        return Quantity(shown, frozenset(_scaled(scaled, 0.01)), HUNDREDTHS[after[0]])
    return Quantity(shown, frozenset(scaled), unit_beside(after, before))


def _values(token: str) -> set[str]:
    digits = re.sub(r"[^\W\d_]+$", "", token).replace("'", ",").replace("’", ",")
    marks = re.findall(r"[.,]", digits)
    if not marks:
        return {str(int(digits))}
    groups = re.split(r"[.,]", digits)
    thousands = all(len(group) == 3 for group in groups[1:]) and 0 < len(groups[0]) <= 3
    if len(marks) == 1:
        decimal = _shortest(f"{groups[0]}.{groups[1]}")
        return {decimal, str(int("".join(groups)))} if thousands else {decimal}
    if len(set(marks)) == 1:
        return {str(int("".join(groups)))} if thousands else {digits}  # else a clause: 4.2.1
    return {_shortest("".join(groups[:-1]) + "." + groups[-1])}


def _shortest(decimal: str) -> str:
    whole, _, part = decimal.partition(".")
    part = part.rstrip("0")
    return f"{int(whole)}.{part}" if part else str(int(whole))


def _scaled(values: Iterable[str], scale: float) -> set[str]:
    return {_shortest(f"{float(value) * scale:.6f}") for value in values if value.count(".") < 2}


def _is_day(token: str, previous: str) -> bool:
    """Whether "31.03." is a day; "4.2." at the end of a sentence is a clause."""
    day, month = token.split(".")[:2]
    return 1 <= int(day) <= 31 and (month.startswith("0") or int(day) > 12 or previous in _BEFORE_A_DAY)


def _clock(token: _Token) -> list[Quantity]:
    """A time of day as hours: "18:00" is the 18 of "18 Uhr"."""
    hour, minute = map(int, token.text.split(":"))
    return [Quantity(token.text, frozenset({_shortest(f"{hour + minute / 60:.3f}")}), None)]


def _date(token: _Token, *, given: bool) -> list[Quantity]:
    parts = [int(part) for part in re.split(r"[-./]", token.text)]
    year, month, day = parts if token.kind == "iso" else parts[::-1]
    year += 2000 if year < 100 else 0
    if token.kind == "slashed" and day != month and max(day, month) <= 12:  # 3/4/2025 is in April or in March
        if given:
            return [*_day(token, year, month, day), *_day(token, year, day, month)]
        return [Quantity(token.text, frozenset({str(day), str(month)}), None), _number(token, year)]
    if token.kind == "slashed" and month > 12:
        day, month = month, day
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return [Quantity(token.text, frozenset({token.text}), None)]
    return _day(token, year, month, day)


def _day(token: _Token, year: int, month: int, day: int) -> list[Quantity]:
    return [_number(token, number, MONTHS[month - 1]) for number in (day, year)]


def _number(token: _Token, number: int, unit: str | None = None) -> Quantity:
    return Quantity(token.text, frozenset({str(number)}), unit)


def is_backed(quantity: Quantity, sources: Iterable[Quantity], words_around: frozenset[str]) -> bool:
    """Whether one of the sources' numbers is this one, in the same unit; `backing` tells when."""
    return bool(backing(quantity, sources, words_around))


def backing(quantity: Quantity, sources: Iterable[Quantity], words_around: frozenset[str]) -> list[Quantity]:
    """Those of the sources' numbers that are this one, in the same unit.

    A number without a unit on either side matches any; the claim's unit must then stand among `words_around` (a
    table's header names it). A source's "working days" back a claim's "days", not the other way round. "24 months" back
    "two years", as all do that are the same length of time whatever the month.
    """
    return [
        source
        for source in sources
        if (quantity.values & source.values and _is_unit_backed(quantity.unit, source.unit, words_around))
        or _is_same_time(quantity, source)
    ]


def _is_same_time(one: Quantity, other: Quantity) -> bool:
    scale = _TIMES.get((one.unit, other.unit))
    if scale:
        return not _scaled(one.values, scale).isdisjoint(other.values)
    scale = _TIMES.get((other.unit, one.unit))
    return bool(scale) and not _scaled(other.values, scale or 1).isdisjoint(one.values)


def _is_unit_backed(unit: str | None, given: str | None, words_around: frozenset[str]) -> bool:
    if unit in {None, ORDINAL, given} or {unit, given} in _SAME_UNITS:
        return True
    if given is None:
        return any(UNITS.get(word) == unit for word in words_around)
    return given.endswith(f" {unit}")


def turned_bound(quantity: Quantity, sources: Iterable[Quantity], words_around: frozenset[str]) -> str:
    """The bound that the sources give a number where the claim turns it round, in their words; else "".

    A number without a bound, on either side, is left alone; so is one that the sources bound as the claim does, too.

    >>> turned_bound(quantities("at most 5 days")[0], quantities("at least 5 days"), frozenset())
    'at least'
    """
    bounds = [source.bound for source in backing(quantity, sources, words_around) if source.bound]
    if quantity.bound is None or any(bound.side is quantity.bound.side for bound in bounds):
        return ""
    return next((bound.shown for bound in bounds if quantity.bound.contradicts(bound)), "")
