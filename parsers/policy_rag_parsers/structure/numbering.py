"""Clause numbers: reading one at the head of a line, and telling whether one number follows another.

A number is a sequence of components, outermost first: "4.2(b)" has three, "Part 6 Chapter 2" has two. Components are
compared by what they say, not by how they are punctuated: "4.2(b)", "4.2.(b)" and "4.2.b" are the same number.
"""

import re
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from policy_rag_parsers.text.invisible import INVISIBLE, INVISIBLE_MARK
from policy_rag_parsers.text.unit_words import (
    BACK_MATTER,
    CODED,
    FORMS,
    HYPHENED,
    INSERTED,
    KIND_OF,
    ONE_SERIES,
    ORDINAL_VALUE,
    ORDINAL_WORD,
    UNIT_WORDS,
    plain_value,
    words_pattern,
)

# The stroke of "1\\. Scope" too: Markdown writers put it there so that no list begins.
_UNREAD = re.compile(rf"[{INVISIBLE}]|\\(?=[.()])")
_LONGEST_ABBREVIATION = 3
HEAD_LENGTH = 240  # no clause number is longer; what follows on the line is never looked at for one

# Words that printed rulebooks put inside a number for notes on a clause: "1.2.1.Guidance.3."
NOTE_WORDS = frozenset({"guidance", "note", "notes", "commentary", "example", "examples", "explanation"})


class Component(NamedTuple):
    """One component of a number: a unit's word in lower case or "", and the value as printed ("6", "13A", "iv")."""

    word: str
    value: str


class Closing(StrEnum):
    """What stands between a number and the text after it on the line."""

    NONE = "none"
    DOT = "dot"
    BRACKET = "bracket"
    COLON = "colon"
    DASH = "dash"


class NumberMarker(NamedTuple):
    """A number at the head of a line.

    Attributes:
        parts: its components, outermost first; at least one.
        number: as printed, without closing punctuation and marks of no width.
        start: offset of its first character in the string that was read.
        end: one past the number, before closing punctuation.
        rest: where the text after it begins (the end of the line without any).
        closing: the punctuation that closes it.
        tab: whether a tab separates it from the text, or nothing follows.
        glued: whether it is one unbroken token of three or more components, which prose does not contain.
        abuts: whether the text follows its closing dot at once ("2.Introduction").
    """

    parts: tuple[Component, ...]
    number: str
    start: int
    end: int
    rest: int
    closing: Closing
    tab: bool
    glued: bool
    abuts: bool


