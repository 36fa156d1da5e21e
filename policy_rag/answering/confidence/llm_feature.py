"""Whether an LLM reads the answer in what was found: its own view of a question's support."""

from collections.abc import Sequence

from policy_rag.answering.generation.prompt_context import its_chunk, numbered
from policy_rag.llm.language_model import LanguageModel, Reply
from policy_rag.llm.metering import Calls
from policy_rag.records.search import Hit
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_prompts.data import as_data
from policy_rag_prompts.loader import load_template

VIEWED = 3
"""Hits of a rank up to this are read."""
_LONGEST = 512  # tokens of a section that is read whole; of a longer one the chunk that was found
_YES = frozenset(("yes", "y", "ja", "oui", "sí", "si", "sì"))
_NO = frozenset(("no", "n", "nein", "non", "nee"))


def llm_view(question: str, hits: Sequence[Hit], model: LanguageModel) -> float:
    """The largest probability that an LLM gives to a hit stating what is asked, 0 to 1; 0 without hits.

    Each hit of a rank up to `VIEWED` is read by itself, so that fewer hits never raise it.

    Args:
        question: to be understood alone.
        hits: in any order.
        model: who reads; where it is `Calls`, the calls are taken down in its steps.

    Raises:
        BudgetError: a call could exceed the budget.
        ModelError: the model fails.
    """
    calls, template = Calls.of(model), load_template("states")
    asked = as_data(question)
    views = [0.0]
    for hit in sorted(hits, key=lambda one: one.rank):
        if hit.rank <= VIEWED:
            section = numbered(1, hit if estimate_tokens(hit.text) <= _LONGEST else its_chunk(hit))
            name = f"{hit.file} {hit.section_id}"
            reply = calls.ask(template, {"question": asked, "section": section}, sections=[name], first_tokens=True)
            views.append(probability_of_yes(reply))
    return max(views)


def probability_of_yes(reply: Reply) -> float:
    """The share of "yes" in the probabilities of yes and no as the first token; 1 or 0 where the server tells none.

    >>> probability_of_yes(Reply("No.", 9, 2, 1.0, "stop", first=(("No", 0.6), ("Yes", 0.2), (" yes", 0.1))))
    0.33333333333333337
    >>> probability_of_yes(Reply("Yes, it does.", 9, 4, 1.0, "stop")), probability_of_yes(Reply("", 9, 0, 1.0, "stop"))
    (1.0, 0.0)
    """
    yes = sum(probability for token, probability in reply.first if _word(token) in _YES)
    no = sum(probability for token, probability in reply.first if _word(token) in _NO)
    if yes + no > 0:
        return yes / (yes + no)
    return 1.0 if _word(reply.text.partition(" ")[0]) in _YES else 0.0


def _word(token: str) -> str:
    return token.strip(" \t\n\"'*_.,:;!▁Ġ").casefold()
