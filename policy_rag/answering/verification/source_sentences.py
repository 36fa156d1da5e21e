"""What a statement is held against: the sentences and rows of what it cites, and those of them that it stands on."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby

from policy_rag.answering.verification.prompt_injection import without_orders
from policy_rag.answering.verification.sentence import Sentence, read, without_yes_or_no
from policy_rag.answering.verification.table_rows import Table, TableRow, tables
from policy_rag.records.search import Hit
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import modal_stems
from policy_rag_parsers.text.quantities import backing
from policy_rag_parsers.text.sentences import Span, sentence_spans
from policy_rag_parsers.text.tokenizer import detect_language, words

_MOST_SENTENCES = 3
_WORTH_ADDING = 0.12
_SAID_WHOLE = 2 / 3
_LONG_CELL = 8  # words
_MARKUP = "#*_= \t\n"
_NUMBER = re.compile(r"\A\W*(?:\w{1,4}[.)]|[\d.]+)\s")
_ENDED = re.compile(r"[.!?][\"'”’)*_]*\s*$")
_LIST_ITEM = re.compile(r"\s*(?:[-*+•·–—]|\(?\w{1,4}[.)])\s")


@dataclass(frozen=True, slots=True)
class EvidencePassage:
    """A sentence of a hit, or a row of a table in words.

    Attributes:
        hit: the place of its hit among those cited.
        start: its first character in the hit's text.
        end: one past its last.
        sentence: as it is read.
        row: of a table, else None.
        table: that of the row.
        is_title: whether it is the section's own heading, which says less than any sentence below it.
    """

    hit: int
    start: int
    end: int
    sentence: Sentence
    row: TableRow | None = None
    table: Table | None = None
    is_title: bool = False

    @property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(self.sentence.stems)

    @property
    def is_item(self) -> bool:
        """Whether it is an item of a list."""
        return bool(_LIST_ITEM.match(self.sentence.text))


@dataclass(frozen=True)
class Evidence:
    """What a statement cites.

    Attributes:
        language: of the texts and the statement together: a table alone tells little.
        texts: of the hits, in order.
        titles: of each hit its title, number and path.
        passages: all that may bear something, in order: no orders to an assistant, and no header rows.
        support: those of them that the statement stands on, one to three; none before `supporting`.
    """

    language: str
    texts: tuple[str, ...]
    titles: tuple[str, ...]
    passages: tuple[EvidencePassage, ...]
    support: tuple[EvidencePassage, ...] = ()

    def supporting(self, statement: Sentence) -> "Evidence":
        """The same, with the passages that cover most of a statement's stems."""
        return replace(self, support=tuple(best_passages(statement, self.passages)))

    @cached_property
    def prose(self) -> tuple[Sentence, ...]:
        """The sentences of the support; an item of a list with the line that leads into it."""
        return tuple(read(self._led(one), self.language) for one in self.support if not one.row)

    def _led(self, passage: EvidencePassage) -> str:
        """A list item with the line that leads into its list, any other sentence as it is."""
        before = [one.sentence.text for one in self.passages if one.hit == passage.hit and one.end <= passage.start]
        return with_lead_in(passage.sentence.text, before)

    @cached_property
    def sources(self) -> tuple[Sentence, ...]:
        """The sentences of the support, then its rows, in words."""
        return (*self.prose, *(one.sentence for one in self.support if one.row))

    def said_of(self, statement: Sentence) -> list[str]:
        """The texts of the sources, of a row what a statement says something of."""
        return [one.text for one in self.prose] + [told_of(one.row, statement) for one in self.support if one.row]

    def says_a_cell(self, statement: Sentence) -> bool:
        """Whether a statement says of a row, by its whole name, all that stands in one cell, and nothing else."""
        known, stems = statement.lexicon, frozenset(statement.stems)
        rows = [one.row for one in self.support if one.row]
        others = [one for one in self.support if not (one.row or one.is_title)]
        if len(rows) != 1 or others or statement.says(known.only, known.except_, known.without, known.until):
            return False
        name = frozenset(read(rows[0].key, self.language).stems)
        known_words = name.union(read(" ".join(self.titles), self.language).stems, modal_stems())
        for cell in rows[0].cells:
            own = frozenset(read(cell.text, self.language).stems)
            rest = stems - own - known_words
            if own and name | own <= stems and rest.issubset(read(cell.head, self.language).stems):
                return True
        return False

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of the titles and of what supports."""
        titles = read(" ".join(self.titles), self.language)
        return frozenset(titles.stems).union(*(one.stems for one in self.support))

    @cached_property
    def whole(self) -> str:
        """The texts and titles as one."""
        return " ".join((*self.texts, *self.titles))

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the texts and titles."""
        return frozenset(words(self.whole))

    @cached_property
    def initials(self) -> str:
        """The first letter of each word of the texts and titles, in order."""
        return "".join(word[0] for word in words(self.whole))

    @cached_property
    def acronyms(self) -> frozenset[str]:
        """The words in capitals."""
        return frozenset(re.findall(r"\b[A-Z]{2,}\b", self.whole))

    @cached_property
    def modals(self) -> Mapping[Modality, frozenset[str]]:
        """The kinds of modal expressions in what supports, with what they stand before."""
        kinds = {kind for one in self.sources for kind in one.modals}
        return {kind: frozenset[str]().union(*(one.modals.get(kind, ()) for one in self.sources)) for kind in kinds}

    @cached_property
    def negated_and_plain(self) -> tuple[Counter[str], Counter[str]]:
        """How often each stem of what supports stands negated, and how often without a negation."""
        counted = [one.negated_and_plain for one in self.sources]
        return sum((one for one, _ in counted), Counter()), sum((one for _, one in counted), Counter())

    def says(self, *alternatives: str) -> str:
        """The first of some words that what supports has, or ""."""
        return next(filter(None, (one.says(*alternatives) for one in self.sources)), "")

    @cached_property
    def copied(self) -> tuple[Sentence, ...]:
        """What a statement may follow word for word: the sentences of the support, and rows that define a word."""
        long = (
            one for one in self.support if one.row and one.table and not one.table.header and len(one.row.cells) == 1
        )
        cells = (f"{one.row.key} {one.row.cells[0].text}" for one in long if one.row)
        defined = [read(text, self.language) for text in cells if len(words(text)) > _LONG_CELL]
        bare = (without_yes_or_no(one.sentence.text) for one in self.support if not one.row)
        return (*(read(text, self.language) for text in bare), *defined)

    @cached_property
    def lists(self) -> tuple[tuple[Sentence, ...], ...]:
        """The lists of which an item supports, each as its items."""
        runs = groupby(self.passages, key=lambda one: (one.hit, one.is_item))
        lists = [tuple(run) for (_, is_item), run in runs if is_item]
        return tuple(tuple(one.sentence for one in run) for run in lists if not set(self.support).isdisjoint(run))