_UNIT = words_pattern(UNIT_WORDS)
_FIGURES = rf"\d{{1,4}}(?:{INSERTED}|{HYPHENED}|:\d{{1,4}}[a-z]?|[A-Z]{{0,2}}|[a-z])"  # "Artikel 7:610"
_VALUE = rf"(?:{ORDINAL_VALUE}|{CODED}|{_FIGURES}|[IVXLC]{{1,7}}{INSERTED}?|[A-Z]\d{{0,3}})(?![A-Za-z0-9])"
_DASH = r"[ \u00a0][–—-][ \u00a0]"
_WORDED = re.compile(
    rf"(?P<word>(?i:{_UNIT})\b\.?|(?P<sign>§§?)|(?i:app|annex)(?=\d))(?:[ \t\u00a0]*(?P<value>{_VALUE}))?", re.ASCII
)
# "Erster Abschnitt", with its title under it or behind a sign: "First party rules" are no part
_LED_BY_ORDINAL = re.compile(
    rf"(?P<value>{ORDINAL_WORD})[ \u00a0](?P<word>(?i:{_UNIT}))(?=[ \t]*(?:$|[.:]|{_DASH}))", re.ASCII
)
_INSERTED = r"\d{1,3}[a-f]"  # "2a": put in between by an amendment; "2h" and "2m" are amounts
_FIRST = re.compile(
    rf"\d{{1,4}}[A-Z]{{0,2}}(?![A-Za-z0-9])|{_INSERTED}(?=[.)](?:\s|$)|\.\d|$)|[A-Z](?=[.)]|{_DASH})|[IVXLC]{{2,7}}(?=[.)]|{_DASH})|"
    r"[a-z](?=[.]\d)",
    re.ASCII,
)
# "A1." is the first of A, as "A.1" is; "A4 paper" is none, and "V1.0" is a version
_LETTERED = re.compile(rf"([A-UW-Z])(\d{{1,2}})(?=[.):]?(?:\s*$)|[.):]\s|\.\d|{_DASH})", re.ASCII)
_BRACKETED = re.compile(r"\((\d{1,3}[A-Za-z]{0,2}|[A-Za-z]{1,2}|[ivxlcIVXLC]{1,6})\)", re.ASCII)
_DOTTED = re.compile(
    r"\d{1,4}(?:[A-Z]{0,2}|[a-f])(?![A-Za-z0-9])|[A-Z]\d{1,3}(?![A-Za-z0-9])|[A-Za-z](?=[.)\t ]|$)", re.ASCII
)
_GLUED_WORD = re.compile(r"([A-Z][A-Za-z]{2,30})(?=[.\t ]|$|(\d{1,3})(?=[.\t]))")
_NOTES = "|".join(sorted(NOTE_WORDS))
# "21.3.4. Guidance", "7.1.3.Guidance on high-risk customers.2.": up to the line's end or to the number of the note
_NOTE = re.compile(rf"[ ]?(?P<word>(?i:{_NOTES}))\b(?:[^.\t]{{0,90}}?)(?=[ ]?\.(?:\d|\()|[ ]?\.?[ ]?(?:\t|$))")
# any other words inside a number must be followed by a further component: "6.2.2.Senior Management responsibilities.2."
_GLUED_WORDS = re.compile(
    r"[A-Z][A-Za-z ,()'’&-]{2,90}?(?=[ ]?\.(?:\d{1,3}\.?\t|\([A-Za-z\d]{1,5}\)\t|(?:Guidance|Note)\b))"
)
_NEXT_UNIT = re.compile(r"[ ]*[,–—-]?[ ]*(?=[A-Z])")
_CLOSE = re.compile(rf"[.)]{{1,2}}|[ \u00a0]?:|(?={_DASH})")  # French sets a blank before a colon
_GOES_ON = frozenset("(). :")  # what a bracketed or dotted component begins with


def _invisible(line: str) -> list[int]:
    """Where a line has marks of no width, and backslashes that only say that what follows is meant as it stands."""
    if line.isascii() and "\\" not in line:
        return []
    return [mark.start() for mark in _UNREAD.finditer(line)]


def _with_marks(offset: int, marks: list[int]) -> int:
    """The offset in a line of what is at `offset` in the line without its marks."""
    for mark in marks:
        if mark > offset:
            break
        offset += 1
    return offset


