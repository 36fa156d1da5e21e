"""Lengths of time and frequencies that are the same in other words: "one year", "12 months"; "twice a year"."""

import re
from collections.abc import Sequence
from functools import cache

from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.lexicon import alternatives
from policy_rag_parsers.text.quantities import Quantity, backing
from policy_rag_parsers.text.units import unit_names


def in_words_of_source(statement: Sentence, sources: Sequence[Sentence]) -> Sentence:
    """A statement whose times and frequencies are put as its sources put the same ones.

    What a source says as the statement does stays. So the rules compare figures and words alone.

    Args:
        statement: a sentence.
        sources: what it cites.

    >>> source = read("Keys are kept for 12 months and changed every six months.", "english")
    >>> in_words_of_source(read("Keys are kept for one year and changed twice a year.", "english"), [source]).text
    'Keys are kept for 12 months and changed every six months.'
    """
    language, text = statement.language, INVISIBLE_MARK.sub("", statement.text)
    changes: list[tuple[int, int, str]] = []
    given = [one for source in sources for one in source.frequencies]
    for said in read(text, language).frequencies:
        same = [one.shown for one in given if one.is_as_often_as(said)]
        if same and said.shown.lower() not in {one.lower() for one in same}:
            changes.append((said.start, said.end, same[0]))
    for figure in statement.claims:
        start, end = _span(figure, text, language)
        if not any(begin < end and start < stop for begin, stop, _ in changes):
            other = _in_other_unit(figure, sources)
            changes += [(start, end, other)] if other else []
    for start, end, words in sorted(changes, reverse=True):
        text = f"{text[:start]}{words}{text[end:]}"
    return read(text, language) if changes else statement


def wrong_frequency(statement: Sentence, evidence: Evidence) -> str:
    """How often a statement says that something is done where what it cites says another frequency; or ""."""
    given = [one for source in evidence.sources for one in source.frequencies]
    for said in statement.frequencies:
        if given and not any(one.is_as_often_as(said) for one in given):
            return f'it says "{said.shown}" where what it cites says "{given[0].shown}"'
    return ""


def _in_other_unit(figure: Quantity, sources: Sequence[Sentence]) -> str:
    """A figure as a source says it in another unit of time; "" where one has it as it is, or none has it."""
    found = ""
    for source in sources:
        for given in backing(figure, source.figures):
            if given.values & figure.values:
                return ""
            text = INVISIBLE_MARK.sub("", source.text)
            start, end = _span(given, text, source.language)
            found = found or text[start:end]
    return found


def _span(figure: Quantity, text: str, language: str) -> tuple[int, int]:
    """Where a figure stands with the unit behind it."""
    behind = _unit_behind(figure.unit, language).match(text, figure.end)
    return figure.start, behind.end() if behind else figure.end


@cache
def _unit_behind(unit: str | None, language: str) -> re.Pattern[str]:
    names = alternatives(name for name, named in unit_names(language).items() if named == unit)
    return re.compile(rf"[\s-]*(?:{names or '(?!)'})\b", re.IGNORECASE)
