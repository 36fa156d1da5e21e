"""Clauses that a question asks for by number: "§ 3 Abs. 2 Nr. 1", "paragraph (b) of section 4.2", "Schedule 2"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from policy_rag_parsers.references.number_patterns import INSIDE_WORDS, JOINS, OF, THROUGH
from policy_rag_parsers.structure.numbering import number_key, roman_value
from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS, LINKING, alternatives, reference_words
from policy_rag_parsers.text.sentences import blanked
from policy_rag_parsers.text.unit_words import FORMS, INSERTED, ONE_SERIES, OWN_SERIES, UNIT_WORDS

# Units that have numbers of their own: "Schedule 1" is never the section 1. Each with the word that a heading has.
_SERIES = {form: unit for form, unit in FORMS.items() if unit in OWN_SERIES and form != "apps"}
_LETTERED = (
    frozenset(_SERIES)
    | {"section", "sections", "clause", "clauses", "article", "articles", "art", "artikel", "abschnitt"}
) - {"app"}
# Units inside another, "§ 3 Abs. 2": those that may also stand alone, and those that may not.
_SUB = {
    *("paragraph", "paragraphs", "para", "paras", "point", "points", "item", "items", "number", "no"),
    *("abs", "absatz", "absätze", "ziffer", "ziffern", "ziff", "punkt", "nr"),
}
_UNREAD = {"satz", "sätze", "halbsatz", "hs", "s"}  # of a paragraph that is shown whole
_ONLY_SUB = {
    *("subparagraph", "sub-paragraph", "subsection", "sub-section", "subclause", "sub-clause"),
    *("nummer", "nummern", "buchstabe", "buchst", "lit", "litera"),
    *(INSIDE_WORDS - _SUB - _UNREAD),
}
_LETTERS_OF = {
    *("lit", "litera", "buchst", "buchstabe", "buchstaben", "letter", "lettre", "letra", "lettera", "alínea"),
}
_SUB_LETTERED = (_SUB | _ONLY_SUB) - {"number", "no", "nr", "nummer", "nummern", "abs", "absatz"}
_PLAIN = {form for form, unit in FORMS.items() if unit in ONE_SERIES and unit != "subsection"} | {
    *("paragraf", "paragrafen", "paragraphen"),
}
_PLURALS = {
    *("sections", "clauses", "articles", "rules", "paragraphs", "paras", "points", "items", "parts", "chapters"),
    *("schedules", "appendices", "annexes", "exhibits", "attachments", "anlagen", "anhänge", "absätze", "ziffern"),
    *("abschnitte", "abschnitten", "artikeln", "paragrafen", "paragraphen", "nummern", "buchstaben"),
    *(f"{word}s" for word in UNIT_WORDS),
    *(word for word in INSIDE_WORDS - _SUB if word.endswith("s")),
}
# Verbs too: "exhibit a pattern", "may I schedule 2 meetings".
_VERBS = {"schedule", "exhibit", "annex"}
_VERB_BEFORE = re.compile(
    r"\b(?:i|we|you|they|he|she|staff|employees?|managers?|can|may|must|should|shall|could|will|would|"
    r"(?:how|want|wish|need|have|has|allowed|able|like|free|required) to)\s+$",
    re.IGNORECASE,
)

_WORDS = "|".join(
    re.escape(word)
    for word in sorted(
        {*_SERIES, *_SUB, *_ONLY_SUB, *_UNREAD, *_PLAIN} - {"app", "s"}, key=lambda word: (-len(word), word)
    )
)
_UNIT = re.compile(
    rf"(?<![\w-])(?:(?P<unit>{_WORDS})(?![\w-])\.?|(?P<short>(?i:app|s)\.)|(?P<sign>§+))\s{{0,4}}"
    rf"|(?<![\w)])(?<!\d\s)(?P<bracket>\((?:[a-z]{{1,4}}|\d{{1,2}})\))(?=\s{{1,3}}(?:under|{reference_words('of')})\s)",
    re.IGNORECASE,
)
_ITEMS = r"(?:\s?\.?\((?:[a-z]{1,5}|\d{1,3})\))"
_BASE = rf"(?:[A-Z]\.)?\d+(?:{INSERTED}|-[A-Z](?!\w)|[A-Z]{{0,2}}|[a-f]|er|\.?[ºª°](?:-[A-Z])?)"
_LETTERED_BASE = rf"(?-i:[A-UW-Z](?=\d{{1,2}}(?!-?\d)))?{_BASE}"  # "B2(a)"; a bare "B2.1" may be anything
_NUMBER = re.compile(rf"(?P<base>{_LETTERED_BASE}(?:\.\d+[A-Z]?)*)(?P<items>{_ITEMS}*)(?![\w%€$£])", re.IGNORECASE)
_LETTER = re.compile(rf"(?P<base>[IVXL]{{1,6}}|[ivxl]{{2,6}}|[A-Za-z])(?P<items>{_ITEMS}*)\)?(?![\w'’-]|\.\w)")
_DOUBLED = re.compile(r"(?P<base>([a-z])\2)(?P<items>)\)?(?!\w)")
_BRACKETS = re.compile(rf"(?P<base>)(?P<items>{_ITEMS}+)", re.IGNORECASE)
_LAST_BRACKET = re.compile(r"\)(?!\w)")
# "4.2" or "7(b)" is a clause number by its form; a bare "7" only behind a word that says so.
_FORMED = re.compile(
    rf"(?<![\w.,€$£])(?P<base>{_BASE}(?:\.\d+[A-Za-f]?)+)(?P<items>{_ITEMS}*)(?![\w%€$£])(?!\.\d)"
    rf"|(?<![\w.,€$£])(?P<base2>{_LETTERED_BASE})(?P<items2>{_ITEMS}+)(?![\w%€$£])(?!\.\d)"
    r"|(?<![\w.,€$£])(?P<base3>[A-Z]\.\d+)(?![\w%€$£])(?!\.\d)"
)
_VERSION = "|".join(one.title_block.versions for one in DOCUMENT_WORDS)
_NOT_BEFORE = re.compile(rf"(?:{_VERSION}|v\.?|release|[€$£]|eur|usd|gbp)\s*$", re.IGNORECASE)
_NOT_BEHIND = re.compile(rf"\s*(?:[%€$£]|(?:{reference_words('amounts')}|km)\b)", re.IGNORECASE)
_AND = re.compile(rf"\s{{0,3}}(?:,(?:\s{{0,3}}{JOINS})?|&|{JOINS})\s{{0,3}}", re.IGNORECASE)
_THROUGH = re.compile(rf"\s{{0,3}}{THROUGH}\s{{0,3}}", re.IGNORECASE)
_OF = re.compile(
    rf"{OF.pattern}|,?\s{{1,3}}(?:vom|aus|im|zu|zur)\s{{1,3}}(?:(?:dem|den|der|des)\s{{1,3}})?", re.IGNORECASE
)
_BESIDE = re.compile(r"\s{0,3},?\s{0,3}")
_ENDS = re.compile(
    rf"\s*(?:$|[?.!,;:)\]\"'”’]|(?:{alternatives(LINKING)}|{reference_words('of', 'and_', 'leads', 'behind')})\b)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"\(([^()]*)\)")

_PRINTED = {"appendix": ("appendix", "app.", "app"), "annex": ("annex", "annexure")}
_ROMAN = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_MOST_ROMAN = 39
_MOST_IN_RANGE = 12
_BACK = 40  # characters before a number that tell what it is
_MOST_DEEP = 4  # units in units, items in items
_SURELY = 2  # dots that no amount has


@dataclass(frozen=True, slots=True)
class ClauseQuery:
    """A clause that is asked for.

    Attributes:
        units: the numbered units from the outermost in, each its word ("schedule", or "" for those that are compared
            without one: section, clause, §) and its number as written.
        items: what is asked for inside the last unit, without brackets: paragraphs, numbers, letters.
        start: first character of the question that names it.
        end: one past the last.
    """

    units: tuple[tuple[str, str], ...]
    items: tuple[str, ...]
    start: int
    end: int

    @property
    def key(self) -> str:
        """One spelling for all ways to ask for it, as of `number_key`."""
        return unit_key(self.units) + "".join(f"({item.casefold()})" for item in self.items)


def unit_key(units: Sequence[tuple[str, str]]) -> str:
    """The key of a section's number that consists of these units.

    >>> unit_key((("part", "6"), ("chapter", "II"))), unit_key((("", "4.2"),))
    ('part6chapterii', '4.2')
    """
    return "".join(f"{word}{number_key(value)}" for word, value in units)


def possible_keys(query: ClauseQuery) -> tuple[str, ...]:
    """Keys of the sections in which a clause may stand: of its units, in either numerals, and of items in them.

    >>> possible_keys(clause_queries("Annex 2")[0])
    ('annex2', 'annexii', 'annexure2', 'annexureii')
    >>> possible_keys(clause_queries("4.2")[0])
    ('4.2', '4', 'iv', '4(2)', 'iv(2)', 'iv.2')
    >>> possible_keys(clause_queries("4.2(b)(ii)")[0])
    ('4.2', '4.2(b)', '4.2.b', '4.2(b)(ii)', '4.2(b).ii', '4.2.b(ii)', '4.2.b.ii')
    """
    keys = [""]
    for word, value in query.units:
        written = [f"{form}{number}" for form in _PRINTED.get(word, (word,)) for number in _numerals(value)]
        keys = [key + one for key in keys for one in written]
    if len(query.units) > 1:
        keys += possible_keys(replace(query, units=query.units[:1], items=()))
    last = keys
    for item in query.items:
        last = [key + form for key in last for form in (f"({item.casefold()})", f".{item.casefold()}")]
        keys = [*keys, *last]
    listed = as_item(query)
    return tuple(dict.fromkeys([*keys, *(possible_keys(listed) if listed else ())]))


def as_item(query: ClauseQuery) -> ClauseQuery | None:
    """The same clause as an item of a list: "2.2" may be the second in section 2; None where its number has no dot."""
    *outer, (word, number) = query.units
    head, _, last = number.rpartition(".")
    return None if query.items or not head else replace(query, units=(*outer, (word, head)), items=(last,))


def _numerals(value: str) -> tuple[str, ...]:
    """A number's key, and that of the other numerals where it is not a dotted one."""
    key = number_key(value)
    if value.isdecimal() and 0 < int(value) <= _MOST_ROMAN:
        tens, ones = divmod(int(value), 10)
        return (key, "x" * tens + _ROMAN[ones])
    figure = roman_value(value)
    return (key, str(figure)) if figure and (len(value) > 1 or value in "IVX") else (key,)


