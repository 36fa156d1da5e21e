"""The words by which amounts, periods and deadlines are found in documents of any language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    r"""Alternatives of a regular expression, looked for in texts of all languages; "\s" stands for a blank.

    Attributes:
        numbers: in words, in front of a unit of time: "ten".
        kinds: in front of such a unit: "working"; and
        kinds_behind: behind it: "ouvrés".
        units: of time: "days?".
        money: names of currencies and of percent.
        within: in front of a period that ends a time: "within".
        fillers: what may stand between them: "a period of".
        no_later: in front of a period or a day: "no later than".
        latest: the same, with `latest_on` and `behind` perhaps: "at the latest by two days before".
        latest_on: prepositions and articles behind it.
        behind: what tells whether the period lies before or after: "before".
        at_least: in front of a period that `ahead` follows: "at least".
        ahead: behind a period: "in advance", "before".
        early: those of them before which `at_least` may be missing: "in advance".
        by: in front of a day: "by".
        until: in front of a date only: "bis".
        points: days by name: "the end of the month".
        at_once: "immediately".
        same_day: the day on which something happens, as a time by which something is due: "on the same day"; and
        next_day: the one after it: "by the end of the next working day".
    """

    numbers: str
    kinds: str = ""
    kinds_behind: str = ""
    units: str
    money: str
    within: str
    fillers: str = ""
    no_later: str = ""
    latest: str
    latest_on: str
    behind: str
    at_least: str
    ahead: str
    early: str
    by: str
    until: str = ""
    points: str
    at_once: str
    same_day: str
    next_day: str