@lru_cache(maxsize=16)  # a line is looked at from the one above it too
def read_marker(line: str) -> NumberMarker | None:
    """Read the number at the head of a line, or return None where there is none.

    Only the first 240 characters are read. A list marker such as "(a)" is no number: lists stay inside their section.

    >>> read_marker("4.2(b) Hotels").number
    '4.2(b)'
    >>> [part.value for part in read_marker("Part 6 Chapter 2").parts]
    ['6', '2']
    >>> read_marker("(a) flights") is None
    True
    """
    head = line[:HEAD_LENGTH]
    marks = _invisible(head)
    if marks:
        head = _UNREAD.sub("", head)
    start = len(head) - len(head.lstrip())
    parts: list[Component] = []
    end = _read_first(head, start, parts)
    if end is None:
        return None
    worded = bool(parts[0].word)
    end = _read_rest(head, end, parts, worded=worded)
    close = _CLOSE.match(head, end)
    after = close.end() if close else end
    closing = _closing(head, end, after, counts=not worded and parts[0].value[:1].isdigit())
    # "1.Purpose": a dot glued to the word after it still closes a number of digits
    glued_title = closing is Closing.DOT and parts[0].value[:1].isdigit() and head[after : after + 1].isupper()
    if after < len(head) and not head[after].isspace() and head[after] not in "–—-:" and not glued_title:
        return None
    rest = after
    while rest < len(head) and (
        head[rest] in " \t\u00a0:–—" or (head[rest] == "-" and head[rest + 1 : rest + 2] == " ")
    ):
        rest += 1
    gap = head[after:rest]
    abuts = not gap and rest < len(head)
    marker_tab = "\t" in gap or rest >= len(head)
    tail = head[start:end].split(" ", 1)[-1]
    glued = len(parts) >= 3 and tail.split() == [tail]
    number = " ".join(head[start:end].split()).rstrip(" .,:–—-")
    if marks:
        start, end, rest = (_with_marks(offset, marks) for offset in (start, end, rest))
    return NumberMarker(tuple(parts), number, start, end, rest, closing, marker_tab, glued, abuts)


def _read_first(head: str, start: int, parts: list[Component]) -> int | None:
    """Read the first component into `parts` and return where it ends."""
    if match := _FIRST.match(head, start) or _LETTERED.match(head, start):
        parts += (Component("", value) for value in match.groups() or (match.group(),))
        return match.end()
    match = _WORDED.match(head, start)
    if match is None:
        return _read_ordinal(head, start, parts)
    word = "section" if match["sign"] else UNIT_WORDS[match["word"].rstrip(".").lower()]
    value = plain_value(match["value"] or "")
    bare = KIND_OF.get(word) != "clause" and head[match.end() :].startswith((".", " \t", "\t"))
    if not value and word not in BACK_MATTER and not bare:
        return None  # "Nummer" over a column is no clause
    if not value and not match["sign"] and len(match["word"].rstrip(".")) <= _LONGEST_ABBREVIATION:
        return None  # "Art" and "App" are words of their own
    if not match["sign"] and not head[start].isupper():
        return None  # "section 4 above": the running text goes on
    parts.append(Component(word, value))
    return match.end() if value else match.start() + len(match["word"].rstrip("."))


def _read_ordinal(head: str, start: int, parts: list[Component]) -> int | None:
    """Read "Erster Abschnitt"."""
    match = _LED_BY_ORDINAL.match(head, start) if head[start : start + 1].isupper() else None
    if match is None or len(match["word"]) <= _LONGEST_ABBREVIATION:
        return None
    parts.append(Component(UNIT_WORDS[match["word"].lower()], plain_value(match["value"])))
    return match.end()


def _read_rest(head: str, end: int, parts: list[Component], *, worded: bool) -> int:
    """Read further components into `parts` and return where the last one ends."""
    while (following := _read_next(head, end, parts, worded=worded)) is not None:
        end = following
    return end


def _read_next(head: str, end: int, parts: list[Component], *, worded: bool) -> int | None:
    """Read one more component: a bracketed, a dotted or a worded one."""
    mark = head[end : end + 1]
    if mark == "." and head[end + 1 : end + 2].isdigit() and (match := _DOTTED.match(head, end + 1)):
        parts.append(Component("", match.group()))
        return match.end()
    if mark not in _GOES_ON:
        return _read_next_unit(head, end, parts) if worded and parts[-1].word else None
    dot = end + (mark in {")", ":", " "} and head[end + 1 : end + 2] == ".")
    dots = 2 if head.startswith("..", dot) and not head.startswith("...", dot) else int(head.startswith(".", dot))
    inner = dot + dots
    match = _BRACKETED.match(head, inner if dots else end)
    if match:
        parts.append(Component("", match[1]))
        return match.end()
    if dots:
        if match := _DOTTED.match(head, inner):
            parts.append(Component("", match.group()))
            return match.end()
        if end_of_word := _read_glued_word(head, inner, parts):
            return end_of_word
    return _read_next_unit(head, end, parts) if worded and parts[-1].word else None