def without_clauses(question: str) -> str:
    """A question without the words that name clauses: "schedule" of "Schedule 2" tells nothing more."""
    return blanked(question, ((clause.start, clause.end) for clause in clause_queries(question)))


@lru_cache(maxsize=1 << 12)
def clause_queries(question: str) -> tuple[ClauseQuery, ...]:
    """The clauses that a question asks for, in order, each once.

    Amounts, shares, periods and version numbers are none. A range gives at most 12.

    >>> [one.key for one in clause_queries("What does 4.2 (b) of the expenses policy say?")]
    ['4.2(b)']
    >>> [one.key for one in clause_queries("Is section 7 of version 2.1 valid for trips above 2.5 hours in 2026?")]
    ['7']
    >>> [one.key for one in clause_queries("Was sagt § 3 Abs. 2 Nr. 1, und was Appendix B?")]
    ['3(2)(1)', 'appendixb']
    >>> [one.key for one in clause_queries("Compare sections 4 to 6 with paragraph (b) of section 9.1.")]
    ['4', '5', '6', '9.1(b)']
    """
    named = _within_others(question, _beside_others(question, _named(question)))
    first: dict[str, ClauseQuery] = {}
    for one in named:
        for units, items in one.values:
            if units:
                clause = ClauseQuery(units[:_MOST_DEEP], items[:_MOST_DEEP], one.start, one.end)
                first.setdefault(clause.key, clause)
    return tuple(first.values())


