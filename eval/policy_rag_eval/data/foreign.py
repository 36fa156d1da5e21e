"""Rows of others' data sets as rows of ours: what is asked, and the passages that answer it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from policy_rag_eval.data.expectations import ACCEPTED, ANSWERABLE, CONTEXT, RESPONSE
from policy_rag_eval.data.forms import FileRows, Row, RowForm, as_texts
from policy_rag_eval.errors import DatasetError


@dataclass(slots=True)
class OwnRows:
    """A data set as the files of ours would hold it.

    Attributes:
        queries: where a row of `queries.jsonl` is from, and the row.
        corpus: where a row of `corpus.jsonl` is from, and the row; a passage is there once, however many it answers.
        qrels: question id to gold id to grade.
    """

    queries: list[tuple[str, Row]] = field(default_factory=list)
    corpus: list[tuple[str, Row]] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    _ids: dict[tuple[str, ...], str] = field(default_factory=dict)

    def ask(self, where: str, row: Mapping[str, Any]) -> str:
        """Adds a question; its id, by its place where it has none."""
        name = str(row.get("_id") or f"q{len(self.queries) + 1}")
        known = {key: value for key, value in row.items() if value not in (None, "", (), [])}
        self.queries.append((where, {**known, "_id": name}))
        return name

    def gold(
        self, question: str, where: str, text: str, *, gold_id: str | None = None, grade: int = 1, **place: Any
    ) -> None:
        """Says that a passage answers a question; its id is made where it has none."""
        known = {key: value for key, value in place.items() if value not in (None, "")}
        key = (gold_id or "", str(known.get("file", "")), str(known.get("start", "")) if gold_id else "", text)
        if key not in self._ids:
            self._ids[key] = gold_id or f"p{len(self._ids) + 1}"
            self.corpus.append((where, {"_id": self._ids[key], "text": text, **known}))
        self.qrels.setdefault(question, {})[self._ids[key]] = grade


def own_rows(found: FileRows) -> OwnRows:
    """The rows of a data set in any form as rows of ours.

    Raises:
        DatasetError: a row lacks what its form has; names the row.
    """
    made = OwnRows()
    for where, row in found.rows:
        _READ[found.form](made, where, row)
    return made


def _squad(made: OwnRows, where: str, row: Row) -> None:
    """Articles with paragraphs and their questions (Rajpurkar et al. 2016, 2018), or a flat row a question."""
    for context, question, title in _squad_questions(row):
        text = _needed(question, where, "question")
        given = question.get("answers") or []
        listed = given.get("text", []) if isinstance(given, Mapping) else [one.get("text", "") for one in given]
        spans = list(dict.fromkeys(text for text in listed if isinstance(text, str) and text.strip()))
        answerable = not question.get("is_impossible", not spans)
        name = made.ask(
            where,
            {"_id": question.get("id"), "text": text, "answers": spans if answerable else (), "answerable": answerable},
        )
        if answerable:
            made.gold(name, where, context, title=title)


def _squad_questions(row: Row) -> Iterator[tuple[str, Row, str]]:
    title = str(row.get("title") or "").replace("_", " ")
    if "paragraphs" in row:
        for paragraph in row["paragraphs"]:
            for question in paragraph.get("qas", ()):
                yield str(paragraph.get("context", "")), question, title
    else:
        yield str(row["context"]), row, title


def _mlflow(made: OwnRows, where: str, row: Row) -> None:
    """Records with `inputs` and `expectations`, as `mlflow.genai.evaluate` takes them."""
    inputs, expected = row["inputs"], row.get("expectations") or {}
    if not isinstance(inputs, Mapping) or not isinstance(expected, Mapping):
        raise DatasetError(f"{where}: inputs and expectations must be objects")
    key = next((name for name in ("question", "query", "request", "input") if isinstance(inputs.get(name), str)), None)
    if key is None:
        raise DatasetError(f"{where}: inputs has no question: it needs a text under question, query, request or input")
    tags = row.get("tags") or {}
    context = expected.get(CONTEXT) or ()
    name = made.ask(
        where,
        {
            "_id": tags.get("question_id") or row.get("dataset_record_id"),
            "text": inputs[key],
            "type": tags.get("type"),
            "where": inputs.get("where"),
            "as": inputs.get("groups"),
            "as_of": inputs.get("as_of"),
            "answers": as_texts(expected.get(ACCEPTED)),
            "reference": expected.get(RESPONSE),
            ANSWERABLE: expected.get(ANSWERABLE, True),
        },
    )
    for one in (context,) if isinstance(context, str | Mapping) else context:
        known = one if isinstance(one, Mapping) else {}
        place = {key: known.get(key) for key in ("gold_id", "title", "doc_id", "start", "end")}
        texts = as_texts(one) or (("",) if known.get("end") else ())  # of some only the place is known
        for text in texts:
            made.gold(name, where, text, file=known.get("doc_uri"), grade=known.get("grade", 1), **place)


def _ragas(made: OwnRows, where: str, row: Row) -> None:
    """Rows of Ragas: `user_input`, `reference` and `reference_contexts`, or the names that it had before 0.2."""
    text = _needed(row, where, "user_input" if "user_input" in row else "question")
    reference = row.get("reference") or row.get("ground_truth")
    kind = row.get("synthesizer_name")
    name = made.ask(where, {"_id": row.get("id"), "text": text, "type": kind, "reference": reference})
    for context in as_texts(row.get("reference_contexts") or row.get("ground_truth_contexts")):
        made.gold(name, where, context)


def _quotes(made: OwnRows, where: str, row: Row) -> None:
    """A row a question with its quote, or a further row of the same id; without a quote there is no answer."""
    text, quote = _needed(row, where, "question"), str(row.get("quote", ""))
    name = str(row.get("id", ""))
    if name not in made.qrels:
        options = {key: row.get(key) for key in ("type", "doc_id", "where", "as", "as_of", "reference")}
        answers = as_texts(row.get("answer") or row.get("answers"))
        name = made.ask(where, {"_id": name, "text": text, "answers": answers, "answerable": bool(quote), **options})
    if quote:
        made.gold(name, where, quote, file=_needed(row, where, "file"))


def _needed(row: Row, where: str, key: str) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DatasetError(f'{where}: "{key}" must be a text that is not blank')
    return value


_READ: Mapping[RowForm, Callable[[OwnRows, str, Row], None]] = {
    RowForm.SQUAD: _squad,
    RowForm.MLFLOW: _mlflow,
    RowForm.RAGAS: _ragas,
    RowForm.QUOTES: _quotes,
}
