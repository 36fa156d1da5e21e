"""Who decides by a statement, where another statement says the same of another person."""

import re

from policy_rag.answering.verification.other_persons import are_synonyms
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag_parsers.text.lexicon import alternatives, any_word
from policy_rag_parsers.text.modality import modal_stems
from policy_rag_parsers.text.tokenizer import terms

_LONGEST = 6  # words of a person that the other statement has not
_BESIDE = 3  # words that may stand between these and the verb: "of IT"


def decides(statement: Sentence) -> bool:
    """Whether it says that somebody does what only some may do: "approve"."""
    return bool(statement.says(statement.lexicon.decides))


def persons(one: Sentence, other: Sentence) -> tuple[str, str] | None:
    """Who decides by each of two statements that differ in nothing else; None where they do, or where nobody decides.

    >>> from policy_rag.answering.verification.sentence import read
    >>> first = read("The board decides on new sites.", "english")
    >>> persons(first, read("New sites are decided on by the works council.", "english"))
    ('The board', 'the works council')
    >>> persons(first, read("The board decides on new shops.", "english")) is None
    True
    """
    if not (decides(one) and decides(other)):
        return None
    ours, theirs = _person(one, other), _person(other, one)
    return None if not (ours and theirs) or are_synonyms(ours, theirs, one.lexicon.roles) else (ours, theirs)


def essence(statement: Sentence) -> Sentence:
    """A statement without what makes no difference to who decides: "of any kind", and what is said of another deed.

    What follows the person behind "and" is another deed unless it is a person, too, or sets a condition.

    >>> from policy_rag.answering.verification.sentence import read
    >>> essence(read("Loans of any kind are granted by the board and noted in the file within 5 days.", "english")).text
    'Loans are granted by the board'
    """
    known = statement.lexicon
    if not known.of_any_kind:
        return statement
    text = re.sub(rf",?\s*{any_word(known.of_any_kind).pattern}", "", statement.text, flags=re.IGNORECASE)
    joined, persons_begin = alternatives(known.and_), alternatives(known.determiners | known.articles)
    further = re.compile(
        rf"(?P<person>(?<!\w)(?i:{known.agent})\s+[^.;:,]+?),?\s(?i:{joined})\s(?!(?i:{persons_begin})\b)(?=[a-zß-ÿ])(?P<deed>.*)$",
        re.DOTALL,
    ).search(text)
    limits = any_word(known.if_, known.when, known.only, known.except_, known.without)
    if further and not limits.search(further["deed"]):
        text = f"{text[: further.start()]}{further['person']}"
    return read(text, statement.language)


def _person(statement: Sentence, other: Sentence) -> str:
    """The words that only a statement has, if these are one person, with what belongs to it, as it is written."""
    known, text = statement.lexicon, statement.text
    theirs = frozenset(terms(other.text, other.language)) | modal_stems()
    spans = [one.span() for one in re.finditer(r"\w[\w-]*", text)]
    stems = [frozenset(terms(text[start:end], statement.language)) for start, end in spans]
    new = [place for place, found in enumerate(stems) if found - theirs]
    first, last = (new[0], new[-1]) if new else (0, -1)
    if not 0 < last - first + 1 <= _LONGEST or any(found and found <= theirs for found in stems[first : last + 1]):
        return ""
    start, end = spans[first][0], spans[last][1]
    return "" if any_word(known.agent, known.verbs).search(text[start:end]) else _agent(statement, start, end)


def _agent(statement: Sentence, start: int, end: int) -> str:
    """The person whose words are `[start, end)`: behind "by", as the subject, or behind a verb behind its object."""
    known, text = statement.lexicon, statement.text
    decides, before = any_word(known.decides), text[:start]
    led = re.search(rf"{any_word(known.agent).pattern}\s+((?:\w+\s+){{0,3}})$", before, re.IGNORECASE)
    if led:
        if not (led[1] or text[start].isupper()):
            return ""  # "by hand"
        behind = re.match(rf"[\w\s-]*?(?=$|\W*{decides.pattern}|[.;,])", text[end:], re.IGNORECASE)
        tail = behind[0] if behind and len(behind[0].split()) <= _BESIDE else ""
        return f"{led[1]}{text[start:end]}{tail}".strip()
    verb = decides.search(text)
    if verb is None:
        return ""
    if end <= verb.start():
        near = max(len(before.split()), len(text[end : verb.start()].split())) <= _BESIDE
        return text[: verb.start()].strip() if near and not any_word(known.prepositions).search(before) else ""
    follows = verb.end() <= start and len(text[verb.end() : start].split()) <= 1
    is_front = any_word(known.front, known.object_first).match(text)
    return text[verb.end() : end].strip() if follows and is_front else ""