_Value = tuple[tuple[tuple[str, str], ...], tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class _Named:
    """Clauses named together; `sub` where they may lie in another unit, `worded` where they stand behind a word."""

    values: tuple[_Value, ...]
    start: int
    end: int
    sub: bool = False
    worded: bool = True

    @property
    def series(self) -> bool:
        """Whether it is a part, a schedule or another unit with numbers of its own."""
        return any(word for units, _ in self.values for word, _ in units)


def _named(question: str) -> list[_Named]:
    """What is named, in order, not overlapping: numbers behind a unit's word, and those that are one by their form."""
    found: list[_Named] = []
    end = 0
    for match in _UNIT.finditer(question):
        if match.start() >= end and (one := _behind_word(question, match)) is not None:
            found.append(one)
            end = one.end
    taken = [(one.start, one.end) for one in found]
    for match in _FORMED.finditer(question):
        name = "" if match["base"] else "2" if match["base2"] else "3"
        start, stop = match.start(), match.end()
        amount = _NOT_BEHIND.match(question, stop) or _NOT_BEFORE.search(question, max(0, start - _BACK), start)
        if amount or any(begin < stop and start < close for begin, close in taken):
            continue
        items = match[f"items{name}"] if name != "3" else ""
        value = (("", match[f"base{name}"]),), _labels(items)
        values, stop = _listed(question, [value], stop, "", brackets_only=True)
        found.append(_Named(tuple(values), start, stop, worded=False))
    return sorted(found, key=lambda one: one.start)


def _behind_word(question: str, match: re.Match[str]) -> _Named | None:
    """The numbers behind a unit's word; None where there are none, or where the word is a verb."""
    if match["bracket"]:
        return _Named((((), _labels(match["bracket"])),), *match.span(), sub=True)
    written = match["unit"] or match["short"] or match["sign"]
    word = written.casefold().rstrip(".")
    if (
        word in _VERBS
        and written.islower()
        and _VERB_BEFORE.search(question, max(0, match.start() - _BACK), match.start())
    ):
        return None
    first = _value_at(question, match.end(), written)
    if first is None:
        return None
    if word in _UNREAD:
        return _Named((((), ()),), match.start(), first[1], sub=True)
    values, end = _listed(question, [first[0]], first[1], written)
    paragraph = match["sign"] is not None and "º" in question[match.end() : end]  # "§ 2º" of an article in Portuguese
    return _Named(tuple(values), match.start(), end, sub=word in _SUB or word in _ONLY_SUB or paragraph)


def _value_at(question: str, at: int, written: str) -> tuple[_Value, int] | None:
    """The number, letter or Roman numeral at `at` behind a unit that is written so, and where it ends."""
    word = written.casefold().rstrip(".")
    inside = word in _SUB or word in _ONLY_SUB
    if inside and (match := _BRACKETS.match(question, at)):
        return ((), _labels(match["items"])), match.end()
    match = _NUMBER.match(question, at)
    if match is not None:
        if _NOT_BEHIND.match(question, match.end()):
            return None
        number = (("" if inside else _SERIES.get(word, ""), match["base"]),)
        labels = _labels(match["items"])
        by_form = labels or "." in match["base"]  # "subsection 12(2)" is a number by itself
        value = ((), (match["base"],)) if word in _ONLY_SUB and not by_form else (number, labels)
        closing = _LAST_BRACKET.match(question, match.end()) if inside else None
        return value, closing.end() if closing else match.end()
    match = _letter_at(question, at, written)
    if match is None:
        return None
    labels = _labels(match["items"])
    if inside:
        return ((), (match["base"], *labels)), match.end()
    return (((_SERIES.get(word, ""), match["base"]),), labels), match.end()


def _letter_at(question: str, at: int, written: str) -> re.Match[str] | None:
    """The letter or Roman numeral at `at`, where a unit that is written so can have one."""
    word = written.casefold().rstrip(".")
    if word not in _LETTERED and word not in _SUB_LETTERED and word != "app":
        return None
    match = _LETTER.match(question, at)
    if word in _LETTERS_OF:
        return match or _DOUBLED.match(question, at)
    if match is None or (len(match["base"]) > 1 and roman_value(match["base"]) is None):
        return None
    # "exhibit a pattern", "the part I play": an article and a pronoun, unless what is named ends there.
    doubtful = match["base"] in {"a", "i"} or (match["base"] == "I" and written.islower())
    return None if doubtful and not match["items"] and not _ENDS.match(question, match.end()) else match


def _listed(
    question: str, values: list[_Value], end: int, written: str, *, brackets_only: bool = False
) -> tuple[list[_Value], int]:
    """Further numbers in a list or a range: "§§ 3, 4 und 5", "sections 4 to 6", "4.2(a) and (b)"."""
    plural = written.startswith("§§") or written.casefold() in _PLURALS
    while True:
        through = _THROUGH.match(question, end)
        join = through or _AND.match(question, end)
        if join is None:
            return values, end
        if values[-1][1] and (bracket := _BRACKETS.match(question, join.end())):
            # "4.2(a) and (b)": the last bracket is another one
            labels = (*values[-1][1][:-1], *_labels(bracket["items"]))
            added, stop = (values[-1][0], labels), bracket.end()
        elif brackets_only or (through and not plural and through.group().strip() in "–-"):
            return values, end
        else:
            following = _value_at(question, join.end(), written)
            if following is None or not (plural or _ENDS.match(question, following[1])):
                return values, end
            added, stop = following
        values = [*values[:-1], *_range(values[-1], added)] if through else [*values, added]
        end = stop


def _range(first: _Value, last: _Value) -> list[_Value]:
    """All from the first to the last, where they differ in their last number or letter only; else those two."""
    (units, items), (_, last_items) = first, last
    if items and last_items and items[:-1] == last_items[:-1] and units == last[0]:
        between = _between(items[-1], last_items[-1])
        return [(units, (*items[:-1], label)) for label in between] or [first, last]
    if items or last_items or len(units) != 1 or len(last[0]) != 1 or units[0][0] != last[0][0][0]:
        return [first, last]
    (word, one), (_, two) = units[0], last[0][0]
    head, dot, tail = one.rpartition(".")
    two_head, _, two_tail = two.rpartition(".")
    between = _between(tail, two_tail) if head == two_head else []
    return [(((word, f"{head}{dot}{number}"),), ()) for number in between] or [first, last]


def _between(first: str, last: str) -> list[str]:
    """The numbers or letters from one to another, at most 12; nothing where they do not count up."""
    if first.isdecimal() and last.isdecimal() and int(first) < int(last):
        return [str(number) for number in range(int(first), min(int(last), int(first) + _MOST_IN_RANGE - 1) + 1)]
    if len(first) == len(last) == 1 and first.isalpha() and first.islower() == last.islower() and first < last:
        return [chr(code) for code in range(ord(first), min(ord(last), ord(first) + _MOST_IN_RANGE - 1) + 1)]
    return []


def _beside_others(question: str, named: Sequence[_Named]) -> list[_Named]:
    """With what stands right behind a unit put into it: "§ 3 Abs. 2", "section 4, point (b)", "Part 6 Chapter 2"."""
    joined: list[_Named] = []
    for one in named:
        before = joined[-1] if joined else None
        together = None
        if before is not None and _BESIDE.fullmatch(question, before.end, one.start):
            together = _put(one, before) if _may_lie_in(one, before) else None
        elif before is not None:
            together = _through(question, before, one)
        joined = [*joined[:-1], together] if together else [*joined, one]
    return joined


def _may_lie_in(one: _Named, before: _Named) -> bool:
    """Whether what is named right behind another lies in it."""
    if before.series and one.worded and not (one.series or one.sub or _dotted(one)):
        return True  # "Annex II Article 1"
    if one.series:
        return before.series and _first_word(one) != _first_word(before)
    return one.sub and not _dotted(one) and (before.sub or bool(before.values[-1][0]))


def _within_others(question: str, named: Sequence[_Named]) -> list[_Named]:
    """With what lies in the unit named after it put into that: "paragraph (b) of section 4.2", "4 of Schedule 1"."""
    joined: list[_Named] = []
    for one in reversed(named):
        outer = joined[-1] if joined else None
        if outer is None or not _OF.fullmatch(question, one.end, outer.start):
            joined.append(one)
        elif outer.series or (one.sub and not one.series and not _dotted(one)):
            joined[-1] = replace(_put(one, outer, last_only=False), start=one.start, end=outer.end)
        else:
            joined.append(one)
    return joined[::-1]


def _put(inner: _Named, outer: _Named, *, last_only: bool = True) -> _Named:
    """What `outer` names with what `inner` names inside it; in its last value only, or in each."""
    kept = outer.values[:-1] if last_only else ()
    into = outer.values[-1:] if last_only else outer.values
    made = []
    for units, items in into:
        for inner_units, inner_items in inner.values:
            if inner.series and not items:
                made.append(((*units, *inner_units), inner_items))
            else:
                made.append((units, (*items, *(number for _, number in inner_units), *inner_items)))
    return replace(outer, values=(*kept, *made), end=max(outer.end, inner.end))


def _through(question: str, first: _Named, last: _Named) -> _Named | None:
    """A range: "§ 3 bis § 5", "section 4 to section 6"; two bare numbers like 2.5 to 3.5 may be amounts."""
    if not _THROUGH.fullmatch(question, first.end, last.start) or first.sub != last.sub:
        return None
    if not first.worded and all(number.count(".") < _SURELY for units, _ in first.values for _, number in units):
        return None
    values = _range(first.values[-1], last.values[0])
    if len(values) <= 2 and values == [first.values[-1], last.values[0]]:
        return None
    return replace(first, values=(*first.values[:-1], *values, *last.values[1:]), end=last.end)


def _dotted(named: _Named) -> bool:
    return any("." in number for units, _ in named.values for _, number in units)


def _first_word(named: _Named) -> str:
    return named.values[0][0][0][0] if named.values[0][0] else ""


def _labels(brackets: str) -> tuple[str, ...]:
    return tuple(_ITEM.findall(brackets))
