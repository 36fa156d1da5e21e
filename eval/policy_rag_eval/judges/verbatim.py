"""Whether a statement is word for word what the contexts say: whole sentences, list items or table rows, in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag.index.search.terms import words
from policy_rag_parsers.text.sentences import LIST_MARK

Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Wording:
    """What contexts say, unit by unit: a unit is a sentence, a list item or a table row, as `sentence_spans` cuts them.

    Attributes:
        units: of each unit, in order, its words with the mark that it begins with and without.
    """

    units: tuple[tuple[Words, Words], ...]

    @classmethod
    def of(cls, sentences: Sequence[str]) -> "Wording":
        """The wording of sentences, in order; those without any word (rules under a table's head) are left out."""
        both = ((tuple(words(one)), tuple(words(LIST_MARK.sub("", one, count=1)))) for one in sentences)
        return cls(tuple((whole, bare or whole) for whole, bare in both if whole))

    def holds(self, statement: str) -> bool:
        """Whether the statement is one unit, or several that follow each other, and nothing else.

        Blanks, bars of tables and list marks do not count; a number or letter that the statement begins a unit with
        does, and must be the unit's own. A part of a unit is not held: what is left out may turn it round.

        >>> said = Wording.of(["6.1 Claims:", "- hotels", "- meals", "| Hotel | EUR 120 |"])
        >>> [said.holds(one) for one in ("6.1 Claims: hotels", "Claims:", "Hotel EUR 120", "6.2 Claims:", "Hotel")]
        [True, True, True, False, False]
        """
        told = tuple(words(statement))
        return bool(told) and any(self._follows(told, place) for place in range(len(self.units)))

    def _follows(self, told: Words, place: int) -> bool:
        """Whether all of these words are units from this place on."""
        begun = {0}  # where in the words a unit may begin: two places where a mark may be there or not
        for unit in self.units[place:]:
            ends = {at + len(form) for at in begun for form in unit if told[at : at + len(form)] == form}
            if len(told) in ends:
                return True
            if not ends:
                return False
            begun = ends
        return False
