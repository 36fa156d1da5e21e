"""Times by which something is due that are told by a day and not by a number: "by the end of the next working day"."""

import re
from dataclasses import dataclass
from functools import cache

from policy_rag_parsers.text.lexicon import any_word, lexicon

_DAY = 1440
_SAME = (1, _DAY)
# From eight hours, reported in the evening and due the next day, to four days: a weekend and a holiday lie between.
_NEXT = (480, 4 * _DAY)


@dataclass(frozen=True, slots=True)
class NamedDay:
    """A day by which something is due.

    Attributes:
        shown: as the text says it.
        minutes: the shortest and the longest time until then.
    """

    shown: str
    minutes: tuple[float, float]


def named_days(text: str, language: str) -> list[NamedDay]:
    """The days by which something is due, the same ones before the next ones.

    >>> [(one.shown, one.minutes) for one in named_days("Losses are told by the next working day.", "english")]
    [('by the next working day', (480, 5760))]
    """
    same, following = _patterns(language)
    return [
        *(NamedDay(found[0], _SAME) for found in same.finditer(text)),
        *(NamedDay(found[0], _NEXT) for found in following.finditer(text)),
    ]


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    times = lexicon(language).times
    return any_word(times.same_day), any_word(times.next_day)
