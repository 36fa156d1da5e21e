"""Days that a question names: those whose rules it asks for, those that are over, and those to come.

"In force on 1 May 2025" asks for the rules of that day in so many words. "How many resits did a student have in March
2024?" leads to the rules of then only where an edition was in force that is no more, and "in 2027" only where one will
be that is not yet. A day that is only told ("I flew on 1 May 2024", "a laptop that was bought in 2024") leads nowhere,
but is worth a notice.
"""

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.out_of_force import nearest_day
from policy_rag_parsers.text.dates import period_of, period_pattern
from policy_rag_parsers.text.lexicon import in_all

_FIGURE: Final = re.compile(r"\d")
_ASKS: Final = in_all("question.asks")
_JOINS: Final = f"{in_all('and_')}|{in_all('or_')}"


def _any(field: str) -> str:
    """One field of the words around a day, of every language."""
    return in_all(f"days.{field}")


# "In 2024 euros", "in 2024 cases": a number. Behind a year only what begins something new may stand.
_NO_YEAR: Final = re.compile(
    rf"\s+(?!(?:{_ASKS}|{_JOINS}|{_any('goes_on')}"
    rf"|{in_all('question.articles')})\b)\w",
    re.IGNORECASE,
)
_PAST: Final = re.compile(rf"\b(?:{_any('past')})\b", re.IGNORECASE)
_PRESENT: Final = re.compile(rf"\b(?:{_any('present')})\b", re.IGNORECASE)
_QUESTION_WORD: Final = re.compile(
    rf"\b(?:{_ASKS})\b|\A\W*(?:(?:{_JOINS})\s+)?(?:{_any('past_begins')})\b", re.IGNORECASE
)
_COMING_WORD: Final = re.compile(rf"\A\W*(?:(?:{_JOINS})\s+)?(?:{_any('coming_begins')})\b", re.IGNORECASE)
_TELLS: Final = re.compile(rf"\A\W*(?:{_any('tellers')})\b|\w\s+(?:{_any('conditions')})\b", re.IGNORECASE)
_CLAUSE_END: Final = re.compile(r"[,;:.?!](?=\s|$)|\s[–—-]\s")
_LEAD: Final = re.compile(rf"\W*+(?:{_JOINS}|{in_all('but')}|{in_all('question.also')})?\W*+", re.IGNORECASE)


@cache
def _in_force() -> re.Pattern[str]:
    """A day with words that ask for its rules."""
    before = rf"(?:(?:{_any('at')}|{_any('by')}|(?P<onward>{_any('onward')}))\s+)?(?:(?:{_any('the')})\s+)?"
    return re.compile(rf"\b(?:{_any('in_force')})\s+{before}{period_pattern()}", re.IGNORECASE)


@cache
def _mention() -> re.Pattern[str]:
    """A day behind a preposition or, "wie lange hatte man 2023 Zeit", behind a verb in the past."""
    preposition = rf"(?P<before>{_any('before')})|(?P<onward>{_any('onward')})|(?P<by>{_any('by')})|{_any('at')}"
    verb = rf"(?P<verb>(?:{_any('past_year')})(?:\s+(?:{in_all('question.persons')}))?)"
    return re.compile(
        rf"(?<![\w-])(?:{preposition}|{verb})\s+(?:(?P<year>(?:{_any('year')})\s+)|(?:{_any('the')})\s+)?"
        rf"{period_pattern()}",
        re.IGNORECASE,
    )


def _matches(pattern: re.Pattern[str], question: str) -> Iterator[re.Match[str]]:
    """Where a question has a day; most have no figure at all, and are not looked through."""
    return pattern.finditer(question) if _FIGURE.search(question) else iter(())


def day_in_force(question: str, today: dt.date) -> tuple[dt.date, tuple[int, int]] | None:
    """The day that a question names as the one whose rules it asks for.

    A bare date says nothing: "I flew on 1 May 2025" is no wish for the rules of that day, and neither is "effective
    from 1 May 2025" once that is over. Of a month or a year it is the day that is nearest to today.

    Returns:
        The day and the range of the question that says so; None where there is no such day, an impossible one, or more
        than one.

    >>> day_in_force("What was the rate in force on 1 May 2025?", dt.date(2026, 9, 1))
    (datetime.date(2025, 5, 1), (18, 40))
    >>> day_in_force("What applied in 2024?", dt.date(2026, 9, 1))
    (datetime.date(2024, 12, 31), (5, 20))
    """
    days = {
        nearest_day(*days, today): found.span()
        for found in _matches(_in_force(), question)
        if (days := period_of(found)) is not None and not (found["onward"] and days[0] <= today)
    }
    return days.popitem() if len(days) == 1 else None


@dataclass(frozen=True, slots=True)
class OtherDay:
    """A day, month or year of a question that is over, or that is to come.

    Attributes:
        first: its first day.
        last: its last day.
        asks: whether it is what is asked about, rather than told.
        said: its range in the question, with its preposition.
    """

    first: dt.date
    last: dt.date
    asks: bool
    said: tuple[int, int]


