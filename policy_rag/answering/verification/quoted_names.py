"""Whether what a statement quotes and names stands in what it cites: quotations, acronyms, roles, persons, subjects."""

import re
from functools import cache

from policy_rag.answering.verification.sentence import Sentence
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.dates import month_names
from policy_rag_parsers.text.invisible import INVISIBLE_MARK
from policy_rag_parsers.text.lexicon import any_word, lexicon
from policy_rag_parsers.text.modality import content_stems
from policy_rag_parsers.text.numbers import number_in_words
from policy_rag_parsers.text.tokenizer import words
from policy_rag_parsers.text.units import unit_names

_QUOTED = re.compile(
    r"“([^”\"]{2,})[”\"]|\"([^\"“”]{2,})\"|„([^“”\"]{2,})[“”\"]|«([^»]{2,})»|‘([^‘’]+(?:’\w[^‘’]*)*)’(?!\w)"
)
_LOOKS = str.maketrans(
    {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "’": "'", "‘": "'", "–": "-", "—": "-", "‑": "-"}
)
_SIGNS = {"£": "gbp", "€": "eur", "$": "usd"}
ACRONYM = re.compile(r"\b[A-Z][A-Z0-9&]+s?\b")
_CAPITAL = r"[A-ZÄÖÜÉÈÀÂÇÁÍÓÚÃÕ][\w'’-]*[^\W\d_]"
_FIRST = re.compile(r"\A\W*\w+")
_LEAST_SHARED = 5  # letters at the beginning by which two words are forms of one
_LEAST_PART = 4  # letters of a word that may be part of another


# --- quotations and acronyms ---------------------------------------------------------------------------------------


def plain(text: str) -> str:
    r"""A text as it is compared for quotation: lower case, no invisible characters, one kind of quote, dash and blank.

    >>> plain("“Must\u00a0 not” — ever")
    '"must not" - ever'
    """
    return " ".join(INVISIBLE_MARK.sub("", text).translate(_LOOKS).casefold().split())


def quotations(text: str) -> list[str]:
    """What stands between quotation marks, in order.

    >>> quotations('It says "in writing" and “without delay”.')
    ['in writing', 'without delay']
    """
    return [next(part for part in found if part) for found in _QUOTED.findall(text)]


def is_verbatim(quotation: str, sources: tuple[str, ...]) -> bool:
    """Whether one of the sources holds the quotation, up to case, blanks and kinds of marks.

    A quotation may leave words out where it shows it ("..."), in the order of the source.

    >>> is_verbatim("in ... days,", ("Within 30 days",)), is_verbatim("in 31 days", ("Within 30 days",))
    (True, False)
    """
    parts = [part.strip(" .,;:!?") for part in re.split(r"\[?(?:\.{3}|…)\]?", plain(quotation))]
    pattern = re.compile(".*?".join(re.escape(part) for part in parts if part), re.DOTALL)
    return any(pattern.search(plain(source)) for source in sources)


def other_quotation(statement: Sentence, evidence: Evidence) -> str:
    """The first quotation that stands nowhere so in what is cited, or ""."""
    sources = (*evidence.texts, *evidence.titles)
    quoted = next((one for one in quotations(statement.text) if not is_verbatim(one, sources)), "")
    return f'the quotation "{quoted}" is not in what it cites' if quoted else ""


def unknown_acronym(statement: Sentence, evidence: Evidence) -> str:
    """The first acronym that is nowhere in what is cited, neither written nor as the initials of words in a row."""
    present = {found.rstrip("s").upper() for found in re.findall(r"\w[\w&]+", evidence.whole)}
    present |= {name.upper() for sign, name in _SIGNS.items() if sign in evidence.whole}
    initials = evidence.initials.upper()
    for found in ACRONYM.findall(statement.text):
        name = found.rstrip("s")
        if name.upper() not in present and name.upper() not in initials:
            return f"{name} is not in what it cites"
    return ""


# --- roles and persons ---------------------------------------------------------------------------------------------


