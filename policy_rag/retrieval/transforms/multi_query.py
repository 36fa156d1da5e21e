"""Multi-query: the same question in other words, each searched, and what they find fused.

By rules the other words are those of the corpus: an acronym for its long form, a name for the other (`aliases`).
"""

from policy_rag.llm.metering import Calls
from policy_rag.retrieval.transforms.aliases import Aliases
from policy_rag.retrieval.transforms.json_forms import JsonForm, Line, ask_for, numbers_in
from policy_rag_prompts.data import as_data

MOST = 3


def variants(question: str, aliases: Aliases) -> tuple[str, ...]:
    """The question with a name of the corpus in place of the other, up to `MOST`; none where it names nothing so.

    Args:
        question: as it is searched.
        aliases: of the documents that the asker may read.
    """
    found = aliases.named(question)
    single = [question[:start] + other + question[end:] for start, end, other in found]
    return tuple(dict.fromkeys(text for text in single if text != question))[:MOST]


class _Variants(JsonForm):
    questions: tuple[Line, ...]


def variants_by_llm(calls: Calls, question: str) -> tuple[str, ...]:
    """The same by an LLM, up to `MOST`; those with a number that the question has not are dropped.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails.
    """
    made = ask_for(calls, "multi_query", _Variants, question=as_data(question), count=str(MOST))
    if made is None:
        return ()
    same = question.casefold()
    kept = [text for text in made.questions if text.casefold() != same and numbers_in(text) <= numbers_in(question)]
    return tuple(dict.fromkeys(kept))[:MOST]
