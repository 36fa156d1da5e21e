"""What an exported reader says of the development sets: raw figures a question, kept for `training.figures`.

    python -m training.measure FOLDER DATA BENCHMARKS WORK [--only NAME]...

FOLDER is what `training.export` wrote. Nothing that was trained on is measured: held-out folds of ObliQA, PolicyQA and
ContractNLI, the organisations of `training/written` that were held out, and all of SQuAD 2.0's half, the handbooks, the
sample company and the statements in free wording.
"""

import argparse
import json
import math
import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from policy_rag.models.reader import Reader, Reading
from policy_rag.whole_files import written_whole
from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import json_rows
from training.folds import is_held_out
from training.policies import obliqa_keys
from training.ranking import DEPTH
from training.support_sets import CONTRACT_FOLDS, contract_rows
from training.written import WRITTEN_FOLDS, quotable, read_written

_SQUAD, _RANKED = 1000, 300
_HITS = 10
FREE_WORDING = Path(__file__).parent / "free_wording.jsonl"

Rows = Iterator[dict[str, Any]]


def told(reading: Reading) -> dict[str, Any]:
    """A reading as JSON: the answerability as a logit."""
    chance = min(max(reading.answerability, 1e-12), 1 - 1e-12)
    return {
        "relevance": reading.relevance,
        "answerable": math.log(chance / (1 - chance)),
        "spans": [[span.start, span.end, round(span.score, 3)] for span in reading.spans],
    }


def squad(reader: Reader, data: Path) -> Rows:
    """Questions of SQuAD 2.0, a sample."""
    rows = list(json_rows(data / "reading" / "squad2_half_dev.jsonl.gz"))
    for row in random.Random(1).sample(rows, min(_SQUAD, len(rows))):
        found = told(reader.read(row["question"], [row["context"]])[0])
        best = found["spans"][0] if found["spans"] else [0, 0, 0.0]
        answers = [row["context"][start:end] for start, end in row["answers"]]
        yield {**found, "group": row["group"], "said": row["context"][best[0] : best[1]], "answers": answers}


def contracts(reader: Reader, data: Path) -> Rows:
    """Statements on the agreements that were held out, given their evidence."""
    for row in contract_rows(data / "support" / "contractnli_dev.jsonl.gz"):
        if is_held_out(row["key"], CONTRACT_FOLDS):
            one = reader.support([row["passage"]], [row["statement"]])[0]
            yield {
                "group": row["key"][:60],
                "label": row["label"],
                "given": [one.supported, one.contradicted, one.neither],
            }


def free_wording(reader: Reader, benchmarks: Path) -> Rows:
    """Our own statements, each with the passage that it refers to."""
    texts: dict[str, str] = {}
    for row in json_rows(FREE_WORDING):
        file = row["file"]
        if file not in texts:
            data = (benchmarks / "handbook" / "documents" / file).read_bytes().decode("utf-8")
            texts[file] = data.replace("\r\n", "\n").replace("\r", "\n")
        one = reader.support([texts[file][row["start"] : row["end"]]], [row["statement"]])[0]
        yield {"label": row["label"], "kind": row["kind"], "given": [one.supported, one.contradicted, one.neither]}


def written(reader: Reader) -> Rows:
    """Questions and statements written on sections, of the organisations that were held out."""
    for section in read_written():
        if not is_held_out(section.organisation, WRITTEN_FOLDS):
            continue
        units = quotable(section.passage)
        sentences = [section.passage[a:b] for a, b in sentence_spans(section.passage, 0, len(section.passage))]
        twos = ["\n".join(sentences[i : i + 2]) for i in range(max(1, len(sentences) - 1))]
        for item in section.items:
            row: dict[str, Any] = {"group": section.organisation, "kind": item.kind}
            if item.kind in {"t", "f", "u"}:
                said = reader.support(twos, [item.text] * len(twos))
                yield row | {"supported": max(one.supported for one in said)}
                continue
            found = told(reader.read(item.text, [section.whole], spans=1)[0])
            chances = reader.answers(item.text, [f"{section.titles}: {' '.join(text.split())}" for _, text in units])
            row |= {"answerable": found["answerable"], "best": float(chances.max())}
            if item.quote is not None:
                (start, end, _), (first, last) = found["spans"][0], units[int(chances.argmax())][0]
                row |= {"said": section.whole[start:end], "answers": [section.passage[slice(*item.quote)]]}
                row["first"] = first < item.quote[1] and item.quote[0] < last
            yield row


