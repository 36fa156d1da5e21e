"""What a section states that another document may contradict: sentences, list items, cells of tables with figures."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from policy_rag.answering.deciding_person import decides
from policy_rag.answering.extraction.quotable_units import units
from policy_rag.answering.presentation.readable import readable_line
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.table_rows import Cell, Table, tables
from policy_rag.records.search import Hit
from policy_rag_parsers.text.dates import MONTHS
from policy_rag_parsers.text.lexicon import any_word
from policy_rag_parsers.text.named_days import NamedDay, named_days
from policy_rag_parsers.text.quantities import ORDINAL, TIME_UNITS, Quantity
from policy_rag_parsers.text.tokenizer import language_of, terms
from policy_rag_parsers.text.units import unit_names

_WORDS = 3  # fewer say too little to be compared
_LONGEST = 500
_LONGEST_CELL = 80  # what is longer is prose
_LINKS = 2  # more make a list of links
_COUNTED = 3  # words behind a figure among which is what it counts
_ABOVE = 300  # characters in front of a table that say what it is of
_KEY_SAID = 0.75  # share of the words of a row's key that a sentence on it has
_MARKER = re.compile(r"^[\s>]*(?:[-*+•]|\(?\w{1,4}[.)]|\d{1,3}(?:\.\d{1,3})+\.?(?=\s+[^\W\d_a-zß-ÿ]))\s+")


@dataclass(frozen=True)
class CellMatter:
    """What a cell is about.

    Attributes:
        stems: of the row's first cell.
        head: of the head of the cell's column.
        others: of the first cells of the table's other rows.
        around: of the section's title and of what stands in front of the table.
    """

    stems: frozenset[str]
    head: frozenset[str]
    others: tuple[frozenset[str], ...] = ()
    around: frozenset[str] = field(default_factory=frozenset)

    def is_of(self, said: frozenset[str]) -> bool:
        """Whether a sentence with these stems speaks of this row, and of no other of its table as much.

        A key of one word is too little: then the head of the column must be spoken of, too.
        """
        if not _names(self.stems, said) or (len(self.stems) == 1 and self.head.isdisjoint(said)):
            return False
        return not any(_names(one, said) and len(one & said) >= len(self.stems & said) for one in self.others)

    def is_same_as(self, other: "CellMatter") -> bool:
        """Whether both are the same cell of two tables on one matter."""
        return self.stems == other.stems and self.head == other.head and not self.around.isdisjoint(other.around)


def _names(key: frozenset[str], said: frozenset[str]) -> bool:
    return bool(key) and len(key & said) >= _KEY_SAID * len(key)


@dataclass(frozen=True)
class ComparedStatement:
    """A sentence or list item, or a cell of a table.

    Attributes:
        hit: in which it stands.
        start: its first character, in the document; a row's for a cell.
        end: one past its last.
        text: the sentence with what leads into it; a cell with its row's key and the head of its column.
        own: the sentence without that; of a cell the same.
        row: what a cell is about; None for a sentence.
    """

    hit: Hit
    start: int
    end: int
    text: Sentence
    own: Sentence
    row: CellMatter | None = None

    @cached_property
    def stems(self) -> frozenset[str]:
        """Its content without numbers."""
        return frozenset(stem for stem in self.text.content if not stem[0].isdigit())

    @cached_property
    def claims(self) -> list[Quantity]:
        """Its figures but those of how often something is done, "for every four hours"."""
        often = [range(one.start, one.end) for one in self.own.frequencies]
        return [one for one in self.own.claims if not any(one.start in span for span in often)]

    @cached_property
    def figures(self) -> dict[str, list[Quantity]]:
        """The figures by unit, or by each word that may be what they count ("5 failed attempts", "the third day")."""
        found: dict[str, list[Quantity]] = defaultdict(list)
        for one in self.claims:
            for unit in [one.unit] if one.unit and one.unit != ORDINAL else self._counted(one):
                if unit not in MONTHS:
                    found[unit].append(one)
        return found

    def _counted(self, one: Quantity) -> list[str]:
        if self.row:
            return []
        language = self.own.language
        behind = re.search(rf"{whole(one.shown).pattern}((?:[\s-]+[^\W\d_]+){{1,{_COUNTED}}})", self.own.text)
        stems = terms(behind[1], language) if behind else []
        if one.unit:
            return [f"{one.unit} {stem}" for stem in stems]
        # "4 sick leave hours" are hours
        return [] if set(stems) & set(unit_names(language).values()) else stems

    @cached_property
    def times(self) -> list[Quantity]:
        """The lengths of time."""
        return [one for one in self.claims if one.unit in TIME_UNITS]

    @cached_property
    def days(self) -> list[NamedDay]:
        """The days by which something is due."""
        return named_days(self.own.text, self.own.language)

    def with_unit(self, one: Quantity) -> str:
        """A length of time as it is written, with its unit."""
        found = re.search(rf"{whole(one.shown).pattern}[\s-]*\w+", self.own.text)
        return found[0] if found else one.shown

    def with_bound(self, one: Quantity) -> str:
        """The same with what bounds it: "within one hour"."""
        shown, bound = self.with_unit(one), one.bound.shown if one.bound else ""
        words = rf"(?<!\w){re.escape(bound)}\s+(?:\w+\s+){{0,3}}?{re.escape(shown)}"
        found = re.search(words, self.own.text, re.IGNORECASE)
        return found[0] if found else shown

    def named(self, unit: str) -> str:
        """A unit of `figures`, or what is counted, as it is written here."""
        names, stem = unit_names(self.own.language), unit.removeprefix(f"{ORDINAL} ")
        bare = unit.rpartition(" ")[2]
        written = re.findall(r"\w+|[%€$£]", self.own.text)
        named = (word for word in written if names.get(word.lower()) == bare)
        counted = (word for word in written if terms(word, self.own.language) == [stem])
        return next(named, None) or next(counted, unit)

    @property
    def is_aim(self) -> bool:
        """Whether it tells of a target or of the usual case."""
        return self.own.says(self.own.lexicon.aims) != ""

    @property
    def is_limited(self) -> bool:
        """Whether it says "only", "except" or "unless": what it forbids elsewhere may be allowed."""
        known = self.own.lexicon
        return any_word(known.only, known.except_, known.without).search(self.own.text) is not None


def whole(one: str) -> re.Pattern[str]:
    """Words where they are no part of others."""
    return re.compile(rf"(?<!\w){re.escape(one)}(?!\w)")


def statements(hit: Hit) -> Iterator[ComparedStatement]:
    """What a section with its blocks states, the cells of its tables last."""
    found = units(hit)
    for unit in found:
        if unit.table is not None or len(unit.text) > _LONGEST or unit.text.count("](") > _LINKS:
            continue
        text = readable_line(_MARKER.sub("", unit.text), hit.file)
        language = language_of(text) or "english"
        own = readable_line(_MARKER.sub("", hit.text[unit.start - hit.start : unit.end - hit.start]), hit.file)
        made = ComparedStatement(hit, unit.start, unit.end, read(text, language), read(own, language))
        opposable = made.figures or made.own.frequencies or made.own.modals or decides(made.own) or made.days
        if len(made.stems) >= _WORDS and opposable:
            yield made
    if any(unit.table is not None for unit in found):
        language = language_of(hit.text) or "english"
        for table in tables(hit.text, language):
            yield from _cells(hit, table, language)


def _cells(hit: Hit, table: Table, language: str) -> Iterator[ComparedStatement]:
    """The cells with a figure of a unit that no other cell of their row has: else which one is meant is not clear."""
    keys = [read(row.key, language).content for row in table.rows]
    above = hit.text[max(0, table.header[0] - _ABOVE) : table.header[0]] if table.header else ""
    around = read(f"{hit.title} {above}", language).content
    for row, key in zip(table.rows, keys, strict=True):
        if row.is_prose or all(stem[0].isdigit() for stem in key):
            continue
        others = tuple(other for other in keys if other != key)
        for cell in _alone(row.cells, language):
            told = read(readable_line(f"{row.key}; {cell.head}: {cell.text}", hit.file), language)
            about = CellMatter(key, read(cell.head, language).content, others, around)
            made = ComparedStatement(hit, hit.start + row.start, hit.start + row.end, told, told, about)
            if len(made.stems) >= _WORDS:
                yield made


def _alone(cells: Sequence[Cell], language: str) -> list[Cell]:
    told = [cell for cell in cells if cell.head and len(cell.text) <= _LONGEST_CELL]
    kinds = {cell.column: _kinds(cell, language) for cell in told}
    often = Counter(kind for found in kinds.values() for kind in found)
    return [cell for cell in told if kinds[cell.column] and all(often[kind] == 1 for kind in kinds[cell.column])]


def _kinds(cell: Cell, language: str) -> set[str]:
    """The units of a cell's figures, every one of time counting as one."""
    said = read(f"{cell.head}: {cell.text}", language)
    units_ = {one.unit for one in said.claims if one.unit and one.unit != ORDINAL and one.unit not in MONTHS}
    return {"time" if unit in TIME_UNITS else unit for unit in units_} | {"often" for _ in said.frequencies}
