"""A part of a data set, for what takes too long on all of it: every Nth document by size, and its questions.

    python -m benchmarks.part DATASET FOLDER --every N

Documents are counted by size from the third on, so that neither the smallest ones nor the largest are left out. Of the
questions those stay whose gold all lies in the documents that stay, or that have none.
"""

import argparse
import json
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from policy_rag_eval.data.dataset import Dataset
from policy_rag_eval.data.dataset_reader import read_dataset

FIRST = 2


def part_of(dataset: Dataset, every: int) -> tuple[frozenset[str], frozenset[str]]:
    """The files, and the ids of the questions, that stay.

    Args:
        dataset: with documents.
        every: how many documents one stands for, at least 1.
    """
    by_size = sorted(
        (document.file for document in dataset.documents),
        key=lambda file: ((dataset.documents_folder / file).stat().st_size, file),
    )
    files = frozenset(by_size[min(FIRST, every - 1) :: every])
    lies_in: dict[str, set[str]] = {}
    for passage in dataset.passages:
        lies_in.setdefault(passage.gold_id, set()).add(passage.file or "")
    kept = frozenset(
        question.question_id
        for question in dataset.questions
        if all(lies_in.get(label, {""}) <= files for label in dataset.qrels.get(question.question_id, {}))
    )
    return files, kept


def write_part(dataset: Dataset, every: int, folder: Path) -> tuple[int, int]:
    """Writes the part as a data set of its own; how many documents and questions it has."""
    files, kept = part_of(dataset, every)
    source = dataset.folder
    (folder / "documents").mkdir(parents=True)
    for file in files:
        target = folder / "documents" / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(dataset.documents_folder / file, target)
    listed = json.loads((source / "documents.json").read_text("utf-8"))
    (folder / "documents.json").write_text(json.dumps([one for one in listed if one["file"] in files]), "utf-8")
    for name, wanted in (("queries.jsonl", ("_id", kept)), ("corpus.jsonl", ("file", files))):
        key, values = wanted
        lines = (source / name).read_text("utf-8").splitlines()
        stay = [line for line in lines if line.strip() and json.loads(line).get(key) in values]
        (folder / name).write_text("\n".join(stay) + "\n", "utf-8")
    head, *rows = (source / "qrels.tsv").read_text("utf-8").splitlines()
    stay = [row for row in rows if row.split("\t")[0] in kept]
    (folder / "qrels.tsv").write_text("\n".join([head, *stay]) + "\n", "utf-8")
    return len(files), len(kept)


def main(arguments: Sequence[str] | None = None) -> None:
    """Writes a part and tells how large it is."""
    parser = argparse.ArgumentParser(description="A part of a data set.")
    parser.add_argument("dataset")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, required=True)
    chosen = parser.parse_args(arguments)
    documents, questions = write_part(read_dataset(chosen.dataset), chosen.every, chosen.folder)
    sys.stdout.write(f"{documents} documents, {questions} questions in {chosen.folder}\n")


if __name__ == "__main__":
    main()