def obliqa(reader: Reader, work: Path) -> Rows:
    """The product's first hits of held-out questions, with the reader's relevance."""
    rows = list(json_rows(work / "candidates" / "obliqa.jsonl"))
    keys = obliqa_keys(rows)
    held = [row for row in rows if row["id"] in keys and is_held_out(keys[row["id"]])]
    yield from _ranked(reader, random.Random(2).sample(held, min(_RANKED, len(held))))


def policyqa(reader: Reader, work: Path) -> Rows:
    """The same for policies that were held out; hits of each question's own policy."""
    held = [
        row for row in json_rows(work / "candidates" / "policyqa.jsonl") if is_held_out(row["doc_id"]) and row["gold"]
    ]
    yield from _ranked(reader, random.Random(3).sample(held, min(_RANKED, len(held))))


def _ranked(reader: Reader, rows: Sequence[dict[str, Any]]) -> Rows:
    for row in rows:
        hits = row["hits"][:DEPTH]
        began = time.perf_counter()
        relevance = reader.relevance(row["text"], [hit["text"] for hit in hits]).tolist()
        yield {
            "id": row["id"],
            "gold": row["gold"],
            "keys": [hit["key"] for hit in hits],
            "first": [hit["score"] for hit in hits],
            "relevance": relevance,
            "seconds": time.perf_counter() - began,
        }


def policies(reader: Reader, candidates: Path, corpus: Path) -> Rows:
    """Questions on documents: what the first ten hits say."""
    gold = {row["_id"]: row for row in json_rows(corpus)}
    for row in json_rows(candidates):
        hits = row["hits"][:_HITS]
        read = reader.read(row["text"], [hit["text"] for hit in hits])
        yield {
            "id": row["id"],
            "kind": row["kind"],
            "answerable": row["answerable"],
            "gold": [
                [gold[label]["file"], gold[label]["start"], gold[label]["end"]]
                for label in row["gold"]
                if label in gold
            ],
            "hits": [
                {
                    "file": hit["file"],
                    "start": hit["start"],
                    "end": hit["end"],
                    "first": hit["score"],
                    "sentences": _sentences(hit),
                    **told(one),
                }
                for hit, one in zip(hits, read, strict=True)
            ],
        }


def _sentences(hit: dict[str, Any]) -> list[list[int]]:
    """The sentences of a hit, as places in its file."""
    return [[hit["start"] + a, hit["start"] + b] for a, b in sentence_spans(hit["text"], 0, len(hit["text"]))]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measures, one file of raw figures a set; what is there already is left."""
    parser = argparse.ArgumentParser(description="Measure an exported reader.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("data", type=Path)
    parser.add_argument("benchmarks", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--only", action="append", help="these sets alone")
    chosen = parser.parse_args(arguments)
    reader = Reader.load(chosen.folder)
    own = Path(__file__).parents[1] / "datasets" / "brannholt" / "corpus.jsonl"
    candidates = chosen.work / "candidates"
    sets: dict[str, Callable[[], Rows]] = {
        "contracts": lambda: contracts(reader, chosen.data),
        "free_wording": lambda: free_wording(reader, chosen.benchmarks),
        "squad": lambda: squad(reader, chosen.data),
        "written": lambda: written(reader),
        "obliqa": lambda: obliqa(reader, chosen.work),
        "handbook": lambda: policies(
            reader, candidates / "handbook.jsonl", chosen.benchmarks / "handbook" / "corpus.jsonl"
        ),
        "brannholt": lambda: policies(reader, candidates / "brannholt.jsonl", own),
        "policyqa": lambda: policyqa(reader, chosen.work),
    }
    out = chosen.work / "measured" / reader.fingerprint[:12]
    out.mkdir(parents=True, exist_ok=True)
    for name in chosen.only or sets:
        file = out / f"{name}.jsonl"
        if file.exists():
            continue
        with written_whole(file) as beside, beside.open("w", encoding="utf-8") as lines:
            for row in sets[name]():
                lines.write(json.dumps(row, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