def with_lead_in(text: str, before: Sequence[str]) -> str:
    """A list item with the line that leads into its list ("Staff must:"), any other sentence as it is.

    Args:
        text: the sentence.
        before: the sentences before it, in order.

    >>> with_lead_in("- lock the door", ["Staff must:", "- wear a badge"])
    'Staff must: - lock the door'
    """
    if not _LIST_ITEM.match(text):
        return text
    lead = next((one for one in reversed(before) if not _LIST_ITEM.match(one)), None)
    return f"{lead} {text}" if lead and not _ENDED.search(lead) else text


def evidence_of(statement: str, cited: Sequence[Hit]) -> Evidence:
    """What a statement cites, read once."""
    texts = tuple(hit.text for hit in cited)
    language = detect_language(" ".join([*texts, statement]))
    titles = tuple(" ".join((hit.title, hit.number or "", *hit.path)) for hit in cited)
    passages: list[EvidencePassage] = []
    for place, text in enumerate(texts):
        found = tables(text, language)
        rows = {(row.start, row.end): (row, table) for table in found for row in table.rows if not row.is_prose}
        for start, end in without_orders(text, _spans(text, found)):
            row, table = rows.get((start, end), (None, None))
            sentence = read(row.told if row else text[start:end], language)
            is_title = not text[:start].strip(_MARKUP) and _words_of(cited[place].title) == _words_of(sentence.text)
            passages.append(EvidencePassage(place, start, end, sentence, row, table, is_title))
    return Evidence(language, texts, titles, tuple(passages))


def told_of(row: TableRow, statement: Sentence) -> str:
    """A row in words, with the cells of which a statement says something; with all of them where there are none.

    A cell with figures is said by one of these, or by the head of its column.
    """
    stems = frozenset(statement.stems)
    said = []
    for cell in row.cells:
        text, head = read(cell.text, row.language), read(cell.head, row.language)
        by_text = (
            any(backing(one, text.given) for one in statement.figures) if text.figures else stems & set(text.stems)
        )
        if by_text or stems.intersection(head.stems):
            said.append(cell)
    return replace(row, cells=tuple(said) or row.cells).told


def _words_of(heading: str) -> list[str]:
    """The words of a heading, without its number and markup."""
    return words(_NUMBER.sub("", heading.strip(_MARKUP)))


def _spans(text: str, found: Sequence[Table]) -> list[Span]:
    """The rows of tables and the sentences between them, in order; header rows are told with each row."""
    spans: list[Span] = []
    at = 0
    for table in found:
        first = table.header or (table.rows[0].start, table.rows[0].end)
        spans.extend(sentence_spans(text, at, first[0]))
        for row in table.rows:
            spans.extend(sentence_spans(text, row.start, row.end) if row.is_prose else [(row.start, row.end)])
        at = table.rows[-1].end
    return [*spans, *sentence_spans(text, at, len(text))]


def best_passages(statement: Sentence, passages: Sequence[EvidencePassage]) -> list[EvidencePassage]:
    """The passages that cover most of a statement's stems, greedily.

    Ties go to what is no heading, then to the shorter, then to the earlier one.
    """
    negated, _ = statement.negated_and_plain
    heads = frozenset(negated).union(*statement.modals.values())  # what its modals and negations stand before
    chosen: list[EvidencePassage] = []
    missing = statement.content
    while len(chosen) < _MOST_SENTENCES:
        best = max(
            passages,
            key=lambda one: (len(missing & one.stems), not one.is_title, -len(one.stems), -one.hit, -one.start),
            default=None,
        )
        gained = missing & best.stems if best else frozenset[str]()
        if best is None or not gained or (chosen and not (gained & heads or _is_worth(best, gained, statement))):
            break
        chosen.append(best)
        missing -= best.stems
    return chosen


def _is_worth(passage: EvidencePassage, gained: frozenset[str], statement: Sentence) -> bool:
    """Whether a further passage adds a number, enough of the words still missing, or is said as good as whole."""
    if any(stem[0].isdigit() for stem in gained) or len(gained) >= max(2.0, _WORTH_ADDING * len(statement.content)):
        return True
    return len(passage.stems & statement.content) >= _SAID_WHOLE * len(passage.stems)
