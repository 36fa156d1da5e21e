"""What a figure or a modal of a source is said of, and whether a statement says it of that or of something else.

A source's contexts are the halves of its sentences and the cells of its tables. A figure of a statement is at home in
each context that holds it. A home is beaten by a context that holds another figure of the same kind and more of the
statement's words: of "40% for bachelors and 50% for masters", a statement on masters is at home in the second half,
whatever figure it gives; and by one that has the word which a near copy of the home puts in the place of another. In a
table the words of the row's first cell and of the column's head decide. A statement whose every home is beaten says the
figure of the wrong thing.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from policy_rag.answering.verification.halves import SentenceHalf, halves, modal_verb
from policy_rag.answering.verification.near_copy import put_in_place
from policy_rag.answering.verification.sentence import Sentence, read
from policy_rag.answering.verification.source_sentences import Evidence
from policy_rag.answering.verification.stated_figures import bases_of
from policy_rag.answering.verification.table_rows import TableRow
from policy_rag_parsers.text.lexicon import any_word, lexicon
from policy_rag_parsers.text.lexicon.record import Modality
from policy_rag_parsers.text.modality import condition, modal_stems
from policy_rag_parsers.text.quantities import TIME_UNITS, Quantity, backing, turned_bound, units_in

_NAMED = 2 / 3  # share of a key's weight that names a row beside others that are named less
_HALF_NAMED = 0.5  # the same where the other is not named at all
_FAMILY = 5  # letters that words of a family begin with
_ENDING = 4  # letters in which they differ at most
_SHORT_CELL = 3  # stems: a longer cell is prose
_NOTHING = frozenset[str]()

Naming = dict[int, tuple[float, frozenset[str]]]
"""Which share of the stems of each row's or column's name a clause says, from 0 to 1, and which stems these are."""


@dataclass(frozen=True, slots=True)
class FigureContext:
    """What a figure or modal of a source is said of.

    Attributes:
        text: as it stands in the source.
        stems: of its words, and of what they share with their neighbours and the titles.
        figures: those that it holds.
        kinds: of its modals.
        source: the sentence or table that it belongs to, by number.
        row: which row of its table; -1 outside tables.
        column: which column; -1 outside tables.
        own: of a cell the figures that stand in it, not in the names of its row and column.
        leans_on: of a sentence that cannot stand alone the stems of the one before it, of which it may speak: "it".
    """

    text: Sentence
    stems: frozenset[str]
    figures: tuple[Quantity, ...]
    kinds: frozenset[Modality]
    source: int
    row: int = -1
    column: int = -1
    own: tuple[Quantity, ...] = ()
    leans_on: frozenset[str] = _NOTHING


@dataclass(frozen=True, slots=True)
class StemTable:
    """A table by its stems: the names of its rows and columns, and of each row the stems of its cells, by column."""

    rows: dict[int, frozenset[str]]
    columns: dict[int, frozenset[str]]
    cells: tuple[dict[int, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Contexts:
    """All contexts of what a statement cites, its tables by their number, and the units that are named anywhere."""

    all: tuple[FigureContext, ...]
    grids: dict[int, StemTable]
    units: frozenset[str]

    @property
    def told(self) -> frozenset[str]:
        """The stems of all outside of tables."""
        return _NOTHING.union(*(one.stems for one in self.all if one.row < 0))


def contexts_of(evidence: Evidence, statement: Sentence) -> Contexts:
    """The contexts of what may bear a statement: of a table the rows that are among the passages."""
    language = evidence.language
    everywhere = frozenset(read(" ".join(evidence.titles), language).stems)
    found: list[FigureContext] = []
    sentences = [one.sentence for one in evidence.passages if not one.row]
    leans = any_word(lexicon(language).leans)
    for source, sentence in enumerate(sentences):
        claims = statement.claims if source and leans.match(sentence.text) else ()
        is_of_it = claims and all(backing(one, sentence.given) for one in claims)
        before = frozenset(sentences[source - 1].stems) if is_of_it else _NOTHING
        for half in halves(sentence):
            stems = frozenset(half.said_by(statement).stems) | everywhere
            kinds = frozenset(half.part.modals)
            found.append(FigureContext(half.part, stems, half.part.claims, kinds, source, leans_on=before))
    drawn = groupby((one for one in evidence.passages if one.row), key=lambda one: (one.hit, one.table))
    tables: dict[int, list[TableRow]] = {}
    for _, group in drawn:
        tables[len(sentences) + len(tables)] = [one.row for one in group if one.row]
    for source, rows in tables.items():
        for place, row in enumerate(rows):
            for cell in row.cells:
                told = read(f"{row.key}; {cell.told(language)}", language)
                stems = frozenset(told.stems) | everywhere
                own = read(f": {cell.text}", language).claims  # "5.000" at the beginning is no number of an item
                found.append(FigureContext(told, stems, told.claims, frozenset(), source, place, cell.column, own))
    words = [word for one in evidence.passages for word in one.sentence.words]
    grids = {source: _grid(rows, language) for source, rows in tables.items()}
    return Contexts(tuple(found), grids, units_in(words, language))


def _grid(rows: Sequence[TableRow], language: str) -> StemTable:
    heads = {cell.column: cell.head for row in rows for cell in row.cells}
    return StemTable(
        {place: frozenset(read(row.key, language).stems) for place, row in enumerate(rows)},
        {column: frozenset(read(head, language).stems) for column, head in heads.items()},
        tuple({cell.column: frozenset(read(cell.text, language).stems) for cell in row.cells} for row in rows),
    )


def misplaced(statement: Sentence, evidence: Evidence) -> str:
    """What a statement says of the wrong thing, or ""."""
    for half in halves(statement):
        contexts = contexts_of(evidence, half.whole)
        reason = (
            _misplaced_figure(half, statement, contexts)
            or _misplaced_modal(half, contexts)
            or _misplaced_words(half, statement, contexts)
            or _words_of_other_column(half, statement, contexts)
        )
        if reason:
            return reason
    return ""


# --- figures -------------------------------------------------------------------------------------------------------


def _misplaced_figure(half: SentenceHalf, statement: Sentence, contexts: Contexts) -> str:
    for figure in half.part.claims:
        holding = [one for one in contexts.all if backing(figure, one.figures, contexts.units)]
        # "over 75" is not at home in "between 25 and 75"
        homes = [home for home in holding if not turned_bound(figure, home.figures, contexts.units)] or holding
        rivals = [one for one in _rivals(figure, contexts) if one not in homes]
        own = frozenset(read(figure.shown, half.language).stems)
        stems = [stem for stem in half.headed.stems if stem not in own and stem not in modal_stems()]
        choice = _Choice(stems, statement, contexts, bases=bases_of(half.part))
        beaten = [choice.better(home, rivals) for home in homes]
        if beaten and all(beaten):
            return f'of "{_shown(beaten[0], statement)}" what it cites does not say {figure.shown}'
    return ""


def unnamed_column(statement: Sentence, evidence: Evidence) -> str:
    """A figure of a row that has such ones in several columns, where the statement names none of these; or ""."""
    contexts = contexts_of(evidence, statement)
    stems = frozenset(statement.stems)
    for figure in statement.claims:
        homes = [one for one in contexts.all if backing(figure, one.own or one.figures, contexts.units)]
        if not homes or any(not one.own for one in homes):
            continue  # a sentence has it, or the name of a row
        told = [one.bound for home in homes for one in backing(figure, home.figures, contexts.units) if one.bound]
        if figure.bound and any(bound.side is figure.bound.side for bound in told):
            continue  # "at least" names "Minimum"
        units = {unit for one in homes for unit in _units(one)}
        columns = contexts.grids[homes[0].source].columns
        heads = {
            one.column: columns[one.column]
            for one in contexts.all
            if (one.source, one.row) == (homes[0].source, homes[0].row) and not units.isdisjoint(_units(one))
        }
        if len(heads) > 1 and not any(share for share, _ in naming_of_column(heads, stems).values()):
            return f"it does not say which column of the table its {figure.shown} is of"
    return ""


def unnamed_row(statement: Sentence, evidence: Evidence) -> str:
    """A word that stands in some cells of a column alone, where the statement names none of their rows; or "".

    Figures may name a row by what they lie under ("six hours" the row "over 5 hours"): of those nothing is said.
    """
    if statement.claims:
        return ""
    contexts, stems = contexts_of(evidence, statement), frozenset(statement.stems)
    grids = contexts.grids.values()
    named = [cells for grid in grids for row, cells in enumerate(grid.cells) if grid.rows[row] & stems]
    said = contexts.told.union(*(cell for cells in named for cell in cells.values()))
    for grid in grids:
        told = said.union(*grid.rows.values(), *grid.columns.values())
        for column in grid.columns:
            cells = {row: cells[column] for row, cells in enumerate(grid.cells) if column in cells}
            holding = {row: cell & (stems - told) for row, cell in cells.items() if cell & (stems - told)}
            is_named = any(grid.rows[row] & stems or not grid.rows[row] for row in holding)
            if holding and not is_named and any(row not in holding for row in cells):
                word = min(min(found) for found in holding.values())
                return f'it does not say of which row of the table "{_shown(word, statement)}" is'
    return ""


def _units(cell: FigureContext) -> set[str | None]:
    """The units of a cell's figures, which its head may name."""
    return {one.unit for one in cell.figures if any(one.values & own.values for own in cell.own)}


