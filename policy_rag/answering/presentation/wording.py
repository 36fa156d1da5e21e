"""How outcomes are worded: what is uncertain or refused, what no policy mentions, how likely an answer is right."""

from collections.abc import Sequence

from policy_rag.llm.factory import EXTRACTIVE
from policy_rag.records.answer import Answer, Status
from policy_rag.retrieval.missing import Missing
from policy_rag_parsers.text.lexicon import LEXICONS, lexicon
from policy_rag_parsers.text.lexicon.answer_words import AnswerWords

ALL_WORDS = tuple(one.answers for one in LEXICONS.values())
"""What answers say of themselves, in every language of which we know that."""
_FOUND = "The sections found, which may answer it"
_NEAREST = "The nearest sections, which were not found to answer it"
_MEANT = "What could be meant"
_WROTE_NOTHING = tuple(one.wrote_nothing for one in ALL_WORDS)


def refusal(words: AnswerWords, removed: Sequence[str], *, silent: bool = False, near_miss: bool = False) -> str:
    """What a refusal says. Where nothing is left of what an LLM wrote, nobody knows whether the policies answer.

    Args:
        words: those of the question's language.
        removed: the sentences that were taken out.
        silent: whether it wrote none.
        near_miss: whether the policies may treat the matter: something near was found.

    >>> refusal(lexicon("english").answers, ())
    'The policies found do not answer this question.'
    """
    if silent or removed:
        return f"{words.wrote_nothing if silent else words.not_borne_out} {words.may_answer}"
    return f"{words.refused} {words.near_miss}" if near_miss else words.refused


def without_doubt(text: str) -> str:
    """An answer's text without the line that says that it is only the nearest."""
    first, _, rest = text.partition("\n")
    return rest if says_nearest(first) else text


def says_nearest(line: str) -> bool:
    """Whether a line says that the nearest text follows, in any language."""
    return any(line == one.nearest for one in ALL_WORDS)


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


def what_is_missing(missing: Missing, words: AnswerWords, *, clauses: bool = True) -> tuple[str, ...]:
    """A sentence for each thing that is missing: the clauses and nothing else, if `clauses` are told, or the words.

    >>> english = lexicon("english").answers
    >>> what_is_missing(Missing(words=("zebra", "dress code")), english)
    ('No policy here mentions "zebra" or "dress code".',)
    >>> what_is_missing(Missing(clauses=("there is no section 9 in Travel Policy",)), english)
    ('There is no section 9 in Travel Policy.',)
    """
    if clauses and missing.clauses:
        return tuple(f"{line[0].upper()}{line[1:]}." for line in missing.clauses)
    named = ((words.unmentioned, missing.words), (words.unmentioned_now, missing.words_in_force))
    said = [form.format(words=_or([f'"{word}"' for word in which], words)) for form, which in named if which]
    return (*said, f"{missing.in_force}.") if missing.in_force else tuple(said)


def _or(named: Sequence[str], words: AnswerWords) -> str:
    return f" {words.or_} ".join(filter(None, (", ".join(named[:-1]), *named[-1:])))


def no_such_language(asked: str, held: Sequence[str]) -> str:
    """That no policy is in the language of the question, in that language where we know its words.

    Args:
        asked: the language of the question, one of `tokenizer.LANGUAGES`.
        held: those of the policies.

    >>> no_such_language("italian", ["english", "german"])
    'The question is in Italian, and no policy here is: ask in English or German.'
    >>> no_such_language("german", ["english", "french"])
    'Die Frage ist auf Deutsch gestellt, und keine Richtlinie hier ist es: fragen Sie auf Englisch oder Französisch.'
    """
    from babel import Locale

    own = lexicon(asked)
    codes = {name.lower(): code for code, name in Locale("en").languages.items()}
    names = {language: Locale(own.code).languages[codes[language]] for language in (asked, *held)}
    others = _or(sorted(names[language] for language in held), own.answers)
    return own.answers.no_such_language.format(asked=names[asked], held=others)


def headline(answer: Answer) -> str:
    """What stands above the sections that are shown instead of an answer, without a colon."""
    if answer.status is Status.CLARIFY:
        return _MEANT
    unknown = answer.status is Status.REFUSED and (answer.removed or answer.answer.startswith(_WROTE_NOTHING))
    return _FOUND if unknown else _NEAREST
