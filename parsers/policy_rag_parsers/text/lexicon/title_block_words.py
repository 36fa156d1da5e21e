"""The words in which a document's head states its version and validity."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleBlockWords:
    """The words of a title block in one language.

    All are alternatives of a regular expression, matched whatever their case; a blank stands for any blanks, and "" for
    no such words. A date follows where the text has one: "effective from" is followed by a day.

    Attributes:
        control: what stands over a table of a document's data: "document control".
        nouns: what a document calls itself: "policy".
        pronouns: what stands for it: "it".
        this: what stands before such a noun where it is this document: "this".
        articles: the same, in front of a subject.
        own: what may stand before `versions` directly: "document".
        becomes: verbs between the subject and `begins` or `ends`: "is", "comes".
        begins: in front of the first day: "effective from".
        begins_before: in front of a first day that stands amid its words, "tritt am"; and
        begins_behind: behind it: "in Kraft".
        periods: in front of a first day that a last day follows: "validity".
        to: between the first and the last day.
        ends: in front of the last day: "valid until".
        ends_before: as `begins_before`.
        ends_behind: as `begins_behind`.
        as_of: in front of a day that is the first one where none is said: "Stand".
        versions: "version", of which a letter may be the number too: "rev. B".
        issues: other names of one, which may be counted: "3rd edition".
        number: between these and their number: "no.".
        counted: behind the figures of an ordinal: "rd".
        dated: in front of the day or year of a version or a title: "of", "dated".
        replaces: verbs whose object is what this document replaces, and labels of it: "supersedes".
        replaced_labels: further labels of it: "previous version".
        replaced_by: in front of what replaces this one.
        joins: "and".
        which: what else joins `replaces` to what stands before it.
        objects: articles in front of what is replaced.
        old: what tells that a version is another one than this: "previous"; of a title, that it is none: "all".
        draft: what says that a document is not in force yet: "draft".
        titles: nouns of titles, as whole words: "handbook".
        titled: labels of the document's title: "title", "policy name".
        verbs: finite verbs that no row of a title block has.
        clauses: words that open a clause behind a comma.

    `verbs` and `clauses` of one language are looked for in texts of all: what is a word or a name in another one
    ("Son", "Los Angeles", "de") is left out, or matched in lower case only by `(?-i:...)`.
    """

    control: str
    nouns: str
    pronouns: str
    this: str
    articles: str
    own: str = ""
    becomes: str
    begins: str
    begins_before: str = ""
    begins_behind: str = ""
    periods: str
    to: str
    ends: str
    ends_before: str = ""
    ends_behind: str = ""
    as_of: str = ""
    versions: str
    issues: str
    number: str
    counted: str
    dated: str
    replaces: str
    replaced_labels: str
    replaced_by: str
    joins: str
    which: str
    objects: str
    old: str
    draft: str
    titles: str
    titled: str
    verbs: str
    clauses: str
