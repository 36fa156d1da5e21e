"""Amounts, periods, dates and deadlines in English and German text, by pattern."""

import re
from collections.abc import Iterator

from policy_rag_parsers.metadata.extraction_results import EntityType
from policy_rag_parsers.text.dates import month_pattern

_WORDED = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|twenty|thirty|forty|"
    r"fifty|sixty|ninety|hundred|half an|ein(?:e[mnrs]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|"
    r"zwölf|vierzehn|zwanzig|dreißig"
)
_DIGITS = r"\d{1,3}(?:[.,'’\s]\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,4})?"
_NUMBER = rf"(?:(?:{_WORDED})(?:\s\(\d{{1,4}}\))?|(?:{_DIGITS})(?:\s\([^\W\d_]+(?:[-\s][^\W\d_]+)?\))?)"
_SCALE = r"(?:\s?(?:thousand|million|billion|mn|bn|m|k|tausend|millionen|mio\.?|mrd\.?)\b)?"
_CURRENCY = r"(?:EUR|USD|GBP|CHF|AED|CZK|SEK|JPY|US\$|[€$£])"
_MONEY_NAME = r"(?:euros?|dollars?|pounds?|pence|cents?|dirhams?|francs?|franken)"
AMOUNT = re.compile(
    rf"(?:(?<!\w){_CURRENCY}\s?(?:{_DIGITS}){_SCALE}|"
    rf"(?<![\w.,])(?:{_DIGITS}){_SCALE}\s?(?:{_CURRENCY}(?!\w)|{_MONEY_NAME}\b|%|per\s?cent\b|percent\b|prozent\b))",
    re.IGNORECASE,
)
_KIND = r"(?:(?:working|business|calendar|consecutive|full|further|clear|additional|volle[nr]?|ganze[nr]?)\s)?"
_UNIT = (
    r"(?:minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|minuten?|stunden?|tag(?:e[ns]?)?|"
    r"(?:arbeits|werk|kalender)tag(?:e[ns]?)?|wochen?|monat(?:e[ns]?)?|jahr(?:e[ns]?)?)"
)
_SPAN = rf"{_NUMBER}(?:\sor\s{_NUMBER}|\sto\s{_NUMBER}|-)?\s?{_KIND}{_UNIT}\b"
PERIOD = re.compile(rf"(?<![\w.,]){_SPAN}", re.IGNORECASE)
_MONTH = rf"(?:(?-i:May|MAY|Mai)|(?!may\b|mai\b)(?:{month_pattern()}))"
_DATE = (
    rf"(?:\d{{4}}-\d{{2}}-\d{{2}}|\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|\d{{1,2}}/\d{{1,2}}/\d{{4}}|"
    rf"\d{{1,2}}(?:\.|st|nd|rd|th)?\s{_MONTH}(?:,?\s\d{{4}})?|{_MONTH}\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?|"
    rf"{_MONTH}\s\d{{4}})"
)
DATE = re.compile(rf"(?<![\w.]){_DATE}(?!\w)", re.IGNORECASE)
_OF_WHAT = (
    r"(?:\s(?:the|each|every|that|this|a|an))?"
    r"(?:\s(?:calendar|financial|following|next|same|working|business)){0,2}\s\w+"
)
# "by a doctor" is no deadline: behind "by" comes a date, an hour or the end of something.
_POINT = (
    rf"(?:{_DATE}|\d{{1,2}}[:.]\d{{2}}(?:\suhr)?|\d{{1,2}}(?:[:.]\d{{2}})?\s?[ap]\.?m\b\.?|noon|midnight|"
    rf"(?:the\s)?(?:end|beginning|start|close)\sof{_OF_WHAT}|"
    rf"(?:the\s)?(?:next|following|same|last|first|second|third|\w+teenth|\d+(?:st|nd|rd|th))\s{_KIND}"
    rf"(?:day|week|month|year)\b(?:\sof(?=\s(?:the|each|every|an?)\s){_OF_WHAT})?|"
    rf"(?:the\s)?\d{{1,2}}(?:st|nd|rd|th)\sof(?=\s(?:the|each|every)\s){_OF_WHAT}|"
    rf"\d{{1,2}}\.\s(?:(?:arbeits|werk|kalender)?tag|des)(?:\sdes)?\s\w+)"
)
DEADLINE = re.compile(
    rf"(?<!\w)(?:(?:within|innerhalb(?:\svon)?|binnen)\s(?:a\speriod\sof\s|the\sfirst\s|not\smore\sthan\s)?(?:{_SPAN}|an?\s{_UNIT})|"
    rf"(?:no|not)\slater\sthan\s(?:{_SPAN}|{_POINT})|"
    rf"(?:at\sthe\slatest|spätestens)\s(?:(?:by|on|after|am|bis|zum|nach)\s)?(?:(?:the|zum|den)\s)?(?:{_SPAN}|{_POINT})"
    rf"(?:\s(?:vorher|danach|before|after)\b)?|"
    rf"(?:at\sleast|mindestens)\s{_SPAN}\s(?:before|prior\sto|in\sadvance|ahead|vorher|vor)\b|"
    rf"{_SPAN}\s(?:in\sadvance|ahead|beforehand|vorher)\b|"
    rf"(?:by|before|until|bis\szum|vor\sdem)\s(?:no\slater\sthan\s)?{_POINT}|bis\s{_DATE}|"
    rf"(?:immediately|without\s(?:undue\s)?delay|as\ssoon\sas\s(?:reasonably\s)?(?:possible|practicable)|"
    rf"promptly|unverzüglich))(?!\w)",
    re.IGNORECASE,
)
_IN_ORDER = ((EntityType.DEADLINE, DEADLINE), (EntityType.AMOUNT, AMOUNT), (EntityType.DATE, DATE),
             (EntityType.PERIOD, PERIOD))  # fmt: skip
_ANY = re.compile(
    r"[\d%€$£]|within|later|latest|before|until|delay|immediately|promptly|practicable|possible|innerhalb|binnen|"
    r"spätestens|vorher|unverzüglich|ahead|advance|(?:day|week|month|year|hour|tag|woche|monat|jahr)",
    re.IGNORECASE,
)


def find_times(text: str) -> Iterator[tuple[EntityType, int, int]]:
    """Amounts, periods, dates and deadlines, unordered; a deadline takes in the period or date in it.

    >>> text = "Claims above EUR 1,500 are due within two working days."
    >>> [(kind.value, text[a:b]) for kind, a, b in find_times(text)]
    [('deadline', 'within two working days'), ('amount', 'EUR 1,500')]
    """
    if not _ANY.search(text):
        return
    taken = bytearray(len(text))
    for kind, pattern in _IN_ORDER:
        for match in pattern.finditer(text):
            if not any(taken[match.start() : match.end()]):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                yield kind, *match.span()
