"""The benchmark of references counts what people marked: found, resolved rightly or wrongly, besides."""

import csv
import json

from benchmarks.references import main, parse, read_marked, score

COLUMNS = [
    "SourceDocumentID",
    "SourcePassageID",
    "ReferenceText",
    "ReferenceType",
    "TargetDocumentID",
    "TargetPassageID",
]
TEXTS = {
    "a.md": "# 1. Scope\n\nSee section 2 and section 3, and section 1 of the Tea Rules.\n\n"
    "# 2. Days\n\nSection 5 of the Fish Act.\n\n# 3. End\n\nSection 1.\n",
    "tea-rules.md": "# 1. Cups\n\nAll.\n\n# 2. Pots\n\nNone.\n",
}
ROWS = [
    ("a", "1", "2", "Internal", "a", "2"),  # found
    ("a", "1", "3", "Internal", "a", "2"),  # people say 2, the text 3: missed is nothing, resolved wrong
    ("a", "1", "1", "External", "b", "2"),  # likewise across documents: missed, and resolved wrong
    ("a", "2", "5", "Outsource", "", ""),  # rightly resolved to nothing
    ("a", "9", "1", "Internal", "a", "1"),  # a passage without a place is left out
]


def test_pairs_of_places_and_resolved_references_are_counted(tmp_path, capsys):
    (tmp_path / "documents").mkdir()
    passages, files = [], []
    for doc_id, (name, text) in zip("ab", TEXTS.items(), strict=True):
        (tmp_path / "documents" / name).write_text(text, encoding="utf-8")
        files.append({"doc_id": doc_id, "file": name})
        starts = [at for at in range(len(text)) if text.startswith("# ", at)]
        for number, (start, end) in enumerate(zip(starts, [*starts[1:], len(text)], strict=True), 1):
            passages.append({"doc_id": doc_id, "section_id": str(number), "start": start, "end": end})
    (tmp_path / "documents.json").write_text(json.dumps(files), encoding="utf-8")
    (tmp_path / "corpus.jsonl").write_text("\n".join(map(json.dumps, passages)), encoding="utf-8")
    with (tmp_path / "marked.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([COLUMNS, *ROWS])

    documents = parse(tmp_path)
    rows = [dict(zip(COLUMNS, row, strict=True)) for row in ROWS]
    found, wrong = score(read_marked(tmp_path, rows, documents), documents)
    # Marked: 1 to 2 of a, 1 to 2 of b. Resolved at marked places: "2" right, "3" and "1 of the Tea Rules" wrong.
    assert (found.marked, found.found, found.resolved, found.right, found.besides) == (2, 1, 3, 1, 0)
    assert (found.recall, found.precision) == (1 / 2, 1 / 3)
    assert [case["kind"].partition(" ")[0] for case in wrong] == ["missed", "wrong", "wrong"]

    main([str(tmp_path), str(tmp_path / "marked.csv"), "--wrong", str(tmp_path / "wrong.jsonl")])
    assert capsys.readouterr().out.splitlines()[0] == (
        "all: 5 marked, 2 pairs of places; recall 0.500, precision 0.333 of 3 resolved; 0 besides"
    )
    assert len((tmp_path / "wrong.jsonl").read_text(encoding="utf-8").splitlines()) == 3
