"""Questions that mention a clause on their way to something else: "who approves a departure from 5.1?".

Their answer often stands where the clause is referred to: "approves any departure from section 5.1".
"""

import re
from itertools import islice
from typing import Final

from policy_rag.index.store.database import Database
from policy_rag.index.store.document_rows import read_edges, read_sections
from policy_rag.index.store.stored_documents import DocumentInfo

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


def referring(db: Database, document: DocumentInfo, section_id: str, most: int) -> list[tuple[str, int, int]]:
    """The sections of a document that refer to one of its own, with their ranges, in order.

    Args:
        db: the index.
        document: where.
        section_id: the section that they refer to; itself is none of them.
        most: how many at most.
    """
    homes = dict.fromkeys(edge.section_id for edge in read_edges(db, document.doc_key, target=section_id))
    if not homes:
        return []
    places = {section.section_id: (section.start, section.end) for section in read_sections(db, document.doc_key)}
    return [(home, *places[home]) for home in islice(homes, most)]
