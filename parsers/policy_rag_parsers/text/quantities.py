"""Numbers in a text, in digits or words, with the unit or month and the bound beside each; which one backs which.

Exactness is what counts here: a number is compared by value ("thirty" is "30"), with its unit, and with what it bounds.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from policy_rag_parsers.text.bounds import Bound, bound_of
from policy_rag_parsers.text.dates import MONTHS, month_names
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.lexicon import any_word, lexicon
from policy_rag_parsers.text.numbers import begins_number, number_in_words, ordinal, scaled, shortest, values
from policy_rag_parsers.text.sentences import LIST_MARK
from policy_rag_parsers.text.units import signed_names, unit_beside, unit_names

ORDINAL = "ordinal"
"""The unit of "third"."""
_BLANK = "[ \u00a0\u2009\u202f]"
_TOKEN = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)|(?P<dotted>\b(?:\d{1,2}\.\d{1,2}\.\d{4}|\d{2}\.\d{2}\.\d{2})\b)"
    r"|(?P<clock>(?<![\w.:])\d{1,2}:\d{2}(?![\w:]))"
    r"|(?P<slashed>\b\d{1,2}/\d{1,2}/\d{4}\b)|(?P<yearless>(?<![\w.])\d{1,2}\.(?:0?[1-9]|1[0-2])\.(?!\w))"
    rf"|(?P<grouped>(?<![\w.,])\d{{1,3}}(?:{_BLANK}\d{{3}})+(?:[.,]\d{{1,2}})?(?![.,]?\w))"
    r"|(?P<number>(?<![\w.])\d+(?:[.,'’]\d+)*(?:(?:st|nd|rd|th|er|re|ère|e|ème|º|ª)\b)?)"
    r"|(?P<mark>(?<!\w)R\$|[%€$£;])|(?P<word>[^\W\d_]+)"
)
_INSIDE = re.compile(r"\s*-?\s*")
_AGAIN = re.compile(r"\s*\(")
_SUFFIX = re.compile(r"[^\W\d]+$")
_MOST_WORDS = 8
_YEARS = range(1900, 2101)
_TIMES: dict[tuple[str | None, str | None], int] = {
    ("year", "month"): 12,
    ("week", "day"): 7,
    ("day", "hour"): 24,
    ("hour", "minute"): 60,
}
"""How many of the second unit the first has."""
TIME_UNITS = frozenset(("minute", "hour", "day", "week", "month", "year"))
"""Units of a length of time."""
_MINUTES = {"minute": (1, 1), "hour": (60, 60), "day": (1440, 1440), "week": (10080, 10080), "year": (524160, 527040)}
_SAME_UNITS = ({"cent", "eur"}, {"cent", "usd"}, {"cent", "brl"})
# What may stand between a unit and the number behind it: "days: 3", "EUR 50"; nothing that ends a phrase.
_UNIT_AHEAD = re.compile(r"[\s:|=()*_~–-]*")
_SHORT_SCALES = {"k": 1e3, "m": 1e6}  # in front of a currency: "2,5 M€"; else a letter is a name or a metre
_OF_SCALE = frozenset(("de", "d"))  # "3 millones de euros", "2 millions d'euros"


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as written.

    Attributes:
        shown: the number alone.
        values: what it may stand for ("1.250" is 1250 or 1.25), each in its shortest form.
        unit: the unit or month beside it; `ORDINAL` for "third".
        bound: whether it is a least or a most.
        start: where it stands in the text, characters that nobody sees left out.
        end: one past its last character.
    """

    shown: str
    values: frozenset[str]
    unit: str | None
    bound: Bound | None = None
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    start: int
    end: int


