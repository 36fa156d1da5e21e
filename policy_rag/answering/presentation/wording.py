"""How outcomes are worded: what is uncertain or refused, what no policy mentions, how likely an answer is right."""

from collections.abc import Sequence

from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.records.answer import Answer, Status
from policy_rag.retrieval.missing import Missing

UNCERTAIN = "The nearest text; it may not answer your question:"
REFUSED = "The policies found do not answer this question."
NEAR_MISS = f"{REFUSED} They treat its matter: see the nearest sections."
NOT_BORNE_OUT = (
    "Nothing of what the LLM wrote is borne out by what it cites. The sections found may answer this question."
)
WROTE_NOTHING = "The LLM wrote nothing. The sections found may answer this question."
COURTESY = "You are welcome. What would you like to know from the policies?"
_FOUND = "The sections found, which may answer it"
_NEAREST = "The nearest sections, which were not found to answer it"
_MEANT = "What could be meant"


def refusal(removed: Sequence[str], *, silent: bool = False) -> str:
    """What a refusal says. Where nothing is left of what an LLM wrote, nobody knows whether the policies answer.

    Args:
        removed: the sentences that were taken out.
        silent: whether it wrote none.

    >>> refusal(())
    'The policies found do not answer this question.'
    """
    return WROTE_NOTHING if silent else NOT_BORNE_OUT if removed else REFUSED


_LIKELIHOODS = ((0.8, "very likely right"), (0.6, "likely right"), (0.4, "may be right"), (0.0, "unlikely to be right"))


def likelihood(answer: Answer) -> str:
    """The confidence in an answer in words, with the figure behind them; of what is no answer, the figure alone.

    >>> from policy_rag.records.answer import Answer, Status
    >>> shown = Answer(question="", status=Status.ANSWERED, answer="", citations=(), confidence=0.63, llm="")
    >>> likelihood(shown)
    'likely right (confidence 0.63)'
    """
    figure = f"confidence {answer.confidence:.2f}"
    if not answer.shown:
        return figure
    return f"{next(words for least, words in _LIKELIHOODS if answer.confidence >= least)} ({figure})"


def written_by(answer: Answer) -> str:
    """Who wrote an answer, and what was checked of it; what nobody said word for word is what documents declare.

    >>> from policy_rag.records.answer import Answer, Status
    >>> words = {"question": "", "answer": "", "citations": (), "removed": ("Ask HR.",)}
    >>> written_by(Answer(status=Status.ANSWERED, confidence=0.6, llm="ollama/llama3.2", **words))
    'written by ollama/llama3.2, each sentence checked against the place that it cites, 1 removed'
    """
    if answer.llm == EXTRACTIVE:
        if not answer.shown:
            return "no language model was asked"
        return f"{'quoted word for word' if answer.said else 'declared by the documents'}, no language model"
    if not answer.shown:
        return f"with {answer.llm}"
    removed = f", {len(answer.removed)} removed" if answer.removed else ""
    return f"written by {answer.llm}, each sentence checked against the place that it cites{removed}"


def what_is_missing(missing: Missing, *, clauses: bool = True) -> tuple[str, ...]:
    """A sentence for each thing that is missing: the clauses and nothing else, if `clauses` are told, or the words.

    >>> what_is_missing(Missing(words=("zebra", "dress code")))
    ('No policy here mentions "zebra" or "dress code".',)
    >>> what_is_missing(Missing(clauses=("there is no section 9 in Travel Policy",)))
    ('There is no section 9 in Travel Policy.',)
    """
    if clauses and missing.clauses:
        return tuple(f"{line[0].upper()}{line[1:]}." for line in missing.clauses)
    said = [f"No policy here mentions {_either(missing.words)}."] if missing.words else []
    if missing.words_in_force:
        said.append(f"No policy in force mentions {_either(missing.words_in_force)}.")
    if missing.in_force:
        said.append(f"{missing.in_force}.")
    return tuple(said)


def _either(words: Sequence[str]) -> str:
    named = [f'"{word}"' for word in words]
    return " or ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


def no_such_language(asked: str, held: Sequence[str]) -> str:
    """That no policy is in the language of the question.

    >>> no_such_language("french", ["english", "german"])
    'The question is in French, and no policy here is: ask in English or German.'
    """
    names = " or ".join(sorted(language.capitalize() for language in held))
    return f"The question is in {asked.capitalize()}, and no policy here is: ask in {names}."


def headline(answer: Answer) -> str:
    """What stands above the sections that are shown instead of an answer, without a colon."""
    if answer.status is Status.CLARIFY:
        return _MEANT
    unknown = answer.status is Status.REFUSED and (answer.removed or answer.answer.startswith(WROTE_NOTHING))
    return _FOUND if unknown else _NEAREST
