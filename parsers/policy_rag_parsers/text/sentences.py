"""Where sentences begin and end in legal prose, by character.

A library's sentence splitter loses offsets and takes "4.2." or "Art. 5" for the end of a sentence. This one works in
two steps: lines into blocks (a list item, a table row, a heading or a paragraph whose lines are only wrapped), then
blocks into sentences. Both read each character a bounded number of times, so time grows linearly with the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from policy_rag_parsers.text.contents_titles import names_contents
from policy_rag_parsers.text.german_ordinals import REACH, is_ordinal
from policy_rag_parsers.text.invisible import INVISIBLE
from policy_rag_parsers.text.lexicon import LEXICONS, line_sets, reference_words
from policy_rag_parsers.text.markdown_lines import (
    breaks_hard,
    closes_element,
    ends_with_page,
    is_bold_line,
    is_unread,
    opens_element,
    words_start,
)
from policy_rag_parsers.text.unit_words import UNIT_WORDS, words_pattern

Span = tuple[int, int]


def blanked(text: str, spans: Iterable[Span]) -> str:
    """A text with blanks in place of ranges: what stands behind them keeps its place.

    >>> blanked("one two three", [(4, 7)])
    'one     three'
    """
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return text


# A row longer than this is prose with a bar in it, or a cell full of sentences.
_LONGEST_ROW = 2000
_FEWEST_LINES, _MOSTLY, _RAGGED = 8, 0.9, 8  # of lines that tell whether a text is wrapped
# Nobody wraps text by hand at fewer or more columns than these.
_WRAP_COLUMNS = range(40, 161)

_UNSEEN = f"[{INVISIBLE}]*"
LIST_MARK = re.compile(
    rf"""{_UNSEEN}(?:
        [-*+•‣▪●○◦∙·□\uf0b7\uf0a7–—](?=[ \t])
      | \(?(?:\d{{1,3}}|[A-Za-z]{{1,2}}|[ivxlcdm]{{1,7}}|[IVXLC]{{1,7}})\)\.?(?=\s|$)
      | (?:\d{{1,3}}[a-f]?|[A-Za-z]|[ivx]{{1,5}}|[IVX]{{1,5}})\\?\.(?=\s|$)
      | (?:[A-Z]\.?)?\d{{1,3}}[A-Z]?(?:\.\d{{1,3}}[A-Z]?){{1,7}}\\?\.?(?:\([0-9A-Za-z]{{1,5}}\)\.?){{0,5}}(?=\s|$)
      | \d{{1,3}}[A-Z]?\.?(?:\([0-9A-Za-z]{{1,5}}\)\.?){{1,5}}(?=\s|$)
      | §{{1,2}}[ ]?\d[\d.]{{0,12}}[a-zº]?(?=\s|$)
      | (?:[IVX]|[IVXLC]{{2,7}})[ ][-–](?=[ ])
      | (?=[A-ZÀ-Þ])(?-x:(?i:{reference_words("inside")}))\.?[ ]?\d{{1,3}}[a-f]?:(?=\s)
    ){_UNSEEN}""",
    re.VERBOSE,
)
_WORDED_MARK = re.compile(
    rf"(?:{words_pattern(UNIT_WORDS)}|paragraph)\.?[ \t]{{1,3}}(?:\d[\w.()]{{0,15}}|[ivxlc]{{1,7}}|[a-z])\.",
    re.IGNORECASE,
)
_BARE_DECIMAL = re.compile(r"\d{1,3}\.\d{1,3}\s+[a-z]")
_RULE_LINE = re.compile(r"(?:[-=_*~][ \t]*){3,}")
_OWN_LINE = re.compile(r"#{1,6}[ \t]|(?:\*\*|__)[^\n]{1,200}(?:\*\*|__):?$")
_HASHES = re.compile(r"#{1,6}[ \t]")
_FIRST_OF_LIST = frozenset(("1", "a", "A", "i", "I", "01"))
_LETTERS_OR_DIGITS = re.compile(r"[^\W\d_]+|\d+")
_FIRST_WORD = re.compile(r"\S{1,40}")

# The look-behind keeps a long run of dots from being tried again at each of its dots.
# The mark of a note behind it belongs to the sentence that ends: "... a year. [1]".
_TERMINAL = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?:[ ]?\[\^?\d{1,3}\](?![(:]))?+(?=\s)|[؟۔।](?=\s)|[。！？]++[」』”’）]*+"
)
_CODE = r"(?:[A-Z]{1,10}[-/]){1,5}\d|[A-Z]{2,10}\d"  # "IT-POL-08"
_NEXT = re.compile(rf"\s+[\"'“‘«„(\[*_¿¡{INVISIBLE}]{{0,6}}({_CODE}|\w{{1,40}})?")
_WORD_BEFORE = re.compile(r"[^\s(\[\"'“‘«„]{1,24}$")
_DOTTED_LETTERS = re.compile(r"(?:[^\W\d_]\.)*[^\W\d_]")
_NUMBER = re.compile(rf"\d|[IVXLC]{{1,6}}$|{_CODE}")


_NEVER_LAST = line_sets("never_last")
_BEFORE_NUMBER = line_sets("before_number")
_OFTEN_INSIDE = line_sets("often_inside")
_STARTERS = line_sets("starters") | frozenset(
    word
    for one in LEXICONS.values()
    for word in (*one.openers, *one.question.persons, *one.front.split("|"), *one.and_, *one.or_, *one.negators)
)


def sentence_spans(text: str, start: int, end: int, *, soft: bool = False) -> list[Span]:
    """The sentences in `text[start:end]`.

    List items, bullets, table rows (lines with `" | "`), lines of tab-separated cells and Markdown headings are
    sentences of their own; lines that are only wrapped are read on. Abbreviations, initials, decimals, German
    ordinals and the number of a clause do not end a sentence.

    Args:
        text: the document.
        start: where to begin.
        end: where to stop.
        soft: whether the end of a line is a blank, as in Markdown and in what is known to be one paragraph; else lines
            are read on where one was full.

    Returns:
        Half-open ranges of `text` in order, without blanks at either end, not overlapping; together they hold every
        non-blank character of the range but, where line ends are soft, the marks of quoted blocks.

    >>> text = "4.2. Ask Dr. Li (i.e. HR) first.  It takes 2.5 days."
    >>> [text[a:b] for a, b in sentence_spans(text, 0, len(text))]
    ['4.2. Ask Dr. Li (i.e. HR) first.', 'It takes 2.5 days.']
    """
    spans: list[Span] = []
    for group in _line_groups(text, start, end, soft=soft):
        for block_start, block_end, whole in _blocks(text, group, soft=soft):
            if whole:
                spans.append((block_start, block_end))
            else:
                spans.extend(_block_sentences(text, block_start, block_end))
    return spans


def paragraph_spans(text: str, start: int, end: int, *, soft: bool = False) -> list[Span]:
    """The blocks in `text[start:end]`: paragraphs, list items, table rows and heading lines, in order, trimmed.

    With `soft` as for `sentence_spans`.
    """
    groups = _line_groups(text, start, end, soft=soft)
    return [(a, b) for group in groups for a, b, _ in _blocks(text, group, soft=soft)]


def is_wrapped(text: str) -> bool:
    """Whether the lines of a plain text end where they were full, so that the end of a line is a blank.

    Asked of lines that end in the middle of a sentence and have a line of prose below them: nine of ten must be full,
    or be read on in small letters.
    """
    lines = [line for group in _line_groups(text, 0, len(text)) for line in pairwise(group)]
    inside = [
        (last - begin, next_first, next_last)
        for (begin, first, last), (_, next_first, next_last) in lines
        if text[last - 1] not in ".!?…:;" and not (_is_whole(text, first, last) or _has_cells(text, first, last))
        and LIST_MARK.match(text, next_first, next_last) is None and not _is_whole(text, next_first, next_last)
    ]  # fmt: skip
    if len(inside) < _FEWEST_LINES:
        return False
    width = sorted(length for length, *_ in inside)[-max(1, len(inside) // 50)]
    full = sum(
        text[first].islower() or length + 1 + len((_FIRST_WORD.match(text, first, last) or [""])[0]) > width - _RAGGED
        for length, first, last in inside
    )
    return width in _WRAP_COLUMNS and full >= _MOSTLY * len(inside)


def trimmed(text: str, start: int, end: int) -> Span:
    """`[start, end)` without the blanks at its ends; `(start, start)` where there is nothing else.

    >>> trimmed(" ab ", 0, 4)
    (1, 3)
    """
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return start, end


def _line_groups(text: str, start: int, end: int, *, soft: bool = False) -> Iterator[list[tuple[int, int, int]]]:
    """Runs of non-blank lines; a line is (where it begins, first non-blank, one past the last non-blank).

    Where line ends are soft, a line begins behind the marks of a quoted block, and one that no reader sees is alone.
    """
    group: list[tuple[int, int, int]] = []
    at = start
    while at < end:
        stop = text.find("\n", at, end)
        stop = end if stop < 0 else stop
        first, last = trimmed(text, at, stop)
        if soft and first < last:
            first = words_start(text, first, last)
        alone = soft and first < last and is_unread(text, first, last)
        if group and (alone or first >= last):
            yield group
            group = []
        if alone:
            yield [(at, first, last)]
        elif first < last:
            group.append((at, first, last))
        at = stop + 1
    if group:
        yield group


def _blocks(text: str, group: list[tuple[int, int, int]], *, soft: bool = False) -> Iterator[tuple[int, int, bool]]:
    """The blocks of a run of lines: (start, end, whether it is one sentence as it stands)."""
    widest = max(last - begin for begin, _, last in group)
    soft = soft and not names_contents(text[slice(*group[0][1:])])
    block_start = group[0][1]
    marks = dict([_mark(text, group[0])])
    for line, following in pairwise(group):
        if soft:
            on = _reads_on_softly(text, block_start, line, following, marks)
        else:
            on = _reads_on(text, line, following, widest)
        if not on:
            yield block_start, line[2], block_start == line[1] and _is_whole(text, line[1], line[2])
            block_start = following[1]
            marks.update([_mark(text, following)])
    _, first, last = group[-1]
    yield block_start, last, block_start == first and _is_whole(text, first, last)


def _mark(text: str, line: tuple[int, int, int]) -> tuple[str, list[str]]:
    """The form of the list mark that a line begins with, letters and digits alike, and its parts; "" without one."""
    found = LIST_MARK.match(text, line[1], line[2])
    mark = found[0] if found else ""
    form = _LETTERS_OR_DIGITS.sub(lambda part: "1" if part[0][0].isdigit() else "x", mark)
    return form, _LETTERS_OR_DIGITS.findall(mark)


def _is_row(text: str, first: int, last: int) -> bool:
    return last - first <= _LONGEST_ROW and (text[first] == "|" or text.find(" | ", first, last) >= 0)


def _is_whole(text: str, first: int, last: int) -> bool:
    return _is_row(text, first, last) or _OWN_LINE.match(text, first, last) is not None


def _reads_on(text: str, line: tuple[int, int, int], following: tuple[int, int, int], widest: int) -> bool:
    """Whether the line break between two lines is only where the line was full."""
    begin, first, last = line
    _, next_first, next_last = following
    if _RULE_LINE.fullmatch(text, next_first, next_last):
        return text[first] != "|"  # the underline of a setext heading goes with it
    if _is_whole(text, first, last) or _is_whole(text, next_first, next_last):
        return False
    mark = LIST_MARK.match(text, first, last)
    if _begins_item(text, next_first, next_last, after=text[last - 1]):
        return False
    if mark and mark.end() == last:
        return True  # a mark on a line of its own, its text on the next
    if _has_cells(text, first, last) or _has_cells(text, next_first, next_last):
        return False
    return _wrapped(text, last - begin, text[last - 1], next_first, widest)


def _reads_on_softly(
    text: str,
    block_start: int,
    line: tuple[int, int, int],
    following: tuple[int, int, int],
    marks: Mapping[str, Sequence[str]],
) -> bool:
    """Whether two lines are of one block where the end of a line is a blank.

    `marks` has the last list mark of each form.
    """
    _, first, last = line
    _, next_first, next_last = following
    if _RULE_LINE.fullmatch(text, next_first, next_last):
        return text[first] != "|"
    in_item = LIST_MARK.match(text, block_start, last) is not None
    apart = (
        any(
            text[one[0]] == "|" or _HASHES.match(text, *one) or ends_with_page(text, *one)
            for one in ((first, last), (next_first, next_last))
        )
        or closes_element(text, first, last)
        or opens_element(text, next_first, next_last)
        or (is_bold_line(text, next_first, next_last) and text[last - 1] in ".!?…:;" and not in_item)
        or (_has_cells(text, first, last) and _has_cells(text, next_first, next_last))
    )
    if apart:
        return False
    if (block_start == first and is_bold_line(text, first, last)) or breaks_hard(text, last):
        return text[next_first].islower()
    return not _begins_item_softly(text, following, after=text[last - 1], marks=marks)


def _begins_item_softly(
    text: str, line: tuple[int, int, int], *, after: str, marks: Mapping[str, Sequence[str]]
) -> bool:
    """Whether a line begins a list item: in the middle of a sentence only what begins a list or goes on with one."""
    form, parts = _mark(text, line)
    if not form:
        return False
    if not parts and not {"–", "—"}.intersection(form):
        return True
    if after in ".;:!?" or (parts and parts[-1] in _FIRST_OF_LIST):
        return True
    if form not in marks or _BARE_DECIMAL.match(text, line[1], line[2]) is None:
        return form in marks
    before = marks[form]  # "... of at least\n2.5 per cent" goes on, "4.2 asks" behind "4.1" does not
    figures = before[-1].isdecimal() and parts[-1].isdecimal()
    return figures and before[:-1] == parts[:-1] and int(parts[-1]) == int(before[-1]) + 1


def _wrapped(text: str, length: int, last_char: str, next_first: int, widest: int) -> bool:
    if last_char in ".!?…":
        return True  # whether a sentence ends here is for the second step
    if text[next_first].islower():
        return True
    if last_char in ":;" or widest not in _WRAP_COLUMNS:
        return False
    word = _FIRST_WORD.match(text, next_first)
    return word is not None and length + 1 + len(word.group()) > widest


def _begins_item(text: str, first: int, last: int, *, after: str) -> bool:
    if LIST_MARK.match(text, first, last) is None:
        return False
    # "... of at least\n2.5 per cent" goes on; "... ends.\n2.5 per cent is" does not.
    return after in ".;:!?" or _BARE_DECIMAL.match(text, first, last) is None


def _has_cells(text: str, first: int, last: int) -> bool:
    """Whether a line has a tab other than the one behind its number."""
    mark = LIST_MARK.match(text, first, last)
    begin = first
    if mark:
        begin = mark.end()
        while begin < last and text[begin] in " \t":
            begin += 1
    return text.find("\t", begin, last) >= 0


def _block_sentences(text: str, start: int, end: int) -> Iterator[Span]:
    at = start
    mark_end = _mark_end(text, at, end)
    for found in _TERMINAL.finditer(text, start, end):
        stop = found.end()
        if stop <= mark_end or not _ends_sentence(text, at, found.start(), stop, end):
            continue
        yield at, stop
        at, _ = trimmed(text, stop, end)
        mark_end = _mark_end(text, at, end)
    if at < end:
        yield at, end


def _mark_end(text: str, at: int, end: int) -> int:
    """Where the number that a sentence begins with ends; dots up to there end no sentence."""
    for pattern in (LIST_MARK, _WORDED_MARK):
        mark = pattern.match(text, at, end)
        if mark:
            return mark.end()
    return at


def _ends_sentence(text: str, start: int, dot: int, stop: int, end: int) -> bool:
    mark = text[dot]
    if mark in "。！？؟۔।":
        return True
    following = _NEXT.match(text, stop, end)
    word = (following.group(1) or "") if following else ""
    if word[:1].islower():
        return False
    if mark != "." or stop > dot + 1:
        return not text.startswith("....", dot)  # four dots and more lead to a page number
    before = _WORD_BEFORE.search(text[max(start, dot - 24) : dot])
    if before is None:
        return True
    figure_at = dot - len(before.group())
    led = text[max(start, figure_at - REACH) : figure_at]
    return not is_ordinal(led, before.group(), word, starters=_STARTERS) and _word_can_end(before.group(), word)


def _word_can_end(word: str, following: str) -> bool:
    """Whether the dot behind `word` ends a sentence when `following` comes next."""
    forms = {word, word.lower()}  # "Hr." is a title, "HR." is none
    if forms & _NEVER_LAST:
        return False
    if forms & _OFTEN_INSIDE:
        return following.lower() in _STARTERS
    if forms & _BEFORE_NUMBER:
        return not _NUMBER.match(following)
    if _DOTTED_LETTERS.fullmatch(word):
        return word[0].isupper() and following.lower() in _STARTERS
    return True
