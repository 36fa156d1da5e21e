"""Words that tell how often something is done."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class FrequencyWords:
    """How a language says how often something is done, as alternatives of a regular expression in lower case.

    Periods are a number and a unit of `text.units`: "3 month".

    Attributes:
        each: in front of a period: "every".
        other: between these, for every second one: "other".
        once: words for how many times, to that number: "once", "twice"; of others the lexicon's `numbers` count.
        times: behind a number, for how many times: "times".
        per: between how many times and a period: "a", "per".
        adverbs: words for a frequency, to the period: "monthly".
        periods: names of periods that are no units, to the period: "quarter".
    """

    each: str
    other: str
    once: Mapping[str, int]
    times: str
    per: str
    adverbs: Mapping[str, str]
    periods: Mapping[str, str]
