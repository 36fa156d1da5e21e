"""Where a figure or a modal of a source has its seat, and whether a statement says it of that or of something else.

The seats of a source are its sentences, their halves (`segments`) and the cells of its tables (`rows`). A figure of a
statement has a home wherever a seat holds it. A home is beaten by a seat that holds another figure of the same kind
and more of the statement's words: of "40% for bachelors and 50% for masters", a statement on masters is at home in the
second half, whatever figure it gives. In a table the words of the row's first cell and of the column's head decide. A
statement whose every home is beaten says the figure of the wrong thing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from policy_rag.answering.verification.clauses import MODAL_WORD, Segment, claims_of, segments
from policy_rag.answering.verification.modality_lexicon import OBLIGATION, PERMISSION, PROHIBITION
from policy_rag.answering.verification.quantities import Quantity, is_backed, turned_bound
from policy_rag.answering.verification.rates import bases_of
from policy_rag.answering.verification.stems import stems_of
from policy_rag.answering.verification.surface_checks import CONDITION, MODAL_STEMS, modals
from policy_rag.answering.verification.table_rows import Cell, Row, Table
from policy_rag.index.search.tokens import words

_NAMED = 2 / 3  # share of a key's weight that names a row beside others that are named less
_HALF_NAMED = 0.5  # the same where the other is not named at all
_ALTERNATIVE = re.compile(r"\s*(?:[(),;/]|\b(?:or|oder|ou)\b)\s*", re.IGNORECASE)
_OF_TIME = frozenset(("minute", "hour", "day", "week", "month", "year"))
_SHORT_CELL = 3  # stems: a longer cell is prose
_CONDITIONAL = frozenset((OBLIGATION, PERMISSION, PROHIBITION))


@dataclass(frozen=True, slots=True)
class Seat:
    """What a figure or modal of a source is said of.

    Attributes:
        text: as it stands in the source.
        stems: of its words, and of what they share with their neighbours.
        figures: those that it holds.
        own: of a cell those that stand in it, not in the names of its row and column.
        kinds: of its modals.
        source: the sentence or table that it belongs to, by number.
        row: which row of its table; -1 outside tables.
        column: which column, as in `rows.Cell`; -1 outside tables.
    """

    text: str
    stems: frozenset[str]
    figures: tuple[Quantity, ...]
    kinds: frozenset[str]
    source: int
    row: int = -1
    column: int = -1
    own: tuple[Quantity, ...] = ()


Names = tuple[Mapping[str, float], ...]
"""What a row or column may be called: weights of stems."""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table by its stems.

    Attributes:
        rows: for each row its names, one where it says no "or": the weights by which stems name it. The fewer rows
            share a stem, the more it counts.
        columns: the same of each column.
        cells: of each row the stems of its cells, by column.
    """

    rows: tuple[Names, ...]
    columns: dict[int, Names]
    cells: tuple[dict[int, frozenset[str]], ...]


@dataclass(frozen=True, slots=True)
class Seats:
    """The seats of everything that a statement cites; `around` are all its words, which may name a unit."""

    seats: tuple[Seat, ...]
    grids: dict[int, Grid]
    language: str
    around: frozenset[str]


def seats_of(sentences: Sequence[str], tables: Sequence[Table], context: str, language: str) -> Seats:
    """The seats of sentences, headers and rows left out, and of tables.

    Args:
        sentences: prose, each as it stands.
        tables: those beside it.
        context: words that count everywhere, as those of titles do.
        language: of `policy_rag.index.search.tokens.LANGUAGES`.
    """
    everywhere = frozenset(stems_of(context, language))
    found: list[Seat] = []
    for source, sentence in enumerate(sentences):
        found.extend(_halves(source, sentence, everywhere, language))
    grids: dict[int, Grid] = {}
    for source, table in enumerate(tables, len(sentences)):
        grids[source] = _grid(table, language)
        for place, row in enumerate(table.rows):
            found.extend(_cell(source, place, row, cell, everywhere, language) for cell in row.cells)
    told = " ".join([*sentences, *(row.told for table in tables for row in table.rows)])
    return Seats(tuple(found), grids, language, frozenset(words(told)))