def _read_next_unit(head: str, end: int, parts: list[Component]) -> int | None:
    """Read "Chapter 2" behind "Part 6"."""
    gap = _NEXT_UNIT.match(head, end)
    match = _WORDED.match(head, gap.end()) if gap else None
    if match is None or not match["value"] or match["sign"]:
        return None
    word = UNIT_WORDS[match["word"].rstrip(".").lower()]
    if word == parts[-1].word:
        return None
    parts.append(Component(word, plain_value(match["value"])))
    return match.end()


def _read_glued_word(head: str, start: int, parts: list[Component]) -> int | None:
    """Read a word inside a number: "1.2.1.Guidance", "Schedule.Part 1", "2.4.4.Individuals.(a)"."""
    match = _WORDED.match(head, start)
    if match and match["value"] and not match["sign"]:
        parts.append(Component(UNIT_WORDS[match["word"].rstrip(".").lower()], plain_value(match["value"])))
        return match.end()
    for pattern in (_NOTE, _GLUED_WORDS):
        if words := pattern.match(head, start):
            parts.append(Component(words.group().strip().casefold(), ""))
            return words.end()
    match = _GLUED_WORD.match(head, start)
    if match is None:
        return None
    word = match[1].lower()
    if word not in NOTE_WORDS and not head.startswith(".", match.end()):
        return None  # "2.1.Scope": the word is the title
    parts.append(Component(word, ""))
    if match[2]:
        parts.append(Component("", match[2]))
        return match.end(2)
    return match.end(1)


def _closing(head: str, end: int, after: int, *, counts: bool) -> Closing:
    """Return what stands between `end` and `after`; a dash behind plain figures may mean "to": "5 - 10 days"."""
    mark = head[end:after].strip()
    if not mark:
        dashed = not counts and _DASHED.match(head, end) is not None
        return Closing.DASH if dashed else Closing.NONE
    if mark[-1] == ")" or mark[0] == ")":
        return Closing.BRACKET
    return Closing.COLON if mark == ":" else Closing.DOT


