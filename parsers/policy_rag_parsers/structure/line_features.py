"""The shape of a line: whether it reads as a title, a clause, a row, an amount, or as running text."""

import re
from collections.abc import Iterator
from functools import cache

from policy_rag_parsers.structure.numbering import Closing, NumberMarker, read_marker
from policy_rag_parsers.text.dates import month_pattern
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.lexicon import (
    JOINING,
    LEXICONS,
    LINKING,
    alternatives,
    line_sets,
    line_words,
    reference_words,
)
from policy_rag_parsers.text.unit_words import BACK_MATTER, KIND_OF

_CROSS_REFERENCE = re.compile(
    rf"(?:(?:{reference_words('of', 'and_', 'to', 'leads', 'behind')}|{alternatives(LINKING | {'may', 'do'})}"
    rf"|{line_words('finite', 'opens')})\b|[,;)\]])"
)
_ENDLESS = LINKING - line_sets("small")
_YEAR = re.compile(r"(?:19|20)\d\d$")
_DATE = re.compile(r"\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d$")
_REFERENCES = "|".join(one.references for one in LEXICONS.values())
_RUNS_ON = re.compile(
    rf"(?:\b(?:(?:{alternatives(LINKING)}|{reference_words('leads')}|{line_words('is_')}|{_REFERENCES})"
    rf"|(?=\w{{2,4}}\.)(?:{reference_words('inside')})\.)|[,(–])\s*$",
    re.IGNORECASE,
)
_FINITE = re.compile(rf"\b(?:{line_words('finite')})(?!\w)")
# "Staff who are exempt" names something.
_RELATED = re.compile(rf"(?<=\w) (?:{line_words('relates')}) (?:{line_words('finite')})(?!\w)")
# "Taxis may be taken" says something; "Costs that may be claimed" and "Gifts you may be offered" name something.
_GRANTS = re.compile(r".*\bmay (?:be|only|also|either)\b")
_MAY = re.compile(r".*\bmay\b")
_RELATIVE = re.compile(
    r".*\b(?:that|[Ww]hich|[Ww]ho|[Ww]hom|[Ww]hose|[Ww]hen|[Ww]here|[Hh]ow|[Ww]hat)\b[^,]*\bmay\b|"
    r"(?!Then|Here|Also|Now|Once|If|Otherwise)[A-Z]\w+ (?:you|we|they|it) may\b"
)
_OPEN_END = re.compile(rf"(\S*) (?:{line_words('opens')})$")
# An item of a list on the next line, or behind a blank one.
_ITEM = re.compile(r"[ \t]*\n[ \t]*\n?[ \t]*(?:\(?(?:[a-z]{1,4}|\d{1,2})\)|[-*•–])[ \t]+(?P<first>\w)")
# A question without its sign may end with what it asks: "Who this policy applies to", "What we pay for".
_ASKS_OF = re.compile(r"(?:Who|Whom|What|Which|Where)\b[^,.;:]{1,60} (?:to|for|from|of|with)$")
# Who does something, or a verb at the end.
_CAPITAL = r"(?=[A-ZÀ-ÖØ-Þ])"
_LEADS_ON = re.compile(rf"{_CAPITAL}(?i:{line_words('doers')})\b.|.* (?:{line_words('does')})$")
_ASKING = "|".join(one.question.asks for one in LEXICONS.values())
_QUESTION = re.compile(
    rf"{_CAPITAL}(?i:{_ASKING}|{line_words('asks')})(?!\w)"
    rf"(?:\W+[^\s,]+){{0,5}}(?:,? (?:{alternatives(JOINING)})\b.{{0,40}})?$"
)
_MARKUP = re.compile(r"[\[<{*_`\\]")  # one of these is in all that follows
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|</?[A-Za-z][^>]{0,80}>|\{#[^}]*\}")
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)((?:(?!\1).)*)\1|(?<!\w)([*_])(?=\S)((?:(?!\3).)*?\S)\3(?!\w)")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")  # of Markdown: a stroke before any ASCII punctuation
CLOSING_DASHES = (" -", " –", " —")
_IN_BRACKETS = re.compile(r"\((?=[^()]*[^\W\d_]{3})[^()]+\)")  # a title: "§ 2 (Kosten)", "4.2 (repealed)"
_LONGEST_WORD = 24
_FULL_LINE = 64  # a line of so many characters may have been broken by its editor,
_WIDEST_MARGIN = 100  # one of more than so many was not
_BROKEN_LINE = range(_FULL_LINE + 1, _WIDEST_MARGIN + 1)
LONG_LINE = 400  # no heading is longer; of a longer line only this much is looked at


