"""What a question asks for that the policies do not have: a clause, or words, be it for now or altogether."""

import datetime as dt
from dataclasses import dataclass

from policy_rag.index.store.store import Snapshot
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.clause_lookup.lookup import look_up_clauses
from policy_rag.retrieval.out_of_force import in_force_when
from policy_rag.retrieval.spelling import holders, unmentioned
from policy_rag.retrieval.visibility import Visibility
from policy_rag_parsers.text.answer_language import words_for


@dataclass(frozen=True, slots=True)
class Missing:
    """What is missing of what a question asks for; nothing of what its asker may not read counts.

    Attributes:
        clauses: a line for each clause that is nowhere, where the question asks for nothing else.
        words: telling words that no policy has.
        words_in_force: those that only policies have which are not in force.
        in_force: when one of these is; "" where there are none.
    """

    clauses: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    words_in_force: tuple[str, ...] = ()
    in_force: str = ""


def missing_of(snapshot: Snapshot, request: SearchRequest, today: dt.date) -> Missing:
    """What is missing of what a request asks for.

    Raises:
        UsageError: see `Visibility.of`.
    """
    view = Visibility.of(snapshot, request, today)
    clauses = look_up_clauses(request.question, view.snapshot.db, view.documents, ())
    if clauses.nowhere:
        return Missing(clauses=clauses.notices)
    any_day = Visibility.of_any_day(snapshot, request, today)
    words = unmentioned(request.question, any_day)
    now = () if len(any_day.documents) == len(view.documents) else unmentioned(request.question, view)
    later = tuple(word for word in now if word not in words)
    others = [one for one in holders(later, any_day) if one.doc_key not in view.documents] if later else []
    own = words_for(request.question, [document.language for document in any_day.documents.values()])
    return Missing(words=words, words_in_force=later, in_force=in_force_when(others, request.as_of or today, own))