def _rivals(figure: Quantity, contexts: Contexts) -> list[FigureContext]:
    """The contexts with a figure of the same unit, and the cells of columns of such, which may be in words ("none")."""
    columns = {
        (one.source, one.column)
        for one in contexts.all
        if any(_is_like(own, figure) or {own.unit, figure.unit} <= TIME_UNITS for own in one.own)
    }
    return [
        one
        for one in contexts.all
        if ((one.source, one.column) in columns if one.row >= 0 else any(_is_like(o, figure) for o in one.figures))
    ]


def _is_like(one: Quantity, other: Quantity) -> bool:
    """Whether units agree or one lacks."""
    ours, theirs = ((figure.unit or "").rpartition(" ")[2] for figure in (one, other))  # without "working"
    return ours == theirs or not (ours and theirs)


@dataclass(frozen=True)
class _Choice:
    """Which of two contexts a clause speaks of.

    Attributes:
        stems: of the clause, in order.
        statement: that of the clause.
        contexts: all of them.
        subject: stems that tell the halves of one sentence apart by themselves.
        bases: those of its rates tell nothing: "51 euros a day" speaks of no trip of "5 days".
    """

    stems: Sequence[str]
    statement: Sentence
    contexts: Contexts
    subject: frozenset[str] = frozenset()
    bases: frozenset[str] = frozenset()
    _namings: dict[tuple[int, bool], Naming] = field(default_factory=dict)

    def better(self, home: FigureContext, rivals: Sequence[FigureContext]) -> str:
        """The first of the clause's stems by which a rival beats the home, or ""."""
        return next(filter(None, (self._beats(rival, home) for rival in rivals)), "")

    def _naming(self, source: int, *, by_row: bool) -> Naming:
        key = (source, by_row)
        if key not in self._namings:
            grid = self.contexts.grids[source]
            named = frozenset(self.stems), frozenset(self.statement.stems)
            self._namings[key] = naming(grid.rows, *named) if by_row else naming_of_column(grid.columns, *named)
        return self._namings[key]

    def _beats(self, rival: FigureContext, home: FigureContext) -> str:
        if rival.row >= 0 and rival.source == home.source:
            by_row = rival.row != home.row
            places = (rival.row, home.row) if by_row else (rival.column, home.column)
            return _names_more(self._naming(home.source, by_row=by_row), *places)
        is_subject = self.subject and self.subject <= rival.stems and not self.subject & home.stems
        if is_subject and rival.source == home.source:
            return next(stem for stem in self.stems if stem in self.subject)
        in_home, in_rival = (put_in_place(self.statement, one.text) for one in (home, rival))
        if (in_home and in_home <= rival.stems) != (in_rival and in_rival <= home.stems):
            # "The use of cars costs 2 euros" has the words of "the use of boats costs 2 euros", and is on cars
            return min(in_home) if in_home and in_home <= rival.stems else ""
        ours = [stem for stem in self.stems if stem in home.stems and stem not in rival.stems]
        own = home.stems | home.leans_on
        theirs = [stem for stem in self.stems if stem in rival.stems - self.bases and stem not in own]
        if not theirs or len(set(theirs)) < len(set(ours)):
            return ""
        if len(set(theirs)) == len(set(ours)) and self.stems.index(ours[0]) < self.stems.index(theirs[0]):
            return ""
        return theirs[0]