def clean_title(text: str) -> str:
    """Return a title without markup, closing punctuation and repeated blanks.

    >>> clean_title("**Travel**  and [costs](x.md):")
    'Travel and costs'
    """
    if _MARKUP.search(text):
        text = _LINK.sub(lambda match: match[1] or "", text)
        text = _EMPHASIS.sub(lambda match: match[2] or match[4] or "", text)
        text = _ESCAPE.sub(r"\1", text)
    text = INVISIBLE_MARK.sub("", " ".join(text.split())).strip(" *_#\t")
    if text.endswith(CLOSING_DASHES):
        text = text[:-2].rstrip()
    if text.endswith((".", ":")) and not text.endswith("..") and not re.search(r"\b[A-Z]\.$", text):
        text = text[:-1].rstrip()
    return text


def is_title(text: str) -> bool:
    """Whether a short text reads as a title rather than as a sentence.

    >>> is_title("Travel and expenses"), is_title("Employees must book through the portal.")
    (True, False)
    >>> is_title("Staff who are exempt"), is_title("Staff are exempt")
    (True, False)
    """
    text = text.strip()
    if not text or len(text) > 120:
        return False
    words = text.split()
    if len(words) > 16 or not any(char.isalpha() for char in text):
        return False
    if text.isupper():
        return not text.endswith(";")
    goes_on = text[-1] in ";,:—" or text.endswith(CLOSING_DASHES) or words[-1] in _ENDLESS
    if text[0].islower() or (goes_on and not _ASKS_OF.match(text)):
        return False
    if (text.endswith((".", "!")) and len(words) > 5) or (". " in text and len(words) > 6):
        return False
    asks = text.endswith("?") or (_QUESTION.match(text) is not None and text[-1] not in ".!")
    return asks or not (_FINITE.search(_RELATED.sub(" ", text)) or _says(text))


def _says(text: str) -> bool:
    """Whether a line grants something or breaks off before its conditions: it then leads into what is below."""
    grants = _GRANTS.match(text) is not None and _RELATIVE.match(text) is None
    breaks_off = _OPEN_END.search(text)
    return grants or (breaks_off is not None and breaks_off[1] not in JOINING)


def leads_on(rest: str, text: str, line_end: int) -> bool:
    r"""Whether a line without a full stop begins a sentence that a list under it goes on with.

    >>> below = "\n\n(a) after 10 pm; or\n(b) with luggage."
    >>> leads_on("The company pays", below, 0), leads_on("Eligible costs", below, 0)
    (True, False)
    """
    item = _ITEM.match(text, line_end)
    if item is None:
        return False
    if _MAY.match(rest) and not _RELATIVE.match(rest):
        return True
    return item["first"].islower() and _LEADS_ON.match(rest.rstrip()) is not None


def wraps(text: str, start: int, line_end: int) -> bool:
    """Whether the line goes on in the next one: in lower case, or where both look broken by an editor at a margin."""
    below = text[line_end + 1 : line_end + 1 + LONG_LINE].partition("\n")[0]
    shown = below.strip()
    length = line_end - start
    if not shown or length <= _FULL_LINE // 2:
        return False
    broken = length in _BROKEN_LINE and len(below) <= _WIDEST_MARGIN and shown[0].isalnum()
    if not (broken or shown[0].islower() or shown[0] in "%€$£"):
        return False
    marker = read_marker(below)
    return marker is None or _counts(marker, below)


def _counts(marker: NumberMarker, line: str) -> bool:
    """Whether the number at the head of a line counts what follows it: "10 days after the report", "31 January"."""
    plain = not marker.parts[0].word and len(marker.parts) == 1 and marker.closing is Closing.NONE and not marker.tab
    word = line[marker.rest :].partition(" ")[0]
    return plain and (word[:1].islower() or is_quantity(marker, word))


def is_row(rest: str) -> bool:
    """Whether the text beside a number is a row of cells."""
    if rest.count("\t") > 1 and len([cell for cell in rest.split("\t") if cell.strip()]) > 2:
        return True
    return " | " in rest or rest.startswith("|")