def quantities(text: str, language: str, *, given: bool = False) -> list[Quantity]:
    """The numbers in a text, in digits or words, in order, with the unit or month and the bound beside each.

    Args:
        text: any text.
        language: of `lexicon.LEXICONS`.
        given: whether the text is one that others are held against. It is then read in every way that it allows: an
            article before a unit is also a one ("a day"), "150 220" also two numbers, and every ordinal counts. Else
            such an article is a one only where it is bound ("within a day").

    >>> found = quantities("EUR 1,250.00 within thirty (30) working days", "english")
    >>> [(one.shown, sorted(one.values), one.unit) for one in found]
    [('1,250.00', ['1250'], 'eur'), ('thirty', ['30'], 'working day'), ('30', ['30'], 'working day')]
    >>> [(one.shown, one.unit, one.bound.side.value) for one in quantities("até 31 de maio", "portuguese")]
    [('31', 'may', 'most')]
    """
    return _Reader(INVISIBLE_MARK.sub("", text), language, given=given).read()


class _Reader:
    """Reads the numbers of one text."""

    def __init__(self, text: str, language: str, *, given: bool) -> None:
        self._text = text
        self._language = language
        self._known = lexicon(language)
        self._given = given
        self._tokens = [_Token(found.lastgroup or "", found[0], *found.span()) for found in _TOKEN.finditer(text)]
        self._lower = ["" if one.text in self._known.homonyms else one.text.lower() for one in self._tokens]

    def read(self) -> list[Quantity]:
        found: list[tuple[list[Quantity], int, int]] = []
        place = 0
        while place < len(self._tokens):
            read, taken = self._read(place)
            if read:
                found.append((read, self._tokens[place].start, self._tokens[place + taken - 1].end))
            place += taken
        following = [*(start for _, start, _ in found), len(self._text)][1:]
        placed = [
            replace(one, bound=self._bound(one, start, end, until), start=start, end=end)
            for (read, start, end), until in zip(found, following, strict=True)
            for one in read
        ]
        placed = self._with_shared(placed)
        return [one for one in placed if self._given or one.bound or one.shown.lower() not in self._known.articles]

    def _with_shared(self, placed: list[Quantity]) -> list[Quantity]:
        """With one unit and bound for a number said twice, "30 (thirty) days", and one for the ends of a range."""
        found = list(placed)
        for at, (one, two) in enumerate(pairwise(placed)):
            between = self._text[one.end : two.start]
            if not one.values.isdisjoint(two.values) and _AGAIN.fullmatch(between) and self._text[two.end :][:1] == ")":
                unit = one.unit or two.unit
                found[at] = replace(found[at], unit=unit)
                found[at + 1] = replace(two, unit=unit, bound=two.bound or one.bound)
            elif one.unit is None and two.unit not in {None, ORDINAL, *MONTHS} and self._joins(between):
                found[at] = replace(found[at], unit=two.unit)
        return found

    def _joins(self, between: str) -> bool:
        """Whether what stands between two numbers makes them the ends of a range, or two of a kind."""
        joint = between.strip().lower()
        return joint in self._known.or_ or re.fullmatch(rf"[-–]|{self._known.to_}", joint) is not None

    def _bound(self, one: Quantity, start: int, end: int, until: int) -> Bound | None:
        if one.unit == ORDINAL:
            return None
        year = one.unit is None and any(value.isdigit() and int(value) in _YEARS for value in one.values)
        dated = year or one.unit in MONTHS
        return bound_of(self._text, start, end, following=until, dated=dated, language=self._language)

    def _read(self, place: int) -> tuple[list[Quantity], int]:
        """What the tokens from a place on hold of a number, and how many of them it takes, one at least."""
        token = self._tokens[place]
        match token.kind:
            case "iso" | "dotted" | "slashed":
                return self._date(token), 1
            case "clock":  # "18:00" is the 18 of "18 Uhr"
                hour, minute = map(int, token.text.split(":"))
                return [Quantity(token.text, frozenset({shortest(f"{hour + minute / 60:.3f}")}), None)], 1
            case "yearless" if self._is_day(place):
                day, month = token.text.split(".")[:2]
                return [_dated(token, int(day), MONTHS[int(month) - 1])], 1
            case "number" | "yearless":
                return self._counted(place, 1, values(_SUFFIX.sub("", token.text).rstrip(".")))
            case "grouped":
                joined = self._with_unit(place, 1, values(re.sub(_BLANK, "", token.text)))
                parts = re.findall(r"\d+(?:[.,]\d+)?", token.text) if self._given else []
                return [joined, *(replace(joined, values=values(part)) for part in parts)], 1
            case _:
                return self._in_words(place) if token.kind == "word" else ([], 1)

    def _in_words(self, place: int) -> tuple[list[Quantity], int]:
        first = self._tokens[place]
        row = [first.text.lower()]
        if half := self._half(place):
            behind = self._lower[place + half : place + half + 1]
            led = behind != [] and behind[0] in unit_names(self._language)
            return ([self._with_unit(place, half, frozenset({"0.5"}))], half) if led else ([], 1)
        month = row[0] in month_names(self._language) and (  # 3 Sept
            first.text[0].isupper() or row[0] not in self._known.homonyms
        )
        if month or (row[0] not in self._known.articles and not begins_number(row[0], self._language)):
            return [], 1
        last = self._tokens[place - 1 : place]
        if (
            row[0] in self._known.scales
            and last
            and (last[0].kind in {"number", "grouped"} or last[0].text.lower() in self._known.halves)
        ):
            return [], 1  # 1.5 million
        for before, after in zip(self._tokens[place:], self._tokens[place + 1 : place + _MOST_WORDS], strict=False):
            if after.kind != "word" or not _INSIDE.fullmatch(self._text[before.end : after.start]):
                break
            row.append(after.text.lower())
        found = number_in_words(row, self._language)
        article = row[0] in self._known.articles
        if found is None or (found[1] == 1 and article and not self._half_behind(place + 1)):
            return self._worded_rank(place, row), 1
        counted, taken = self._counted(place, found[1], frozenset({found[0]}))
        if taken == 1 and row[0] in self._known.no_numbers and counted[0].unit is None:
            return [], 1  # "no one", "one of", "per cent"
        return counted, taken

    def _half(self, place: int) -> int:
        """How many words from a place on say "half" or "half a"; 0 where none do."""
        if self._lower[place : place + 1] == [] or self._lower[place] not in self._known.halves:
            return 0
        article = self._lower[place + 1 : place + 2]
        return 1 + (article != [] and article[0] in self._known.articles)

    def _half_behind(self, place: int) -> int:
        """How many words from a place on say "and a half", or "days and a half"; 0 where none do."""
        for at in (place, place + 1):
            row = [*self._lower[at : at + 4], "", "", "", ""]
            article = row[1] in self._known.articles
            said, following = row[1 + article : 3 + article]
            other = following in self._known.determiners | self._known.articles  # "5 days and half the fee"
            if row[0] in self._known.and_ and said in self._known.halves and not other:
                return at - place + 2 + article
            if row[0] not in unit_names(self._language):
                break
        return 0

    def _counted(self, place: int, taken: int, numbers: frozenset[str]) -> tuple[list[Quantity], int]:
        """A number with its unit, and how many tokens both take; a half that is added to it is one of them."""
        half = self._half_behind(place + taken)
        quantity = self._with_unit(place, taken, numbers)
        if not half:
            return [quantity], taken
        more = frozenset(shortest(str(float(number) + 0.5)) for number in numbers if number.count(".") < 2)
        behind = self._with_unit(place, taken + half, more or numbers)
        return [replace(behind, unit=quantity.unit or behind.unit)], taken + half

    def _worded_rank(self, place: int, row: Sequence[str]) -> list[Quantity]:
        """An ordinal in words, or an article that may stand for a one."""
        names, kinds = unit_names(self._language), self._known.unit_kinds
        after = row[1:2]
        counted = row[2:3] if after and after[0] in kinds else after
        if row[0] in self._known.articles and counted and counted[0] in names:
            return [self._with_unit(place, 1, frozenset({"1"}))]
        number = ordinal(row[0], self._language)
        if number is None:
            return []
        claims = number != "1" and not (after and after[0] in self._known.no_rank)
        if any_word(self._known.doubtful_ordinals).fullmatch(row[0]):
            claims = claims and place > 0 and self._lower[place - 1] in self._known.determiners
        shown = self._tokens[place].text
        return [Quantity(shown, frozenset({number}), ORDINAL)] if claims or self._given else []

    def _with_unit(self, place: int, taken: int, numbers: frozenset[str]) -> Quantity:
        after = self._lower[place + taken : place + taken + 4]
        if self._text.startswith("/", self._tokens[place + taken - 1].end):
            after = []  # "USD 3,000/month"
        before = self._before(place)
        scales, hundredths = self._known.scales, self._known.hundredths
        if after and after[0] in _SHORT_SCALES and after[1:2] != [] and after[1] in signed_names(self._language):
            numbers, after = scaled(numbers, _SHORT_SCALES[after[0]]), after[1:]
        elif after and after[0] in scales and (self._tokens[place].kind != "word" or len(after[0]) > 2):
            numbers, after = scaled(numbers, scales[after[0]]), after[1:]
            after = after[1:] if after and after[0] in _OF_SCALE else after
        shown = " ".join(token.text for token in self._tokens[place : place + taken])
        if after and after[0] in hundredths:
            return Quantity(shown, scaled(numbers, 0.01), hundredths[after[0]])
        return Quantity(shown, numbers, unit_beside(after, before, self._language))

    def _before(self, place: int) -> list[str]:
        """The two words in front of a number of which its unit may be one; none that is the unit of another number."""
        words: list[str] = []
        for at in range(place - 1, max(-1, place - 3), -1):
            gap = self._text[self._tokens[at].end : self._tokens[at + 1].start]
            named = self._lower[at] in month_names(self._language)
            if _UNIT_AHEAD.fullmatch(gap.removeprefix(".") if named else gap) is None:
                break
            words.insert(0, self._lower[at])
        counted = place > 1 and self._tokens[place - 2].kind in {"number", "grouped"}
        if words and counted and words[-1] in set(unit_names(self._language)) - signed_names(self._language):
            return []
        return words

    def _is_day(self, place: int) -> bool:
        """Whether "31.03." is a day; "4.2." at the end of a sentence is a clause."""
        day, month = self._tokens[place].text.split(".")[:2]
        led = bool(place) and self._lower[place - 1] in self._known.before_day
        return 1 <= int(day) <= 31 and (month.startswith("0") or int(day) > 12 or led)

    def _date(self, token: _Token) -> list[Quantity]:
        parts = [int(part) for part in re.split(r"[-./]", token.text)]
        year, month, day = parts if token.kind == "iso" else parts[::-1]
        year += 2000 if year < 100 else 0
        if token.kind == "slashed" and day != month and max(day, month) <= 12:  # 3/4/2025 is in April or in March
            if self._given:
                return [*_day(token, year, month, day), *_day(token, year, day, month)]
            return [Quantity(token.text, frozenset({str(day), str(month)}), None), _dated(token, year)]
        if token.kind == "slashed" and month > 12:
            day, month = month, day
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return [Quantity(token.text, frozenset({token.text}), None)]
        return _day(token, year, month, day)


