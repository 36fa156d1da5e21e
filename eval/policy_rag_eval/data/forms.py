"""Which form a data set is in, told by what is there: a folder of ours or of BEIR, or a file of somebody else's."""

import ast
import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from policy_rag_eval.data.json_lines import json_rows, json_value
from policy_rag_eval.data.spreadsheet import read_cells
from policy_rag_eval.errors import DatasetError


class RowForm(StrEnum):
    """How the rows of a file are laid out."""

    SQUAD = "SQuAD"
    MLFLOW = "MLflow"
    RAGAS = "Ragas"
    QUOTES = "CSV with question, quote and file"


Row = Mapping[str, Any]
ROW_SUFFIXES = (".csv", ".tsv", ".json", ".jsonl")
"""How the names of files end that hold rows."""


@dataclass(frozen=True, slots=True)
class FileRows:
    """What a file holds.

    Attributes:
        form: in which form.
        rows: where a row stands, for messages, and the row.
    """

    form: RowForm
    rows: tuple[tuple[str, Row], ...]


_RAGAS = ({"user_input"}, {"question", "ground_truth"}, {"question", "contexts"}, {"question", "reference_contexts"})
_KNOWN = (
    "a folder with corpus.jsonl, queries.jsonl and qrels.tsv (or BEIR's qrels/test.tsv), or a file: SQuAD (JSON), an "
    "MLflow or Ragas data set (JSON, JSON lines, CSV), or CSV with the columns question, quote and file"
)


def read_rows(path: Path) -> FileRows:
    """The rows of a file, and the form that they are in.

    Raises:
        DatasetError: it cannot be read, is empty, or is in no form that is known.
    """
    rows: tuple[tuple[str, Row], ...]
    if path.suffix.lower() in {".csv", ".tsv"}:
        rows = tuple(
            (where, {name.lower(): _cell(text) for name, text in row.items()}) for where, row in read_cells(path)[1]
        )
    elif path.suffix.lower() == ".jsonl":
        rows = tuple(json_rows(path))
    else:
        rows = _json_rows(path)
    if not rows:
        raise DatasetError(f"{path} holds no questions: it needs a row for each")
    return FileRows(_form_of(rows[0][1], path), rows)


def _form_of(row: Row, path: Path) -> RowForm:
    keys = row.keys()
    if "paragraphs" in keys or {"context", "question", "answers"} <= keys:
        return RowForm.SQUAD
    if "inputs" in keys:
        return RowForm.MLFLOW
    if any(names <= keys for names in _RAGAS):
        return RowForm.RAGAS
    if {"question", "quote", "file"} <= keys:
        return RowForm.QUOTES
    found = ", ".join(sorted(map(str, keys))[:8]) or "nothing"
    raise DatasetError(f"{path} is in no form that is known, its rows have {found}: give {_KNOWN}")


def _json_rows(path: Path) -> tuple[tuple[str, Row], ...]:
    listed = document = json_value(path)
    if isinstance(document, dict):
        listed = next((document[name] for name in ("data", "records", "rows", "samples") if name in document), None)
    if not isinstance(listed, list) or not all(isinstance(row, dict) for row in listed):
        raise DatasetError(f"{path} must hold a list of objects: give {_KNOWN}")
    return tuple((f"{path}, entry {number}", row) for number, row in enumerate(listed, 1))


def _cell(text: str) -> Any:
    """What stands in a cell: a text, or a list or an object as JSON or as Python writes it.

    >>> _cell("['a', 'b']"), _cell("[HR] Who pays?")
    (['a', 'b'], '[HR] Who pays?')
    """
    if not text.startswith(("[", "{")):
        return text
    with warnings.catch_warnings(action="ignore", category=SyntaxWarning):  # a text may hold what looks like an escape
        for read in (json.loads, ast.literal_eval):
            try:
                value = read(text)
            except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
                continue
            if isinstance(value, list | dict):
                return value
    return text


def as_texts(value: Any) -> tuple[str, ...]:
    """A text, a list of texts, or of records with `content`, as texts that are not blank.

    >>> as_texts([{"content": "Ten days.", "doc_uri": "a.md"}, " "])
    ('Ten days.',)
    """
    if isinstance(value, str):
        return (value,) if value.strip() else ()
    if isinstance(value, Mapping):
        return as_texts(value.get("content") or value.get("page_content") or value.get("text"))
    if isinstance(value, Sequence):
        return tuple(text for one in value for text in as_texts(one))
    return ()
