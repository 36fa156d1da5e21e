"""What an answer says of itself, in one language: that it is uncertain, refused, or contradicted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWords:
    """Sentences of an answer that no policy says. Names in braces stand for what is filled in.

    Attributes:
        nearest: above the nearest text, which may not answer.
        refused: that the policies do not answer.
        near_miss: what follows that where they may treat the matter.
        part_refused: that they do not answer a part.
        not_borne_out: that nothing is left of what an LLM wrote.
        wrote_nothing: that it wrote nothing.
        may_answer: what follows either: that the sections found may answer.
        courtesy: what is said to who greets or thanks.
        which: how a question back begins.
        otherwise: that another policy differs; behind it stands in what, and its words.
        unmentioned: that no policy has `{words}`.
        unmentioned_now: that none in force has them.
        or_: between the last two of several.
        no_such_language: that the question is in `{asked}`, and the policies are in `{held}` alone.
        no_clause: that `{titles}` have no `{clause}`; like the further ones no whole sentence.
        readable: what stands for many titles there.
        section_shown: that another `{number}` is shown in its place.
        other_law: that a `{clause}` is of a `{law}`.
        in_force: that a `{policy}` is in force on `{days}`, and with which `{day}` to ask for it.
        was_in_force: that it was.
        version: the `{number}` that a document declares.
        no_version: that it declares none.
        since: the first `{day}` that it declares.
        no_begin: that it declares none.
        until: the last `{day}`.
        no_end: that it declares none.
        against: how `{one}` statement differs from the `{other}`.
    """

    nearest: str
    refused: str
    near_miss: str
    part_refused: str
    not_borne_out: str
    wrote_nothing: str
    may_answer: str
    courtesy: str
    which: str
    otherwise: str
    unmentioned: str
    unmentioned_now: str
    or_: str
    no_such_language: str
    no_clause: str
    readable: str
    section_shown: str
    other_law: str
    in_force: str
    was_in_force: str
    version: str
    no_version: str
    since: str
    no_begin: str
    until: str
    no_end: str
    against: str