def misplaced(statement: str, seats: Seats) -> str:
    """What a statement says of the wrong thing, or "".

    >>> seats = seats_of(["The pass mark is 40% for bachelors and 50% for masters."], [], "", "english")
    >>> misplaced("The pass mark for masters is 40%.", seats)
    'of "masters" what it cites does not say 40'
    >>> misplaced("For masters, 50% is the pass mark.", seats)
    ''
    """
    for clause in segments(statement):
        reason = (
            _misplaced_figure(clause, statement, seats)
            or _misplaced_modal(clause, seats)
            or _misplaced_words(clause, statement, seats)
        )
        if reason:
            return reason
    return ""


def _halves(source: int, sentence: str, everywhere: frozenset[str], language: str) -> Iterable[Seat]:
    for half in segments(sentence):
        stems = frozenset(stems_of(half.whole, language)) | everywhere
        yield Seat(half.text, stems, tuple(claims_of(half.text)), frozenset(modals(half.text)), source)


def _cell(source: int, place: int, row: Row, cell: Cell, everywhere: frozenset[str], language: str) -> Seat:
    told = f"{row.key}; {cell.told}"
    stems = frozenset(stems_of(told, language)) | everywhere
    own = tuple(claims_of(cell.text))
    return Seat(told, stems, tuple(claims_of(told)), frozenset(), source, place, cell.column, own)


def _grid(table: Table, language: str) -> Grid:
    heads = {cell.column: cell.head for row in table.rows for cell in row.cells}
    columns = _weights(list(heads.values()), language)
    return Grid(
        rows=tuple(_weights([row.key for row in table.rows], language)),
        columns=dict(zip(heads, columns, strict=True)),
        cells=tuple(
            {cell.column: frozenset(stems_of(cell.text, language)) for cell in row.cells} for row in table.rows
        ),
    )


def _weights(names: Sequence[str], language: str) -> list[Names]:
    shared = Counter(stem for name in names for stem in frozenset(stems_of(name, language)))
    return [
        tuple(
            {stem: 1 / shared[stem] for stem in stems_of(part, language)}
            for part in dict.fromkeys([name, *_ALTERNATIVE.split(name)])
        )
        for name in names
    ]


# --- figures -------------------------------------------------------------------------------------------------------


def _misplaced_figure(clause: Segment, statement: str, seats: Seats) -> str:
    figures, told = claims_of(clause.text), claims_of(statement)
    for figure in figures:
        twins = [other for other in figures if other.values & figure.values]
        backing = [seat for seat in seats.seats if is_backed(figure, list(seat.figures), seats.around)]
        # "two years" stand in a row of 24 months only where none says 24
        backing = [seat for seat in backing if any(figure.values & one.values for one in seat.figures)] or backing
        homes = _with_noun(figure, clause, [seat for seat in backing if _holds_all(seat, twins, seats)], seats)
        if backing and not homes:
            return f"what it cites says {figure.shown} once"
        # "over 75" is not at home in "between 25 and 75"
        homes = [home for home in homes if not turned_bound(figure, home.figures, seats.around)] or homes
        own = frozenset(stem for one in twins for stem in stems_of(one.shown, seats.language))
        stems = [stem for stem in stems_of(f"{clause.head} {clause.text}", seats.language) if stem not in own]
        stems = [stem for stem in stems if stem not in MODAL_STEMS]
        rivals = [seat for seat in _rivals(figure, seats) if seat not in homes]
        if any(home.row < 0 and _holds_several(home, told, rivals, seats) for home in homes):
            continue
        whole, bases = frozenset(stems_of(statement, seats.language)), bases_of(clause.text, seats.language)
        teller = _Teller(stems, whole, seats, bases=bases)
        beaten = [teller.better(home, rivals) for home in homes]
        if beaten and all(beaten):
            return f'of "{_shown(beaten[0], statement, seats.language)}" what it cites does not say {figure.shown}'
    return ""


def _with_noun(figure: Quantity, clause: Segment, homes: list[Seat], seats: Seats) -> list[Seat]:
    """The homes where a figure without a unit stands before the noun that it has in the clause, if any: "5 marks"."""
    if figure.unit:
        return homes
    nouns = {noun for number, noun in pairwise(stems_of(clause.text, seats.language)) if number in figure.values}
    same = [
        home
        for home in homes
        if any(
            number in figure.values and noun in nouns for number, noun in pairwise(stems_of(home.text, seats.language))
        )
    ]
    return same or homes


def _holds_all(seat: Seat, twins: Sequence[Quantity], seats: Seats) -> bool:
    """Whether a cell has a figure as often as it is said: "5 points for 5 days" is not in a row of "5 days"."""
    return seat.row < 0 or sum(is_backed(twins[0], [one], seats.around) for one in seat.figures) >= len(twins)