def _day(token: _Token, year: int, month: int, day: int) -> list[Quantity]:
    return [_dated(token, number, MONTHS[month - 1]) for number in (day, year)]


def _dated(token: _Token, number: int, unit: str | None = None) -> Quantity:
    return Quantity(token.text, frozenset({str(number)}), unit)


def backing(
    quantity: Quantity, sources: Iterable[Quantity], unit_words: frozenset[str] = frozenset()
) -> list[Quantity]:
    """Those of the sources' numbers that are this one, in the same unit.

    A number without a unit on either side matches any; the claim's unit must then be among `unit_words` (a table's
    header names it). A source's "working days" back a claim's "days", not the other way round. "24 months" back "two
    years", as all do that are the same length of time whatever the month.

    Args:
        quantity: a claim's.
        sources: numbers that may back it.
        unit_words: units that are named around the sources, of `units_in`.
    """
    return [
        source
        for source in sources
        if (quantity.values & source.values and _is_unit_backed(quantity.unit, source.unit, unit_words))
        or _is_same_time(quantity, source)
    ]


def units_in(words: Iterable[str], language: str) -> frozenset[str]:
    """The units that words name.

    >>> units_in(["retention", "years"], "english")
    frozenset({'year'})
    """
    names = unit_names(language)
    return frozenset(names[word] for word in words if word in names)