def past_day(question: str, today: dt.date) -> OtherDay | None:
    """The day, month or year that a question names and that is over; None where there is none or more than one.

    >>> past_day("How many resits did a student have in March 2024?", dt.date(2026, 9, 1))
    OtherDay(first=datetime.date(2024, 3, 1), last=datetime.date(2024, 3, 31), asks=True, said=(35, 48))
    >>> past_day("I flew on 1 May 2024. What do I get?", dt.date(2026, 9, 1)).asks
    False
    >>> past_day("What is the budget since 2024?", dt.date(2026, 9, 1)) is None
    True
    """
    return _other_day(question, today, coming=False)


def coming_day(question: str, today: dt.date) -> OtherDay | None:
    """The day, month or year that a question names and that is to come; None where there is none or more than one.

    >>> coming_day("How many days of holiday will I have in 2027?", dt.date(2026, 9, 1))
    OtherDay(first=datetime.date(2027, 1, 1), last=datetime.date(2027, 12, 31), asks=True, said=(37, 44))
    >>> coming_day("I will fly on 1 May 2027. What do I get?", dt.date(2026, 9, 1)).asks
    False
    """
    return _other_day(question, today, coming=True)


def _other_day(question: str, today: dt.date, *, coming: bool) -> OtherDay | None:
    span_of = _coming if coming else _past
    found = [(match, span) for match in _matches(_mention(), question) if (span := span_of(question, match, today))]
    if len(found) != 1:
        return None
    match, (first, last) = found[0]
    return OtherDay(first, last, _is_asked(question, match, coming=coming), (_begin(match), match.end()))


def _begin(match: re.Match[str]) -> int:
    """Where a mention begins, without the verb before it."""
    return match.end("verb") + 1 if match["verb"] else match.start()


def _past(question: str, match: re.Match[str], today: dt.date) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of a mention; None where it is none, or is not over."""
    span = _mentioned(question, match)
    if span is None or match["onward"]:
        return None
    if match["before"]:
        span = (span[0] - dt.timedelta(days=1), span[0] - dt.timedelta(days=1))
    return span if span[1] < today else None


def _coming(question: str, match: re.Match[str], today: dt.date) -> tuple[dt.date, dt.date] | None:
    """The same; None where it is none, is not to come, or is the end of a period."""
    span = _mentioned(question, match)
    if span is None or match["before"] or match["by"] or match["verb"]:
        return None
    shared = match["y6"] and span[0].year <= today.year  # 2026/27 has begun
    return span if span[0] > today and not shared else None


def _mentioned(question: str, match: re.Match[str]) -> tuple[dt.date, dt.date] | None:
    """The first and the last day of what a mention names; None where that is none."""
    surely = match["year"] or " " in (match["verb"] or "")  # "hatte man 2023"
    return None if match["y5"] and not surely and _NO_YEAR.match(question, match.end()) else period_of(match)


def _is_asked(question: str, match: re.Match[str], *, coming: bool) -> bool:
    """Whether a day stands in front of what is asked, or in a clause that asks in its tense or without a verb."""
    ends = [0, *(end.end() for end in _CLAUSE_END.finditer(question)), len(question)]
    start = max(end for end in ends if end <= match.start())
    stop = min((end for end in ends if end >= match.end()), default=len(question))
    before, behind = question[start : _begin(match)], question[match.end() : stop]
    if _LEAD.fullmatch(before) and not behind.strip(" ,;:.?!–—-"):
        return not _TELLS.match(question[stop:])  # "In 2024, I bought ...": a story
    around = before + " " + behind
    if coming:
        tense, asks = not _PAST.search(around), _QUESTION_WORD.search(before) or _COMING_WORD.search(before)
    else:
        tense, asks = bool(_PAST.search(around) or not _PRESENT.search(around)), _QUESTION_WORD.search(before)
    return bool(asks and not _TELLS.search(before) and tense)


def rules_of(
    documents: Sequence[DocumentInfo], other: OtherDay, today: dt.date
) -> tuple[dt.date, tuple[DocumentInfo, ...]]:
    """The day of what a question names by whose rules it is asked, and the documents in force then and not today.

    Of what is over it is the last day, of what is to come the first on which there is such a document.
    """
    if other.last < today:
        return other.last, tuple(one for one in documents if one.in_force(other.last) and not one.in_force(today))
    fresh = [(one, span) for one in documents if (span := one.period) is not None and span[0] > today]
    begins = {max(span[0], other.first) for _, span in fresh if span[0] <= other.last and span[1] >= other.first}
    day = min(begins, default=other.first)
    return day, tuple(one for one, span in fresh if span[0] <= day <= span[1])


def other_editions(
    other: OtherDay, documents: Sequence[DocumentInfo], answering: Iterable[str], today: dt.date
) -> tuple[str, ...]:
    """A notice where what was found has an edition that is in force then, and is not today; else nothing.

    The documents `answering` were found, by the rules of `today`.
    """
    day, changed = rules_of(documents, other, today)
    found = set(answering)
    titles = {one.title.casefold() for one in documents if one.doc_id in found}
    named = sorted({one.title for one in changed if one.title.casefold() in titles and one.doc_id not in found})
    if not named:
        return ()
    verb = "was" if day < today else "will be"
    edition = f"of {', '.join(named)} another edition {verb} in force on {day.isoformat()}"
    return (f"searched by the rules of {today.isoformat()}; {edition}: --as-of {day.isoformat()} asks for that",)
