"""Whether a statement holds by what it cites, and the words of the policy that it stands on.

A statement and each sentence that it cites are read once (`sentence`), put beside each other (`evidence`), and go
through a list of checks. Each check is a pure function of the two that says what is wrong, or "". The first one that
says something decides.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from policy_rag.answering.citations import cite
from policy_rag.answering.verification.attribution import misplaced, unnamed_column, unnamed_row
from policy_rag.answering.verification.case_values import as_general
from policy_rag.answering.verification.conditions import other_condition
from policy_rag.answering.verification.conjunctions import other_joint, other_list_joint, other_quantifier
from policy_rag.answering.verification.equal_times import in_words_of_source, wrong_frequency
from policy_rag.answering.verification.halves import halves
from policy_rag.answering.verification.modal_checks import ruled_out, wrong_modal, wrong_negation
from policy_rag.answering.verification.near_copy import followed, turned_round
from policy_rag.answering.verification.other_persons import other_person
from policy_rag.answering.verification.quoted_names import (
    other_quotation,
    plain,
    unknown_acronym,
    unknown_person,
    unknown_role,
    unknown_subject,
)
from policy_rag.answering.verification.sentence import Sentence, read, without_yes_or_no
from policy_rag.answering.verification.source_sentences import Evidence, EvidencePassage, best_passages, evidence_of
from policy_rag.answering.verification.stated_figures import wrong_day_or_month, wrong_figure, wrong_rate
from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_parsers.text.lexicon import alternatives, lexicon

LEAST_OVERLAP = 0.5
_OWN_SUPPORT = 0.5
_TOPIC_AND_ONE = 2
_LONGEST_GAP = 300


class IssueKind(StrEnum):
    """What a check looks at."""

    QUOTATION = "quotation"
    NAME = "name"
    FIGURE = "figure"
    MODALITY = "modality"
    NEGATION = "negation"
    NEAR_COPY = "near copy"
    ATTRIBUTION = "attribution"
    COLUMN = "column"
    ROW = "row"
    PERSON = "person"
    CONJUNCTION = "conjunction"
    CONDITION = "condition"
    SUBJECT = "subject"
    OVERLAP = "overlap"


@dataclass(frozen=True, slots=True)
class Issue:
    """Why a statement does not hold: what kind of check says so, and how it is told."""

    kind: IssueKind
    message: str


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Whether a statement holds.

    Attributes:
        issue: why it does not; None where it does.
        citations: where it stands, in the order of the hits that were cited; numbered from 1. Of one that does not
            hold, what speaks on its matter.
        overlap: the share of its content words in what speaks on its matter, 0 to 1.
        closeness: the largest share of its words that stand in one sentence, in the same order, 0 to 1; 1 where whole
            sentences are joined by "and", and where it says a cell of a row and nothing else.
    """

    issue: Issue | None
    citations: tuple[Citation, ...] = ()
    overlap: float = 0.0
    closeness: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether it may be shown."""
        return self.issue is None

    @property
    def reason(self) -> str:
        """Why it does not hold, or ""."""
        return self.issue.message if self.issue else ""


def _overlap(statement: Sentence, evidence: Evidence) -> float:
    return len(statement.content & evidence.stems) / len(statement.content)


def _too_little(statement: Sentence, evidence: Evidence) -> str:
    share = _overlap(statement, evidence)
    # Of two words one is the topic: that alone says nothing of what is said about it.
    is_short = len(statement.content) == _TOPIC_AND_ONE
    enough = share > LEAST_OVERLAP if is_short else share >= LEAST_OVERLAP
    return "" if enough else f"only {share:.0%} of its words are in what it cites"


Check = Callable[[Sentence, Evidence], str]
_ANYWHERE: tuple[tuple[IssueKind, Check], ...] = (
    (IssueKind.QUOTATION, other_quotation),
    (IssueKind.NAME, unknown_acronym),
    (IssueKind.NAME, unknown_role),
    (IssueKind.NAME, unknown_person),
)
"""Checks against all that is cited."""
_IN_SUPPORT: tuple[tuple[IssueKind, Check], ...] = (
    (IssueKind.FIGURE, wrong_figure),
    (IssueKind.FIGURE, wrong_rate),
    (IssueKind.FIGURE, wrong_frequency),
    (IssueKind.FIGURE, wrong_day_or_month),
    (IssueKind.MODALITY, wrong_modal),
    (IssueKind.NEGATION, wrong_negation),
    (IssueKind.NEGATION, ruled_out),
    (IssueKind.NEAR_COPY, turned_round),
    (IssueKind.ATTRIBUTION, misplaced),
    (IssueKind.CONJUNCTION, other_joint),
    (IssueKind.CONJUNCTION, other_quantifier),
    (IssueKind.CONJUNCTION, other_list_joint),
    (IssueKind.CONDITION, other_condition),
    (IssueKind.SUBJECT, unknown_subject),
    (IssueKind.PERSON, other_person),
    (IssueKind.ROW, unnamed_row),
    (IssueKind.OVERLAP, _too_little),
    (IssueKind.COLUMN, unnamed_column),
)
"""Checks against the one to three sentences or rows that share most with the statement; copies need none."""


def check(statement: str, cited: Sequence[Hit], *, asked: str = "") -> CheckResult:
    """Check a statement against the hits that it cites.

    Sentences that give an assistant orders bear nothing (`prompt_injection`). A "Yes" or "No" in front answers a
    question that is not known here, and is not checked.

    Args:
        statement: one sentence without its citation marks.
        cited: the hits that it cites.
        asked: the question; its figures may be those of a case that falls under what is cited (`case_values`).
    """
    bare = without_yes_or_no(statement)
    evidence = evidence_of(bare, cited)
    said = read(bare, evidence.language)
    unknown = _first_issue(_ANYWHERE, said, evidence)
    said = in_words_of_source(said, [one.sentence for one in evidence.passages])
    if asked:
        said = as_general(said, asked, [part for one in evidence.passages for part in _parts(one)])
    if not said.content:
        return CheckResult(unknown or Issue(IssueKind.OVERLAP, "it says nothing that can be checked"))
    evidence = evidence.supporting(said)
    if not evidence.support:
        return CheckResult(unknown or Issue(IssueKind.OVERLAP, "what it cites says nothing of the kind"))
    sentences = frozenset(_letters(one.sentence.text) for one in evidence.support if not one.row)
    if unknown is None and _is_made_of(_letters(said.text), sentences, said.language):
        return CheckResult(None, _citations(said, cited, evidence), _overlap(said, evidence), closeness=1.0)
    issue = unknown or _first_issue(_IN_SUPPORT, said, evidence)
    closeness = max(followed(said, one) / max(1, len(said.words)) for one in evidence.sources)
    closeness = 1.0 if evidence.says_a_cell(said) else closeness
    return CheckResult(issue, _citations(said, cited, evidence), _overlap(said, evidence), closeness)


def _first_issue(checks: Sequence[tuple[IssueKind, Check]], statement: Sentence, evidence: Evidence) -> Issue | None:
    found = ((kind, one(statement, evidence)) for kind, one in checks)
    return next((Issue(kind, message) for kind, message in found if message), None)


@cache
def _joint(language: str) -> re.Pattern[str]:
    known = lexicon(language)
    return re.compile(rf",?\s+(?:{alternatives(known.and_)})\s+(?!(?:{known.question.points})\b)", re.IGNORECASE)


def _is_made_of(text: str, sentences: frozenset[str], language: str) -> bool:
    """Whether a text is one of some sentences, or several joined by "and" of which no later one begins with "it"."""
    if text in sentences:
        return True
    joints = _joint(language).finditer(text)
    return any(text[: j.start()] in sentences and _is_made_of(text[j.end() :], sentences, language) for j in joints)


def _letters(text: str) -> str:
    return plain(text).strip(" .")


def _parts(passage: EvidencePassage) -> list[Sentence]:
    """The halves of a sentence; a row whole."""
    return [passage.sentence] if passage.row else [half.whole for half in halves(passage.sentence)]


def _citations(statement: Sentence, cited: Sequence[Hit], evidence: Evidence) -> tuple[Citation, ...]:
    """A citation for each hit that supports the statement; hits that add nothing are left out."""
    wanted = statement.content
    found: list[Citation] = []
    for place, hit in enumerate(cited):
        chosen = [one for one in evidence.support if one.hit == place]
        if not chosen:
            own = best_passages(statement, [one for one in evidence.passages if one.hit == place])[:1]
            chosen = [one for one in own if len(wanted & one.stems) >= _OWN_SUPPORT * len(wanted)]
        if chosen:
            found.append(_citation(len(found) + 1, hit, chosen))
    return tuple(found)


def _citation(n: int, hit: Hit, chosen: Sequence[EvidencePassage]) -> Citation:
    """From the first to the last chosen passage where they are near each other, else the best one alone.

    A row that stands near its header row is quoted from there on.
    """
    start, end = chosen[0].start, chosen[0].end
    header = chosen[0].table.header if chosen[0].table else None
    if header and start - header[1] <= _LONGEST_GAP:
        start = header[0]
    for one in chosen[1:]:
        if max(start, one.start) - min(end, one.end) <= _LONGEST_GAP:
            start, end = min(start, one.start), max(end, one.end)
    return cite(n, hit, hit.start + start, hit.start + end)
