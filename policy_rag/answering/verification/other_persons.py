"""Whom a statement names where a sentence that it follows word for word names somebody else."""

from collections.abc import Collection, Sequence

from policy_rag.answering.verification.near_copy import align, replacement
from policy_rag.answering.verification.quoted_names import ACRONYM
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag_parsers.text.tokenizer import words


def other_person(statement: Sentence, evidence: Evidence) -> str:
    """Whom a statement names in place of the person that what it cites names; or "".

    A person is known by the word of a role, also the one behind what differs ("line manager", "project manager"), or by
    an acronym, on either side. Two words for one role are the same person, and an acronym is what it stands for.
    """
    for source in evidence.copied:
        pair = align(statement, source)
        for a, b, c, d in pair.differences if pair.is_close else ():
            theirs, ours = pair.cut(0, a, b), pair.cut(1, c, d)
            new = read(ours, statement.language).content - frozenset(source.stems)
            gone = read(theirs, statement.language).content
            told = [*words(f"{ours} {theirs}"), *pair.words[1][d : d + 1]]
            is_role = any(word in role for word in told for role in statement.lexicon.roles)
            if not (new and gone) or not (is_role or ACRONYM.search(f"{ours} {theirs}")):
                continue
            if not are_synonyms(ours, theirs, statement.lexicon.roles) and not _is_acronym_of(ours, theirs):
                return replacement(ours, theirs)
    return ""


def are_synonyms(one: str, other: str, roles: Sequence[Collection[str]]) -> bool:
    """Whether two persons are called by different words for one role: "line manager", "supervisor"."""
    ours, theirs = (frozenset(words(person)) for person in (one, other))
    return any(ours & {*role} and theirs & {*role} and not ours & theirs & {*role} for role in roles)


def _is_acronym_of(one: str, other: str) -> bool:
    return any(
        "".join(word[0] for word in words(long)).endswith(short.lower())
        for short, long in ((one, other), (other, one))
        if ACRONYM.fullmatch(short)
    )
