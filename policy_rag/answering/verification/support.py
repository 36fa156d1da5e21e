"""Whether a statement stands: the exact rules, then the reader's view of statement and source.

What follows a sentence nearly word for word is for the rules alone to decide: they are exact where only a figure, a
modal or a "not" differs. Anything freer is for the reader, which sees two neighbouring sentences at a time: in a long
passage it finds support for what merely shares its words. It is supported where the reader says so and the rules find
no fault but that words differ, or where it is certain and they miss a modal or a negation; unsupported where the reader
sees it contradicted, or nothing behind it. Else it is in doubt. So is, without a reader, what has other
words than its source. The figure of a row, in which the reader sees a contradiction to any sentence, is for the rules.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from policy_rag.answering.verification.checker import CheckResult, IssueKind, check
from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag.answering.verification.sentence import read
from policy_rag.answering.verification.source_sentences import told_of, with_lead_in
from policy_rag.answering.verification.table_rows import tables
from policy_rag.models.reader import Reader, Support
from policy_rag.models.reader_language import is_english
from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag.records.statement import StatementVerdict
from policy_rag_parsers.blocks.line_wording import is_terminal
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_parsers.text.tokenizer import detect_language

NEAR_COPY = 0.75
"""Share of a statement's words that stand in one sentence in their order, from which the rules decide alone."""
CLOSE = 0.6
"""The same, from which a statement that the rules find fault with is unsupported."""
WORDED = 0.9
"""Share of a statement's content words that a near copy has, and without a reader what is supported."""
SUPPORTED = 0.5
"""The reader's probability of support from which a statement that the rules let pass is supported."""
CONTRADICTED = 0.8
"""By how much the largest probability of a contradiction must exceed that of support for it to be unsupported."""
NOTHING_BEHIND = 0.05
"""Share of its content words below which nothing is behind it, unless the reader is sure: a model repeats orders."""
NOTHING_READ = 0.02
"""That below which nothing is behind a statement of whose words fewer than half stand in its source."""
SURE = 0.7
"""The reader's probability of support from which it is sure."""
CERTAIN = 0.9
"""That from which a modal or a negation that the rules miss counts as said in other words. Names among them, so certain
it was of 62 of 118 true and 0 of 78 false statements, on policies that it was not trained on; but elsewhere of 12 of 26
that name another person, so that names are for the rules."""
_WORDS_DIFFER = frozenset({IssueKind.COLUMN, IssueKind.OVERLAP})
"""Faults of which the reader is the better judge."""
_TURNS = frozenset({IssueKind.MODALITY, IssueKind.NEGATION})
"""Faults on which the reader is right where it is certain: other words say the same turn."""
_TOGETHER = 2


@dataclass(frozen=True, slots=True)
class StatementSupport:
    """How a statement stands.

    Attributes:
        verdict: supported, doubtful or unsupported.
        score: how far it is borne out, 0 to 1.
        reason: why it is not supported; "" where it is.
        citations: where it stands, or what speaks on its matter; numbered from 1.
        nearness: of its source to its wording, 0 to 1.
    """

    verdict: StatementVerdict
    score: float
    reason: str
    citations: tuple[Citation, ...] = ()
    nearness: float = 0.0


def support_of(
    statement: str, cited: Sequence[Hit], *, asked: str = "", reader: Reader | None = None
) -> StatementSupport:
    """How a statement stands by the hits that it cites.

    Args:
        statement: one sentence without its citation marks.
        cited: the hits that it cites.
        asked: the question; see `checker.check`.
        reader: None, or a language that it does not know: the rules decide alone.
    """
    ruled = check(statement, cited, asked=asked)
    near = max(ruled.closeness, ruled.overlap)
    if reader is None or not is_english(statement) or _is_exact(ruled):
        is_worded = _lacks_a_verb_at_most(statement, ruled)
        in_row = is_worded and _stands_in_row(statement, cited, ruled)
        is_open = _is_open(ruled) or (not is_worded and _is_attributed_freely(ruled))
        return _by_rules(ruled, near, is_open=is_open, in_row=in_row)
    seen = _read(statement, cited, ruled.citations, reader)
    score = max((one.supported for one in seen), default=0.0)
    against = max((one.contradicted for one in seen), default=0.0)
    is_elsewhere = ruled.issue is not None and ruled.issue.kind is IssueKind.OVERLAP and score < NOTHING_READ
    if is_elsewhere or (ruled.overlap < NOTHING_BEHIND and score < SURE):
        return StatementSupport(StatementVerdict.UNSUPPORTED, score, ruled.reason or "nothing is behind it")
    # A model that obeys an order in its source says what nobody can tell from a free wording.
    orders = any(_gives_orders(hit.text) for hit in cited)
    if score >= _least_support(ruled, orders=orders):
        return StatementSupport(StatementVerdict.SUPPORTED, score, "", ruled.citations, near)
    is_false = orders or (against - score >= CONTRADICTED and not _stands_in_row(statement, cited, ruled))
    verdict = StatementVerdict.UNSUPPORTED if is_false else StatementVerdict.DOUBTFUL
    reason = ruled.reason or f"its source {'says otherwise' if is_false else 'does not clearly say so'}"
    return StatementSupport(verdict, min(score, SUPPORTED), reason, ruled.citations, near)


