"""The words around the number of a section that is referred to: what they are in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceWords:
    """Words beside a number, each field as alternatives of a regular expression; "" where a language has none.

    Attributes:
        inside: what is counted inside a numbered unit: "paragraph" of "section 4, paragraph 2".
        of: prepositions in front of the text or the unit that a number belongs to, with the article that has grown
            together with them: "of", "del". Behind those that end in an apostrophe no blank follows.
        the: articles and the like that may stand between such a preposition and the name.
        this: what names the text itself: "this", "présent".
        and_: between the numbers of a list.
        to: between the ends of a range.
        amounts: names of measures behind a number, which is no section's then.
        leads: in front of a number that is a section's by its form alone: "in accordance with".
        behind: what stands behind the number of a section in running text: "above", "says".
    """

    inside: str
    of: str
    the: str = ""
    this: str
    and_: str
    to: str
    amounts: str = ""
    leads: str = ""
    behind: str = ""
