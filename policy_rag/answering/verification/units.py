"""Units, months and scales that stand beside a number, in English, German and French."""

from collections.abc import Sequence

_MONTHS = (
    "january february march april may june july august september october november december",
    "jan feb mar apr may jun jul aug sep oct nov dec",
    "januar februar märz april mai juni juli august september oktober november dezember",
    "jänner feber mrz apr mai jun jul aug sep okt nov dez",
    "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
)
MONTHS = tuple(_MONTHS[0].split())
"""The months in English, in order: what `unit_beside` calls them."""
MONTH_NAMES = {name: MONTHS[n] for names in _MONTHS for n, name in enumerate(names.split())} | {"sept": "september"}
"""Every name of a month, in lower case, to its name in English."""
SCALES = {"thousand": 1e3, "k": 1e3, "million": 1e6, "mn": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
SCALES |= {"tausend": 1e3, "millionen": 1e6, "mio": 1e6, "milliarde": 1e9, "milliarden": 1e9, "mrd": 1e9}
SCALES |= {"mille": 1e3, "millions": 1e6, "milliard": 1e9, "milliards": 1e9}
"""Words that multiply the number before them."""
HUNDREDTHS = {"cent": "cent", "cents": "cent", "ct": "cent", "pence": "gbp"}
"""Words for the hundredth of a currency, each to the unit of what they make: a cent is one of a euro or a dollar."""
_NAMES = {
    "%": "% percent prozent pct",
    "eur": "€ eur euro euros",
    "usd": "$ usd dollar dollars",
    "gbp": "£ gbp pound pounds",
    "chf": "chf franken",
    "aed": "aed",
    "minute": "minute minutes minuten",
    "hour": "hour hours stunde stunden heure heures",
    "day": "day days tag tage tagen tages jour jours",
    "week": "week weeks woche wochen semaine semaines",
    "month": "month months monat monate monaten monats mois",
    "year": "year years jahr jahre jahren jahres ans année années",
    "working day": "arbeitstag arbeitstage arbeitstagen werktag werktage werktagen",
    "calendar day": "kalendertag kalendertage kalendertagen",
    "km": "km kilometre kilometres kilometer kilometern kilomètre kilomètres",
    "mile": "mile miles",
    "mg": "mg milligram milligrams milligramm",
    "g": "g gram grams gramm gramme grammes",
    "kg": "kg kilogram kilograms kilogramm",
    "ml": "ml millilitre millilitres milliliter",
}
UNITS = {name: unit for unit, names in _NAMES.items() for name in names.split()}
"""Every name of a unit, in lower case, to the unit."""
SIGNED = frozenset(name for name, unit in UNITS.items() if unit in {"%", "eur", "usd", "gbp"})
"""Names of units for which texts also write a sign."""
_KINDS = {"working": "working ", "business": "working ", "calendar": "calendar "}
_KINDS_BEHIND = {"ouvrés": "working ", "ouvrables": "working ", "ouvré": "working ", "calendaires": "calendar "}


def unit_beside(after: Sequence[str], before: Sequence[str]) -> str | None:
    """The unit or month of a number, by the words behind it and in front of it, in lower case.

    >>> unit_beside(["working", "days"], []), unit_beside([], ["working", "days"]), unit_beside(["mai"], ["le"])
    ('working day', 'working day', 'may')
    """
    if after[:1] and after[0] in MONTH_NAMES:
        return MONTH_NAMES[after[0]]
    if before and before[-1] in MONTH_NAMES:
        return MONTH_NAMES[before[-1]]
    if list(after[:2]) in (["per", "cent"], ["pour", "cent"]):
        return "%"
    kind = ""
    for place, token in enumerate(after[:2]):
        if token in _KINDS:
            kind = _KINDS[token]
        elif token in UNITS:
            behind = after[place + 1] if place + 1 < len(after) else ""
            return _KINDS_BEHIND.get(behind, kind) + UNITS[token]
        else:
            break
    kind = _KINDS.get(before[-2], "") if len(before) > 1 else ""
    return kind + UNITS[before[-1]] if before and before[-1] in UNITS else None
