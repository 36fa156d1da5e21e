"""What an answer to "may I?" or "must I?" begins with, as the sentence that answers has it: "Not permitted:".

Only where that sentence says it plainly: with one kind of modal, without a condition or a further negation, and of the
deed and the people that the question names, and where the reader does not find that it leaves the question open.
Nothing is concluded.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from policy_rag.answering.extraction.composition import Extract
from policy_rag.answering.extraction.exceptions import opposes
from policy_rag_parsers.text.answer_language import answer_language
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import content_stems, denies_beside_modals, modals
from policy_rag_parsers.text.quantities import claimed_quantities
from policy_rag_parsers.text.sentences import LIST_MARK
from policy_rag_parsers.text.tokenizer import terms, words

_ANSWERS = {
    Modality.PERMISSION: frozenset((Modality.PERMISSION, Modality.PROHIBITION)),
    Modality.OBLIGATION: frozenset((Modality.OBLIGATION, Modality.EXEMPTION, Modality.PROHIBITION)),
}
"""What a sentence may say to a question whether something is permitted, or required."""
_LEAST_BORNE = -1.0
"""Logit that what answers first bears out the question, from which it is led; below, the reader leaves it open."""


def with_leading_words(extract: Extract, question: str, languages: Sequence[str]) -> Extract:
    """The same answer, led by what its first words say to a question that asks whether something may or must be.

    It stands before the sentence or item that says it, behind the lines that lead into that; what says the contrary of
    others comes behind it.

    Args:
        extract: an answer that is claimed.
        question: as asked.
        languages: of the documents, one at least.
    """
    if extract.first.borne is not None and extract.first.borne < _LEAST_BORNE:
        return extract
    language = answer_language(question, languages)
    leads = _on_whom_it_asks(question, [one.text for one in extract.said if one.leads], language)
    verdict = leading_words(question, " ".join(leads), language) if leads else ""
    if not verdict:
        return extract
    at = next((i for i, one in enumerate(extract.said) if one.text in leads and modals(one.text, language)), 0)
    text = extract.said[at].text
    words = text.lstrip()
    words = words[mark.end() :].lstrip() if (mark := LIST_MARK.match(words)) else words
    led = replace(extract.said[at], text=f"{text[: len(text) - len(words)]}{verdict}: {words}")
    before, behind = extract.said[:at], extract.said[at + 1 :]
    of_others = [one for one in before if one.leads and one.text not in leads]
    others = [one for one in before if one not in of_others]
    return replace(extract, said=(*others, led, *of_others, *behind))


def leading_words(question: str, sentence: str, language: str) -> str:
    """What a sentence says to a question that asks yes or no, in the question's language; "" where it is not plain.

    >>> leading_words("Can I work from a café?", "Cafés and trains are not permitted.", "english")
    'Not permitted'
    >>> leading_words("May I work from a café?", "Staff may do so only with approval.", "english")
    ''
    >>> leading_words("Where may I work?", "Staff may work at home.", "english")
    ''
    """
    if language not in LEXICONS:
        return ""
    asked = _asked(question, language)
    told = modals(sentence, language)
    if (
        asked is None
        or len(told) != 1
        or _limited(language).search(sentence)
        or denies_beside_modals(sentence, language)
    ):
        return ""
    ((kind, deeds),) = told.items()
    if kind not in _ANSWERS[asked] or not _is_asked(_last(question), sentence, deeds, language):
        return ""
    if any(one.bound for one in claimed_quantities(sentence, language)):
        return ""
    return lexicon(language).verdicts[kind]


def asks_yes_or_no(question: str, language: str) -> bool:
    """Whether the last sentence of a question can be answered by yes or no.

    >>> asks_yes_or_no("I'm new here. Does the firm pay for my train?", "english")
    True
    >>> asks_yes_or_no("Who pays for my train?", "english")
    False
    """
    return _opens(language).match(_last(question).lstrip("¿")) is not None


def _asked(question: str, language: str) -> Modality | None:
    """Whether a question asks for a permission or a duty, by yes or no."""
    if not asks_yes_or_no(question, language):
        return None
    told = modals(_last(question), language)
    return next((kind for kind in _ANSWERS if kind in told), None)


def _is_asked(question: str, sentence: str, deeds: Collection[str], language: str) -> bool:
    """Whether a sentence speaks of what a question asks: of the same deed, and of whom the question names before it.

    One without a deed behind its modal ("Smoking is prohibited.") must share a word. What binds drivers says nothing to
    somebody who does not say that he is one: of what it names before its first verb, the question names something.
    """
    asked, said = content_stems(question, language), frozenset(content_stems(sentence, language))
    if not deeds:
        return not said.isdisjoint(asked)
    if _is_on_others(question, sentence, language):
        return False
    place = next((i for i, stem in enumerate(asked) if any(_same_deed(stem, deed, language) for deed in deeds)), None)
    return place is not None and said.issuperset(asked[:place])


def _on_whom_it_asks(question: str, leads: Sequence[str], language: str) -> list[str]:
    """The sentences without those that say the contrary of another one, of people whom the question does not name."""
    return [
        one
        for one in leads
        if not (
            language in LEXICONS
            and _is_on_others(_last(question), one, language)
            and any(opposes(one, other) for other in leads if other is not one)
        )
    ]


def _is_on_others(question: str, sentence: str, language: str) -> bool:
    """Whether a sentence names something before its first verb, and nothing of that stands in a question.

    What names everybody beside others ("Contractors and employees") is on everybody; behind a comma the last of several
    may belong to what is in front of it ("Drivers, clerks and warehouse staff").
    """
    known = lexicon(language)
    verb = any_word(known.verbs).search(sentence)
    before = sentence[: verb.start()] if verb else ""
    named = [before] if "," in before else _joins(language).split(before)
    telling = [{stem for word in words(one) for stem in _telling(word, language)} for one in named]
    return all(telling) and set().union(*telling).isdisjoint(content_stems(question, language))


def _telling(word: str, language: str) -> list[str]:
    """The stems by which a word tells of whom a sentence is; the number of its section tells nothing."""
    known = lexicon(language)
    tells_nothing = word[0].isdigit() or word in known.vague_nouns | known.determiners | known.negators
    return [] if tells_nothing else content_stems(word, language)


def _same_deed(asked: str, said: str, language: str) -> bool:
    """Whether two stems are forms of one verb: "essen" and "gegessen", "sell" and "sold"."""
    return any(
        one in said or said in one or said.replace("ge", "", 1).startswith(one)
        for one in (asked, *_forms(asked, language))
    )


@cache
def _forms(stem: str, language: str) -> tuple[str, ...]:
    """The other forms of a verb whose stems differ, behind the prefix that it has: "nehm" gives "genomm"."""
    groups = ([stems[0] for word in group if (stems := terms(word, language))] for group in lexicon(language).forms)
    return tuple(
        f"{stem.removesuffix(one)}{other}"
        for group in groups
        for one in group
        if stem.endswith(one)
        for other in group
        if other != one
    )


def _last(question: str) -> str:
    return re.split(r"(?<=[.!?])\s+", question.strip())[-1]


@cache
def _opens(language: str) -> re.Pattern[str]:
    return any_word(lexicon(language).asks_yes_or_no)


@cache
def _joins(language: str) -> re.Pattern[str]:
    return any_word(*lexicon(language).and_, *lexicon(language).or_)


@cache
def _limited(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    opening = (known.if_, known.when, known.until, known.after, known.without)
    return any_word(known.only, known.except_, known.besides, *opening)
