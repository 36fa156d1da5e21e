"""Questions that a German sentence of a policy answers, by its form alone.

In a German main clause the verb stands second: with it put first, the statement is a question.
"""

import re
from collections.abc import Iterator

from policy_rag_eval.questions.drafts import Style
from policy_rag_eval.questions.rules_english import Asked

_VERB = re.compile(r"\b(darf|dürfen|muss|müssen|kann|können|soll|sollen|ist|sind|wird|werden|gilt|gelten)\b")
_AMOUNTS = re.compile(r"\b(beträgt|betragen)\b")
_NO_SUBJECT = re.compile(
    r"\A(?:er|sie|es|dies\w*|jene\w*|solche\w*|das|was|wer|wenn|wird|ist|sofern|falls|für|bei|in|an|am|auf|nach|zum?|zur|ab|"
    r"bis|mit|ohne|von|vom|während|soweit|dabei|dazu|davon|darüber|hierzu|niemand|nur|kein\w*|im|innerhalb|unter|über)\b",
    re.IGNORECASE,
)
_INSIDE = re.compile(r"[,;:()„“\"]|\b(?:und dann|sowie)\b")
_DANGLING = re.compile(
    r"\b(?:er|sie|es|ihnen|ihm|ihr\w*|sein\w*|dies\w*|jene\w*|solche\w*|dabei|dazu|davon|darüber|hierzu)\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"\s*(?:[;:(]|,|\b(?:sofern|soweit|wenn|sondern|es sei denn|außer)\b).*")
_NEGATION = re.compile(r"\s\b(?:nicht|auch|nur)\b")
_LIMIT = re.compile(
    r"\b(?:spätestens )?(?:innerhalb von|binnen) ((?:\d+|zwei|drei|vier|fünf|sechs|acht|zehn|vierzehn) \w+)\b"
)
_MOST_SUBJECT_WORDS = 8
_LEAST_WORDS, _MOST_WORDS = 4, 26


def german_questions(sentence: str) -> Iterator[Asked]:
    """The questions that a sentence answers, the surest first.

    >>> [asked.text for asked in german_questions("Die tägliche Arbeitszeit darf zehn Stunden nicht überschreiten.")]
    ['Darf die tägliche Arbeitszeit zehn Stunden überschreiten?']
    >>> [asked.text for asked in german_questions("Der Zuschlag für Nachtarbeit beträgt 30 %.")]
    ['Wie viel beträgt der Zuschlag für Nachtarbeit?']
    """
    for asked in (*_amount(sentence), *_limit(sentence), *_verb_first(sentence)):
        bare = asked.text.rstrip("?")
        if _LEAST_WORDS <= len(bare.split()) <= _MOST_WORDS and not _DANGLING.search(bare):
            yield asked


def _amount(sentence: str) -> Iterator[Asked]:
    found = _AMOUNTS.search(sentence)
    if not found or not _is_subject(subject := sentence[: found.start()].strip()):
        return
    rest = sentence[found.end() :].strip(" .")
    # What stands before the number restricts it ("bei Vollzeit 37,5 Stunden"), what stands behind it is its unit.
    before = re.split(r"\b(?:höchstens|mindestens|bis zu)?\s*\d", rest, maxsplit=1)[0].strip(" ,")
    if re.search(r"\d", rest):
        yield Asked(Style.FACTUAL, f"Wie viel {found[1]} {_lower(subject)} {before}".strip() + "?", "amount")


def _limit(sentence: str) -> Iterator[Asked]:
    """In which time, of "innerhalb von zwei Wochen"."""
    verb, limit = _VERB.search(sentence), _LIMIT.search(sentence)
    if (
        not verb
        or not limit
        or limit.start() < verb.end()
        or not _is_subject(subject := sentence[: verb.start()].strip())
    ):
        return
    rest = sentence[verb.end() : limit.start()] + sentence[limit.end() :]
    if not _CUT.search(rest):
        asked = " ".join(f"{verb[1]} {_lower(subject)} {rest.strip(' .')}".split())
        yield Asked(Style.FACTUAL, f"Innerhalb welcher Frist {asked}?", "limit", limit[1])


def _verb_first(sentence: str) -> Iterator[Asked]:
    verb = _VERB.search(sentence)
    if not verb or not _is_subject(subject := sentence[: verb.start()].strip()):
        return
    rest = _CUT.sub("", sentence[verb.end() :]).strip(" .")
    negated = _NEGATION.search(f" {rest}") is not None
    if verb[1] in {"ist", "sind", "wird", "werden", "gilt", "gelten"} and not negated:
        return  # that it is done as the sentence says would be a leading question
    rest = " ".join(_NEGATION.sub("", f" {rest}").split())
    style = Style.PARAPHRASE
    if rest:
        yield Asked(style, f"{verb[1].capitalize()} {_lower(subject)} {rest}?", "verb_first")


def _is_subject(subject: str) -> bool:
    words = subject.split()
    return 1 <= len(words) <= _MOST_SUBJECT_WORDS and not _NO_SUBJECT.match(subject) and not _INSIDE.search(subject)


def _lower(text: str) -> str:
    """An article at the front in small letters; nouns keep their capitals."""
    return re.sub(r"\A(?:Der|Die|Das|Den|Dem|Ein\w*|Jede\w*|Alle\w*)\b", lambda word: word[0].lower(), text)
