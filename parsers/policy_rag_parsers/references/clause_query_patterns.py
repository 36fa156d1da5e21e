"""The words and shapes by which a question names a clause; see `policy_rag_parsers.references.clause_query`."""

import re

from policy_rag_parsers.text.unit_words import FORMS, INSERTED, ONE_SERIES, OWN_SERIES

# Units that have numbers of their own: "Schedule 1" is never the section 1. Each with the word that a heading has.
SERIES = {form: unit for form, unit in FORMS.items() if unit in OWN_SERIES and form != "apps"}
LETTERED = (
    frozenset(SERIES) | {"section", "sections", "clause", "clauses", "article", "articles", "art", "artikel"}
) - {"app"}
# Units inside another, "§ 3 Abs. 2": those that may also stand alone, and those that may not.
SUB = {
    *("paragraph", "paragraphs", "para", "paras", "point", "points", "item", "items", "number", "no"),
    *("abs", "absatz", "absätze", "ziffer", "ziffern", "ziff", "punkt", "nr"),
}
ONLY_SUB = {
    *("subparagraph", "sub-paragraph", "subsection", "sub-section", "subclause", "sub-clause", "letter", "indent"),
    *("nummer", "nummern", "unterabsatz", "unterabs", "buchstabe", "buchstaben", "buchst", "lit", "litera"),
}
LETTERS_OF = {"lit", "litera", "buchst", "buchstabe", "buchstaben", "letter"}
SUB_LETTERED = (SUB | ONLY_SUB) - {"number", "no", "nr", "nummer", "nummern", "abs", "absatz"}
UNREAD = {"satz", "sätze", "halbsatz", "s"}  # of a paragraph that is shown whole
PLAIN = {form for form, unit in FORMS.items() if unit in ONE_SERIES and unit != "subsection"} | {
    *("paragraf", "paragrafen", "paragraphen"),
}
PLURALS = {
    *("sections", "clauses", "articles", "rules", "paragraphs", "paras", "points", "items", "parts", "chapters"),
    *("schedules", "appendices", "annexes", "exhibits", "attachments", "anlagen", "anhänge", "absätze", "ziffern"),
    *("abschnitte", "abschnitten", "artikeln", "paragrafen", "paragraphen", "nummern", "buchstaben"),
}
# Verbs too: "exhibit a pattern", "may I schedule 2 meetings".
VERBS = {"schedule", "exhibit", "annex"}
VERB_BEFORE = re.compile(
    r"\b(?:i|we|you|they|he|she|staff|employees?|managers?|can|may|must|should|shall|could|will|would|"
    r"(?:how|want|wish|need|have|has|allowed|able|like|free|required) to)\s+$",
    re.IGNORECASE,
)

WORDS = "|".join(
    re.escape(word)
    for word in sorted({*SERIES, *SUB, *ONLY_SUB, *UNREAD, *PLAIN} - {"app", "s"}, key=len, reverse=True)
)
UNIT = re.compile(
    rf"(?<![\w-])(?:(?P<unit>{WORDS})(?![\w-])\.?|(?P<short>(?i:app|s)\.)|(?P<sign>§+))\s{{0,4}}"
    r"|(?<![\w)])(?<!\d\s)(?P<bracket>\((?:[a-z]{1,4}|\d{1,2})\))(?=\s{1,3}(?:of|under|von|des|der)\s)",
    re.IGNORECASE,
)
ITEMS = r"(?:\s?\.?\((?:[a-z]{1,5}|\d{1,3})\))"
BASE = rf"(?:[A-Z]\.)?\d+(?:{INSERTED}|[A-Z]{{0,2}}|[a-f]|er)"
NUMBER = re.compile(rf"(?P<base>{BASE}(?:\.\d+[A-Z]?)*)(?P<items>{ITEMS}*)(?![\w%€$£])", re.IGNORECASE)
LETTER = re.compile(rf"(?P<base>[IVXL]{{1,6}}|[ivxl]{{2,6}}|[A-Za-z])(?P<items>{ITEMS}*)\)?(?![\w'’-]|\.\w)")
DOUBLED = re.compile(r"(?P<base>([a-z])\2)(?P<items>)\)?(?!\w)")
BRACKETS = re.compile(rf"(?P<base>)(?P<items>{ITEMS}+)", re.IGNORECASE)
LAST_BRACKET = re.compile(r"\)(?!\w)")
# "4.2" or "7(b)" is a clause number by its form; a bare "7" only behind a word that says so.
FORMED = re.compile(
    rf"(?<![\w.,€$£])(?P<base>{BASE}(?:\.\d+[A-Za-f]?)+)(?P<items>{ITEMS}*)(?![\w%€$£])(?!\.\d)"
    rf"|(?<![\w.,€$£])(?P<base2>{BASE})(?P<items2>{ITEMS}+)(?![\w%€$£])(?!\.\d)"
    r"|(?<![\w.,€$£])(?P<base3>[A-Z]\.\d+)(?![\w%€$£])(?!\.\d)"
)
NOT_BEFORE = re.compile(r"(?:version|v\.?|release|[€$£]|eur|usd|gbp)\s*$", re.IGNORECASE)
NOT_BEHIND = re.compile(
    r"\s*(?:%|€|\$|£|euros?\b|eur\b|usd\b|percent\b|per cent\b|million\b|hours?\b|days?\b|km\b)", re.IGNORECASE
)
AND = re.compile(r"\s{0,3}(?:,\s{0,3}(?:and|or|und|oder)\b|,|&|(?:and|or|und|oder|sowie)\b)\s{0,3}", re.IGNORECASE)
THROUGH = re.compile(r"\s{0,3}(?:(?:to|through|until|bis|bis zu)\b|[–-])\s{0,3}", re.IGNORECASE)
OF = re.compile(
    r",?\s{1,3}(?:of|in|to|under|von|vom|aus|im|zu|zur|des|der)\s{1,3}(?:(?:the|dem|den|der|des)\s{1,3})?",
    re.IGNORECASE,
)
BESIDE = re.compile(r"\s{0,3},?\s{0,3}")
ENDS = re.compile(
    r"\s*(?:$|[?.!,;:)\]\"'”’]|(?:of|in|to|under|and|or|say|says|state|states|cover|covers|contain|contains|require|"
    r"requires|provide|provides|mean|means|apply|applies|allow|allows|und|oder|der|des|die|das|zu|sagt|sagen|regelt|"
    r"regeln|besagt|besagen|steht|stehen|gilt|gelten|von|vom|im|enthält|enthalten)\b)",
    re.IGNORECASE,
)
ITEM = re.compile(r"\(([^()]*)\)")
