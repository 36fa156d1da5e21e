"""What the workbench words questions with, checks them by, and changes texts by, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionTemplates:
    """What questions by rule are worded with.

    Attributes:
        clause: asks for a clause; `{number}`, `{document}`.
        unit: the word before a bare number.
        topic: asks for what a document says on a section's title; `{title}`, `{document}`.
        definition: asks for what a term means; `{term}`, `{document}`.
        cell: asks for a table's cell; `{column}`, `{head}` (the first column's name), `{row}`, `{document}`.
        comparison: asks for the difference between two rows; those of `cell`, and `{other}`.
        joins: joins two questions; `{first}` has no question mark.
        generic: titles that say nothing of what is under them, or under which no rules stand (a glossary, contacts,
            forms, a schedule of them), and titles that are questions themselves.
    """

    clause: str
    unit: str
    topic: str
    definition: str
    cell: str
    comparison: str
    joins: str
    generic: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkbenchWords:
    """Alternatives of a regular expression, matched whatever their case, those of all languages together.

    Attributes:
        templates: what questions by rule are worded with.
        preamble: how an LLM announces questions.
        refers: what points to the text in front of a question's writer: "according to the passage".
        points: what points to a thing that stands before: "such a"; and
        pronouns: the same: "they".
        persons: for whom a pronoun may stand: "employees".
        see: in front of the place where something stands: "refer to".
        universal: what speaks of all or of every time; and
        nobody: of none.
        opposites: words of which one must not stand for the other.
        conflicts: what tells that two texts do not say the same.
        numbers: numbers in words of which one may take another's place.
        turned: modals, each with what says something else.
        no_amounts: in front of a number that is no amount, besides the references of the lexicon: "room".
    """

    templates: QuestionTemplates
    preamble: str
    refers: str
    points: str
    pronouns: str
    persons: str
    see: str
    universal: str
    nobody: str
    opposites: tuple[tuple[str, str], ...]
    conflicts: str
    numbers: str
    turned: tuple[tuple[str, str], ...]
    no_amounts: str = ""


def opposed(pairs: str) -> tuple[tuple[str, str], ...]:
    """Pairs between blanks, "_" for a blank.

    >>> opposed("more/less at_least/at_most")
    (('more', 'less'), ('at least', 'at most'))
    """
    made = (pair.replace("_", " ").partition("/") for pair in pairs.split())
    return tuple((one, other) for one, _, other in made)
