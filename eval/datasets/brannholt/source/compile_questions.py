"""Find every gold quote of `questions.yaml` in its policy, and write queries.jsonl, qrels.tsv and corpus.jsonl.

A quote is compared with the text that the loader produces, with any run of blanks counting as one, and must be found
exactly once. Gold ids are `<doc_id>|<n>`, numbered in each document by first use in `questions.yaml`: new questions
go to the end of the file, so that ids stay as they are.

Run it as `python eval/datasets/brannholt/source/compile_questions.py` where the distribution is installed.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from policy_rag_parsers.loaders import load

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent
AS_OF = "2026-09-01"
KEYS = {"id", "text", "type", "gold", "answers", "as", "as_of", "where"}


class SourceError(ValueError):
    """`questions.yaml` says something that does not fit the policies. The message names the question."""


@dataclass(frozen=True, slots=True)
class SourcePlace:
    """A gold passage: a range of the text that the loader produces from a file."""

    file: str
    start: int
    end: int


@cache
def _text(file: str) -> str:
    return load(FOLDER / "documents" / file).text


def find_quote(quote: str, text: str) -> tuple[int, int]:
    """Return the one range of `text` that reads as `quote`, blanks folded.

    Raises:
        SourceError: the quote is blank, is not found, or is found more than once.
    """
    words = quote.split()
    if not words:
        message = "the quote is blank"
        raise SourceError(message)
    found = [match.span() for match in re.finditer(r"\s+".join(map(re.escape, words)), text)]
    if len(found) != 1:
        message = f"the quote is found {len(found)} times, not once: {quote!r}"
        raise SourceError(message)
    return found[0]


def _places(question: Mapping[str, Any]) -> list[SourcePlace]:
    places = []
    for file, quotes in question.get("gold", {}).items():
        for quote in [quotes] if isinstance(quotes, str) else quotes:
            try:
                places.append(SourcePlace(file, *find_quote(quote, _text(file))))
            except SourceError as error:
                message = f"question {question['id']}, {file}: {error}"
                raise SourceError(message) from error
    return places


def _query(question: Mapping[str, Any]) -> dict[str, Any]:
    if unknown := question.keys() - KEYS:
        message = f"question {question['id']}: unknown keys {sorted(unknown)}; known are {sorted(KEYS)}"
        raise SourceError(message)
    query = {"_id": question["id"], "text": question["text"], "type": question["type"]}
    query["answerable"] = "gold" in question
    if query["answerable"] == (question["type"] == "unanswerable"):
        message = f"question {question['id']}: a question has gold or the type unanswerable, and not both"
        raise SourceError(message)
    query |= {key: question[key] for key in ("answers", "where", "as") if key in question}
    query["as_of"] = str(question.get("as_of", AS_OF))
    return query


def _write_lines(path: Path, lines: Iterable[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8", newline="\n")


def compile_questions(target: Path) -> tuple[int, int]:
    """Write the three files into `target`; return the numbers of questions and of gold passages."""
    questions = yaml.safe_load((HERE / "questions.yaml").read_text(encoding="utf-8"))
    documents = json.loads((FOLDER / "documents.json").read_text(encoding="utf-8"))
    doc_ids = {document["file"]: document["doc_id"] for document in documents}
    gold_ids: dict[SourcePlace, str] = {}
    used = dict.fromkeys(doc_ids, 0)
    queries, qrels = [], ["query-id\tcorpus-id\tscore"]
    for question in questions:
        queries.append(_query(question))
        for place in _places(question):
            if place not in gold_ids:
                gold_ids[place] = f"{doc_ids[place.file]}|{used[place.file]}"
                used[place.file] += 1
            qrels.append(f"{question['id']}\t{gold_ids[place]}\t1")
    corpus = [
        {"_id": gold_id, "doc_id": doc_ids[place.file], "text": _text(place.file)[place.start : place.end]}
        | {"file": place.file, "start": place.start, "end": place.end}
        for place, gold_id in sorted(gold_ids.items(), key=lambda item: (item[0].file, item[0].start, item[0].end))
    ]
    _write_lines(target / "queries.jsonl", (json.dumps(query, ensure_ascii=False) for query in queries))
    _write_lines(target / "qrels.tsv", qrels)
    _write_lines(target / "corpus.jsonl", (json.dumps(row, ensure_ascii=False) for row in corpus))
    return len(queries), len(corpus)


if __name__ == "__main__":
    try:
        counts = compile_questions(FOLDER)
    except SourceError as error:
        sys.exit(str(error))
    sys.stdout.write(f"{counts[0]} questions, {counts[1]} gold passages\n")
