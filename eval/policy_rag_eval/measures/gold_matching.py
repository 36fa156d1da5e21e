"""From hits to a question's gold: as labels in ranks, and as characters.

One question set scores every way of cutting documents, for gold is a place in a file. Only the question's own gold
counts: adding or removing other questions changes nothing.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from policy_rag.records.search import Hit
from policy_rag_eval.data.corpora import units_by_document
from policy_rag_eval.data.dataset import Corpus, Dataset, GoldPassage
from policy_rag_eval.measures.measures import Measure

Span = tuple[int, int]
_WRITTEN = re.compile(r"(.+):(\d+)-(\d+)")


class TextRange(Protocol):
    """A range of a file's characters, half-open: a hit is one.

    Attributes:
        file: named as in the data set.
        start: first character.
        end: one past the last.
    """

    @property
    def file(self) -> str: ...  # noqa: D102
    @property
    def start(self) -> int: ...  # noqa: D102
    @property
    def end(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Range:
    """A plain `TextRange`."""

    file: str
    start: int
    end: int


class GoldPlaces:
    """The places of some gold passages, ready to label lists of hits.

    The passages are those of one question; those without a place are passed over.
    """

    def __init__(self, passages: Iterable[GoldPassage]) -> None:
        self._files: dict[str, list[tuple[int, int, str]]] = {}
        for passage in passages:
            if passage.file is not None and passage.start is not None and passage.end is not None:
                self._files.setdefault(passage.file, []).append((passage.start, passage.end, passage.gold_id))
        for places in self._files.values():
            places.sort(key=lambda place: place[:2])

    def labels(self, hits: Sequence[TextRange]) -> tuple[str, ...]:
        """The gold ids that a list of hits wins, best first.

        Going down the hits, each is replaced by the labels, in file order, that have a place of which the hits so far
        (the union of their ranges) cover at least half the characters, and that are not listed yet. A hit that adds
        none stays as `file:start-end`. Cutting the list at k is left to the measures.

        >>> gold = GoldPlaces([GoldPassage("a", "", file="x.md", start=0, end=10)])
        >>> gold.labels([Range("x.md", 0, 4), Range("x.md", 2, 5), Range("x.md", 5, 9)])
        ('x.md:0-4', 'a', 'x.md:5-9')
        """
        listed: dict[str, None] = {}
        shown: dict[str, list[Span]] = {}
        for hit in hits:
            spans = shown[hit.file] = _union([*shown.get(hit.file, ()), (hit.start, hit.end)])
            won = [
                label
                for start, end, label in self._files.get(hit.file, ())
                if label not in listed and start < hit.end and hit.start < end
                if 2 * _covered(spans, start, end) >= end - start
            ]
            listed.update(dict.fromkeys(won or [f"{hit.file}:{hit.start}-{hit.end}"]))
        return tuple(listed)


class QuestionGold:
    """The gold of each question of a data set, on one corpus.

    The data set is as `Dataset.for_corpus` gives it.
    """

    def __init__(self, dataset: Dataset, corpus: Corpus) -> None:
        self._corpus = corpus
        self._units: dict[str, str] = {}
        ranges: dict[str, list[Range]] = {}
        if corpus is Corpus.FILES:
            passages = dataset.passages
        else:
            passages = ()
            for doc_id, units in units_by_document(dataset).items():
                for unit in units:
                    file, gold_id = _unit(doc_id, unit.section_id), unit.passage.gold_id
                    self._units[file] = gold_id
                    length = len(unit.passage.text.strip())  # a hit has no blanks at its ends
                    ranges.setdefault(gold_id, []).append(Range(file, 0, length))
        by_label: dict[str, list[GoldPassage]] = {}
        for passage in passages:
            if passage.file is not None and passage.start is not None and passage.end is not None:
                by_label.setdefault(passage.gold_id, []).append(passage)
                ranges.setdefault(passage.gold_id, []).append(Range(passage.file, passage.start, passage.end))
        self._first = {label: places[0] for label, places in ranges.items()}
        self._of_text = {
            " ".join(passage.text.split()): passage.gold_id for passage in dataset.passages if passage.text.strip()
        }
        self._places = {
            question: GoldPlaces(passage for label in grades for passage in by_label.get(label, ()))
            for question, grades in dataset.qrels.items()
        }
        self._ranges: Mapping[str, list[list[Range]]] = {
            question: [ranges[label] for label in grades if label in ranges]
            for question, grades in dataset.qrels.items()
        }

    def place_of(self, label: str) -> Range | None:
        """The first place of a gold passage, or the one that `FILE:START-END` says; None for what is neither."""
        if label in self._first:
            return self._first[label]
        written = _WRITTEN.fullmatch(label)
        return Range(written[1], int(written[2]), int(written[3])) if written else None

    def passage_with(self, text: str) -> Range | None:
        """The place of the gold passage that has this text, blanks aside; None where none has."""
        return self._first.get(self._of_text.get(" ".join(text.split()), ""))

    def labels(self, question_id: str, hits: Sequence[Hit | Range]) -> tuple[str, ...]:
        """The labels of a question's hits, best first: see `GoldPlaces.labels`.

        Where gold passages themselves are searched a hit is the label of its passage; a repeated one keeps its first
        rank.
        """
        if self._corpus is Corpus.PASSAGES:
            places = map(self._range, hits)
            return tuple(dict.fromkeys(self._units.get(place.file, place.file) for place in places))
        return self._places[question_id].labels(hits)

    def characters(self, question_id: str, hits: Sequence[Hit | Range]) -> tuple[float, float]:
        """`char_recall` and `char_precision` of a question, each 0 to 1; both are 0 where nothing is returned.

        `char_recall`: summed over the relevant labels, characters of the label's place that the hits cover, divided
        by the characters of these places; of several places of a label the one that is covered best counts, of equals
        the first. `char_precision`: characters of the hits that lie in any place of a relevant label, divided by all
        characters of the hits. Characters that several hits show count once.
        """
        places = self._ranges.get(question_id, [])
        shown = _by_file(self._range(hit) for hit in hits)
        gold = _by_file(place for of_label in places for place in of_label)
        in_gold = sum(_shown_of(gold, Range(file, *span)) for file, spans in shown.items() for span in spans)
        characters = sum(end - start for spans in shown.values() for start, end in spans)
        return _covered_share(places, shown), in_gold / characters if characters else 0.0

    def read(self, question_id: str, hits: Sequence[Hit | Range], characters: int) -> float:
        """The share of a question's gold characters within the first so many characters of the hits, 0 to 1.

        The hits are read one after the other, each from its begin; the one that goes beyond is cut there, and what
        stands in two hits is read twice. Covered is counted as for `char_recall`.
        """
        read: list[Range] = []
        left = characters
        for place in map(self._range, hits):
            read.append(Range(place.file, place.start, min(place.end, place.start + left)))
            left -= place.end - place.start
            if left <= 0:
                break
        return _covered_share(self._ranges.get(question_id, []), _by_file(read))

    def read_at(self, question_id: str, hits: Sequence[Hit | Range], measures: Sequence[Measure]) -> dict[str, float]:
        """`read` at the cut-off of each measure, by its name."""
        return {str(measure): self.read(question_id, hits, measure.chars) for measure in measures}

    def _range(self, hit: Hit | Range) -> Range:
        if isinstance(hit, Range):
            return hit
        if self._corpus is Corpus.FILES:
            return Range(hit.file, hit.start, hit.end)
        return Range(_unit(hit.doc_id, hit.section_id), 0, hit.end - hit.start)


def shared(passage: GoldPassage, place: TextRange) -> int:
    """Characters that a gold passage and a place have in common."""
    if passage.file != place.file or passage.start is None or passage.end is None:
        return 0
    return max(0, min(passage.end, place.end) - max(passage.start, place.start))


def _unit(doc_id: str, section_id: str) -> str:
    """What stands for a file where gold passages are searched: each is a text of its own."""
    return f"{doc_id}\0{section_id}"


def _union(spans: Iterable[Span]) -> list[Span]:
    """The same characters as disjoint spans, in order."""
    union: list[Span] = []
    for start, end in sorted(spans):
        if union and start <= union[-1][1]:
            union[-1] = (union[-1][0], max(union[-1][1], end))
        else:
            union.append((start, end))
    return union


def _by_file(ranges: Iterable[Range]) -> dict[str, list[Span]]:
    by_file: dict[str, list[Span]] = {}
    for place in ranges:
        by_file.setdefault(place.file, []).append((place.start, place.end))
    return {file: _union(spans) for file, spans in by_file.items()}


def _covered(spans: Iterable[Span], start: int, end: int) -> int:
    """How many of the characters from `start` to `end` lie in disjoint spans."""
    return sum(max(0, min(last, end) - max(first, start)) for first, last in spans)


def _covered_share(places: Iterable[Sequence[Range]], shown: Mapping[str, Sequence[Span]]) -> float:
    """Characters of gold that are shown over all of them; of a label's places the one that is covered best counts."""
    covered = total = 0
    for of_label in places:
        best = max(of_label, key=lambda place: _shown_of(shown, place) / max(1, place.end - place.start))
        covered += _shown_of(shown, best)
        total += best.end - best.start
    return covered / total if total else 0.0


def _shown_of(shown: Mapping[str, Sequence[Span]], place: Range) -> int:
    return _covered(shown.get(place.file, ()), place.start, place.end)
