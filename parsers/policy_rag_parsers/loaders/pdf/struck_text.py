"""Words of a PDF page that are struck out, as compiled laws show what no longer holds: no part of the text."""

from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from policy_rag_parsers.loaders.pdf.ruling_lines import Rule
from policy_rag_parsers.loaders.pdf.words import PdfWord

_MIDDLE: Final = (0.35, 0.7)  # of the height of a word, from its top, in which a line strikes it out
_NEAR: Final = 2.0  # points by which a line and the words that it strikes out may differ
_BLANK: Final = 0.5  # font sizes by which it may be longer
_SAME: Final = 0.5  # points within which rules are on one height


def without_struck(words: Sequence[PdfWord], across: Sequence[Rule]) -> tuple[tuple[PdfWord, ...], tuple[Rule, ...]]:
    """The words that are not struck out, and the horizontal rules that strike out none.

    A line, of one or more rules, strikes out words where it runs through the middle of each, and ends where the first
    and the last of them do, or with the blank behind that: a rule behind a title on a ground of its own is longer.
    """
    lines = _joined(across)
    ordered = [Rule(parts[0].at, parts[0].low, max(part.high for part in parts)) for parts in lines]
    heights = [rule.at for rule in ordered]
    under: dict[int, list[PdfWord]] = {}
    for word in words:
        height = word.bottom - word.top
        at = bisect_left(heights, word.top + _MIDDLE[0] * height)
        while at < len(ordered) and heights[at] <= word.top + _MIDDLE[1] * height:
            if ordered[at].low <= word.x0 + _NEAR and word.x1 - _NEAR <= ordered[at].high:
                under.setdefault(at, []).append(word)
            at += 1
    struck = {at: inside for at, inside in under.items() if _ends_with(ordered[at], inside)}
    if not struck:
        return tuple(words), tuple(across)
    out = {id(word) for inside in struck.values() for word in inside}
    kept = tuple(rule for at, parts in enumerate(lines) if at not in struck for rule in parts)
    return tuple(word for word in words if id(word) not in out), kept


def _joined(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Rules from top to bottom, those together that go on in each other."""
    levels: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda rule: rule.at):
        if levels and rule.at - levels[-1][0].at <= _SAME:
            levels[-1].append(rule)
        else:
            levels.append([rule])
    lines: list[list[Rule]] = []
    for level in levels:
        end = float("-inf")
        for rule in sorted(level, key=lambda rule: rule.low):
            if rule.low <= end + _NEAR:
                lines[-1].append(rule)
            else:
                lines.append([rule])
            end = max(end, rule.high)
    return sorted(lines, key=lambda line: line[0].at)


def _ends_with(rule: Rule, words: Sequence[PdfWord]) -> bool:
    first, last = min(words, key=lambda word: word.x0), max(words, key=lambda word: word.x1)
    return rule.high - last.x1 <= _BLANK * last.size and first.x0 - rule.low <= _BLANK * first.size
