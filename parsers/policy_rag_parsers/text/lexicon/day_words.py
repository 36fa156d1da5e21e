"""How a question names the day whose rules it asks for, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class DayWords:
    """The words around a day, month or year of a question, as alternatives of a regular expression; "" for none.

    Attributes:
        in_force: in front of a day whose rules are asked for: "in force".
        at: in front of a day: "on".
        onward: in front of the first of many: "from".
        by: in front of the last of many: "by".
        before: in front of a day that is none of them: "before".
        the: articles in front of a day.
        year: between `at` and a year: "the academic year", "autumn".
        past_year: verbs that a year may follow directly: "galt 2023".
        past: verbs that tell of what is over.
        present: verbs that tell of what is.
        past_begins: those of `past` that begin a question.
        coming_begins: verbs that begin one about what is to come.
        tellers: what begins a sentence that tells of somebody: "I", "our".
        conditions: what begins a clause that tells of a case: "if", "who".
        goes_on: what may follow a year, besides the words of asking: "2024 for", and no "euros".
    """

    in_force: str
    at: str
    onward: str
    by: str = ""
    before: str
    the: str = ""
    year: str
    past_year: str = ""
    past: str
    present: str
    past_begins: str
    coming_begins: str
    tellers: str
    conditions: str
    goes_on: str
