"""What an answer says of itself, in one language: that it is uncertain, refused, or contradicted."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerWords:
    """Sentences of an answer that no policy says. Names in braces stand for what is filled in.

    Attributes:
        nearest: above the nearest text, which may not answer.
        refused: that the policies do not answer.
        near_miss: what follows that where they treat the matter.
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
