"""How questions are put in one language: how they begin, are joined, are compared, and lean on one another."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionWords:
    """The words of asking. Each field but the sets holds alternatives of a regular expression, "" for none.

    They are matched whatever their case, but for `points`, and those of all languages together: a short question does
    not tell its language.

    Attributes:
        asks: words that ask, as far as they begin a question behind "and": "who", "how".
        before: prepositions in front of them: "by when".
        auxiliaries: verbs that begin a question where a subject follows: "may".
        subjects: what begins that subject, besides articles: "I", "employees".
        begins: what begins a question by itself: "puedo", "puis-je".
        articles: what stands in front of a noun and tells nothing of it, possessives too.
        persons: pronouns for persons, behind which a verb follows.
        noun_first: whether what tells of a noun stands behind it, "congés annuels".
        particles: what may stand behind a verb and belongs to it: "over" of "carry over".
        joins: what joins two questions behind a comma, besides "and" and "or": "but".
        also: what may follow that: "also".
        compares: how a comparison begins: "what is the difference between".
        between: what stands between the two, besides "and": "with".
        links: in front of each of the two, behind what both are asked about: "for".
        of_each: what asks of each of two things behind it that "and" joins: "what happens to".
        opens: how a follow-up opens, besides "and": "or", "what about"; a whole one may be "how long".
        points: pronouns that stand for something else: "it".
        supposes: "what if".
        being: what says that somebody is something, behind that: "I am".
        requests: verbs and the like that tell how it is asked and that stop words keep: "please tell".
        any_policy: words that any policy holds: they say what is wanted of one, and not of which.
        procedural: what is asked of any matter, though it can be one of its own: "receipt", "report", "sign".
        breaking: what is done to rules, beside a word for them: "break".
    """

    asks: str
    before: str
    auxiliaries: str
    subjects: str
    begins: str = ""
    articles: frozenset[str]
    persons: frozenset[str]
    noun_first: bool = False
    particles: str = ""
    joins: str
    also: str
    compares: str
    between: str
    links: str
    of_each: str
    opens: str
    points: str
    supposes: str
    being: str
    requests: frozenset[str]
    any_policy: frozenset[str]
    procedural: frozenset[str]
    breaking: frozenset[str]
