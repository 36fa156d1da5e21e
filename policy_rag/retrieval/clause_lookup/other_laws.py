"""Clauses of laws and standards that a question names: "GDPR Art. 17", "§ 5 BDSG", "clause 5 of ISO 27001"."""

import re
from collections.abc import Iterable

from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_parsers.references.clause_query import ClauseQuery
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.number_patterns import OWNED
from policy_rag_parsers.references.other_texts import OwnNames, name_beside
from policy_rag_parsers.text.lexicon import LEXICONS, any_word

_WORD = re.compile(r"§+|[^\W\d_]+")
_POLICY = any_word(*(one.document.title_block.titles for one in LEXICONS.values()))
_UNNAMED = OwnNames(frozenset(), frozenset())


def other_law(question: str, clause: ClauseQuery, documents: Iterable[DocumentInfo]) -> str | None:
    """The name of a law or standard that a clause is of, which none of the documents is; or None.

    Without "of" only an article, a § or what stands behind a figure is another text's: "section 4 USB sticks" is not.
    """
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
