"""What a question wants, and the politeness around it, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class WantingWords:
    """Alternatives of a regular expression, matched whatever their case, those of all languages together.

    Attributes:
        who: what asks for a person.
        when: what asks for a time.
        why: what asks for a reason.
        how: what asks for a manner or a place.
        which: what asks for one of several: "which", "what".
        summary: what asks for a whole document: "overview".
        comparing: what asks for several things beside each other: "differ".
        leads: greetings, politeness and ways of asking to be told, at the beginning of a question; each is taken off.
        whether: what joins the question to them: "if".
        please: politeness amid a question.
        thanks: thanks and the like at its end; and
        thanks_for: what may follow: "in advance".
    """

    who: str
    when: str
    why: str
    how: str
    which: str
    summary: str
    comparing: str
    leads: str
    whether: str
    please: str
    thanks: str
    thanks_for: str
