"""The transforms as an LLM does them, one prompt each.

Step-back gives the more general question behind a question about one case (Zheng et al., *Take a Step Back*, 2023):
"May I fly business class to Oslo on Friday?" is answered by the rule on classes of travel. HyDE gives a passage as the
documents might word the answer, and searches by its vector (Gao et al., ACL 2023). That passage is invented: it is
never shown, never given to the LLM that answers, and supports nothing; it only points to real passages that are worded
like it.
"""

from policy_rag.llm.metering import Calls
from policy_rag.records.choices import Transform
from policy_rag.retrieval.transforms.aliases import MOST_VARIANTS
from policy_rag.retrieval.transforms.decomposition import MOST as MOST_PARTS
from policy_rag.retrieval.transforms.json_forms import JsonForm, Line, Passage, ask_for, numbers_in
from policy_rag.retrieval.transforms.rewriting import rewrite
from policy_rag_parsers.text.modality import negative
from policy_rag_parsers.text.tokenizer import detect_language
from policy_rag_prompts.data import as_data


class _Question(JsonForm):
    question: Line


class _Questions(JsonForm):
    questions: tuple[Line, ...]


class _Hypothetical(JsonForm):
    passage: Passage


def transform_by_llm(name: Transform, question: str, calls: Calls) -> tuple[str, ...] | None:
    """What an LLM makes of a question by one transform; () where there is nothing to add.

    Returns:
        None where its reply is unusable: of another form, or with numbers that the question has not. Of several
        wordings those with such numbers are dropped. A rewriting takes the question's place: it must also keep its
        numbers, and neither put in nor leave out a "not".

    Raises:
        BudgetError: the call could exceed the budget.
        ModelError: the model fails.
    """
    data, numbers, same = as_data(question), numbers_in(question), question.casefold()
    match name:
        case Transform.REWRITE:
            one = ask_for(calls, "rewrite", _Question, question=data)
            is_same = one is not None and numbers_in(one.question) == numbers and not _turned(question, one.question)
            return (one.question,) if one and is_same else None
        case Transform.STEP_BACK:
            one = ask_for(calls, "step_back", _Question, question=data)
            is_general = one is not None and one.question.casefold() != same and numbers_in(one.question) <= numbers
            return (one.question,) if one and is_general else None
        case Transform.HYDE:
            made = ask_for(calls, "hypothetical", _Hypothetical, question=data)
            return (made.passage,) if made else None
        case Transform.MULTI_QUERY:
            many = ask_for(calls, "multi_query", _Questions, question=data, count=str(MOST_VARIANTS))
            found = many.questions if many else ()
            kept = [text for text in found if text.casefold() != same and numbers_in(text) <= numbers]
            return tuple(dict.fromkeys(kept))[:MOST_VARIANTS] or None
        case Transform.DECOMPOSE:
            many = ask_for(calls, "sub_questions", _Questions, question=data, most=str(MOST_PARTS))
            if many is None or any(not numbers_in(text) <= numbers for text in many.questions):
                return None
            distinct = tuple(dict.fromkeys(many.questions))[:MOST_PARTS]
            return distinct if len(distinct) > 1 else ()


def _turned(question: str, written: str) -> bool:
    """Whether one of a question, without its politeness, and its rewriting denies or restricts and the other does not.

    >>> _turned("I'm not sure whether I may fly?", "May I fly?"), _turned("May I fly?", "May I not fly?")
    (False, True)
    """
    denies = negative(detect_language(f"{question} {written}"))
    return bool(denies.search(rewrite(question))) != bool(denies.search(written))
