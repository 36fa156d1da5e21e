"""Titles that nothing marks: short lines over the paragraphs of a plain text that has no other titles."""

import re
from collections.abc import Iterator

from policy_rag_parsers.structure.candidate import HeadingCandidate, HeadingKind
from policy_rag_parsers.structure.line_features import clean_title, is_row, is_title
from policy_rag_parsers.structure.numbering import read_marker

_BLOCK = re.compile(  # lines without a blank one between them
    r"^[^\S\n]*(?P<head>\S[^\n]*)(?P<rest>(?:\n[^\S\n]*\S[^\n]*)*)", re.MULTILINE
)
_LONGEST = 80
_FEWEST = 2
_MOST_TOGETHER = 2  # titles without a text between them: a title and a part of it; more are a list
_HABIT = 0.5  # of the blocks of some lines, at least, begin with a title where titles stand right over their text
_ENDS = ".,;:!"
_LEADS_ON = ",:;"
_SAYS = re.compile(r"[.:!?;](?:\s|\Z)|\S.{60}")


def unmarked_titles(text: str, begin: int) -> list[HeadingCandidate]:
    r"""The titles of a text in order, as if they were in capitals; none where there are fewer than two.

    A title is a line that reads as one, begins with a capital and follows no line that leads on to it. It stands
    between blank lines, over a text or over one more title, or right over its text where most paragraphs begin so.

    Args:
        text: the document.
        begin: where its body begins.

    >>> [title.title for title in unmarked_titles("Scope\n\nThis binds all.\n\nPay\n\nIt is paid monthly.\n", 0)]
    ['Scope', 'Pay']
    """
    blocks = list(_BLOCK.finditer(text, begin))
    headed = [_is_headed(block) for block in blocks]
    habit = sum(headed) >= _HABIT * sum(bool(block["rest"]) for block in blocks)
    found: list[HeadingCandidate] = []
    above: list[re.Match[str]] = []
    led = False
    for block, is_headed in zip(blocks, headed, strict=True):
        alone = not block["rest"] and _reads_as_title(block["head"])
        if not led and (alone or (is_headed and habit)):
            above.append(block)
        if alone:
            continue
        led = block[0].rstrip()[-1] in _LEADS_ON
        if len(above) > _MOST_TOGETHER:
            # What opens a document is its title, edition and date, and then the first title of its text.
            above = above[-1:] if above[0] is blocks[0] else []
        if _says(block[0]):
            found.extend(_candidates(above))
        above = []
    return found if len(found) >= _FEWEST else []


def _is_headed(block: re.Match[str]) -> bool:
    below = block["rest"].strip()
    return bool(below) and not below[0].islower() and _says(below) and _reads_as_title(block["head"])


def _reads_as_title(line: str) -> bool:
    line = line.strip()
    if len(line) > _LONGEST or not line[0].isupper() or line[-1] in _ENDS:
        return False
    return is_title(line) and not is_row(line) and read_marker(line) is None


def _says(text: str) -> bool:
    return _SAYS.search(text) is not None


def _candidates(blocks: list[re.Match[str]]) -> Iterator[HeadingCandidate]:
    for block in blocks:
        start, end = block.start("head"), block.start("head") + len(block["head"].rstrip())
        yield HeadingCandidate(start, end, end, HeadingKind.CAPITALS, clean_title(block["head"]), None, None, 1, end)
