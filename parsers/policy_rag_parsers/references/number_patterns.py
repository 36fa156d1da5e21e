"""The patterns of numbers that a text refers to, of all languages at once: documents quote one another."""

import re
from typing import Final

from policy_rag_parsers.text.invisible import INVISIBLE
from policy_rag_parsers.text.lexicon import DOCUMENT_WORDS, reference_words
from policy_rag_parsers.text.unit_words import CODED, FORMS, HYPHENED, INSERTED, ONE_SERIES, OWN_SERIES, words_pattern

_NAMES = (form for form, unit in FORMS.items() if unit in OWN_SERIES | ONE_SERIES and len(form) > 4)
_UNITS = (
    rf"{words_pattern(_NAMES)}|part|teil|rule|deel|sec\.|art\.|app\.|paragraphs?|paras?\.?|ziffern?|ziff\.|absatz|abs\.|"
    r"nr\.|alinéas?|apartados?|comma|leden|lid|(?-i:APP|App)"
)
_BLANKS = rf"[^\S\n{INVISIBLE}]|[{INVISIBLE}]"
# No blank line: "2. Rules", the line of a title, is not followed by its number.
GAP: Final = rf"(?:{_BLANKS}){{0,6}}(?:\n(?:{_BLANKS}){{0,6}})?"
_AMOUNT = rf"(?!\s{{0,2}}(?:%|€|\$|£|(?i:{reference_words('amounts')})\b))"
_ITEMS = rf"(?:\.?[ {INVISIBLE}]{{0,3}}\((?:[a-z]{{1,5}}|[A-Z]|\d{{1,3}})\)){{0,5}}"
# "13A", "2a", "3 bis", "1er", "5.º"
_FIGURE = rf"\d{{1,4}}(?:{INSERTED}|{HYPHENED}|[A-Z]{{1,2}}(?!\w)|[a-z](?!\w)|er(?!\w)|\.?[ºª°](?:-[A-Z])?(?!\w))?"
_STEP = rf"\.(?:{_FIGURE}|[A-Z](?=\.\d))"
_END = rf"(?!\w|\.\d){_AMOUNT}"
_DIGITS = rf"(?:{CODED}|(?:[A-Z]{{1,2}}\.?)?{_FIGURE}(?:{_STEP}){{0,7}}){_ITEMS}{_END}"
_DOTTED = rf"(?:[A-Z]{{1,2}}\.?)?{_FIGURE}(?:(?:{_STEP}){{1,7}}{_ITEMS}|\([a-z]{{1,5}}\)){_END}"
_LETTERS = r"(?:[IVXLC]{1,7}|[A-Z])(?![\w.]\w|\w)"
_ITEM = r"\((?:[a-z]{1,5}|\d{1,3})\)(?!\w)"
_AND = rf"(?<!\w)(?:{reference_words('and_')})(?!\w)"
_TO = rf"(?:(?<!\w)(?:{reference_words('to')})(?!\w)|[-–])"
THROUGH: Final = _TO
"""The word between the ends of a range, or a dash."""
_OF_WORDS = reference_words("of").split("|")
JOINS: Final = (
    rf"(?<!\w)(?:{'|'.join(word for word in reference_words('and_').split('|') if word not in _OF_WORDS)})(?!\w)"
)
"""The word between two numbers of which each is meant: "and", "et"; not "of", which is "or" in Dutch."""
_MORE = rf"(?:{GAP}(?:,(?:{GAP}{_AND})?|{_AND}|{_TO}){GAP}(?:{_DIGITS}|{_ITEM})){{0,20}}"

TO: Final = re.compile(rf"{GAP}{_TO}{GAP}")
"""Between the ends of a range."""
NAMED: Final = re.compile(
    rf"(?:(?<!\w)(?P<unit>(?i:{_UNITS}))(?![^\W\d])|(?P<sign>§§?)){GAP}(?P<numbers>(?:{_DIGITS}|{_LETTERS}){_MORE})"
)
"""Numbers behind a unit's word."""
LED: Final = re.compile(rf"(?<!\w)(?i:{reference_words('leads')}){GAP}(?P<numbers>{_DOTTED})")
"""Numbers that are told by their form, behind words that lead to one."""
NUMBER: Final = re.compile(rf"{_DIGITS}|{_LETTERS}|{_ITEM}")
"""One of the numbers."""
BARE_NUMBER: Final = re.compile(rf"{GAP}(?P<numbers>{_DIGITS}{_MORE})")
"""Numbers behind a document's name."""
LAST_ITEM: Final = re.compile(r"\([^()]*\)\s*$")
HYPHEN: Final = re.compile(r"([A-Z]?\d[\d.]*)-([A-Z]?\d[\d.]*)")
AND: Final = re.compile(rf"\s{{1,3}}(?:{reference_words('and_')})\s{{1,3}}")
NEXT: Final = re.compile(rf"[,;]\s{{1,3}}(?:(?:{reference_words('and_')})\s{{1,3}})?|{AND.pattern}")

_INSIDE = rf"(?i:{reference_words('inside')})"
INSIDE_UNIT: Final = re.compile(rf"{_INSIDE}\.?")
"""The word of a unit that is counted inside another one."""
INSIDE_WORDS: Final = frozenset(
    form
    for one in DOCUMENT_WORDS
    for word in one.reference_words.inside.split("|")
    if word.removesuffix("s?").isalpha()
    for form in {word.replace("?", ""), word.removesuffix("s?")}
)
"""Those of them that are plain words, with their plurals."""
BESIDE: Final = re.compile(rf"[ \u00a0]?[,(]?{GAP}")
"""Between a unit and what is counted inside it: "section 4, paragraph 2"."""
_INSIDE_VALUE = r"\(?(?:\d{1,3}(?:er|[a-z]|\.?[ºª°])?|[a-z]{1,2}|[IVX]{1,4})\)?(?!\w)"
INSIDE: Final = re.compile(
    rf"(?:{GAP},?{GAP}(?<!\w){_INSIDE}\.?{GAP}{_INSIDE_VALUE}"
    rf"(?:{GAP}(?:,|{_AND}|{_TO}){GAP}\(?(?:\d{{1,3}}[a-z]?|[a-z])\)?(?!\w)){{0,5}}){{0,5}}"
)
"""All that is counted inside a unit, behind its number: "Abs. 1 lit. f"."""

_OF = rf"(?:{reference_words('of')})(?:(?<=['’])|\s{{1,3}})"
_THE = rf"(?:(?i:{reference_words('the')})(?:(?<=['’])|\s{{1,3}}))?"
OWNED: Final = re.compile(rf"(?:\s{{1,3}}|,\s{{1,3}}(?=of\s)){_OF}{_THE}")
"""Between a number and the text or the unit that it is of: "of the"."""
OF: Final = re.compile(rf",?\s{{1,3}}(?:{_OF}|(?:in|to|under|von)\s{{1,3}}){_THE}")
"""The same, or what stands between a number and a text that is spoken of anyway."""
THIS: Final = re.compile(rf"(?i:{reference_words('this')})\b")
THIS_UNIT: Final = re.compile(
    rf"\s{{1,3}}(?:{_OF}|in\s{{1,3}})?(?:{_THE})(?i:{reference_words('this')})\s{{1,3}}(?P<unit>(?i:{words_pattern(FORMS)}))(?!\w)"
)
"""Between a number and the unit that it stands in: "of this Schedule"."""
THERE: Final = re.compile(r"\s{1,3}(?i:there(?:of|in)?|ebenda|dort)\b")
