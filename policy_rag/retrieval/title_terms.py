"""Words of documents' titles in a question: which documents it names by them, and how much else it says."""

from collections import Counter
from collections.abc import Sequence
from functools import cache, lru_cache

from policy_rag.index.search.terms import detect_language, terms
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.references.document_names import SMALL_WORDS
from policy_rag_parsers.text.lexicon import LEXICONS, lexicon

_COMMON = frozenset(SMALL_WORDS).union(
    *(one.question.articles | one.and_ for one in LEXICONS.values()),
    *(terms(" ".join(one.naming.generic)) for one in LEXICONS.values()),
)


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
    level are given. A word that more than a third of the titles have ("policy") tells nothing.
    """
    asked = set(terms(question))
    named = {
        key: (len(title & asked), len(title & asked) / len(title))
        for key, title in telling_terms(documents).items()
        if 2 * len(title & asked) >= max(1, len(title))
    }
    best = max(named.values(), default=None)
    return tuple(key for key, score in named.items() if score == best)


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
    return len({term for term in terms(question, language) if term.isalpha() and len(term) > 2 and term not in known})
