"""What a sentence claims that can be checked word by word: quotations, modals, negations, acronyms."""

import re
from collections import Counter
from itertools import takewhile

from policy_rag.answering.verification.modality_lexicon import MODALS, PROHIBITION, WORDS
from policy_rag.index.search.tokens import terms, words

_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060\ufeff]")
_QUOTED = re.compile(
    r"“([^”\"]{2,})[”\"]|\"([^\"“”]{2,})\"|„([^“”\"]{2,})[“”\"]|«([^»]{2,})»|‘([^‘’]+(?:’\w[^‘’]*)*)’(?!\w)"
)
_LOOKS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-"}
)

_MONTH_OF_MAY = re.compile(r"\b\d{1,2}(?:st|nd|rd|th)? May\b|\bMay \d{1,4}\b|\b(?:in|of|since|until|by) May\b")
MODAL_STEMS = frozenset(stem for language, listed in WORDS.items() for stem in terms(listed, language))
NEGATORS = frozenset(
    words("not no never none nobody neither nor cannot")
    + words("nicht kein keine keinen keiner keinem nie niemals niemand")
    + words("pas non jamais aucun aucune ni rien nul nulle")
)
AFTER_COMPARISON = frozenset(
    words("later more less fewer earlier longer only greater higher lower sooner than limited exceeding")
    + words("später länger weniger früher höher plus moins")
)
NEGATIVE = re.compile(
    r"\b(?:not|no|never|none|nothing|neither|nor|nobody|cannot|\w+n't|without|unless|except|excluding|excludes?|excluded|exempt"
    r"|prohibit(?:s|ed|ing)?|forbid\w*|forbidden|banned|refus\w*|reject\w*|refrain\w*|avoid\w*|prevent\w*|only"
    r"|nicht|nichts|kein\w*|nie|niemals|niemand|weder|ohne|außer|ausgenommen|ausgeschlossen|verboten|untersagt|unzulässig"
    r"|pas|jamais|aucune?|ni|rien|non|sans|sauf|hormis|exclu\w*|interdit\w*)\b",
    re.IGNORECASE,
)
CONDITION = re.compile(
    r"\b(?:unless|except|only|until|without|außer|nur|ohne|ausgenommen|es sei denn|sauf|hormis|sans|uniquement"
    r"|seulement|à moins)\b",
    re.IGNORECASE,
)
_BAN = re.compile(
    r"\b(?:prohibit(?:s|ed)|forbidden|banned|verboten|untersagt|interdit(?:e|s|es)?|prohibée?s?)\b", re.IGNORECASE
)
CLAUSE_END = re.compile(r"[.;:!?]|,(?!\d)|\b(?:but|aber|mais)\b", re.IGNORECASE)
_FORBIDS = dict(MODALS)[PROHIBITION]
_YES_OR_NO = re.compile(r"\A[\W_]*(?:yes|no|ja|nein|oui|non)\s*[,.;:!–—-]+\s+(?=\S)", re.IGNORECASE)
_NON = re.compile(r"\b(non)-(?=\w)", re.IGNORECASE)
_SIGNS = {"£": "gbp", "€": "eur", "$": "usd"}
_ACRONYM = re.compile(r"\b[A-Z][A-Z0-9&]+s?\b")


def plain(text: str) -> str:
    r"""A text as it is compared for quotation: lower case, no invisible characters, one kind of quote, dash and blank.

    >>> plain("“Must\u00a0 not” — ever")
    '"must not" - ever'
    """
    return " ".join(_INVISIBLE.sub("", text).translate(_LOOKS).casefold().split())


def without_yes_or_no(text: str) -> str:
    """A sentence without the "Yes," or "No." that it begins with; "no visitor" is none.

    >>> without_yes_or_no("No, pets stay out."), without_yes_or_no("No pets.")
    ('pets stay out.', 'No pets.')
    """
    return _YES_OR_NO.sub("", text, count=1)


def quotations(text: str) -> list[str]:
    """What stands between quotation marks, in order.

    >>> quotations('It says "in writing" and “without delay”.')
    ['in writing', 'without delay']
    """
    return [next(part for part in found if part) for found in _QUOTED.findall(text)]


