"""HyDE: a passage as it might stand in a policy, searched by its vector (Gao et al., ACL 2023). It takes an LLM.

The passage is invented. It is never shown, never given to the LLM that answers, and supports nothing: it only points to
real passages that are worded like it.
"""

from policy_rag.llm.metering import Calls
from policy_rag.retrieval.transforms.json_forms import JsonForm, Passage, ask_for
from policy_rag_prompts.data import as_data


class _Hypothetical(JsonForm):
    passage: Passage


def hypothetical_passage(calls: Calls, question: str) -> str | None:
    """The passage; None where the reply is none.

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails.
    """
    made = ask_for(calls, "hypothetical", _Hypothetical, question=as_data(question))
    return made.passage if made else None
