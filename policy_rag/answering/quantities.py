"""Numbers in a text, in digits or words, with the unit or month beside them, and whether one backs another."""

import re
from dataclasses import dataclass

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")


def _listed(names: str) -> list[str]:
    return names.split()


_MONTHS = (
    _listed("january february march april may june july august september october november december"),
    _listed("jan feb mar apr may jun jul aug sep oct nov dec"),
    _listed("januar februar märz april mai juni juli august september oktober november dezember"),
)
_MONTH = {name: names[0] for names in zip(*_MONTHS, strict=True) for name in names} | {"sept": "september"}
_SMALL = _listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_TENS = _listed("thirty forty fifty sixty seventy eighty ninety")
_WORDED = dict(zip(_SMALL, range(21), strict=True)) | dict(zip(_TENS, range(30, 100, 10), strict=True))
_WORDED |= {"hundred": 100, "zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9}
_WORDED |= {"zehn": 10, "zwölf": 12, "vierzehn": 14, "zwanzig": 20, "dreißig": 30}
_SCALE = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_SCALE |= {"tausend": 1e3, "millionen": 1e6, "mio": 1e6}
_UNITS = {
    "%": "%", "percent": "%", "prozent": "%", "€": "eur", "eur": "eur", "euro": "eur", "euros": "eur", "$": "usd",
    "usd": "usd", "dollar": "usd", "dollars": "usd", "£": "gbp", "gbp": "gbp", "pound": "gbp", "pounds": "gbp",
    "chf": "chf", "aed": "aed", "minute": "minute", "minutes": "minute", "hour": "hour", "hours": "hour",
    "day": "day", "days": "day", "week": "week", "weeks": "week", "month": "month", "months": "month", "year": "year",
    "years": "year", "minuten": "minute", "stunde": "hour", "stunden": "hour", "tag": "day", "tage": "day",
    "tagen": "day", "woche": "week", "wochen": "week", "monat": "month", "monate": "month", "monaten": "month",
    "jahr": "year", "jahre": "year", "jahren": "year", "km": "km", "kilometre": "km", "kilometres": "km",
    "mile": "mile", "miles": "mile",
}  # fmt: skip
_KINDS = {"working": "working ", "business": "working ", "calendar": "calendar "}
_TOKEN = re.compile(
    r"(?P<iso>\b\d{4}-\d{2}-\d{2}\b)|(?P<dotted>\b\d{1,2}\.\d{1,2}\.\d{4}\b)"
    r"|(?P<number>(?<![\w.])\d+(?:[.,'’]\d+)*(?:(?:st|nd|rd|th)\b)?)|(?P<mark>[%€$£])|(?P<word>[^\W\d_]+)"
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, as written, and the values that it may stand for ("1.250" is 1250 or 1.25)."""

    shown: str
    values: frozenset[str]
    unit: str | None


def quantities(text: str) -> list[Quantity]:
    """The numbers in a text, in digits or words, in order, with the unit or month beside each.

    >>> [(q.shown, sorted(q.values), q.unit) for q in quantities("EUR 1,250.00 within thirty (30) working days")]
    [('1,250.00', ['1250'], 'eur'), ('thirty', ['30'], None), ('30', ['30'], 'working day')]
    """
    tokens = [(found.lastgroup or "", found[0]) for found in _TOKEN.finditer(_INVISIBLE.sub("", text))]
    result: list[Quantity] = []
    for place, (kind, token) in enumerate(tokens):
        if kind in {"iso", "dotted"}:
            result.extend(_date(kind, token))
            continue
        values = _values(kind, token)
        if not values:
            continue
        after = [_lower(t) for _, t in tokens[place + 1 : place + 4]]
        before = [_lower(t) for _, t in tokens[max(0, place - 1) : place]]
        if after and after[0] in _SCALE and (kind == "number" or len(after[0]) > 2):
            values, after = _scaled(values, _SCALE[after[0]]), after[1:]
        unit = _unit(after, before)
        if kind == "word" and token.lower() in {"one", "zero"} and unit is None:
            continue  # "no one", "one of"
        result.append(Quantity(token, frozenset(values), unit))
    return result


def _lower(word: str) -> str:
    """In lower case, but for the verb "may", which is no month."""
    return "" if word == "may" else word.lower()


def _values(kind: str, token: str) -> set[str]:
    if kind == "word":
        number = _WORDED.get(token.lower())
        return set() if number is None else {str(number)}
    if kind != "number":
        return set()
    digits = re.sub(r"(?:st|nd|rd|th)$", "", token).replace("'", ",").replace("’", ",")
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


def _scaled(values: set[str], scale: float) -> set[str]:
    return {_shortest(f"{float(value) * scale:.6f}") for value in values if value.count(".") < 2}


def _date(kind: str, token: str) -> list[Quantity]:
    parts = token.split("-") if kind == "iso" else token.split(".")[::-1]
    year, month, day = (int(part) for part in parts)
    if not 1 <= month <= 12:
        return [Quantity(token, frozenset({token}), None)]
    return [
        Quantity(token, frozenset({str(day)}), _MONTHS[0][month - 1]),
        Quantity(token, frozenset({str(year)}), None),
    ]


def _unit(after: list[str], before: list[str]) -> str | None:
    if after[:1] and after[0] in _MONTH:
        return _MONTH[after[0]]
    if before and before[-1] in _MONTH:
        return _MONTH[before[-1]]
    kind = ""
    for token in after[:2]:
        if token in _KINDS:
            kind = _KINDS[token]
        elif token in _UNITS:
            return kind + _UNITS[token]
        elif [token, after[-1]] == ["per", "cent"]:
            return "%"
        else:
            break
    return _UNITS.get(before[-1]) if before else None


def is_backed(quantity: Quantity, sources: list[Quantity], words_around: frozenset[str]) -> bool:
    """Whether one of the sources' numbers is this one, in the same unit.

    A number without a unit on either side matches any; the claim's unit must then stand among `words_around` (a
    table's header names it). A source's "working days" back a claim's "days", not the other way round.
    """
    for source in sources:
        if not quantity.values & source.values:
            continue
        if quantity.unit is None or quantity.unit == source.unit:
            return True
        if source.unit is None and any(_UNITS.get(word) == quantity.unit for word in words_around):
            return True
        if source.unit is not None and source.unit.endswith(" " + quantity.unit):
            return True
    return False
