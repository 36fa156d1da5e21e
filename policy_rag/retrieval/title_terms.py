"""Words of documents' titles in a question: which documents it names by them, and how much else it says."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from policy_rag.index.search.terms import detect_language, terms, words
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.text.lexicon import LEXICONS, SMALL_WORDS, alternatives, lexicon

_SHORT = 3  # letters of words of which compounds are not told
_LONG_KINDS = (kind for one in LEXICONS.values() for kind in one.naming.kinds if len(kind) > 5)
_KIND_BEHIND = re.compile(rf"(?<=\w{{3}})s?(?:{alternatives(_LONG_KINDS)})$")
_COMMON = SMALL_WORDS.union(*(terms(" ".join(one.naming.generic)) for one in LEXICONS.values()))


@cache
def _generic(language: str) -> frozenset[str]:
    """Stems of what tells no matter from another, in a language and in those that a short question is taken for."""
    kin = lexicon(language).question.noun_first
    return frozenset(
        stem
        for one in LEXICONS.values()
        if kin or not one.question.noun_first
        for stem in terms(" ".join(one.naming.generic), one.language)
    )


def named_documents(question: str, documents: Sequence[DocumentInfo]) -> tuple[int, ...]:
    """Keys of the documents that the question names: by at least half of their title's telling words.

    Of several the one with the most named words counts, then the one whose title is named more fully; all that are
    level are given. A word that more than a third of the titles have ("policy") tells nothing, and initials in
    capitals ("AML") are the words that they stand for.
    """
    asked = set(terms(question))
    written = {d.doc_key: asked | spelt_out(question, d.title) for d in documents}
    named = {
        key: (len(title & written[key]), len(title & written[key]) / len(title))
        for key, title in telling_terms(documents).items()
        if 2 * len(title & written[key]) >= max(1, len(title))
    }
    best = max(named.values(), default=None)
    return tuple(key for key, score in named.items() if score == best)


def documents_with_words_of(question: str, documents: Sequence[DocumentInfo]) -> tuple[int, ...]:
    """Keys of the documents whose titles have all telling words of a question, be it few of their own; () without any.

    "What does the gifts policy say?" names "Group Policy on Bribery, Gifts and Hospitality". Of a word that ends with a
    kind of document, "Passwortrichtlinie", what stands before that counts.
    """
    own = _own_words(question)
    titles = {d.doc_key: words(d.title) for d in documents} if own else {}
    return tuple(key for key, title in titles.items() if all(_has_word(title, one) for one in own))


def _own_words(question: str) -> list[str]:
    """The telling words of a question, in lower case."""
    language = detect_language(question)
    known = _generic(language) | _COMMON
    found = (re.sub(_KIND_BEHIND, "", word) for word in words(question))
    return [word for word in found if len(word) > 2 and word.isalpha() and not known.issuperset(terms(word, language))]


def _has_word(title: Sequence[str], word: str) -> bool:
    """Whether a title has a word, inflected or not, or a compound that begins or ends with it."""
    stems = {(language, stem) for language in LEXICONS for stem in terms(word, language)}
    return any(
        (len(word) > _SHORT and (one.startswith(word) or one.endswith(word)))
        or any((language, stem) in stems for language in LEXICONS for stem in terms(one, language))
        for one in title
    )


def spelt_out(text: str, title: str) -> frozenset[str]:
    """The stems of those words of a title whose initials, three or more, a text has in capitals.

    >>> sorted(spelt_out("in the AML policy", "Anti-Money Laundering Policy"))
    ['anti', 'launder', 'money']
    """
    own = words(title)
    initials = "".join(word[0] for word in own)
    found: set[str] = set()
    for written in re.findall(r"\b[A-ZÄÖÜ]{3,}\b", text):
        at = initials.find(written.lower())
        if at >= 0:
            found.update(terms(" ".join(own[at : at + len(written)])))
    return frozenset(found)


def telling_terms(documents: Sequence[DocumentInfo]) -> dict[int, frozenset[str]]:
    """The stems of each document's title, by key, without those that many titles or all policies have.

    Editions of one policy have one title, which counts once.
    """
    titles = {d.doc_key: _title_terms(d.title) for d in documents}
    distinct = set(titles.values())
    holders = Counter(term for title in distinct for term in title)
    common = {term for term, count in holders.items() if count > max(1, len(distinct) / 3)} | _COMMON
    return {key: title - common for key, title in titles.items()}


@lru_cache(maxsize=10_000)
def _title_terms(title: str) -> frozenset[str]:
    return frozenset(terms(title))


def other_words(question: str, titles: Sequence[str]) -> int:
    """How many telling words a question has besides numbers, its documents' titles and words that ask for a text."""
    language = detect_language(question)
    known = _generic(language).union(*(terms(title, language) for title in titles))
    known = known.union(*(terms(word) for word in question.split() if any(spelt_out(word, one) for one in titles)))
    return len({term for term in terms(question, language) if term.isalpha() and len(term) > 2 and term not in known})
