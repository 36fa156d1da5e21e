"""How a question names a document, its edition, its validity, and what is declared of it, in one language."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class NamingWords:
    """The words around the name of a document; each field but the sets holds alternatives of a regular expression.

    They are matched whatever their case, and those of all languages together, so that what is another word in another
    language ("data") is left out.

    Attributes:
        kinds: what a document is by its name: "policy".
        generic: words of titles and of asking for a text, which tell no document and no matter from another.
        place: prepositions of place or source in front of a name: "according to".
        indefinite: what stands in front of a name where none in particular is meant: "any".
        says: what a document does, behind its name: "requires".
        quotes: what asks for the words of a text: "say", "read".
        elsewhere: in front of a document that is not to be looked in: "not", "instead of".
        file: in front of a file's name: "document".
        old: of an edition that is no more in force; and
        new: of the one that is.
        changes: what asks from when an edition holds, or which does: "in force", "since".
        ends: what asks until when: "expires".
        holds: what else may stand in such a question: "takes".
        dates: "date", "day".
        responsible: what asks or says who answers for a document, approved or wrote it.
        departs: what lets depart from a rule: "waive".
        about: in front of a topic.
        for_: in front of those for whom rules are.
        at: in front of a place.
        by: in front of an owner, besides "of".
        before_noun: what stands directly in front of a noun with its adjectives: articles, short prepositions, "is".
        also_called: between a thing and its other name: "also known as".
        hereinafter: in front of such a name in brackets.
    """

    kinds: frozenset[str]
    generic: frozenset[str]
    place: str
    indefinite: str
    says: str
    quotes: str
    elsewhere: str
    file: str
    old: str
    new: str
    changes: str
    ends: str
    holds: str
    dates: str
    responsible: str
    departs: str
    about: str
    for_: str
    at: str
    by: str
    before_noun: str
    also_called: str
    hereinafter: str