def is_other_time(one: Quantity, other: Quantity) -> bool:
    """Whether two are lengths of time of which no reading can be the same: a month has 28 to 31 days.

    >>> thirty, weeks, month = quantities("30 days, 6 weeks, 1 month", "english")
    >>> is_other_time(thirty, weeks), is_other_time(thirty, month)
    (True, False)
    """
    return are_apart(lengths_of_time(one), lengths_of_time(other))


def lengths_of_time(one: Quantity) -> list[tuple[float, float]]:
    """The shortest and the longest time of each of its readings, in minutes; any where its unit is none of time.

    >>> lengths_of_time(quantities("2 hours", "english")[0])
    [(120.0, 120.0)]
    """
    return [_span(value, one.unit) for value in sorted(one.values)]


def are_apart(ours: Sequence[tuple[float, float]], theirs: Sequence[tuple[float, float]]) -> bool:
    """Whether no length of time of one is one of the other's.

    >>> are_apart([(60, 60)], [(480, 5760)]), are_apart([(1440, 1440)], [(480, 5760)])
    (True, False)
    """
    pairs = [(one, other) for one in ours for other in theirs]
    return bool(pairs) and all(one[1] < other[0] or other[1] < one[0] for one, other in pairs)


def _span(value: str, unit: str | None) -> tuple[float, float]:
    """The shortest and the longest time of a number of units, in minutes; any where the unit is none of time."""
    number = float(value) if unit in TIME_UNITS and value.count(".") < 2 else None
    if number is None or unit is None:
        return 0.0, float("inf")
    low, high = _MINUTES.get(unit, (28 * 1440 if number <= 1 else 29.5 * 1440, 31 * 1440))
    return number * low, number * high


