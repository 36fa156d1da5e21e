"""Units that stand beside a number. Their names come from the CLDR, by babel, and from the lexicon."""

from collections.abc import Mapping, Sequence
from functools import cache

from policy_rag_parsers.text.dates import MONTHS, month_names
from policy_rag_parsers.text.lexicon import lexicon

_CLDR = {
    "minute": "duration-minute", "hour": "duration-hour", "day": "duration-day", "week": "duration-week",
    "month": "duration-month", "year": "duration-year", "km": "length-kilometer", "mile": "length-mile",
    "mg": "mass-milligram", "g": "mass-gram", "kg": "mass-kilogram", "ml": "volume-milliliter",
    "%": "concentr-percent",
}  # fmt: skip
_SIGNED = frozenset(("%", "eur", "usd", "gbp", "brl"))


_OF = ("of", "de")  # "31 de mayo de 2025"


@cache
def unit_names(language: str) -> dict[str, str]:
    """Every name of a unit, in lower case, to the unit; of percent in two words the first word leads to "".

    >>> names = unit_names("german")
    >>> names["tagen"], names["stunden"], names["€"]
    ('day', 'hour', 'eur')
    """
    from babel.units import format_unit

    known = lexicon(language)
    names: dict[str, str] = {}
    for unit, key in _CLDR.items():
        for count in (1, 2):
            name = format_unit(count, key, "long", locale=known.code).lower().replace("\u00a0", " ")
            name = name.removeprefix(str(count)).strip()
            if name.isalpha():
                names[name] = unit
    return names | {name: unit for unit, listed in known.units.items() for name in listed.split()}


@cache
def percent_words(language: str) -> tuple[str, ...]:
    """The name of percent as words: "pour cent".

    >>> percent_words("french")
    ('pour', 'cent')
    """
    from babel.units import format_unit

    name = format_unit(2, "concentr-percent", "long", locale=lexicon(language).code).lower()
    return tuple(name.replace("\u00a0", " ").split()[1:])


@cache
def signed_names(language: str) -> frozenset[str]:
    """Names of units for which texts also write a sign.

    >>> sorted(signed_names("german"))
    ['$', '%', 'dollar', 'eur', 'euro', 'euros', 'gbp', 'pfund', 'prozent', 'usd', '£', '€']
    """
    return frozenset(name for name, unit in unit_names(language).items() if unit in _SIGNED)


def unit_beside(after: Sequence[str], before: Sequence[str], language: str) -> str | None:
    """The unit or month of a number, by the words behind it and in front of it, in lower case.

    >>> unit_beside(["working", "days"], [], "english"), unit_beside(["mai"], ["le"], "french")
    ('working day', 'may')
    >>> unit_beside(["dias", "úteis"], [], "portuguese"), unit_beside([], ["working", "days"], "english")
    ('working day', 'working day')
    """
    known, names, months = lexicon(language), unit_names(language), month_names(language)
    month = _first_month(after, months) or _first_month(list(reversed(before)), months)
    if month:
        return MONTHS[month - 1]
    percent = percent_words(language)
    if tuple(after[: len(percent)]) == percent or list(after[:2]) == ["per", "cent"]:
        return "%"
    kind = ""
    for place, token in enumerate(after[:2]):
        if token in known.unit_kinds:
            kind = known.unit_kinds[token]
        elif token in names:
            behind = after[place + 1] if place + 1 < len(after) else ""
            return f"{known.kinds_behind.get(behind, kind)} {names[token]}".strip()
        else:
            break
    if not before or before[-1] not in names:
        return None
    kind = known.unit_kinds.get(before[-2], "") if len(before) > 1 else ""
    return f"{kind} {names[before[-1]]}".strip()


def _first_month(words: Sequence[str], months: Mapping[str, int]) -> int | None:
    """The month that the words begin with, an "of" passed over."""
    return months.get(words[1] if words[0] in _OF and len(words) > 1 else words[0]) if words else None
