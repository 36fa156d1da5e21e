"""What a text obliges, permits, advises, forbids, waives and negates, and before which words it says so."""

import re
from collections import Counter
from functools import cache
from itertools import takewhile

from policy_rag_parsers.text.lexicon import LEXICONS, alternatives, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.sentences import Span
from policy_rag_parsers.text.tokenizer import terms, words

_LED = re.compile(r":(?=\s)")
_NON = re.compile(r"\b(non)-(?=\w)", re.IGNORECASE)


@cache
def clause_end(language: str) -> re.Pattern[str]:
    """Where a clause ends: at punctuation, and in front of a word such as "but"."""
    but = any_word(lexicon(language).but.split("|", maxsplit=1)[0]).pattern
    return re.compile(rf"[.;:!?]|,(?!\d)|{but}", re.IGNORECASE)


@cache
def denial(language: str) -> re.Pattern[str]:
    """Words that negate, and "without".

    >>> bool(denial("german").search("Ohne Beleg wird gezahlt."))
    True
    """
    return any_word(_negators(language), lexicon(language).without)


@cache
def negative(language: str) -> re.Pattern[str]:
    """Words that negate, refuse, forbid, except or restrict."""
    known = lexicon(language)
    return any_word(_negators(language), known.bans, known.denials, known.only, known.except_, known.without)


def _negators(language: str) -> str:
    known = lexicon(language)
    suffix = rf"|\w+{known.negation_suffix}" if known.negation_suffix else ""
    return alternatives(known.negators) + suffix


@cache
def condition(language: str) -> re.Pattern[str]:
    """Words that limit what is said: "unless", "only", "until", "without"."""
    known = lexicon(language)
    return any_word(known.except_, known.only, known.until, known.without)


@cache
def modal_stems() -> frozenset[str]:
    """The stems of the words of which modal expressions are made, of every language."""
    return frozenset(
        stem for known in LEXICONS.values() for word in known.modal_words for stem in terms(word, known.language)
    )


def content_stems(text: str, language: str) -> list[str]:
    """The stems of a text's words in order, without stop words and words of modal expressions.

    >>> content_stems("Staff must lock the doors.", "english")
    ['staff', 'lock', 'door']
    """
    without = modal_stems()
    return [stem for stem in terms(text, language) if stem not in without]


@cache
def _patterns(language: str) -> tuple[tuple[Modality, re.Pattern[str]], ...]:
    return tuple((kind, any_word(pattern)) for kind, pattern in lexicon(language).modals.items())


@cache
def _named_month(language: str) -> re.Pattern[str] | None:
    """A month whose name is a modal in lower case: "in May", "3 May"."""
    known = lexicon(language)
    names = "|".join(name.capitalize() for name in sorted(known.homonyms & known.modal_words))
    if not names:
        return None
    before = f"in|of|{known.bounds.from_date}|{known.bounds.until_date}"
    return re.compile(
        rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:{names})\b|\b(?:{names}) \d{{1,4}}\b|\b(?:{before}) (?:{names})\b"
    )


def modals(text: str, language: str) -> dict[Modality, frozenset[str]]:
    """The kinds of modal expressions in a text, each with the stems that it stands before.

    The first content word after the expression in its clause is the one that it stands before.

    >>> found = modals("Staff must not share keys and should lock screens.", "english")
    >>> {kind.value: sorted(heads) for kind, heads in found.items()}
    {'prohibition': ['share'], 'advice': ['lock']}
    """
    kinds: dict[Modality, frozenset[str]] = {}
    for kind, _, head in modal_spans(text, language):
        kinds[kind] = kinds.get(kind, frozenset()) | frozenset(filter(None, [head]))
    return kinds


def modal_spans(text: str, language: str) -> list[tuple[Modality, Span, str]]:
    """The modal expressions in a text, kind by kind: each with where it stands and the stem before which it does.

    >>> [(kind.value, span, head) for kind, span, head in modal_spans("Keys must not be lent.", "english")]
    [('prohibition', (5, 13), 'lent')]
    """
    rest = text.replace("’", "'")
    months = _named_month(language)
    if months:
        rest = months.sub(_blank, rest)
    spans: list[tuple[Modality, Span, str]] = []
    for kind, pattern in _patterns(language):
        spans += [
            (kind, found.span(), _first_content(rest[found.end() :], language)) for found in pattern.finditer(rest)
        ]
        rest = pattern.sub(_blank, rest)
    return spans