def _least_support(ruled: CheckResult, *, orders: bool) -> float:
    """The reader's probability of support from which a statement is supported; more than 1 where none is enough."""
    kind = ruled.issue.kind if ruled.issue else None
    if kind is None or (kind in _WORDS_DIFFER and not orders):
        return SUPPORTED
    return CERTAIN if kind in _TURNS and not orders else math.inf


def exact_support_of(statement: str, hit: Hit, *, asked: str = "") -> StatementSupport | None:
    """How a statement stands by a hit of which it is nearly a copy, by rules alone; None where it is no such copy.

    One with a fault may be a copy but for the word that is false.

    Returns:
        With the share of its words that stand in one sentence of the hit, in their order, as `nearness`.
    """
    ruled = check(statement, [hit], asked=asked)
    is_copy = ruled.closeness >= NEAR_COPY and ruled.overlap >= WORDED
    is_miscopied = not ruled.holds and ruled.closeness >= WORDED
    return _by_rules(ruled, ruled.closeness, is_open=_is_open(ruled)) if is_copy or is_miscopied else None


def _by_rules(ruled: CheckResult, nearness: float, *, is_open: bool, in_row: bool = False) -> StatementSupport:
    if is_open or (ruled.holds and ruled.overlap < WORDED and not in_row):
        reason = ruled.reason or f"only {ruled.overlap:.0%} of its words are in what it cites"
        return StatementSupport(StatementVerdict.DOUBTFUL, SUPPORTED, reason, ruled.citations, nearness)
    verdict = StatementVerdict.SUPPORTED if ruled.holds else StatementVerdict.UNSUPPORTED
    return StatementSupport(verdict, float(ruled.holds), ruled.reason, ruled.citations, nearness)


def _is_open(ruled: CheckResult) -> bool:
    """Whether the rules cannot tell: a statement names no column or row of a table, or calls a person otherwise."""
    return ruled.issue is not None and ruled.issue.kind in {IssueKind.COLUMN, IssueKind.ROW, IssueKind.PERSON}


def _is_attributed_freely(ruled: CheckResult) -> bool:
    """Whether a statement says a figure of something that it may call by other words: the rules go by words alone."""
    return ruled.issue is not None and ruled.issue.kind is IssueKind.ATTRIBUTION and ruled.closeness < CLOSE


def _stands_in_row(statement: str, cited: Sequence[Hit], ruled: CheckResult) -> bool:
    """Whether the figures of a statement stand in the row that is nearest to it, and the rules find no fault."""
    return (
        ruled.holds
        and bool(read(statement, detect_language(statement)).claims)
        and any(_rows(hit, ruled.citations, statement) for hit in cited)
    )


def _lacks_a_verb_at_most(statement: str, ruled: CheckResult) -> bool:
    """Whether a source has all of a statement's words but one: no row has a verb."""
    return round((1 - ruled.overlap) * len(read(statement, detect_language(statement)).content)) <= 1


def _is_exact(ruled: CheckResult) -> bool:
    """Whether the rules alone are enough: a quotation that is none, a close wording with a fault, or a near copy."""
    if ruled.issue is None:
        return ruled.closeness >= NEAR_COPY and ruled.overlap >= WORDED
    return ruled.issue.kind is IssueKind.QUOTATION or (ruled.closeness >= CLOSE and not _is_open(ruled))


def _read(statement: str, cited: Sequence[Hit], places: Sequence[Citation], reader: Reader) -> Sequence[Support]:
    """What the reader says by neighbouring sentences of each hit, and by the rows among the places, in words.

    Orders to an assistant are not read.
    """
    pieces = [piece for hit in cited for piece in _pieces(_read_text(hit))]
    pieces += [row for hit in cited for row in _rows(hit, places, statement)]
    ended = statement if is_terminal(statement) else f"{statement}."  # as the reader knows sentences
    return reader.support(pieces, [ended] * len(pieces))


def _pieces(text: str) -> list[str]:
    said = [text[start:end] for start, end in without_orders(text, sentence_spans(text, 0, len(text)))]
    pairs = (said[i : i + _TOGETHER] for i in range(max(1, len(said) - _TOGETHER + 1)))
    return ["\n".join([with_lead_in(pair[0], said[:i]), *pair[1:]]) if pair else "" for i, pair in enumerate(pairs)]


def _rows(hit: Hit, places: Sequence[Citation], statement: str) -> list[str]:
    """The rows of a hit that lie in the places, each in words behind the titles, without which it tells little.

    With the cells of which the statement says something: beside others the reader does not tell whose figure it is.
    """
    if _gives_orders(hit.text):
        return []
    spans = [(one.start - hit.start, one.end - hit.start) for one in places if one.doc_id == hit.doc_id]
    rows = [row for table in tables(hit.text, detect_language(hit.text)) for row in table.rows if not row.is_prose]
    return [
        _read_text(replace(hit, text=told_of(row, read(statement, row.language))))
        for row in rows
        if any(start <= row.start and row.end <= end for start, end in spans)
    ]


def _gives_orders(text: str) -> bool:
    spans = sentence_spans(text, 0, len(text))
    return len(without_orders(text, spans)) < len(spans)


def _read_text(hit: Hit) -> str:
    """What is read of a hit: the titles above it in a line of their own, then its text."""
    return " > ".join(hit.path) + "\n" + hit.text
