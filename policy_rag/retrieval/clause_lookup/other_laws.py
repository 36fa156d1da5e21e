"""Clauses of texts that are not here: "GDPR Art. 17", "§ 5 BDSG", "3.1 of the parking policy" where there is none."""

import re
from collections.abc import Sequence

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.title_terms import documents_with_words_of, named_documents, other_words
from policy_rag_parsers.references.clause_query import ClauseQuery
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.number_patterns import OF, OWNED
from policy_rag_parsers.references.other_texts import OwnNames, name_beside
from policy_rag_parsers.text.lexicon import any_word, in_all

_WORD = re.compile(r"§+|[^\W\d_]+")
_TITLES = in_all("document.title_block.titles")
_POLICY = any_word(_TITLES)
# "parking policy", "Parkrichtlinie", "politique de stationnement"
_NAMED = re.compile(
    rf"(?:(?:{_TITLES}){OF.pattern}\w+|(?:[\w'’-]+\s{{1,3}}){{0,4}}?[\w-]*(?:{_TITLES}))(?!\w)", re.IGNORECASE
)
_EDITION = any_word(*map(in_all, ("naming.old", "naming.new", "document.title_block.draft")))
_UNNAMED = OwnNames(frozenset(), frozenset())


def other_text(question: str, clause: ClauseQuery, documents: Sequence[DocumentInfo]) -> str | None:
    """The name of a law, standard or policy that a clause is of, which none of the documents is; or None."""
    return _other_policy(question, clause, documents) or _other_law(question, clause, documents)


def _other_policy(question: str, clause: ClauseQuery, documents: Sequence[DocumentInfo]) -> str | None:
    owned = OWNED.match(question, clause.end)
    named = owned and _NAMED.match(question, owned.end())
    if not named or not other_words(_EDITION.sub("", named[0]), ()):
        return None
    if named_documents(named[0], documents) or documents_with_words_of(named[0], documents):
        return None
    return question[clause.end : named.end()].strip(" ,").partition(" ")[2]


def _other_law(question: str, clause: ClauseQuery, documents: Sequence[DocumentInfo]) -> str | None:
    """Without "of" only an article, a § or what stands behind a figure is a law's: "section 4 USB sticks" is not."""
    worded = _WORD.match(question, clause.start)
    if worded is None or _POLICY.search(question):
        return None
    owned = OWNED.match(question, clause.end)
    by_sign = worded[0].startswith("§") or worded[0].casefold().startswith("art")
    if owned is None and not by_sign and not question[: clause.start].rstrip(" ,")[-1:].isdigit():
        return None
    beside = f"{question[: clause.end]} {question[owned.end() :]}" if owned else question
    name = name_beside(beside, clause.start, clause.end, worded=worded[0], own=_UNNAMED)
    return None if name is None or any(_is_called(document, name) for document in documents) else name


def _is_called(document: DocumentInfo, name: str) -> bool:
    """Whether a document has a name among the words of its own."""
    names = document_names(document.title, document.file)
    words = re.findall(r"\w+", " ".join((*names.titles, *names.short, *names.initials)))
    return name.casefold() in {word.casefold() for word in words}
