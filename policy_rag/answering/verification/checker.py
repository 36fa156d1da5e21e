"""Whether a statement holds by what it cites, and the words of the policy that it stands on."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from policy_rag.answering.verification.attribution import Seats, misplaced, seats_of
from policy_rag.answering.verification.case_values import as_general
from policy_rag.answering.verification.clauses import segments
from policy_rag.answering.verification.conditions import other_condition
from policy_rag.answering.verification.conjunctions import other_joint, other_list_joint
from policy_rag.answering.verification.entities import strange_name
from policy_rag.answering.verification.modality import wrong_stance
from policy_rag.answering.verification.near_copy_diff import turned_round
from policy_rag.answering.verification.numbers import wrong_figure
from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag.answering.verification.rates import wrong_rate
from policy_rag.answering.verification.stems import stems_of
from policy_rag.answering.verification.subject_match import strange_subject
from policy_rag.answering.verification.surface_checks import (
    MODAL_STEMS,
    is_verbatim,
    modals,
    negated_and_plain,
    plain,
    quotations,
    unknown_acronyms,
    without_yes_or_no,
)
from policy_rag.answering.verification.table_rows import Row, Table, tables
from policy_rag.index.search.tokens import detect_language, words
from policy_rag.records.answer import Citation
from policy_rag.records.search import Hit
from policy_rag_parsers.text.sentences import Span, sentence_spans

LEAST_OVERLAP = 0.5
_LONG_CELL = 8  # words
_TOPIC_AND_ONE = 2
_MOST_SENTENCES = 3
_WORTH_ADDING = 0.12
_SAID_WHOLE = 2 / 3
_OWN_SUPPORT = 0.5
_LONGEST_GAP = 300
_ENDED = re.compile(r"[.!?][\"'”’)*_]*\s*$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•·–—]|\(?\w{1,4}[.)])\s")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a statement holds.

    Attributes:
        reason: why it does not, or "" where it does.
        citations: where it stands, in the order of the hits that were cited; numbered from 1.
    """

    reason: str
    citations: tuple[Citation, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether it may be shown."""
        return not self.reason


@dataclass(frozen=True, slots=True)
class _Sentence:
    hit: int
    start: int
    end: int
    text: str
    stems: frozenset[str]
    row: Row | None = None
    table: Table | None = None


def check(statement: str, cited: Sequence[Hit], *, asked: str = "") -> Verdict:
    """Check a statement against the hits that it cites.

    What it names must occur there: quotations, acronyms, names. Then it is held against the one to three sentences or
    rows that share most with it: as a whole a copy of one of them holds, and anything else in all that the modules of
    this package that `_not_borne_out` asks look at. Sentences that give an assistant orders bear nothing (`orders`). A
    "Yes" or "No" in front answers a question that is not known here, and is not checked.

    Args:
        statement: one sentence without its citation marks.
        cited: the hits that it cites.
        asked: the question; its figures may be those of a case that falls under what is cited (`instances`).
    """
    statement = without_yes_or_no(statement)
    texts = [hit.text for hit in cited]
    language = detect_language(" ".join([*texts, statement]))  # a table alone tells little of its language
    stranger = _stranger(statement, [*texts, *_titles(cited)], language)
    if stranger:
        return Verdict(stranger)
    sentences = _sentences(cited, language)
    if asked:
        statement = as_general(statement, asked, [part for one in sentences for part in _parts(one)], language)
    wanted = frozenset(stems_of(statement, language)) - MODAL_STEMS
    if not wanted:
        return Verdict("it says nothing that can be checked")
    support = _support(wanted, sentences, _heads(statement, language))
    if not support:
        return Verdict("what it cites says nothing of the kind")
    is_copied = any(_bare(one.text) == _bare(statement) for one in support if not one.row)
    reason = "" if is_copied else _not_borne_out(statement, support, sentences, cited, language)
    return Verdict(reason) if reason else Verdict("", _citations(wanted, cited, sentences, support))


def _stranger(statement: str, sources: list[str], language: str) -> str:
    """What the statement quotes or names and no source has, or ""."""
    quoted = next((one for one in quotations(statement) if not is_verbatim(one, sources)), "")
    if quoted:
        return f'the quotation "{quoted}" is not in what it cites'
    acronyms = unknown_acronyms(statement, sources)
    return f"{acronyms[0]} is not in what it cites" if acronyms else strange_name(statement, sources, language)


def _not_borne_out(
    statement: str, support: Sequence[_Sentence], sentences: Sequence[_Sentence], cited: Sequence[Hit], language: str
) -> str:
    """What a statement says otherwise than the sentences and rows that it stands on, or ""."""
    wanted = frozenset(stems_of(statement, language)) - MODAL_STEMS
    prose = [_with_lead_in(one, sentences) for one in support if not one.row]
    rows = [one.text for one in support if one.row]
    texts, titles = [hit.text for hit in cited], _titles(cited)
    lists = [items for items in _lists(sentences) if not {one.text for one in support}.isdisjoint(items)]
    found = frozenset(stems_of(" ".join(titles), language)).union(*(one.stems for one in support))
    return (
        wrong_figure(statement, " \n".join([*prose, *rows, *titles]), frozenset(words(" ".join(texts))))
        or wrong_rate(statement, [*prose, *rows], language)
        or wrong_stance(statement, prose, rows, language)
        or turned_round(statement, [*_not_beaten_by_rows(wanted, support), *_definitions(support)])
        or misplaced(statement, _seats(sentences, " ".join(titles), language))
        or other_joint(statement, prose, language)
        or next(filter(None, (other_list_joint(statement, items, language) for items in lists)), "")
        or other_condition(statement, prose, language)
        or strange_subject(statement, [*texts, *titles], language)
        or _too_little(wanted, found)
    )


def _definitions(support: Sequence[_Sentence]) -> list[str]:
    """The rows of one cell beside its key that read as a sentence: "Court | means the court under Law No. 4"."""
    rows = [one.row for one in support if one.row and one.table and not one.table.header]
    cells = [(row.key, row.cells[0].text) for row in rows if len(row.cells) == 1]
    return [f"{key} {text}" for key, text in cells if len(words(text)) >= _LONG_CELL]


def _titles(cited: Sequence[Hit]) -> list[str]:
    return [" ".join((hit.title, hit.number or "", *hit.path)) for hit in cited]


def _bare(text: str) -> str:
    return plain(text).strip(" .")


def _sentences(cited: Sequence[Hit], language: str) -> list[_Sentence]:
    """The sentences and the rows of tables that may bear something, in order."""
    found = []
    for place, hit in enumerate(cited):
        drawn = tables(hit.text)
        rows = {(row.start, row.end): (row, table) for table in drawn for row in table.rows if not row.is_prose}
        for start, end in without_orders(hit.text, _spans(hit.text, drawn)):
            row, table = rows.get((start, end), (None, None))
            text = row.told if row else hit.text[start:end]
            found.append(_Sentence(place, start, end, text, frozenset(stems_of(text, language)), row, table))
    return found


def _spans(text: str, drawn: Sequence[Table]) -> list[Span]:
    """The rows of tables and the sentences between them, in order; header rows are told with each row."""
    spans: list[Span] = []
    at = 0
    for table in drawn:
        first = table.header or (table.rows[0].start, table.rows[0].end)
        spans.extend(sentence_spans(text, at, first[0]))
        for row in table.rows:
            spans.extend(sentence_spans(text, row.start, row.end) if row.is_prose else [(row.start, row.end)])
        at = table.rows[-1].end
    return [*spans, *sentence_spans(text, at, len(text))]


def _seats(sentences: Sequence[_Sentence], context: str, language: str) -> Seats:
    """The seats of what may bear something: of a table the rows that are among the sentences."""
    rows = [(sentence.hit, sentence.table, sentence.row) for sentence in sentences if sentence.table and sentence.row]
    grouped = groupby(rows, key=lambda one: one[:2])
    drawn = [Table(None, tuple(row for _, _, row in group)) for _, group in grouped]
    return seats_of([sentence.text for sentence in sentences if not sentence.row], drawn, context, language)


def _heads(statement: str, language: str) -> frozenset[str]:
    """The stems that its modals and negations stand before."""
    negated, _ = negated_and_plain(statement, language)
    return frozenset(negated).union(*modals(statement, language).values())


def _support(
    wanted: frozenset[str], sentences: Sequence[_Sentence], heads: frozenset[str] = frozenset()
) -> list[_Sentence]:
    """The sentences that cover most of the wanted stems, greedily; ties go to the shorter, then the earlier one."""
    chosen: list[_Sentence] = []
    missing = wanted
    while len(chosen) < _MOST_SENTENCES:
        best = max(sentences, key=lambda s: (len(missing & s.stems), -len(s.stems), -s.hit, -s.start), default=None)
        gained = missing & best.stems if best else frozenset()
        if best is None or not gained or (chosen and not (gained & heads or _is_worth_adding(best, gained, wanted))):
            break
        chosen.append(best)
        missing -= best.stems
    return chosen


def _is_worth_adding(sentence: _Sentence, gained: frozenset[str], wanted: frozenset[str]) -> bool:
    """Whether a further sentence adds a number, enough of the words still missing, or is said as good as whole."""
    if any(stem[0].isdigit() for stem in gained) or len(gained) >= max(2.0, _WORTH_ADDING * len(wanted)):
        return True
    return len(sentence.stems & wanted) >= _SAID_WHOLE * len(sentence.stems)


def _not_beaten_by_rows(wanted: frozenset[str], support: Sequence[_Sentence]) -> list[str]:
    """The sentences; those without all the statement's numbers only if they share more with it than a row with them."""
    numbers = frozenset(stem for stem in wanted if stem[0].isdigit())
    in_row = max((len(wanted & one.stems) for one in support if one.row and numbers <= one.stems), default=0)
    prose = [one for one in support if not one.row]
    return [one.text for one in prose if numbers <= one.stems or len(wanted & one.stems) > in_row]


def _lists(sentences: Sequence[_Sentence]) -> list[list[str]]:
    """The lists among the sentences, each as its items."""
    runs = groupby(sentences, key=lambda one: (one.hit, bool(_LIST_ITEM.match(one.text))))
    return [[one.text for one in run] for (_, is_item), run in runs if is_item]


def _parts(sentence: _Sentence) -> list[str]:
    """The halves of a sentence; a row whole."""
    return [sentence.text] if sentence.row else [half.whole for half in segments(sentence.text)]


def _with_lead_in(sentence: _Sentence, sentences: Sequence[_Sentence]) -> str:
    """A list item with the line that leads into its list ("Staff must:"), any other sentence as it is."""
    if not _LIST_ITEM.match(sentence.text):
        return sentence.text
    before = (one for one in reversed(sentences) if one.hit == sentence.hit and one.end <= sentence.start)
    lead = next((one for one in before if not _LIST_ITEM.match(one.text)), None)
    return f"{lead.text} {sentence.text}" if lead and not _ENDED.search(lead.text) else sentence.text


def _too_little(wanted: frozenset[str], found: frozenset[str]) -> str:
    share = len(wanted & found) / len(wanted)
    # Of two words one is the topic: that alone says nothing of what is said about it.
    enough = share > LEAST_OVERLAP if len(wanted) == _TOPIC_AND_ONE else share >= LEAST_OVERLAP
    return "" if enough else f"only {share:.0%} of its words are in what it cites"


def _citations(
    wanted: frozenset[str], cited: Sequence[Hit], sentences: Sequence[_Sentence], support: Sequence[_Sentence]
) -> tuple[Citation, ...]:
    """A citation for each hit that supports the statement; hits that add nothing are left out."""
    found: list[Citation] = []
    for place, hit in enumerate(cited):
        chosen = [sentence for sentence in support if sentence.hit == place]
        if not chosen:
            own = _support(wanted, [sentence for sentence in sentences if sentence.hit == place])[:1]
            chosen = [sentence for sentence in own if len(wanted & sentence.stems) >= _OWN_SUPPORT * len(wanted)]
        if chosen:
            found.append(_citation(len(found) + 1, hit, chosen))
    return tuple(found)


def _citation(n: int, hit: Hit, chosen: Sequence[_Sentence]) -> Citation:
    """From the first to the last chosen sentence where they are near each other, else the best one alone.

    A row that stands near its header row is quoted from there on.
    """
    start, end = chosen[0].start, chosen[0].end
    header = chosen[0].table.header if chosen[0].table else None
    if header and start - header[1] <= _LONGEST_GAP:
        start = header[0]
    for sentence in chosen[1:]:
        if max(start, sentence.start) - min(end, sentence.end) <= _LONGEST_GAP:
            start, end = min(start, sentence.start), max(end, sentence.end)
    return Citation(
        n=n,
        quote=hit.text[start:end],
        doc_id=hit.doc_id,
        version=hit.version,
        file=hit.file,
        section_id=hit.section_id,
        path=hit.path,
        start=hit.start + start,
        end=hit.start + end,
        page=hit.page,
        path_numbers=hit.path_numbers,
    )