def denies_beside_modals(text: str, language: str) -> bool:
    """Whether a text denies by more than its prohibitions and exemptions: what it says besides is not plain.

    What stands behind one of them takes nothing from it.

    >>> texts = ("Dogs are not permitted.", "Dogs are not prohibited.", "Dogs are not, as a rule, permitted.")
    >>> [denies_beside_modals(text, "english") for text in texts]
    [False, True, True]
    >>> denies_beside_modals("Dogs are not permitted, not even small ones.", "english")
    False
    """
    rest, patterns = text.replace("’", "'"), dict(_patterns(language))
    negative = [found for kind in (Modality.EXEMPTION, Modality.PROHIBITION) for found in patterns[kind].finditer(rest)]
    if negative:
        rest = rest[: min(found.start() for found in negative)]
    return denial(language).search(rest) is not None


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])


def _first_content(following: str, language: str) -> str:
    clause = clause_end(language).split(following, maxsplit=1)[0]
    return next(iter(content_stems(clause, language)), "")


def negated_and_plain(text: str, language: str) -> tuple[Counter[str], Counter[str]]:
    """How often each stem stands negated, and how often without a negation.

    The first content word after "not", "no", "never" in its clause is the negated one; comparisons ("not later
    than") negate nothing. In a clause with a ban ("prohibited") everything is negated.

    >>> negated, plain = negated_and_plain("Staff must not share keys, and must lock screens.", "english")
    >>> sorted(negated), sorted(plain)
    (['share'], ['key', 'lock', 'screen', 'staff'])
    """
    negated: Counter[str] = Counter()
    free: Counter[str] = Counter()
    for clause in _clauses(text, language):
        stems = Counter(content_stems(clause, language))
        heads = Counter(stems) if _bans(clause, language) else _negated_heads(clause, language)
        negated += heads
        free += stems - heads
    return negated, free


def forbidden_clauses(text: str, language: str) -> tuple[frozenset[str], ...]:
    """The stems of each clause that forbids and does nothing else: by a ban, or by "must not" and no other modal.

    Which of its words is the deed is not told: "taking photographs of guests is prohibited". A line that leads into a
    list forbids what is listed too.

    >>> [sorted(one) for one in forbidden_clauses("Lending is fine, sharing keys is not permitted.", "english")]
    [['key', 'share']]
    >>> [sorted(one) for one in forbidden_clauses("These are prohibited: smoking, drinking.", "english")]
    [['drink', 'smoke']]
    """
    lead, *listed = _LED.split(text, maxsplit=1)
    found = _forbidden(lead, language)
    if found and listed:
        return (frozenset(content_stems(text, language)),)
    return (*found, *(clause for one in listed for clause in _forbidden(one, language)))


def _forbidden(text: str, language: str) -> tuple[frozenset[str], ...]:
    return tuple(
        frozenset(content_stems(one, language))
        for one in _clauses(text, language)
        if _bans(one, language) or modals(one, language).keys() == {Modality.PROHIBITION}
    )


def _clauses(text: str, language: str) -> list[str]:
    exemption = dict(_patterns(language))[Modality.EXEMPTION]
    return clause_end(language).split(exemption.sub(" ", joined_non(text).replace("’", "'")))


def _bans(clause: str, language: str) -> bool:
    return any_word(lexicon(language).bans).search(clause) is not None


def joined_non(text: str) -> str:
    """A text with "non-" as part of its word: a "non-resident" is somebody, and denies nothing.

    >>> joined_non("Non-residents and congés non pris")
    'Nonresidents and congés non pris'
    """
    return _NON.sub(r"\1", text)


def negations(tokens: list[str], language: str, *, comparing: bool = True) -> list[int]:
    """The places of words that negate; with `comparing`, "not later than" and the like do not.

    >>> negations(["not", "later", "than", "may", "not"], "english")
    [4]
    """
    known = lexicon(language)
    return [
        place
        for place, token in enumerate(tokens)
        if (token in known.negators or (known.negation_suffix and token.endswith(known.negation_suffix)))
        and not (comparing and not known.comparisons.isdisjoint(tokens[place + 1 : place + 2]))
    ]


def _negated_heads(clause: str, language: str) -> Counter[str]:
    known = lexicon(language)
    # "no visitor may enter" negates the deed, not the visitor
    heads = Counter(modals(clause, language).get(Modality.PROHIBITION, frozenset()))
    forbids = dict(_patterns(language))[Modality.PROHIBITION]
    for found in forbids.finditer(clause):
        last = words(found[0])[-1]  # "not eligible"
        heads.update(content_stems(last, language) if last not in known.negators | known.comparisons else ())
    clause = forbids.sub(" ", clause)
    if known.negation_suffix:
        clause = re.sub(rf"{known.negation_suffix}\b", " not", clause)
    tokens = words(clause)
    for place in negations(tokens, language):
        head = _first_content(
            " ".join(takewhile(lambda word: word not in known.negators, tokens[place + 1 :])), language
        )
        if head:
            heads[head] += 1
    return heads
