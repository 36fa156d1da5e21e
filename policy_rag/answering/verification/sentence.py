"""A sentence as the checks read it: its words, figures, modals, negations and halves, each found once."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from policy_rag_parsers.text.frequencies import Frequency, frequencies
from policy_rag_parsers.text.lexicon import LEXICONS, any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Lexicon, Modality
from policy_rag_parsers.text.modality import forbidden_clauses, modal_stems, modals, negated_and_plain, negations
from policy_rag_parsers.text.numbers import number_in_words
from policy_rag_parsers.text.quantities import Quantity, claimed_quantities, quantities
from policy_rag_parsers.text.tokenizer import terms, words
from policy_rag_parsers.text.units import signed_names, unit_names


@dataclass(frozen=True)
class Sentence:
    """A text in a language; make it by `read`, which reads a text once.

    Attributes:
        text: as it stands.
        language: of `policy_rag_parsers.text.tokenizer.LANGUAGES`.
    """

    text: str
    language: str

    @property
    def lexicon(self) -> Lexicon:
        """The words of its language."""
        return lexicon(self.language)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its words in lower case, in order."""
        return tuple(words(self.text))

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """Its stems in order, every number in digits, without stop words and units that a sign may stand for.

        >>> read("Twenty-five euros for ten years", "english").stems, read("EUR 25 for 10 years", "english").stems
        (('25', '10', 'year'), ('25', '10', 'year'))
        """
        return tuple(_stems(self.words, self.language))

    @cached_property
    def content(self) -> frozenset[str]:
        """Its stems without those of modal expressions."""
        return frozenset(self.stems) - modal_stems()

    @cached_property
    def figures(self) -> tuple[Quantity, ...]:
        """Its numbers."""
        return tuple(quantities(self.text, self.language))

    @cached_property
    def given(self) -> tuple[Quantity, ...]:
        """Its numbers in every way that it can be read."""
        return tuple(quantities(self.text, self.language, given=True))

    @cached_property
    def claims(self) -> tuple[Quantity, ...]:
        """Its numbers but those of sections and forms; what is paid in full is paid to 100%.

        >>> [(one.shown, one.values) for one in read("Rent is fully paid.", "english").claims]
        [('fully', frozenset({'100'}))]
        """
        in_full = any_word(self.lexicon.in_full).finditer(self.text)
        whole = (Quantity(one[0], frozenset({"100"}), "%") for one in in_full)
        return (*claimed_quantities(self.text, self.language), *whole)

    @cached_property
    def frequencies(self) -> tuple[Frequency, ...]:
        """How often it says that something is done."""
        return tuple(frequencies(self.text, self.language))

    @cached_property
    def modals(self) -> Mapping[Modality, frozenset[str]]:
        """The kinds of its modal expressions, each with the stems that it stands before."""
        return modals(self.text, self.language)

    @cached_property
    def negated_and_plain(self) -> tuple[Counter[str], Counter[str]]:
        """How often each stem stands negated, and how often without a negation."""
        return negated_and_plain(self.text, self.language)

    @cached_property
    def forbidden(self) -> tuple[frozenset[str], ...]:
        """The stems of each of its clauses that is forbidden as a whole."""
        return forbidden_clauses(self.text, self.language)

    @cached_property
    def negators(self) -> int:
        """How many of its words negate."""
        return len(negations(list(self.words), self.language, comparing=False))

    def says(self, *alternatives: str) -> str:
        """The first of some words of the lexicon that it has, as written, or "".

        >>> read("Only members vote.", "english").says(lexicon("english").only)
        'Only'
        """
        found = any_word(*alternatives).search(self.text)
        return found[0] if found else ""


@cache
def _yes_or_no() -> re.Pattern[str]:
    words = "|".join(f"{known.yes}|{known.no}" for known in LEXICONS.values())
    return re.compile(rf"\A[\W_]*(?:{words})\s*[,.;:!–—-]+\s+(?=\S)", re.IGNORECASE)


def without_yes_or_no(text: str) -> str:
    """A sentence without the "Yes," or "No." that it begins with; "no visitor" is none.

    >>> without_yes_or_no("No, pets stay out."), without_yes_or_no("No pets.")
    ('pets stay out.', 'No pets.')
    """
    return _yes_or_no().sub("", text, count=1)


@lru_cache(maxsize=16384)
def read(text: str, language: str) -> Sentence:
    """The sentence of a text; the same one for the same text, so that nothing is read twice."""
    return Sentence(text, language)


def _stems(tokens: tuple[str, ...], language: str) -> list[str]:
    known, signs, names = lexicon(language), signed_names(language), unit_names(language)
    found: list[str] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        doubtful = token in known.articles or token in known.no_numbers
        number = None if doubtful else number_in_words(tokens[place:], language)
        if doubtful and place and tokens[place - 1] in known.before_one and tokens[place + 1 : place + 2]:
            number = ("1", 1) if tokens[place + 1] in names else None
        if number:
            found.append(number[0])
        elif token not in signs:
            found.extend(terms(token, language))
        place += number[1] if number else 1
    return found