def unknown_role(statement: Sentence, evidence: Evidence) -> str:
    """The first noun such as "officer" that is not in what is cited, nor one of its synonyms, or ""."""
    for word in statement.words:
        group = next((roles for roles in statement.lexicon.roles if word in roles), None)
        if group and evidence.words.isdisjoint(group):
            return f'"{word}" is not in what it cites'
    return ""


@cache
def _name(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    if known.titles:  # nouns have capitals
        return re.compile(rf"\b(?:{known.titles})\s+{_CAPITAL}(?:\s+{_CAPITAL})*")
    return re.compile(rf"\b{_CAPITAL}(?:\s+(?:{known.name_joints})?{_CAPITAL})+")


def unknown_person(statement: Sentence, evidence: Evidence) -> str:
    """The first word of a name that is not in what is cited, or "".

    A name is two capitalised words or more in a row, each of which must stand there, or their initials; where nouns
    have capitals, what follows a title such as "Frau".
    """
    known = statement.lexicon
    first = _FIRST.match(statement.text)
    begun = first.end() if first else 0  # where a capital may be that of the sentence
    apart = re.compile(rf"(?:(?!\s(?:{'|'.join(known.and_)})\s).)+", re.DOTALL)
    for run in _name(statement.language).finditer(statement.text):
        telling = (word for word in re.findall(_CAPITAL, run[0]) if word.lower() not in known.openers)
        if "".join(word[0] for word in telling) in evidence.acronyms:
            continue
        for name in apart.finditer(run[0]):
            capitals = list(re.finditer(_CAPITAL, name[0]))
            inside = [one[0] for one in capitals if run.start() + name.start() + one.start() >= begun]
            for word in inside if len(capitals) > 1 else []:
                if word.lower() not in known.openers and not _is_named(word, evidence):
                    return f'"{word}" is not in what it cites'
    return ""


def _is_named(word: str, evidence: Evidence) -> bool:
    return all(
        not evidence.words.isdisjoint((part, part.removesuffix("s"), f"{part}s"))
        or (word.isupper() and part in evidence.initials)
        for part in words(word)
    )


# --- subjects ------------------------------------------------------------------------------------------------------


def unknown_subject(statement: Sentence, evidence: Evidence) -> str:
    """What a statement with a figure is on, if no telling word of it stands in the sources in any form; else "".

    Its subject is what stands before its first verb. Words for measures, people and policies tell nothing, and a
    subject without another word is not judged; nor is a statement that begins with a preposition or "if".
    """
    known = statement.lexicon
    if not statement.claims or re.match(rf"\W*{any_word(known.front).pattern}", statement.text, re.IGNORECASE):
        return ""
    verb = any_word(known.verbs).search(statement.text)
    telling = [
        word for word in words(statement.text[: verb.start()] if verb else statement.text) if _tells(word, statement)
    ]
    if not telling:
        return ""
    is_known = any(_has_form(word, evidence) or (len(word) > 1 and word in evidence.initials) for word in telling)
    if is_known or "".join(word[0] for word in telling).upper() in evidence.acronyms:
        return ""
    return f'of "{telling[0]}" what it cites says nothing'


def _tells(word: str, statement: Sentence) -> bool:
    language = statement.language
    if word in statement.lexicon.vague_nouns or word in unit_names(language) or word in month_names(language):
        return False
    return not (word[0].isdigit() or number_in_words([word], language)) and bool(content_stems(word, language))


def _has_form(word: str, evidence: Evidence) -> bool:
    known = lexicon(evidence.language)
    if word in evidence.words or any(word in one and not evidence.words.isdisjoint(one) for one in known.synonyms):
        return True
    core = _core(word, known.measures)
    return any(_are_forms(core, _core(other, known.measures)) for other in evidence.words)


def _core(word: str, measures: tuple[str, ...]) -> str:
    """A compound without the measure that it ends with: "kündigungs" of "kündigungsfrist"."""
    measure = next((one for one in measures if word.endswith(one) and len(word) >= len(one) + _LEAST_PART), "")
    return word.removesuffix(measure)


def _are_forms(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) >= _LEAST_PART and shorter in longer:
        return True
    return len(shorter) >= _LEAST_SHARED and one[:_LEAST_SHARED] == other[:_LEAST_SHARED]
