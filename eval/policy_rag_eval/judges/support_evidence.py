"""What a statement is held against, and how both are read: as stems and as quantities."""

import re
from dataclasses import dataclass

from policy_rag.answering.verification.quantities import Quantity, quantities
from policy_rag.answering.verification.surface_checks import MODAL_STEMS
from policy_rag.index.search.tokens import terms

SECTION_MARK = re.compile(r"\A\s*(?:\d+(?:\.\d+)+\.?|\(\w{1,3}\)|[-*])\s+")
_SPAN_OF_ONE = re.compile(
    r"\b(?:within|after|for|by|in|of|until|every)\s+(?:a|an)\s+(?=(?:hour|day|week|month|year)\b)", re.IGNORECASE
)
_GERMAN_NUMBERS = re.compile(r"\b(?:zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a statement is held against.

    Attributes:
        sentences: those of the contexts that share most with it, best first.
        contexts: all that the answerer was given.
        question: as asked; its numbers and names may be repeated.
        language: in which words are stemmed.
    """

    sentences: tuple[str, ...]
    contexts: tuple[str, ...]
    question: str
    language: str = "english"

    @property
    def text(self) -> str:
        """The sentences as one text, without the numbers of sections that they begin with."""
        return " \n".join(SECTION_MARK.sub("", sentence) for sentence in self.sentences)


def numbers(text: str) -> list[Quantity]:
    """Quantities, with "within a week" as one week and German numbers in words of any case."""
    spelt = _SPAN_OF_ONE.sub(lambda found: f"{found[0].split()[0]} 1 ", text)
    return quantities(_GERMAN_NUMBERS.sub(lambda found: found[0].lower(), spelt))


def numerals(text: str) -> frozenset[str]:
    """The words of a text that are numbers, as `terms` gives them: they are checked by value, not by wording.

    >>> sorted(numerals("Within three (3) days."))
    ['3', 'three']
    """
    return frozenset(word for quantity in numbers(text) for word in terms(quantity.shown))


def stems(text: str, language: str) -> list[str]:
    """The stems of a text's content words, in order, without those of modal verbs."""
    return [stem for stem in terms(text, language) if stem not in MODAL_STEMS]
