"""Words of a question that no document has, spelt as documents spell them.

German puts words together ("Originalbelege" for "Belege im Original") and takes its verbs apart ("einreichen",
"einzureichen", "eingereicht"); and an acronym may stand in no text that writes the name out ("DPO"). Only a word that
occurs nowhere in what the asker may see is replaced, and only by words that do.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from policy_rag.index.search.terms import language_of, terms
from policy_rag.index.store.document_rows import read_text
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.candidates.collector import keyword_scores
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.references.clause_query import without_clauses
from policy_rag_parsers.text.dates import month_names, weekday_names
from policy_rag_parsers.text.lexicon import LEXICONS, SMALL_WORDS, alternatives, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Lexicon
from policy_rag_parsers.text.tokenizer import stop_words
from policy_rag_parsers.text.units import unit_names

_SHORTEST_PART: Final = 4
_SHORTEST_ROOT: Final = 3
_SHORTEST: Final = 8
_LONGEST: Final = 40
_MOST_CUTS: Final = 2
_SHORTEST_NAMED: Final = 3
_MOST_WORDS: Final = 4  # are looked up in one question
_ENDING: Final = re.compile(r"(?:en|n|et|t)\Z")
_WORD: Final = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")
_ACRONYM: Final = re.compile(r"[A-ZÄÖÜ]{2,6}")


@dataclass(frozen=True, slots=True)
class Respelled:
    """A question as it is searched, and a notice for each acronym that was written out."""

    question: str
    notices: tuple[str, ...] = ()


def respell(question: str, view: Visibility) -> Respelled:
    """A question with what nobody wrote replaced by what stands in the documents of a view.

    A word that only hidden documents have counts as one that none has.
    """
    known = lexicon(language_of(question) or "english")
    found = list(_WORD.finditer(question))
    compounds = known.compound_links and range(_SHORTEST, _LONGEST + 1)
    looked_up = [
        word
        for word in found
        if _is_acronym(word, found) or len(word[0]) in compounds or _alike(word[0].lower(), known)
    ]
    occurs = cache(lambda one: _occurs(one, view))
    notices: list[str] = []
    for word in reversed(looked_up[:_MOST_WORDS]):
        if occurs(word[0]):
            continue
        written = _written_out(word[0], view) if _is_acronym(word, found) else None
        notices += [f"read {word[0]} as {written}"] if written else []
        written = written or _spelt(word[0], known, occurs)
        if written:
            question = question[: word.start()] + written + question[word.end() :]
    return Respelled(question, tuple(reversed(notices)))


def unmentioned(question: str, view: Visibility) -> tuple[str, ...]:
    """The telling words of a question that no document of a view has in any form, in order.

    Words of asking, of clauses and of dates tell nothing; where nouns are written with a capital, they alone tell.
    Nor does anything of a question in a language that no document is in: none of its words would be found.
    """
    language = language_of(question) or "english"
    if language not in {document.language for document in view.documents.values()}:
        return ()
    known, plain_words = lexicon(language), _plain_words(language)
    occurs = cache(lambda one: _occurs(one, view))
    found: list[str] = []
    written = _WORD.findall(without_clauses(question))
    capitals = known.capital_nouns and any(word[0].isupper() for word in written[1:])  # some write none
    for word in written:
        plain = word.lower()
        tells = _SHORTEST_NAMED <= len(plain) <= _LONGEST and not plain_words(plain) and capitals <= word[0].isupper()
        if not tells or not terms(plain, language) or occurs(plain):
            continue
        if not ((len(plain) >= _SHORTEST or _alike(plain, known)) and _spelt(plain, known, occurs)):
            found.append(word)
    return tuple(dict.fromkeys(found))[:_MOST_WORDS]


@cache
def _plain_words(language: str) -> Callable[[str], bool]:
    """Whether a word in lower case tells nothing of a matter in a language."""
    known = lexicon(language)
    listed = known.everyday | known.common | known.asking | known.telling_when | known.modal_words | known.vague_nouns
    listed = listed.union(*(one.naming.generic for one in LEXICONS.values()))  # a short question tells no language
    days = weekday_names(language)
    words = listed.union(unit_names(language), month_names(language), days, (f"{day}s" for day in days))
    others = any_word(known.references, known.question.particles, known.question.auxiliaries)
    stop = stop_words(language)
    # "whats" and "dont" are two stop words, as "what's" and "don't" are cut.
    return lambda word: word in words or others.fullmatch(word) is not None or {word[:-1], word[-1]} <= stop


def holders(words: Iterable[str], view: Visibility) -> tuple[DocumentInfo, ...]:
    """The documents of a view that have one of the words in any form."""
    scores, _ = keyword_scores(view.snapshot, " ".join(words), pair_weight=0.0)
    keys = dict.fromkeys(view.snapshot.derived.passages[scores > 0, 1].tolist())
    return tuple(view.documents[key] for key in keys if key in view.documents)


def _is_acronym(word: re.Match[str], words: list[re.Match[str]]) -> bool:
    """Whether a word is in capitals alone; in a question that is all capitals none is an acronym."""
    return _ACRONYM.fullmatch(word[0]) is not None and not all(one[0].isupper() for one in words)


def _occurs(word: str, view: Visibility) -> bool:
    """Whether a word stands in a passage of the view, in any of its forms; one that says nothing always does."""
    if not any(terms(word, language) for language in view.snapshot.derived.languages):
        return True
    scores, _ = keyword_scores(view.snapshot, word, pair_weight=0.0)
    return bool((scores > 0).any() if view.rows is None else (scores[view.rows] > 0).any())


def _spelt(word: str, known: Lexicon, occurs: Callable[[str], bool]) -> str | None:
    """A word in another form, or as the words that it is put together of, or None.

    >>> german = lexicon("german")
    >>> _spelt("Originalbelege", german, {"original", "belege"}.__contains__)
    'original belege'
    >>> _spelt("einreichen", german, {"einzureichen"}.__contains__)
    'einzureichen'
    >>> _spelt("lose", lexicon("english"), {"lost"}.__contains__)
    'lost'
    >>> _spelt("Zeitungsabo", german, {"zeitung"}.__contains__) is None
    True
    """
    word = word.lower()
    return next(filter(occurs, _forms(word, known)), None) or _parts(word, known, occurs, _MOST_CUTS)


def _alike(word: str, known: Lexicon) -> list[str]:
    """The other words of one meaning whose stems differ, in the lexicon's order; none of a word that tells nothing.

    >>> _alike("pregnant", lexicon("english"))[1:3]
    ['pregnancy', 'pregnancies']
    """
    if word in known.everyday or word in known.question.any_policy:
        return []
    grouped = [other for group in known.forms if word in group for other in group if other != word]
    if grouped:
        return grouped
    swapped = (
        word.removesuffix(one) + other
        for group in known.endings
        for one in group
        if word.endswith(one) and len(word) >= len(one) + _SHORTEST_ROOT
        for other in group
    )
    return [other for other in swapped if other != word]


def _forms(word: str, known: Lexicon) -> Iterator[str]:
    """Words of one meaning; of a German verb with a prefix infinitive, infinitive with "zu", participle."""
    yield from _alike(word, known)
    for prefix in known.verb_prefixes:
        rest = word.removeprefix(prefix)
        if rest == word or len(rest) < _SHORTEST_PART:
            continue
        for joint in ("zu", "ge", ""):
            root = _ENDING.sub("", rest.removeprefix(joint))
            if rest.startswith(joint) and len(root) >= _SHORTEST_PART - 1:
                yield from (f"{prefix}{root}en", f"{prefix}zu{root}en", f"{prefix}ge{root}t", f"{prefix}ge{root}en")


def _parts(word: str, known: Lexicon, occurs: Callable[[str], bool], cuts: int) -> str | None:
    """The words that a word is put together of, the first as long as may be, or None."""
    for cut in range(len(word) - _SHORTEST_PART, _SHORTEST_PART - 1, -1):
        lefts = (word[:cut].removesuffix(link) for link in known.compound_links if word[:cut].endswith(link))
        left = next((one for one in lefts if len(one) >= _SHORTEST_PART and occurs(one)), None)
        if left is None:
            continue
        right = word[cut:] if occurs(word[cut:]) else cuts > 1 and _parts(word[cut:], known, occurs, cuts - 1)
        if right:
            return f"{left} {right}"
    return None


def _written_out(acronym: str, view: Visibility) -> str | None:
    """The name that documents of the view write most often of those with an acronym's initials, or None."""
    gap = rf"[ \n](?:(?:{alternatives(SMALL_WORDS)})[ \n]){{0,2}}"
    name = re.compile(r"(?<![\w-])" + gap.join(rf"{letter}[^\W\d_A-Z][\w-]{{1,30}}" for letter in acronym) + r"(?!\w)")
    counts = Counter(
        " ".join(found[0].split())
        for document in view.documents
        for found in name.finditer(read_text(view.snapshot.db, document))
    )
    return max(counts, key=lambda one: (counts[one], one), default=None)