# --- names of rows and columns -------------------------------------------------------------------------------------


def naming(names: Mapping[int, frozenset[str]], stems: frozenset[str], whole: frozenset[str]) -> Naming:
    """How a clause names rows or columns; as its statement does where that names one alone, or the clause none.

    "Argon takes 5 kg a room, 9 kg in all" is on argon in both halves; a name that is part of another is no name.
    """
    of_whole = _named(names, whole)
    sets = [by for share, by in of_whole.values() if share >= _NAMED]
    if sum(not any(one < other for other in sets) for one in sets) == 1:
        return of_whole
    of_clause = _named(names, stems)
    return of_clause if max((share for share, _ in of_clause.values()), default=0.0) >= _HALF_NAMED else of_whole


def naming_of_column(
    names: Mapping[int, frozenset[str]], stems: frozenset[str], whole: frozenset[str] = _NOTHING
) -> Naming:
    """How a clause names columns; where by no word of theirs, by one of its family: "resolved" names "Resolution"."""
    found = naming(names, stems, whole or stems)
    if any(share for share, _ in found.values()):
        return found
    kin = {place: [{one for one in stems if _is_kin(stem, one)} for stem in name] for place, name in names.items()}
    return {place: (sum(map(bool, found)) / max(1, len(found)), _NOTHING.union(*found)) for place, found in kin.items()}