@cache
def _quantity() -> re.Pattern[str]:
    """What follows a number that counts it, or a day's."""
    return re.compile(
        rf"(?:%|[€£$°×]|(?:k?g|k?m|cm|mm|GB|MB|kW|USD|EUR|GBP|AED|am|pm|bn"
        rf"|{reference_words('amounts')}|{line_words('counted')})\b"
        rf"|(?i:(?:de )?(?:{month_pattern()}))\b[.,]?(?: (?:de )?\d|$))"
    )


def is_quantity(marker: NumberMarker, rest: str) -> bool:
    """Whether a number without closing punctuation is an amount, a date or a year."""
    if marker.parts[0].word or len(marker.parts) > 3:
        return False
    if _DATE.match(marker.number) and marker.closing is Closing.NONE and marker.number[-4:-2] in {"19", "20"}:
        return True
    if marker.closing is Closing.NONE and len(marker.parts) <= 2 and _quantity().match(rest):
        return True
    return len(marker.parts) == 1 and _YEAR.match(marker.parts[0].value) is not None


def weigh(marker: NumberMarker, rest: str, text: str, start: int) -> int:
    """Weigh a numbered line: 2 has the shape of a heading or clause, 1 is doubtful, 0 is running text.

    Args:
        marker: the number at the head of the line.
        rest: the text beside it.
        text: the document.
        start: where the line starts.
    """
    first = marker.parts[0]
    set_off = marker.tab or marker.closing is not Closing.NONE
    if marker.glued and marker.tab and (rest or not first.word or any(part.word for part in marker.parts[1:])):
        return 2
    before = text[max(0, start - _FULL_LINE) : start]
    if _refers(marker, rest, before, set_off=set_off, apart=_stands_apart(text, start)):
        return 0
    if rest[:1].islower() and not (first.word and marker.closing is Closing.COLON):
        return 1 if set_off or len(marker.parts) > 1 else 0
    if not first.word:
        cell = not rest and len(marker.parts) == 2 and marker.closing is Closing.NONE  # "4.2" alone on its line
        return 2 if (set_off and not cell) or is_title(rest) or len(marker.parts) > 2 else 1
    alone = not before.strip(" \t") or before.endswith("\n\n")
    if rest or alone or first.word in BACK_MATTER or marker.closing is not Closing.NONE:
        return 2
    # a unit on a line of its own may be the end of a sentence: "... as required by\nSection 4.2"
    return int(len(marker.parts) == 1)


def _refers(marker: NumberMarker, rest: str, before: str, *, set_off: bool, apart: bool) -> bool:
    """Whether a number at the head of a line is a cross-reference in running text."""
    first = marker.parts[0]
    titled = apart and (first.word or len(marker.parts) > 1) and _IN_BRACKETS.fullmatch(rest)
    if not set_off and not titled and (_CROSS_REFERENCE.match(rest) or rest[:1] in {"(", "%", "/", "="}):
        return True
    if not apart and not marker.tab and KIND_OF.get(first.word) == "clause":
        return True  # "... im Sinne des § 5 Abs. 2" over "Nr. 4 Kündigungsschutzgesetz"
    line_above = before.removesuffix("\n").rpartition("\n")[2]
    runs_on = _RUNS_ON.search(line_above[-_LONGEST_WORD:]) is not None and _is_prose(line_above)
    return runs_on and not (marker.tab and rest)


def _stands_apart(text: str, start: int) -> bool:
    """Whether the line above does not go on: it ends a sentence, is short, or a title with a number or by itself."""
    above, _, line = text[max(0, start - LONG_LINE) : max(0, start - 1)].rpartition("\n")
    if len(line) <= _FULL_LINE // 3 or line.rstrip().endswith((".", "!", "?", ":", ";")):
        return True
    if len(line) > _FULL_LINE:
        return False
    marker = read_marker(line)
    title = line[marker.rest :] if marker else line
    return title[:1].isupper() and is_title(title) and (marker is not None or not above.rpartition("\n")[2].strip())


def _is_prose(line: str) -> bool:
    """Whether a line is running text, not a short heading or list item."""
    return len(line) > _FULL_LINE // 3 and read_marker(line) is None


def line_starts(pattern: re.Pattern[str], text: str, begin: int) -> Iterator[int]:
    """Yield where the lines start that a pattern finds; the pattern begins with the line end before."""
    if pattern.match("\n" + text[begin : begin + LONG_LINE]):
        yield begin
    for match in pattern.finditer(text, begin):
        yield match.end()


def end_of_line(text: str, start: int) -> int:
    """Return where the line ends that holds `start`."""
    end = text.find("\n", start)
    return len(text) if end < 0 else end