def is_verbatim(quotation: str, sources: list[str]) -> bool:
    """Whether one of the sources holds the quotation, up to case, blanks and kinds of marks.

    A quotation may leave words out where it shows it ("..."), in the order of the source.

    >>> is_verbatim("in ... days,", ["Within 30 days"]), is_verbatim("in 31 days", ["Within 30 days"])
    (True, False)
    """
    parts = [part.strip(" .,;:!?") for part in re.split(r"\[?(?:\.{3}|…)\]?", plain(quotation))]
    return any(_holds_in_order(plain(source), [part for part in parts if part]) for source in sources)


def _holds_in_order(source: str, parts: list[str]) -> bool:
    at = 0
    for part in parts:
        found = source.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return True


def modals(text: str, language: str = "english") -> dict[str, frozenset[str]]:
    """The kinds of modal expressions in a text, each with the stems that it stands before.

    The first content word after the expression in its clause is the one that it stands before.

    >>> {kind: sorted(heads) for kind, heads in modals("Staff must not share keys and should lock screens.").items()}
    {'prohibition': ['share'], 'advice': ['lock']}
    """
    rest = _MONTH_OF_MAY.sub(lambda found: " " * len(found[0]), text.replace("’", "'"))
    kinds: dict[str, frozenset[str]] = {}
    for kind, pattern in MODALS:
        matches = list(pattern.finditer(rest))
        if matches:
            heads = (_first_content(rest[found.end() :], language) for found in matches)
            kinds[kind] = frozenset(head for head in heads if head)
        rest = pattern.sub(lambda found: " " * len(found[0]), rest)
    return kinds


def _first_content(following: str, language: str) -> str:
    clause = CLAUSE_END.split(following, maxsplit=1)[0]
    return next((stem for stem in terms(clause, language) if stem not in MODAL_STEMS), "")


def negated_and_plain(text: str, language: str = "english") -> tuple[Counter[str], Counter[str]]:
    """How often each stem stands negated, and how often without a negation.

    The first content word after "not", "no", "never" in its clause is the negated one; comparisons ("not later
    than") negate nothing. In a clause with a ban ("prohibited") everything is negated.

    >>> negated, plain = negated_and_plain("Staff must not share keys, and must lock screens.")
    >>> sorted(negated), sorted(plain)
    (['share'], ['key', 'lock', 'screen', 'staff'])
    """
    negated: Counter[str] = Counter()
    free: Counter[str] = Counter()
    without_exemptions = MODALS[0][1].sub(" ", whole(text).replace("’", "'"))  # "not required" negates no deed
    for clause in CLAUSE_END.split(without_exemptions):
        stems = Counter(stem for stem in terms(clause, language) if stem not in MODAL_STEMS)
        heads = Counter(stems) if _BAN.search(clause) else _negated_heads(clause, language)
        negated += heads
        free += stems - heads
    return negated, free


def whole(text: str) -> str:
    """A text with "non-" as part of its word: a "non-resident" is somebody, and denies nothing.

    >>> whole("Non-residents and congés non pris")
    'Nonresidents and congés non pris'
    """
    return _NON.sub(r"\1", text)


def _negated_heads(clause: str, language: str) -> Counter[str]:
    # "no visitor may enter" negates the deed, not the visitor
    heads = Counter(modals(clause, language).get(PROHIBITION, frozenset()))
    tokens = words(re.sub(r"n't\b", " not", _FORBIDS.sub(" ", clause) if heads else clause))
    for place, token in enumerate(tokens):
        following = tokens[place + 1 :]
        if token not in NEGATORS or (following and following[0] in AFTER_COMPARISON):
            continue
        until = takewhile(lambda word: word not in NEGATORS, following)
        head = _first_content(" ".join(until), language)
        if head:
            heads[head] += 1
    return heads


def unknown_acronyms(text: str, sources: list[str]) -> list[str]:
    """Acronyms that no source has, neither written nor as the initials of words in a row.

    >>> unknown_acronyms("The DPO and the CFO decide.", ["Ask the Data Protection Officer."])
    ['CFO']
    """
    joined = " ".join(sources)
    present = {found.rstrip("s").upper() for found in re.findall(r"\w[\w&]+", joined)}
    present |= {name.upper() for sign, name in _SIGNS.items() if sign in joined}
    initials = "".join(word[0] for word in words(joined)).upper()
    asked = dict.fromkeys(found.rstrip("s") for found in _ACRONYM.findall(text))
    return [name for name in asked if name.upper() not in present and name.upper() not in initials]
