"""What repeats at the head and foot of the pages of a PDF: titles, document numbers, dates, page numbers."""

import re
from collections import defaultdict
from collections.abc import Sequence
from statistics import median
from typing import Final

from policy_rag_parsers.loaders.pdf.footnotes import led_by_raised
from policy_rag_parsers.loaders.pdf.lines import TextLine, make_line, parted
from policy_rag_parsers.loaders.pdf.paragraphs import room_after, width_at_head
from policy_rag_parsers.loaders.running_headers import CERTAIN_PAGE_NUMBER, PAGE_NUMBER, running_keys

_NUMBER_AT_END: Final = re.compile(r"(?<=\s)\d{1,4}\Z")
_ZONE: Final = 0.14  # the share of a page's height, at the top and at the bottom, in which running lines stand


def running_lines(pages: Sequence[tuple[float, Sequence[TextLine]]]) -> list[set[int]]:
    """Which lines of each page are running headers and footers.

    A line near the top or bottom edge is one where it stands, but for its figures, at one height on at least half
    of the pages (of at least two), or on three pages in a row, or three left or right pages in a row, set off from the
    text (the name of a chapter); or where it is, or ends with, a page number in step with the pages.

    Args:
        pages: for each page its height and its lines.

    Returns:
        For each page the indices of its running lines.
    """
    zones = [
        [index for index, line in enumerate(lines) if _in_zone(line, height) and not led_by_raised(line)]
        for height, lines in pages
    ]
    places: dict[tuple[str, int], set[int]] = defaultdict(set)
    for number, ((_, lines), zone) in enumerate(zip(pages, zones, strict=True)):
        for key in {key for index in zone for key in _keys(lines[index], number)}:
            places[key].add(number)
    in_step = _numbers_in_step(pages, zones)
    found: list[set[int]] = []
    for number, ((_, lines), zone) in enumerate(zip(pages, zones, strict=True)):
        running: set[int] = set()
        for index in zone:
            found_on = [places[key] for key in _keys(lines[index], number)]
            often = any(len(on) >= 2 and len(on) * 2 >= len(pages) for on in found_on)
            apart = any(_in_a_row(on, number) for on in found_on) and _set_off(lines, index)
            if often or apart or (number, index) in in_step or CERTAIN_PAGE_NUMBER.fullmatch(lines[index].text):
                running.add(index)
        found.append(running)
    return found


def margin_texts(pages: Sequence[tuple[float, Sequence[TextLine]]], running: Sequence[set[int]]) -> tuple[str, ...]:
    """What the running lines of the pages say, in order, each text once, page numbers left out.

    Wide gaps part the texts of a line; a full line goes on in the next.

    Args:
        pages: for each page its height and its lines.
        running: for each page the indices of its running lines.
    """
    found: dict[str, None] = {}
    for (_, lines), inside in zip(pages, running, strict=True):
        right = max((line.x1 for line in lines), default=0.0)
        texts: list[str] = []
        before: TextLine | None = None
        for line in (lines[index] for index in sorted(inside)):
            first, *others = _between_gaps(line)
            if before is not None and _goes_on(before, line, right):
                first = f"{texts.pop()} {first}"
            texts.extend((first, *others))
            before = line
        found.update(dict.fromkeys(text for text in texts if not PAGE_NUMBER.fullmatch(text)))
    return tuple(found)


def _between_gaps(line: TextLine) -> list[str]:
    parts = parted(line.words, lambda before, after: after.x0 - before.x1 > line.size)
    return [make_line(part).text for part in parts]


def _goes_on(before: TextLine, line: TextLine, right: float) -> bool:
    return 0 < line.bottom - before.bottom <= 1.5 * line.size and room_after(before, right) <= width_at_head(line)


def _in_zone(line: TextLine, height: float) -> bool:
    return line.bottom < height * _ZONE or line.top > height * (1 - _ZONE)


def _keys(line: TextLine, page: int) -> list[tuple[str, int]]:
    """What a line says at a height of two points more or less: two slots, so that none is cut at its border."""
    places = int(line.bottom // 4), -1 - int((line.bottom + 2) // 4)
    return [(key, place) for key in running_keys(line.text, page) for place in places]


def _in_a_row(pages: set[int], page: int) -> bool:
    """Whether the page is one of three in `pages` that follow each other by steps of one or of two."""
    return any(
        {page - back * step, page - back * step + step, page - back * step + 2 * step} <= pages
        for step in (1, 2)
        for back in (0, 1, 2)
    )


def _set_off(lines: Sequence[TextLine], index: int) -> bool:
    line = lines[index]
    gaps = [other.top - line.bottom for other in lines if other.top >= line.bottom]
    gaps += [line.top - other.bottom for other in lines if other.bottom <= line.top]
    return min(gaps, default=line.size) >= 0.6 * line.size


def _numbers_in_step(
    pages: Sequence[tuple[float, Sequence[TextLine]]], zones: Sequence[Sequence[int]]
) -> set[tuple[int, int]]:
    """Lines with page numbers, whose number less the page's index is the same on other pages.

    Those of nothing else on two pages; on three, at one height and no larger than the text, those that end with one.
    """
    alone: dict[int, list[tuple[int, int]]] = defaultdict(list)
    ending: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
    for number, ((_, lines), zone) in enumerate(zip(pages, zones, strict=True)):
        usual = median(line.size for line in lines) if zone else 0.0
        for index in zone:
            line = lines[index]
            match = PAGE_NUMBER.fullmatch(line.text.strip())
            if match and match.group("n").isdigit():
                alone[int(match.group("n")) - number].append((number, index))
            elif line.size <= usual and (ends := _NUMBER_AT_END.search(line.text)):
                step = int(ends[0]) - number
                for place in (int(line.bottom // 4), -1 - int((line.bottom + 2) // 4)):
                    ending[step, place].append((number, index))
    found = [(places, 2) for places in alone.values()] + [(places, 3) for places in ending.values()]
    return {place for places, least in found if len({number for number, _ in places}) >= least for place in places}