def _is_kin(one: str, other: str) -> bool:
    shared = max(_FAMILY, max(len(one), len(other)) - _ENDING)
    return min(len(one), len(other)) >= shared and one[:shared] == other[:shared]


def _named(names: Mapping[int, frozenset[str]], stems: frozenset[str]) -> Naming:
    """How far each is named by a clause with these stems."""
    return {place: (len(name & stems) / max(1, len(name)), name & stems) for place, name in names.items()}


def _names_more(named: Naming, rival: int, home: int) -> str:
    """A stem by which a row or column is named more than another, or whole where the other's name is part of it."""
    (theirs, by), (ours, ours_by) = named[rival], named[home]
    if theirs < (_NAMED if ours else _HALF_NAMED):
        return ""
    if theirs > ours or (theirs == ours and by > ours_by):
        return min(by - ours_by or by)
    return ""


def _shown(stem: str, text: Sentence) -> str:
    return next((word for word in text.words if stem in read(word, text.language).stems), stem)


# --- modals and words of cells -------------------------------------------------------------------------------------


def _misplaced_modal(half: SentenceHalf, contexts: Contexts) -> str:
    kinds = frozenset(half.part.modals)
    limits = condition(half.language)
    if not kinds or limits.search(half.own):
        return ""  # "must not unless" is "may only if"
    prose = [one for one in contexts.all if one.row < 0 and one.kinds]
    homes = [one for one in prose if kinds & one.kinds]
    if not homes:
        return ""
    rivals = [one for one in prose if not kinds & one.kinds]
    verb = modal_verb(half.language).search(half.own)
    before = read(f"{half.head} {half.own[: verb.start()]}", half.language).content if verb else _NOTHING
    stems = [stem for stem in half.headed.stems if stem not in modal_stems()]
    choice = _Choice(stems, half.part, contexts, subject=before)
    beaten = [choice.better(home, rivals) for home in homes]
    if not all(beaten):
        return ""
    return f'of "{_shown(beaten[0], half.headed)}" what it cites states no {min(kinds)}'


def _misplaced_words(half: SentenceHalf, statement: Sentence, contexts: Contexts) -> str:
    """Words that stand in a row that the clause does not name, in place of those of the row that it names."""
    stems = frozenset(half.part.stems)
    for grid in contexts.grids.values():
        rows = _clearly_named(naming(grid.rows, stems, frozenset(statement.stems)))
        names = contexts.told.union(*grid.rows.values(), *grid.columns.values())
        for column in grid.columns if rows else ():
            own = _NOTHING.union(*(grid.cells[place].get(column, _NOTHING) for place in rows))
            for cells in grid.cells:
                foreign = _foreign(cells.get(column, _NOTHING), own, names, stems)
                if foreign:
                    return f'what it cites says "{_shown(foreign, statement)}" of something else'
    return ""


def _clearly_named(named: Naming) -> list[int]:
    return [place for place, (share, _) in named.items() if share >= _NAMED]


def _foreign(other: frozenset[str], own: frozenset[str], names: frozenset[str], stems: frozenset[str]) -> str:
    """A word of a short cell that a clause has whole, and nothing of the cells that it names; or ""."""
    foreign = other - own - names
    is_short = 0 < len(foreign) <= _SHORT_CELL and not any(stem.isdigit() for stem in other)
    return min(foreign) if is_short and foreign <= stems and not stems & (own - other) else ""


def _words_of_other_column(half: SentenceHalf, statement: Sentence, contexts: Contexts) -> str:
    """Words that the row named has in a column not named, in place of those of the column that the clause names."""
    stems = frozenset(half.part.stems)
    for grid in contexts.grids.values():
        rows = _clearly_named(naming(grid.rows, stems, frozenset(statement.stems)))
        named = naming_of_column(grid.columns, stems)  # by the clause itself: its neighbour may tell another cell
        columns = _clearly_named(named)
        names = contexts.told.union(*grid.rows.values(), *grid.columns.values())
        for cells in (grid.cells[place] for place in rows if columns):
            own = _NOTHING.union(*(cells.get(column, _NOTHING) for column in columns))
            for column in (column for column, (share, _) in named.items() if not share):
                foreign = _foreign(cells.get(column, _NOTHING), own, names, stems)
                if foreign:
                    return f'what it cites says "{_shown(foreign, statement)}" in another column'
    return ""
