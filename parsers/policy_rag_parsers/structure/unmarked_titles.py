"""Titles that nothing marks: short lines between blank ones, in a plain text that has no other titles."""

import re
from collections.abc import Iterator

from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.line_features import clean_title, is_row, is_title
from policy_rag_parsers.structure.numbering import read_marker

_BLOCK = re.compile(r"(?:[^\n]*\S[^\n]*(?:\n|\Z))+")  # lines without a blank one between them
_LONGEST = 80
_FEWEST = 2
_MOST_TOGETHER = 2  # titles without a text between them: a title and a part of it; more are a list
_ENDS = ".,;:!"
_LEADS_ON = ",:;"
_SAYS = re.compile(r"[.:!?;](?:\s|\Z)|\S.{60}")


def unmarked_titles(text: str, begin: int) -> list[HeadingCandidate]:
    r"""The titles of a text in order, as if they were in capitals; none where there are fewer than two.

    A title is a line of its own that reads as one, begins with a capital and follows no line that leads on to it. Under
    it, or under the one below it, stands a text.

    Args:
        text: the document.
        begin: where its body begins.

    >>> [title.title for title in unmarked_titles("Scope\n\nThis binds all.\n\nPay\n\nIt is paid monthly.\n", 0)]
    ['Scope', 'Pay']
    """
    blocks = list(_BLOCK.finditer(text, begin))
    lines = list(_titles(blocks))
    found: list[HeadingCandidate] = []
    at = 0
    while at < len(blocks):
        end = at
        while end < len(blocks) and lines[end]:
            end += 1
        said = end < len(blocks) and _SAYS.search(blocks[end][0]) is not None
        if at < end <= at + _MOST_TOGETHER and said:
            found.extend(_candidates(blocks[at:end]))
        at = end + 1
    return found if len(found) >= _FEWEST else []


def _titles(blocks: list[re.Match[str]]) -> Iterator[bool]:
    """For each block whether it reads as a title, and is none of the lines that the one above them leads on to."""
    led = False
    for block in blocks:
        is_one = _reads_as_title(block[0].strip())
        yield is_one and not led
        led = led if is_one else block[0].rstrip()[-1] in _LEADS_ON


def _reads_as_title(line: str) -> bool:
    if "\n" in line or len(line) > _LONGEST or not line[0].isupper() or line[-1] in _ENDS:
        return False
    return is_title(line) and not is_row(line) and read_marker(line) is None


def _candidates(blocks: list[re.Match[str]]) -> Iterator[HeadingCandidate]:
    for block in blocks:
        start = block.start() + len(block[0]) - len(block[0].lstrip())
        end = start + len(block[0].strip())
        yield HeadingCandidate(start, end, end, HeadingKind.CAPITALS, clean_title(block[0]), None, None, 1, end)
