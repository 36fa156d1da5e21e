"""The words by which documents are read, line by line, whatever language they are in."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LineWords:
    """The wording of a language's documents: of lines and titles, and of what sentences say of other places.

    They are looked for in texts of all languages, so that what is an everyday word of another one is left out ("do",
    "no"), or matched in lower case only by `(?-i:...)`. Sets hold words in lower case; the other fields hold
    alternatives of a regular expression, "" for none. Abbreviations that have a capital are matched as they stand.

    Attributes:
        page: in front of the number of a page.
        page_of: between it and how many there are.
        joints: prepositions that no line of a title begins or ends with, "of"; and
        ends: what else none ends with: "the", "from".
        small: other words that titles write with a small letter: "in".
        opens: what opens a clause, so that no title ends with it: "if".
        counted: in lower case behind a number, which counts them: "people".
        asks: how titles begin that ask, besides asking words: "ce qui".
        finite: verbs that no title has, unless it asks, or behind these;
        relates: pronouns directly in front of the verb of a relative clause: "who".
        governs: what says how a list is meant, besides these: "not", "only", "prohibited".
        limits: how a sentence begins that limits what stands before it: "however".
        points_on: what in a sentence points to the list or table below it: "as follows", "these days" at its end.
        doers: who begins a sentence that the list below goes on with: "we"; and
        does: verbs at its end: "pays".
        never_last: abbreviations that end no sentence; and
        before_number: those that end none in front of a number; and
        often_inside: those that end one only where the next begins with a word of `starters`.
        ranking: in front of a figure whose dot makes it an ordinal, where a language writes them so: "der"; and
        ranked: what is counted by such ordinals without these: "Klasse"; and
        numbered: in front of a number whose dot is a full stop: "Seite".
        starters: words that begin a sentence, besides articles, pronouns and the like that other fields have.
        breadcrumb: what a link says that leads about its page: "back to top".
        states: verbs and nouns by which a page's foot states something of the document: "approved".
        defining: what titles of sections on definitions have: "glossary".
        terms: at the head of a column of terms.
        means: verbs that tell what the word before them means.
        is_: in quotation marks alone, a word before one of these is defined: "is".
        called: in front of a name that is given in brackets: "hereinafter".
        excepts: what says that a rule does not hold in a case, or not for what it refers to; and
        excepts_from: the same, directly in front of what does not hold: "exempt from"; and
        not_applied: the same behind it: "does not apply".
        refrains: how an item of a list begins that forbids where the list obliges: "not".
        passive: verbs of the passive voice behind a modal: "be".
        defined_in: in front of where a word is defined.
        replaced: behind what no longer holds.
        about: the question what the rules on a matter are.
        meaning: the question what a word means.
        empty_titles: titles that tell nothing of what a section is about: "general".
        kinds: words for kinds of documents, besides those of `TitleBlockWords.titles`.
        rule_words: words of rules as such, besides those of modal expressions, which tell nothing of a matter.
    """

    page: str = ""
    page_of: str = ""
    joints: frozenset[str] = frozenset()
    ends: frozenset[str] = frozenset()
    small: frozenset[str] = frozenset()
    opens: str = ""
    counted: str = ""
    asks: str = ""
    finite: str = ""
    relates: str = ""
    governs: str = ""
    limits: str = ""
    points_on: str = ""
    doers: str = ""
    does: str = ""
    never_last: frozenset[str] = frozenset()
    before_number: frozenset[str] = frozenset()
    often_inside: frozenset[str] = frozenset()
    ranking: frozenset[str] = frozenset()
    ranked: str = ""
    numbered: str = ""
    starters: frozenset[str] = frozenset()
    breadcrumb: str = ""
    states: str = ""
    defining: str = ""
    terms: str = ""
    means: str = ""
    is_: str = ""
    called: str = ""
    excepts: str = ""
    excepts_from: str = ""
    not_applied: str = ""
    refrains: str = ""
    passive: str = ""
    defined_in: str = ""
    replaced: str = ""
    about: str = ""
    meaning: str = ""
    empty_titles: str = ""
    kinds: str = ""
    rule_words: frozenset[str] = frozenset()
