"""Step-back: the more general question behind a question about one case (Zheng et al., *Take a Step Back*, 2023).

"May I fly business class to Oslo on Friday?" is answered by the rule on classes of travel. It takes an LLM.
"""

from policy_rag.llm.metering import Calls
from policy_rag.retrieval.transforms.json_forms import JsonForm, Line, ask_for, numbers_in
from policy_rag_prompts.data import as_data


class _General(JsonForm):
    question: Line


def step_back_by_llm(calls: Calls, question: str) -> str | None:
    """The more general question; None where the reply is none, says the same, or has a number of its own.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails.
    """
    made = ask_for(calls, "step_back", _General, question=as_data(question))
    if made is None or made.question.casefold() == question.casefold():
        return None
    return made.question if numbers_in(made.question) <= numbers_in(question) else None
