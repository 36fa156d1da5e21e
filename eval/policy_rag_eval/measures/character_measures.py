"""How many characters of gold a list of hits shows, and how much else: figures that know nothing of labels and ranks.

Both are over the list as it is returned. Hits are taken as ranges of characters of files (of passages, where those are
what is searched), and characters that several hits show count once. A label with several places is won at any of them:
the one that is covered best counts, of equals the first.
"""

from collections.abc import Iterable, Mapping, Sequence

from policy_rag.records.search import Hit
from policy_rag_eval.data.corpora import units_by_document
from policy_rag_eval.data.dataset import Corpus, Dataset
from policy_rag_eval.measures.gold_matching import Range


class GoldRanges:
    """The gold of each question as ranges of characters.

    Args:
        dataset: as `Dataset.for_corpus` gives it.
        corpus: what is searched.
    """

    def __init__(self, dataset: Dataset, corpus: Corpus) -> None:
        self._corpus = corpus
        self._qrels = dataset.qrels
        self._places: dict[str, list[Range]] = {}
        if corpus is Corpus.FILES:
            for passage in dataset.passages:
                if passage.file is not None and passage.start is not None and passage.end is not None:
                    self._places.setdefault(passage.gold_id, []).append(Range(passage.file, passage.start, passage.end))
            return
        for doc_id, units in units_by_document(dataset).items():
            for unit in units:
                place = Range(_unit(doc_id, unit.section_id), 0, len(unit.passage.text))
                self._places.setdefault(unit.passage.gold_id, []).append(place)

    def figures(self, question_id: str, hits: Sequence[Hit]) -> tuple[float, float]:
        """`char_recall` and `char_precision` of a question, each 0 to 1.

        `char_recall`: summed over the relevant labels, characters of the label's place that the hits cover, divided
        by the characters of these places. `char_precision`: characters of the hits that lie in any place of a relevant
        label, divided by all characters of the hits. Both are 0 where nothing is returned.
        """
        shown = _merged(self._range(hit) for hit in hits)
        places = [self._places[label] for label in self._qrels.get(question_id, ()) if label in self._places]
        covered = total = 0
        for of_label in places:
            best = max(of_label, key=lambda place: _covered(shown, place) / max(1, place.end - place.start))
            covered += _covered(shown, best)
            total += best.end - best.start
        gold = _merged(place for of_label in places for place in of_label)
        in_gold = sum(_covered(gold, Range(file, *span)) for file, spans in shown.items() for span in spans)
        characters = sum(end - start for spans in shown.values() for start, end in spans)
        return covered / total if total else 0.0, in_gold / characters if characters else 0.0

    def _range(self, hit: Hit) -> Range:
        if self._corpus is Corpus.FILES:
            return Range(hit.file, hit.start, hit.end)
        return Range(_unit(hit.doc_id, hit.section_id), 0, hit.end - hit.start)


def _unit(doc_id: str, section_id: str) -> str:
    return f"{doc_id}\0{section_id}"


def _merged(ranges: Iterable[Range]) -> dict[str, list[tuple[int, int]]]:
    """The characters of some ranges, by file: disjoint, in order."""
    by_file: dict[str, list[tuple[int, int]]] = {}
    for place in sorted(ranges, key=lambda place: (place.file, place.start)):
        spans = by_file.setdefault(place.file, [])
        if spans and place.start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(spans[-1][1], place.end))
        else:
            spans.append((place.start, place.end))
    return by_file


def _covered(shown: Mapping[str, Sequence[tuple[int, int]]], place: Range) -> int:
    """How many characters of a place are shown."""
    spans = shown.get(place.file, ())
    return sum(max(0, min(end, place.end) - max(start, place.start)) for start, end in spans)
