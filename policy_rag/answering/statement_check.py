"""Statements of anybody held against the policies: each sentence against the hits that speak on its matter."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from policy_rag.answering.verification.checker import IssueKind, check
from policy_rag.answering.verification.support import StatementSupport, support_of
from policy_rag.models.reader import Reader
from policy_rag.records.search import Hit
from policy_rag.records.statement import CheckedStatement, StatementVerdict
from policy_rag_parsers.text.lexicon import any_word, lexicon
from policy_rag_parsers.text.sentences import sentence_spans
from policy_rag_parsers.text.tokenizer import detect_language

if TYPE_CHECKING:
    from policy_rag.records.answer import Citation

READ = 5
"""Hits that a sentence is held against."""
_OF_A_CASE = "it tells of a case that may fall under what it cites"
_WORST = (StatementVerdict.UNSUPPORTED, StatementVerdict.DOUBTFUL, StatementVerdict.SUPPORTED)


def check_statement(statement: str, find: Callable[[str], Sequence[Hit]], reader: Reader | None) -> CheckedStatement:
    """Holds each sentence of a statement against what is found for it; the one that fares worst decides.

    Against each hit by itself. One that bears it out is enough; else the hit that is nearest to its wording decides. It
    is in doubt where the reader alone sees it borne out, and a hit that is nearer to its wording says otherwise, and
    where the nearest hit says the same of a span of figures in which that of the sentence lies.

    Args:
        statement: not blank.
        find: the hits for a sentence, best first.
        reader: reads sentence and hit together; None: the rules decide alone.
    """
    sentences = [" ".join(statement[a:b].split()) for a, b in sentence_spans(statement, 0, len(statement))]
    verdicts = [_best(sentence, find(sentence)[:READ], reader) for sentence in sentences or [statement]]
    worst = min(verdicts, key=lambda one: (_WORST.index(one.verdict), one.score))
    places: dict[tuple[str, int, int], Citation] = {}
    for verdict in verdicts:
        for one in verdict.citations:
            places.setdefault((one.doc_id, one.start, one.end), replace(one, n=len(places) + 1))
    return CheckedStatement(statement, worst.verdict, worst.score, worst.reason, tuple(places.values()))


def _best(sentence: str, hits: Sequence[Hit], reader: Reader | None) -> StatementSupport:
    found = [support_of(sentence, [hit], reader=reader) for hit in hits]
    if not found:
        return StatementSupport(StatementVerdict.UNSUPPORTED, 0.0, "no section was found on its matter")
    best = max(found, key=lambda one: (one.verdict is StatementVerdict.SUPPORTED, one.nearness, one.score))
    against = max(found, key=lambda one: (one.verdict is StatementVerdict.UNSUPPORTED, one.nearness))
    read_alone = best.verdict is StatementVerdict.SUPPORTED and best.score < 1
    if read_alone and against.verdict is StatementVerdict.UNSUPPORTED and against.nearness > best.nearness:
        return replace(against, verdict=StatementVerdict.DOUBTFUL)
    is_open = best.verdict is StatementVerdict.UNSUPPORTED and _is_of_a_case(sentence, hits[found.index(best)])
    return replace(best, verdict=StatementVerdict.DOUBTFUL, reason=_OF_A_CASE) if is_open else best


def _is_of_a_case(sentence: str, hit: Hit) -> bool:
    """Whether the rules only miss the figure of a case, "a gift worth 300", and that lies in the hit's "more than 200".

    The figure of a case stands before the first verb; one behind it ("held for 60 days") says what the rule is.
    """
    ruled, verb = check(sentence, [hit]), any_word(lexicon(detect_language(sentence)).verbs).search(sentence)
    is_of_figure = ruled.issue is not None and ruled.issue.kind is IssueKind.FIGURE
    return verb is not None and is_of_figure and check(sentence, [hit], asked=sentence[: verb.start()]).holds
