"""Cross-references that are found and resolved, against those that people marked.

    python -m benchmarks.references DATASET CSV [--wrong FILE]

DATASET is the folder of a data set with `documents.json` and `corpus.jsonl`; CSV holds a marked reference a row with
the columns of RegNLP/ObliQA-XRef's `CrossReferenceData.csv` (Apache-2.0), the ends by document and passage. Documents
go through the parser as an ingest reads them, with the names that their titles and files give.

A marked reference counts as found where a reference inside its source passage leads to a section that begins in its
target passage, or to the one in which that stands. Precision is over the references that are resolved at marked
places: people did not mark all that a passage refers to, so what is found besides is counted and nothing more.
References that people say lead outside the documents are right where they are resolved to nothing. `--wrong` writes
what is missed or wrong as JSON lines.
"""

import argparse
import csv
import json
import re
import sys
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag_parsers.loaders import load
from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.references.cross_references import Reference, find_references
from policy_rag_parsers.references.document_names import document_names
from policy_rag_parsers.references.known_documents import Library
from policy_rag_parsers.structure.numbering import number_key
from policy_rag_parsers.structure.sections import parse_document

Place = tuple[str, str]
"""A document and the id of a section of it."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A document as the parser reads it."""

    source: SourceText
    sections: tuple[Section, ...]
    references: tuple[Reference, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """What people marked of one passage: `[start, end)` of a document, and what each mention leads to.

    `targets` has for each passage led to the sections that begin in it, or else hold it; none for what leads outside
    the documents.
    """

    document: str
    start: int
    end: int
    passage: str
    targets: Mapping[str, frozenset[frozenset[Place]]]


@dataclass(frozen=True, slots=True)
class ReferenceScore:
    """Marked pairs of places, how many were found; resolved references at marked places, how many are right."""

    marked: int
    found: int
    resolved: int
    right: int
    besides: int

    @property
    def recall(self) -> float:
        """Share of the marked pairs that were found."""
        return self.found / max(1, self.marked)

    @property
    def precision(self) -> float:
        """Share of what was resolved at marked places that is right."""
        return self.right / max(1, self.resolved)


def parse(folder: Path) -> dict[str, Parsed]:
    """The documents of a data set with their references, by id."""
    read: dict[str, tuple[SourceText, tuple[Section, ...]]] = {}
    names = {}
    for row in json.loads((folder / "documents.json").read_text(encoding="utf-8")):
        source = load(folder / "documents" / row["file"])
        parsed = parse_document(source, title="", otherwise=Path(row["file"]).stem)
        read[row["doc_id"]] = source, parsed.sections
        names[row["doc_id"]] = document_names(parsed.title, row["file"])
    library = Library(names, lambda doc_id: read[doc_id][1])
    return {
        doc_id: Parsed(source, sections, find_references(source, sections, library=library, doc_id=doc_id))
        for doc_id, (source, sections) in read.items()
    }


def read_marked(folder: Path, rows: Sequence[Mapping[str, str]], documents: Mapping[str, Parsed]) -> list[Marked]:
    """What people marked, by source passage; rows of which an end has no place in the files are left out."""
    places: dict[tuple[str, str], tuple[int, int]] = {}
    for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines():
        passage = json.loads(line)
        if passage["start"] is not None:
            places.setdefault((passage["doc_id"], passage["section_id"]), (passage["start"], passage["end"]))
    grouped: dict[tuple[str, str], dict[str, set[frozenset[Place]]]] = defaultdict(lambda: defaultdict(set))
    for row in rows:
        source, outside = (row["SourceDocumentID"], row["SourcePassageID"]), not row["TargetDocumentID"]
        target = row["TargetDocumentID"], row["TargetPassageID"]
        sections = frozenset[Place]() if outside else _sections_of(target, places.get(target), documents)
        if source in places and (sections or outside):
            grouped[source][row["ReferenceText"].strip()].add(sections)
    return [
        Marked(source[0], *places[source], source[1], {text: frozenset(found) for text, found in targets.items()})
        for source, targets in grouped.items()
    ]


def _sections_of(
    target: tuple[str, str], place: tuple[int, int] | None, documents: Mapping[str, Parsed]
) -> frozenset[Place]:
    """The sections that begin in a passage, and the one in which it begins; without a place those of its number."""
    document, number = target
    sections = documents[document].sections
    if place is None:
        key = number_key(number)
        return frozenset((document, one.section_id) for one in sections if one.number and number_key(one.number) == key)
    first = max(0, bisect_right([section.start for section in sections], place[0]) - 1)
    return frozenset(
        (document, one.section_id) for i, one in enumerate(sections) if i == first or place[0] <= one.start < place[1]
    )


def score(
    marked: Sequence[Marked], documents: Mapping[str, Parsed]
) -> tuple[ReferenceScore, list[Mapping[str, object]]]:
    """The score, and what is missed or wrong, a record each."""
    counts: Counter[str] = Counter()
    wrong: list[Mapping[str, object]] = []
    for passage in marked:
        parsed = documents[passage.document]
        leads = [(one, _place(one, passage)) for one in parsed.references if passage.start <= one.start < passage.end]
        reached = {place for _, place in leads if place}
        wanted = {target for targets in passage.targets.values() for target in targets if target}
        counts["marked"] += len(wanted)
        counts["found"] += sum(not reached.isdisjoint(target) for target in wanted)
        at = {text: list(_occurrences(text, parsed.source.text, passage)) for text in passage.targets}
        for text, targets in passage.targets.items():
            if any(target and reached.isdisjoint(target) for target in targets):
                wrong.append(_case("missed", passage, parsed, text, leads))
        for one, place in leads:
            meant = [text for text in at if any(start < one.end and one.start < end for start, end in at[text])]
            if place is None or not meant:
                counts["besides"] += place is not None
                continue
            right = any(place in target for text in meant for target in passage.targets[text])
            counts["resolved"] += 1
            counts["right"] += right
            if not right:
                wrong.append(_case(f"wrong {one.text}", passage, parsed, " / ".join(meant), leads))
    return ReferenceScore(*(counts[name] for name in ("marked", "found", "resolved", "right", "besides"))), wrong


def _place(reference: Reference, passage: Marked) -> Place | None:
    """The section that a reference leads to, if any."""
    if reference.target_section_id is None:
        return None
    return reference.target_document or passage.document, reference.target_section_id


def _occurrences(text: str, source: str, passage: Marked) -> Iterator[tuple[int, int]]:
    words = r"\s+".join(re.escape(word) for word in text.split())
    for match in re.compile(rf"(?<![\w.]){words}(?!\w|\.\d)").finditer(source, passage.start, passage.end):
        yield match.span()


def _case(
    kind: str, passage: Marked, parsed: Parsed, text: str, leads: Sequence[tuple[Reference, Place | None]]
) -> Mapping[str, object]:
    return {
        "kind": kind,
        "document": passage.document,
        "passage": passage.passage,
        "marked": text,
        "targets": [sorted(target) for name in text.split(" / ") for target in passage.targets[name]],
        "references": [(one.text, place) for one, place in leads],
        "text": parsed.source.text[passage.start : passage.end],
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the score of all documents, and of references inside a document and across documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dataset", type=Path, help="folder of the data set")
    parser.add_argument("csv", type=Path, help="CrossReferenceData.csv")
    parser.add_argument("--wrong", type=Path, metavar="FILE", help="where what is missed or wrong is written")
    options = parser.parse_args(arguments)
    with options.csv.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    documents = parse(options.dataset)
    wrong: list[Mapping[str, object]] = []
    for name, kinds in (
        ("all", {"Internal", "External", "Outsource"}),
        ("within a document", {"Internal"}),
        ("across documents", {"External"}),
    ):
        of_kind = [row for row in rows if row["ReferenceType"] in kinds]
        found, cases = score(read_marked(options.dataset, of_kind, documents), documents)
        wrong = wrong or cases
        sys.stdout.write(
            f"{name}: {len(of_kind)} marked, {found.marked} pairs of places; recall {found.recall:.3f}, "
            f"precision {found.precision:.3f} of {found.resolved} resolved; {found.besides} besides\n"
        )
    if options.wrong:
        lines = [json.dumps(case, ensure_ascii=False) for case in wrong]
        options.wrong.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