def _holds_several(home: Seat, figures: Sequence[Quantity], rivals: Sequence[Seat], seats: Seats) -> bool:
    """Whether a half and its neighbours have two different figures of the statement, and no rival any of them."""
    beside = [one for seat in seats.seats if seat.source == home.source for one in seat.figures]
    held = [figure for figure in figures if is_backed(figure, beside, seats.around)]
    if len({figure.values for figure in held}) < 2:
        return False
    return not any(is_backed(figure, rival.figures, seats.around) for rival in rivals for figure in held)


def _rivals(figure: Quantity, seats: Seats) -> list[Seat]:
    """The seats with a figure of the same unit, and the cells of columns of such, which may be in words ("none")."""
    columns = {
        (seat.source, seat.column) for seat in seats.seats if _has_like(seat.own, figure) or _has_time(seat.own, figure)
    }
    return [
        seat
        for seat in seats.seats
        if ((seat.source, seat.column) in columns if seat.row >= 0 else _has_like(seat.figures, figure))
    ]


def _has_like(figures: Sequence[Quantity], figure: Quantity) -> bool:
    return any(_comparable(one, figure) for one in figures)


def _has_time(figures: Sequence[Quantity], figure: Quantity) -> bool:
    """Whether both are times: what is 72 hours in one column may be 14 days in the next."""
    return _unit(figure) in _OF_TIME and any(_unit(one) in _OF_TIME for one in figures)


def _unit(figure: Quantity) -> str:
    """The unit, without "working" and the like."""
    return (figure.unit or "").rpartition(" ")[2]


def _comparable(one: Quantity, other: Quantity) -> bool:
    return _unit(one) == _unit(other) or not (_unit(one) and _unit(other))


class _Teller:
    """Which of two seats a clause speaks of.

    `stems` are the clause's, in order, `whole` those of its statement; the `subject` tells the halves of one sentence
    apart by itself. The `bases` of its rates tell nothing: "51 euros a day" speaks of no trip of "5 days".
    """

    def __init__(
        self,
        stems: Sequence[str],
        whole: frozenset[str],
        seats: Seats,
        *,
        subject: frozenset[str] = frozenset(),
        bases: frozenset[str] = frozenset(),
    ) -> None:
        self._stems = stems
        self._subject = subject
        self._bases = bases
        self._rows: dict[int, Naming] = {}
        self._columns: dict[int, Naming] = {}
        for source, grid in seats.grids.items():
            self._rows[source] = _naming(dict(enumerate(grid.rows)), frozenset(stems), whole)
            self._columns[source] = _naming(grid.columns, frozenset(stems), whole)

    def better(self, home: Seat, rivals: Sequence[Seat]) -> str:
        """The first of the clause's stems by which a rival beats the home, or ""."""
        return next(filter(None, (self._beats(rival, home) for rival in rivals)), "")

    def _beats(self, rival: Seat, home: Seat) -> str:
        if rival.row >= 0 and rival.source == home.source:
            if rival.row != home.row:
                return _names_more(self._rows[home.source], rival.row, home.row)
            return _names_more(self._columns[home.source], rival.column, home.column)
        told_apart = self._subject <= rival.stems and not self._subject & home.stems
        if self._subject and told_apart and rival.source == home.source:
            return next(stem for stem in self._stems if stem in self._subject)
        ours = [stem for stem in self._stems if stem in home.stems and stem not in rival.stems]
        theirs = [stem for stem in self._stems if stem in rival.stems - self._bases and stem not in home.stems]
        if not theirs or len(set(theirs)) < len(set(ours)):
            return ""
        if len(set(theirs)) == len(set(ours)) and self._stems.index(ours[0]) < self._stems.index(theirs[0]):
            return ""
        return theirs[0]


Naming = dict[int, tuple[float, tuple[str, ...]]]
"""How far each row or column of a table is named, from 0 to 1, and by which stems, the most telling first."""


def _naming(weights: Mapping[int, Names], stems: frozenset[str], whole: frozenset[str]) -> Naming:
    """How a clause names rows or columns; as its statement does where that names one alone, or the clause none.

    "Argon takes 5 kg a room, 9 kg in all" is on argon in both halves; a name that is part of another is no name.
    """
    of_whole = _named(weights, whole)
    sets = [frozenset(by) for share, by in of_whole.values() if share >= _NAMED]
    if sum(not any(one < other for other in sets) for one in sets) == 1:
        return of_whole
    of_clause = _named(weights, stems)
    is_named = max((share for share, _ in of_clause.values()), default=0.0) >= _HALF_NAMED
    return of_clause if is_named else of_whole


