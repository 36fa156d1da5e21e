"""From a question to what is searched for it: the transforms that are switched on, in their order."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from policy_rag.llm.metering import Calls
from policy_rag.records.choices import Transform
from policy_rag.records.search import Query
from policy_rag.retrieval.transforms.aliases import Aliases, variants
from policy_rag.retrieval.transforms.by_llm import transform_by_llm
from policy_rag.retrieval.transforms.decomposition import sub_questions
from policy_rag.retrieval.transforms.rewriting import rewrite

_NEED_AN_LLM = (Transform.STEP_BACK, Transform.HYDE)


@dataclass(frozen=True, slots=True)
class TransformedQuestion:
    """What is searched for a question, the question itself (or its rewriting) first; and what people should know."""

    queries: tuple[Query, ...]
    notices: tuple[str, ...] = ()


def transform(
    question: str, transforms: Sequence[Transform], *, aliases: Callable[[], Aliases], calls: Calls | None = None
) -> TransformedQuestion:
    """What is searched for a question.

    Rewriting comes first and takes the question's place; the others add to it. With an LLM it writes; where its reply
    is unusable the transform falls back to the question as it stands, and a notice says so. Without one, rules do what
    rules can, and a notice names what they cannot.

    Raises:
        BudgetError: an LLM call could exceed the budget.
        ModelError: the LLM fails.
    """
    notices: list[str] = []
    first = Query(question)
    if Transform.REWRITE in transforms:
        written = transform_by_llm(Transform.REWRITE, question, calls) if calls else (rewrite(question),)
        if written is None:
            notices.append(_unusable(Transform.REWRITE))
        elif written != (question,):
            first = Query(written[0], Transform.REWRITE)
    queries = [first]
    for name in (one for one in Transform if one in transforms and one is not Transform.REWRITE):
        made = transform_by_llm(name, first.text, calls) if calls else _by_rules(name, first.text, aliases)
        if made is None:
            needs = name in _NEED_AN_LLM and calls is None
            notices.append(f"{name} takes an LLM: left out" if needs else _unusable(name))
        queries += [Query(text, name, passage=name is Transform.HYDE) for text in made or ()]
    seen: dict[str, Query] = {}
    for query in queries:
        seen.setdefault(query.text.casefold(), query)
    return TransformedQuestion(tuple(seen.values()), tuple(notices))


def _unusable(name: Transform) -> str:
    return f"the LLM's reply to {name} was unusable: the question was searched without it"


def _by_rules(name: Transform, question: str, aliases: Callable[[], Aliases]) -> tuple[str, ...] | None:
    if name is Transform.MULTI_QUERY:
        return variants(question, aliases())
    return sub_questions(question) if name is Transform.DECOMPOSE else None
