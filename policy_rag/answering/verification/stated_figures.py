"""Whether figures, days and months of a statement stand in what it cites, with units, bounds, and what they are per."""

import re
from collections.abc import Sequence
from functools import cache

from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.dates import MONTHS, month_names, weekday_names
from policy_rag_parsers.text.lexicon import lexicon
from policy_rag_parsers.text.quantities import backing, quantities, turned_bound, units_in
from policy_rag_parsers.text.tokenizer import words


def wrong_figure(statement: Sentence, evidence: Evidence) -> str:
    """The first figure that the evidence has not, or bounds on the other side; else "".

    What supports the statement must have it. A figure without a unit there has any that the texts name, as the head of
    a table does.
    """
    titles = [read(title, evidence.language) for title in evidence.titles]
    sources = [quantity for one in (*evidence.sources, *titles) for quantity in one.given]
    around = units_in(evidence.words, evidence.language)
    for figure in statement.figures:
        if not backing(figure, sources, around):
            unit = f" ({figure.unit})" if figure.unit else ""
            return f"{figure.shown}{unit} is not in what it cites"
        turned = turned_bound(figure, sources, around)
        if turned and figure.bound:
            return f'it says "{figure.bound.shown} {figure.shown}", what it cites says "{turned}"'
    return ""


def wrong_rate(statement: Sentence, evidence: Evidence) -> str:
    """A figure that is said per what the source says another figure per, or "".

    A base that the source does not name may be another word for the same, and is let be.
    """
    given: dict[str, dict[frozenset[str], str]] = {}
    for value, base, shown in (rate for source in evidence.sources for rate in _rates(source)):
        given.setdefault(value, {})[base] = shown
    bases = frozenset(base for of_value in given.values() for base in of_value)
    for value, base, shown in _rates(statement):
        others = given.get(value, {})
        if others and base in bases and base not in others:
            return f'it says "{shown}", what it cites says "{next(iter(others.values()))}"'
    return ""


def wrong_day_or_month(statement: Sentence, evidence: Evidence) -> str:
    """A day of the week, or a month, that a statement names where what it cites names other ones alone; or ""."""
    known = statement.lexicon
    told = [word for one in evidence.sources for word in one.words]
    told += [word for title in evidence.titles for word in words(title)]
    for names in _days_and_months(statement.language):
        given = {names[word]: word for word in told if word in names and word not in known.homonyms}
        for written in re.findall(r"[^\W\d_]+", statement.text):
            said = None if written in known.homonyms else names.get(written.lower())
            if said and given and said not in given:
                return f'it says "{written}" where what it cites says "{next(iter(given.values()))}"'
    return ""


@cache
def _days_and_months(language: str) -> tuple[dict[str, str], dict[str, str]]:
    """Each name to what it names, whatever its form."""
    days = {form: day for day in weekday_names(language) for form in (day, f"{day}s")}
    return days, {name: MONTHS[number - 1] for name, number in month_names(language).items()}


def bases_of(sentence: Sentence) -> frozenset[str]:
    """The stems of what figures are per.

    >>> sorted(bases_of(read("Cash is 60 euros a claim and 250 euros a month.", "english")))
    ['claim', 'month']
    """
    return frozenset(stem for _, base, _ in _rates(sentence) for stem in base)


@cache
def _rate(language: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?P<figure>\d[\d.,]*(?:\s?(?:[%€$£]|[^\W\d_]+))?)\s+(?:{lexicon(language).per})\s+(?P<base>[^\W\d_]{{3,}})",
        re.IGNORECASE,
    )


def _rates(sentence: Sentence) -> Sequence[tuple[str, frozenset[str], str]]:
    """The figures with what they are per: value, stems of the base, and how it is said."""
    language = sentence.language
    return [
        (value, frozenset(read(found["base"], language).stems), found[0])
        for found in _rate(language).finditer(sentence.text)
        for one in quantities(found["figure"], language)
        for value in one.values
    ]