_DASHED = re.compile(_DASH)
_DIGITS = re.compile(r"(\d+)(?:[-:](\d+))?([A-Za-z]*)$", re.ASCII)
_NUMERAL = re.compile(r"([IVXLC]+)([A-D]?)$", re.ASCII)
_LETTER_DIGITS = re.compile(r"([A-Z])(\d+)$", re.ASCII)
_CODED_FIGURES = re.compile(r"([A-Z]{1,2})(\d+(?:-\d+)+)$", re.ASCII)
_ROMAN = re.compile(r"(?=.)(?:c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$", re.ASCII | re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def roman_value(text: str) -> int | None:
    """Return the value of a Roman numeral up to 399, or None where `text` is none.

    >>> roman_value("xiv"), roman_value("IIX")
    (14, None)
    """
    if not _ROMAN.match(text):
        return None
    values = [_ROMAN_VALUES[char] for char in text.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def step(before: Component, after: Component) -> int | None:
    """How many places `after` stands behind `before` among siblings: 1 for the next, 0 for the same, None if unlike.

    >>> step(Component("", "5A"), Component("", "6")), step(Component("", "h"), Component("", "i"))
    (1, 1)
    """
    if before.word != after.word:
        return None
    if before.value.isdecimal() and after.value.isdecimal():
        return int(after.value) - int(before.value)
    return _values_apart(before, after)


def _values_apart(before: Component, after: Component) -> int | None:
    one, two = _DIGITS.match(before.value), _DIGITS.match(after.value)
    if one and two:
        gap = int(two[1]) - int(one[1]) or _suffix(two[3]) - _suffix(one[3])
        inner = int(two[2] or 0) - int(one[2] or 0)
        return gap or (min(inner, 1) if one[2] and two[2] else inner)  # "§ 10-110" is the next after "§ 10-100"
    if one or two:
        return _figures_apart(before, after) if before.word else None
    one, two = _LETTER_DIGITS.match(before.value), _LETTER_DIGITS.match(after.value)
    if one and two:
        return int(two[2]) - int(one[2]) if one[1] == two[1] else None
    if "-" in before.value and "-" in after.value:
        return _codes_apart(before.value, after.value)
    if not before.value or not after.value:
        return 0 if before.value == after.value else None
    letters = _letter_step(before.value, after.value)
    return _figures_apart(before, after) if letters is None and before.word else letters


def _codes_apart(before: str, after: str) -> int | None:
    """1, 0 or -1 for an article of a code behind, beside or before another: "L122-1" is the next after "L121-9"."""
    one, two = _CODED_FIGURES.match(before), _CODED_FIGURES.match(after)
    if not one or not two or one[1] != two[1]:
        return None
    low, high = (list(map(int, match[2].split("-"))) for match in (one, two))
    return (high > low) - (high < low)


def _figures_apart(before: Component, after: Component) -> int | None:
    """The step between figures and numerals of one unit: "TITRE PREMIER" and "TITRE II", "TITRE XI" and "XI bis"."""
    one, two = _figure(before.value), _figure(after.value)
    return (two[0] - one[0] or two[1] - one[1]) if one and two else None


def _figure(value: str) -> tuple[int, int] | None:
    """The value of figures or of a numeral, and the place of what was inserted behind it."""
    if value.isdecimal():
        return int(value), 0
    match = _NUMERAL.match(value)
    number = roman_value(match[1]) if match else None
    return (number, _suffix(match[2])) if match and number is not None else None


def _suffix(letters: str) -> int:
    return sum((ord(char.upper()) - 64) * 26**place for place, char in enumerate(reversed(letters)))


def _letter_step(before: str, after: str) -> int | None:
    if before.isupper() != after.isupper():
        return None
    steps = []
    if len(before) == len(after) == 1:
        steps.append(ord(after) - ord(before))
    one, two = roman_value(before), roman_value(after)
    if one and two:
        steps.append(two - one)
    ahead = [gap for gap in steps if gap > 0]
    return min(ahead) if ahead else max(steps, default=None)


def is_first(part: Component) -> bool:
    """Whether a component begins a run of siblings.

    >>> is_first(Component("part", "I")), is_first(Component("", "2"))
    (True, False)
    """
    return part.value in {"", "0", "1", "a", "A", "i", "I", "A1", "1A", "01"}


def without_noughts(parts: tuple[Component, ...]) -> tuple[Component, ...]:
    """A number as one of a chapter: "3.0" stands where "3" does, over "3.1"."""
    while len(parts) > 1 and parts[-1] == ("", "0"):
        parts = parts[:-1]
    return parts


def is_coded(part: Component) -> bool:
    """Whether a component is an article of a code: "L121-1"."""
    return _CODED_FIGURES.match(part.value) is not None


def _is_small(part: Component) -> bool:
    return is_first(part) or part.value in {"2", "3", "b", "B", "ii", "II"}


def follows(before: tuple[Component, ...], after: tuple[Component, ...], siblings: "Siblings | None" = None) -> bool:
    """Whether `after` can be the next number after `before` where numbers run on and nest.

    At the first component that differs it may be up to three places ahead (clauses get deleted); the components behind
    it must be among the first of their run. `siblings` tells where a run stood before a note interrupted it.
    """
    place = 0
    for one, two in zip(before, after, strict=False):
        if one != two:
            break
        place += 1
    if place == len(after) or not all(_is_small(part) for part in after[place + 1 :]):
        return False
    if place < len(before):
        gap = step(before[place], after[place])
        if gap is not None:
            return 1 <= gap <= 3
    part = after[place]
    if not part.value:
        return True
    last = siblings.last(after[:place], part) if siblings else None
    gap = step(last, part) if last else None
    return (gap is not None and 1 <= gap <= 3) or ((gap is None or place == len(before)) and _is_small(part))


def is_next(before: tuple[Component, ...], after: tuple[Component, ...]) -> bool:
    """Whether a number is the very next one: "2.3" or "2.2.1" or "3.1" behind "2.2"."""
    place = next((at for at, (one, two) in enumerate(zip(before, after, strict=False)) if one != two), len(before))
    if place >= len(after):
        return False
    begun = place == len(before) or step(before[place], after[place]) == 1
    return begun and all(is_first(part) for part in after[place + (place < len(before)) :])


class Siblings:
    """The last component seen under each number, one for each word."""

    def __init__(self) -> None:
        self._last: dict[tuple[tuple[Component, ...], str], Component] = {}

    def note(self, parts: tuple[Component, ...]) -> None:
        """Remember a number that was found to be real."""
        for length, part in enumerate(parts):
            self._last[parts[:length], part.word] = part

    def last(self, prefix: tuple[Component, ...], part: Component) -> Component | None:
        """Return the last component under `prefix` of the same word as `part`."""
        return self._last.get((prefix, part.word))


_OTHER_WORDS = (
    "paragraphs?|paras?|points?|items?|§+|number|no|abs|absatz|ziffer|ziff|punkt|nr|apartado|alinéa|lid|"
    "sections?|sec|clauses?|articles?|art|rules?"
)
_PLAIN_WORDS = words_pattern(form for form, unit in FORMS.items() if unit in ONE_SERIES and unit != "subsection")
_WORDS = rf"{_PLAIN_WORDS}|{_OTHER_WORDS}"
_LEADING_WORD = re.compile(rf"^(?:{_WORDS})\.?\s*(?=[\dA-ZÚ(])", re.IGNORECASE)
_COMPARED_VALUE = re.compile(rf"{ORDINAL_VALUE}$|{CODED}$|\d{{1,4}}(?:{INSERTED}|-[A-Z])$")
_LAST_ITEM = re.compile(r"\.?\([^()]*\)$|-\d+$")
_NOUGHTS = re.compile(r"(?<=\d)(?:\.0)+$")


def number_key(number: str) -> str:
    """One spelling for all ways to write a clause number, for comparison.

    >>> number_key("Section 4.2 (b)"), number_key("1.1.1.(2)"), number_key("§ 7")
    ('4.2(b)', '1.1.1(2)', '7')
    >>> number_key("Zweiter Teil"), number_key("Teil 2"), number_key("Art. L. 121-1")
    ('teil2', 'teil2', 'l121-1')
    >>> number_key("3.0"), number_key("3.10")
    ('3', '3.10')
    """
    if led := _LED_BY_ORDINAL.match(number):
        number = f"{led['word']} {plain_value(led['value'])}{number[led.end() :]}"
    plain = "".join(_LEADING_WORD.sub("", INVISIBLE_MARK.sub("", number).strip()).split())
    plain = _COMPARED_VALUE.sub(lambda match: plain_value(match.group()), plain, count=1)
    # "1)" and "1." are both 1, but the bracket of "4.2(b)" belongs to the number.
    closed = plain if "(" in plain else plain.rstrip(").:")
    return _NOUGHTS.sub("", closed.rstrip(".:").replace(".(", "(")).casefold()


def enclosing(key: str) -> str | None:
    """The number without its last bracket, or what a hyphen puts behind it, or None where it has neither.

    >>> enclosing("4.2(b)(ii)"), enclosing("4.2(b)"), enclosing("34-1"), enclosing("4.2")
    ('4.2(b)', '4.2', '34', None)
    """
    shorter = _LAST_ITEM.sub("", key)
    return shorter if shorter != key and shorter else None
