"""Struck-out text of Markdown, `~~old~~` and `<del>old</del>`: it is left out, as in HTML and DOCX."""

import re
from collections.abc import Iterator
from typing import Final

from policy_rag_parsers.text.sentences import LIST_MARK, Span

_MAY_STRIKE: Final = re.compile(r"~~|<(?:del|s|strike)\b", re.IGNORECASE)
# Beside strikes, what they are not looked for in: code and comments; and where one that is open cannot go on.
_TOKEN: Final = re.compile(
    r"""(?P<fence>^[ ]{0,3}(?P<run>`{3,}|~{3,})[^`\n]*$)
      | (?P<escaped>\\[~`\\<])
      | (?P<ticks>`+)
      | (?P<comment><!--)
      | (?P<tag><(?P<name>del|s|strike)(?:\s[^<>]{0,200})?>)
      | (?P<tildes>(?<!~)~~(?!~))
      | (?P<bar>(?<!\\)\|)
      | (?P<line>\n)
    """,
    re.VERBOSE | re.IGNORECASE | re.MULTILINE,
)
_FENCE: Final = re.compile(r"^[ ]{0,3}(`{3,}|~{3,})[ \t]*$", re.MULTILINE)
_NEW_BLOCK: Final = re.compile(r"[ \t]*(?:\n|\Z|[|>]|#{1,6}[ \t]|(?:[-*+]|\d{1,9}[.)])[ \t])")
_LONGEST_CODE: Final = 1000  # characters between backticks
_GONE: Final = "\0"  # stands for struck-out text; no text has it
_BLANKS_BEFORE: Final = re.compile(rf"[ \t]*{_GONE}[ \t]*(?=[.,;:!?)]|\Z)")
_BLANKS_BEHIND: Final = re.compile(rf"(?<![^ \t]){_GONE}[ \t]+")
_EMPTY: Final = re.compile(r"\s*(?:\[[ xX]\])?[\s>#*_+.,;:!?–—-]*")  # a row of a table stays: else it would end there


def without_struck(text: str, start: int = 0) -> str:
    r"""A text of Markdown without what is struck out from `start` on; its lines keep their numbers.

    A blank that stood on both sides stays once. A line of which only marks are left ("- ") becomes blank.

    >>> without_struck("~~Free of charge.~~ It costs ~~30~~ 40 EUR, see `~~`.\n- ~~old~~\n- new\n")
    'It costs 40 EUR, see `~~`.\n\n- new\n'
    """
    if _MAY_STRIKE.search(text, start) is None:
        return text
    kept, at = [text[:start]], start
    for first, last in _struck(text, start):
        kept += [text[at:first], _GONE, f"\n{_GONE}" * text.count("\n", first, last)]
        at = last
    lines = "".join([*kept, text[at:]]).split("\n")
    return "\n".join(_tidied(line) if _GONE in line else line for line in lines)


def _tidied(line: str) -> str:
    """A line without the sign for struck-out text and the blanks that it leaves; "" where nothing else is in it."""
    left = _BLANKS_BEHIND.sub("", _BLANKS_BEFORE.sub("", line)).replace(_GONE, "")
    ink = left.lstrip(" \t>#")
    mark = LIST_MARK.match(ink)
    return "" if _EMPTY.fullmatch(ink, mark.end() if mark else 0) or _EMPTY.fullmatch(ink) else left


def _struck(text: str, start: int) -> Iterator[Span]:
    """The ranges that are struck out, in order, their marks among them."""
    at, opened, in_row = start, -1, text.startswith("|", start)
    unclosed: set[str] = set()  # what nothing closes from here on
    while token := _TOKEN.search(text, at):
        kind, first, at = token.lastgroup, token.start(), token.end()
        if kind == "fence":
            at, opened = fence_end(text, at, token["run"]), -1
        elif kind == "ticks":
            at = _code_end(text, at, token["ticks"])
        elif kind == "comment":
            at = _behind(text, at, "-->", unclosed)
        elif kind == "tag":
            last = _behind(text, at, f"</{token['name'].lower()}>", unclosed)
            if last > at:
                yield first, last
                at, opened = last, -1
        elif kind == "tildes" and opened >= 0 and not text[first - 1].isspace():
            yield opened, at
            opened = -1
        elif kind == "tildes":
            opened = first if text[at : at + 1].strip() else -1
        elif kind == "line":
            opened = -1 if _NEW_BLOCK.match(text, at) else opened
            in_row = text.startswith("|", at)
        elif kind == "bar" and in_row:
            opened = -1  # no strike goes on in the next cell


def fence_end(text: str, at: int, run: str) -> int:
    """Where a fenced block of code ends that `run` opens before a place, at the latest with the text."""
    for line in _FENCE.finditer(text, at):
        if line[1].startswith(run):
            return line.end()
    return len(text)


def _code_end(text: str, at: int, ticks: str) -> int:
    """Where code between backticks ends; `at` where nothing closes it in its paragraph."""
    closing = re.compile(rf"(?<!`){ticks}(?!`)|\n[ \t]*\n").search(text, at, at + _LONGEST_CODE)
    return closing.end() if closing and closing[0] == ticks else at


def _behind(text: str, at: int, closing: str, unclosed: set[str]) -> int:
    """Where what closes a comment or an element ends; `at` where nothing does."""
    found = None if closing in unclosed else re.compile(re.escape(closing), re.IGNORECASE).search(text, at)
    if found is None:
        unclosed.add(closing)
        return at
    return found.end()
