"""Questions that mention a clause on their way to something else: "who approves a departure from 5.1?".

Their answer often stands where the clause is referred to: "approves any departure from section 5.1".
"""

import re
import sqlite3
from bisect import bisect_right
from typing import Final

from policy_rag.index.store.documents import DocumentInfo
from policy_rag.index.store.tables import read_sections, read_text
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.references.cross_references import find_references

_PASSING: Final = re.compile(
    r"\b(?:who(?:m|se)?|when|why|wer|wen|wem|wessen|wann|warum|wieso|exceptions?|except(?:ed)?|exempt\w*|exclu\w+|waive\w*|"
    r"approv\w+|depart(?:s|ed|ures?)?|deviat\w+|derogat\w+|overrid\w+|grant(?:s|ed)?|ausnahmen?|ausgenommen|abweich\w*|"
    r"genehmig\w*|befrei\w*|verzicht\w*)\b",
    re.IGNORECASE,
)


def in_passing(question: str) -> bool:
    """Whether a question with a clause's number asks for something else than the clause's text.

    >>> in_passing("Who approves a departure from 5.1?"), in_passing("What does 5.1 say about gifts?")
    (True, False)
    """
    return _PASSING.search(question) is not None


def referring(db: sqlite3.Connection, document: DocumentInfo, section_id: str, most: int) -> list[tuple[str, int, int]]:
    """The sections of a document that refer to one of its own, with their ranges, in order.

    Args:
        db: the index.
        document: where.
        section_id: the section that they refer to; itself is none of them.
        most: how many at most.
    """
    text, sections = read_text(db, document.doc_key), read_sections(db, document.doc_key)
    starts = [section.start for section in sections]
    source = SourceText(text, document.format)
    found: dict[str, tuple[str, int, int]] = {}
    for reference in find_references(source, sections, doc_id=document.doc_id, titles={}, others={}):
        if reference.target_document is not None or reference.target_section_id != section_id:
            continue
        home = sections[bisect_right(starts, reference.start) - 1]
        if home.section_id != section_id:
            found.setdefault(home.section_id, (home.section_id, home.start, home.end))
    return list(found.values())[:most]
