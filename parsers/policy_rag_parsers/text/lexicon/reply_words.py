"""How an LLM puts its reply, and refuses one, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyWords:
    """Alternatives of a regular expression, matched whatever their case, those of all languages together; "" for none.

    Attributes:
        names: what a citation mark calls a section: "section", "source".
        inside: words in front of a number in brackets that is no mark: "paragraph (1)".
        sources: the heading of a list of sources.
        answer: the label of a reply.
        opens: what joins a sentence to others, or says that it is from the sections, and is taken off: "however, ".
            None in a language whose verb would then come first.
        section: what names a section by number in front of what it says: "according to section"; none as with `opens`.
        section_says: behind the number: "says", "that".
        partly: what tells of an answer that is not whole: "fully".
        regrets: what may stand in front of a refusal: "unfortunately".
        refuses: how a reply without an answer begins.
    """

    names: str
    inside: str
    sources: str
    answer: str
    opens: str = ""
    section: str = ""
    section_says: str = ""
    partly: str
    regrets: str
    refuses: str