def _named(weights: Mapping[int, Names], stems: frozenset[str]) -> Naming:
    """How far each is named, by that of its names of which most is said."""
    return {
        place: max((_said(one, stems) for one in names), key=lambda said: (said[0], len(said[1])))
        for place, names in weights.items()
    }


def _said(name: Mapping[str, float], stems: frozenset[str]) -> tuple[float, tuple[str, ...]]:
    by = sorted((-weight, stem) for stem, weight in name.items() if stem in stems)
    total = sum(name.values())
    return (-sum(weight for weight, _ in by) / total if total else 0.0), tuple(stem for _, stem in by)


def _names_more(naming: Naming, rival: int, home: int) -> str:
    """A stem by which a row or column is named more than another, or whole where the other's name is part of it."""
    (theirs, by), (ours, ours_by) = naming[rival], naming[home]
    if theirs < (_NAMED if ours else _HALF_NAMED):
        return ""
    if theirs > ours or (theirs == ours and set(by) > set(ours_by)):
        return next((stem for stem in by if stem not in ours_by), by[0])
    return ""


def _shown(stem: str, text: str, language: str) -> str:
    return next((word for word in words(text) if stem in stems_of(word, language)), stem)


# --- modals --------------------------------------------------------------------------------------------------------


def _misplaced_modal(clause: Segment, seats: Seats) -> str:
    kinds = frozenset(modals(clause.text))
    if not kinds or CONDITION.search(clause.text):
        return ""  # "must not unless" is "may only if"
    prose = [seat for seat in seats.seats if seat.row < 0 and seat.kinds]
    homes = [seat for seat in prose if kinds & seat.kinds]
    if not homes:
        return ""
    rivals = [seat for seat in prose if not kinds & seat.kinds and not _binds_alike(kinds, seat)]
    stems = [stem for stem in stems_of(f"{clause.head} {clause.text}", seats.language) if stem not in MODAL_STEMS]
    verb = MODAL_WORD.search(clause.text)
    before = stems_of(f"{clause.head} {clause.text[: verb.start()]}", seats.language) if verb else []
    teller = _Teller(stems, frozenset(stems), seats, subject=frozenset(before) - MODAL_STEMS)
    beaten = [teller.better(home, rivals) for home in homes]
    if not all(beaten):
        return ""
    return f'of "{_shown(beaten[0], clause.text, seats.language)}" what it cites states no {min(kinds)}'


def _binds_alike(kinds: frozenset[str], seat: Seat) -> bool:
    """Whether "may only if" stands where the statement has "must"."""
    return kinds <= _CONDITIONAL and seat.kinds <= _CONDITIONAL and CONDITION.search(seat.text) is not None


# --- words of cells ------------------------------------------------------------------------------------------------


def _misplaced_words(clause: Segment, statement: str, seats: Seats) -> str:
    """Words that stand in a row that the clause does not name, in place of those of the row that it names."""
    stems = frozenset(stems_of(clause.text, seats.language))
    told = frozenset(stem for seat in seats.seats if seat.row < 0 for stem in seat.stems)
    for grid in seats.grids.values():
        naming = _naming(dict(enumerate(grid.rows)), stems, frozenset(stems_of(statement, seats.language)))
        named = [place for place, (share, _) in naming.items() if share >= _NAMED]
        names = told.union(*(name for one in (*grid.rows, *grid.columns.values()) for name in one))
        for column in grid.columns:
            own = frozenset[str]().union(*(grid.cells[place].get(column, frozenset()) for place in named))
            for cells in grid.cells if named else ():
                other = cells.get(column, frozenset())
                words_of_other = other - own - names
                if _says_other(stems, words_of_other) and not stems & (own - other):
                    word = _shown(min(words_of_other), statement, seats.language)
                    return f'what it cites says "{word}" of something else'
    return ""


def _says_other(stems: frozenset[str], other: frozenset[str]) -> bool:
    """Whether a clause has all words of a short cell without figures."""
    return bool(other) and len(other) <= _SHORT_CELL and other <= stems and not any(map(str.isdigit, other))