def _is_same_time(one: Quantity, other: Quantity) -> bool:
    return any(
        not scaled(longer.values, scale).isdisjoint(shorter.values)
        for longer, shorter in ((one, other), (other, one))
        if (scale := _TIMES.get((longer.unit, shorter.unit)))
    )


def _is_unit_backed(unit: str | None, given: str | None, unit_words: frozenset[str]) -> bool:
    if unit is None or unit in {ORDINAL, given} or {unit, given} in _SAME_UNITS:
        return True
    return unit in unit_words if given is None else given.endswith(f" {unit}")


def turned_bound(quantity: Quantity, sources: Iterable[Quantity], unit_words: frozenset[str] = frozenset()) -> str:
    """The bound that the sources give a number where the claim turns it round, in their words; else "".

    A number without a bound, on either side, is left alone; so is one that the sources bound as the claim does, too.

    >>> turned_bound(quantities("at most 5 days", "english")[0], quantities("at least 5 days", "english"))
    'at least'
    """
    bounds = [source.bound for source in backing(quantity, sources, unit_words) if source.bound]
    if quantity.bound is None or any(bound.side is quantity.bound.side for bound in bounds):
        return ""
    return next((bound.shown for bound in bounds if quantity.bound.contradicts(bound)), "")


@cache
def _reference(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    joint = "|".join([*sorted(known.and_ | known.or_), known.to_])
    return re.compile(
        rf"\b(?:{known.references})\.?\s+\d[\w.()]*(?:(?:,|\s+(?:{joint}))\s+\d[\w.()]*)*|§+\s*\d[\w.()]*",
        re.IGNORECASE,
    )


def claimed_quantities(text: str, language: str) -> list[Quantity]:
    """The figures of a text that are no references to sections or forms, without the mark that it begins with.

    >>> [one.shown for one in claimed_quantities("4.1 Under sections 4 and 5 it takes 10 days.", "english")]
    ['10']
    """
    return quantities(_reference(language).sub(" ", without_mark(INVISIBLE_MARK.sub("", text))), language)


def without_mark(sentence: str) -> str:
    """A sentence without the number or bullet that it begins with.

    >>> without_mark("(a) Rent is due."), without_mark("4.2 Rent is due."), without_mark("Rent is due.")
    ('Rent is due.', 'Rent is due.', 'Rent is due.')
    """
    mark = LIST_MARK.match(sentence)
    return sentence[mark.end() :].lstrip() if mark else sentence
