"""Rows of others' data sets as rows of ours: what is asked, and the passages that answer it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from policy_rag_eval.data.expectations import ACCEPTED, ANSWERABLE, CONTEXT, QUESTION_ID, RESPONSE
from policy_rag_eval.data.forms import FileRows, Row, RowForm, as_texts
from policy_rag_eval.data.json_lines import needed_text
from policy_rag_eval.errors import DatasetError

_PLACE = ("start", "end")
_ASKED_UNDER = ("doc_id", "where", "as", "as_of")


@dataclass(slots=True)
class OwnRows:
    """A data set as the files of ours would hold it.

    Attributes:
        queries: where a row of `queries.jsonl` is from, and the row.
        corpus: where a row of `corpus.jsonl` is from, and the row; a passage is there once, however many it answers.
        qrels: question id to gold id to grade.
        taken: ids of questions and gold that none is to be made alike.
        given: ids that rows gave.
        made: ids that were made where a row gives none.
    """

    queries: list[tuple[str, Row]] = field(default_factory=list)
    corpus: list[tuple[str, Row]] = field(default_factory=list)
    qrels: dict[str, dict[str, int]] = field(default_factory=dict)
    taken: frozenset[str] = frozenset()
    given: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)
    _ids: dict[tuple[str, ...], str] = field(default_factory=dict)
    _places: dict[tuple[str, ...], int] = field(default_factory=dict)

    def ask(self, where: str, row: Mapping[str, Any], key: tuple[str, ...] | None = None) -> str:
        """Adds a question, found again by `key`; its id, by its place where it has none."""
        given = as_id(row.get("_id"))
        name = self._id(given, f"q{len(self.queries) + 1}")
        known = {key: value for key, value in row.items() if value not in (None, "", (), [])}
        if key is not None:
            self._places[key] = len(self.queries)
        self.queries.append((where, {**known, "_id": name}))
        return name

    def asked(self, key: tuple[str, ...]) -> Row | None:
        """The question of a key, or None."""
        return self.queries[self._places[key]][1] if key in self._places else None

    def add_answers(self, key: tuple[str, ...], answers: Sequence[str], *, answerable: bool) -> None:
        """Takes a further row of a question: its answers too, and that it has an answer where one of the rows has."""
        where, before = self.queries[self._places[key]]
        both = tuple(dict.fromkeys((*before.get("answers", ()), *answers)))
        after = {"answerable": before["answerable"] or answerable, **({"answers": both} if both else {})}
        self.queries[self._places[key]] = (where, {**before, **after})

    def gold(
        self, question: str, where: str, text: str, *, gold_id: str | None = None, grade: int = 1, **place: Any
    ) -> None:
        """Says that a passage answers a question; its id is made where it has none."""
        # A place that is said to be unknown is not looked for.
        known = {key: value for key, value in place.items() if key in _PLACE or value not in (None, "")}
        key = (gold_id or "", str(known.get("file", "")), str(known.get("start", "")), text)
        if key not in self._ids:
            self._ids[key] = self._id(gold_id or "", f"p{len(self._ids) + 1}")
            self.corpus.append((where, {"_id": self._ids[key], "text": text, **known}))
        self.qrels.setdefault(question, {})[self._ids[key]] = grade

    def _id(self, given: str, wanted: str) -> str:
        """The id that a row gives, else the one that is wanted, with letters after it until no row gives it."""
        if given:
            self.given.add(given)
            return given
        while wanted in self.taken:
            wanted += "a"
        self.made.add(wanted)
        return wanted


def own_rows(found: FileRows) -> OwnRows:
    """The rows of a data set in any form as rows of ours.

    Raises:
        DatasetError: a row lacks what its form has; names the row.
    """
    made = _read(found, frozenset())
    # A later row may give an id that was made for an earlier one.
    return _read(found, frozenset(made.given)) if made.given & made.made else made


def _read(found: FileRows, taken: frozenset[str]) -> OwnRows:
    made = OwnRows(taken=taken)
    for where, row in found.rows:
        try:
            _READ[found.form](made, where, row)
        except (AttributeError, KeyError, TypeError) as error:
            raise DatasetError(
                f"{where}: it is no row as {found.form} has them ({error}): compare it with one that is published"
            ) from error
    return made


def as_id(value: Any) -> str:
    """An id as text; empty where there is none.

    >>> as_id(" q1 "), as_id(0), as_id(None)
    ('q1', '0', '')
    """
    return "" if value is None else str(value).strip()


def _squad(made: OwnRows, where: str, row: Row) -> None:
    """Articles with paragraphs and their questions (Rajpurkar et al. 2016, 2018), or a flat row a question."""
    for context, question, title in _squad_questions(row, where):
        text = needed_text(question, "question", where)
        spans = list(dict.fromkeys(as_texts(question.get("answers"))))
        answerable = not question.get("is_impossible", not spans)
        name = made.ask(
            where,
            {"_id": question.get("id"), "text": text, "answers": spans if answerable else (), "answerable": answerable},
        )
        if answerable:
            made.gold(name, where, context, title=title)


def _squad_questions(row: Row, where: str) -> Iterator[tuple[str, Row, str]]:
    title = str(row.get("title") or "").replace("_", " ")
    if "paragraphs" in row:
        for paragraph in row["paragraphs"]:
            for question in paragraph.get("qas", ()):
                yield needed_text(paragraph, "context", where), question, title
    else:
        yield needed_text(row, "context", where), row, title


def _mlflow(made: OwnRows, where: str, row: Row) -> None:
    """Records with `inputs` and `expectations`, as `mlflow.genai.evaluate` takes them."""
    inputs, expected, tags = row.get("inputs"), row.get("expectations") or {}, row.get("tags") or {}
    if not isinstance(inputs, Mapping) or not isinstance(expected, Mapping) or not isinstance(tags, Mapping):
        raise DatasetError(f"{where}: inputs and expectations must be objects, and so must tags")
    key = next((name for name in ("question", "query", "request", "input") if isinstance(inputs.get(name), str)), None)
    if key is None:
        raise DatasetError(f"{where}: inputs has no question: it needs a text under question, query, request or input")
    context = expected.get(CONTEXT) or ()
    name = made.ask(
        where,
        {
            "_id": tags.get(QUESTION_ID) or row.get("dataset_record_id"),
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
        place = {key: known[key] for key in ("gold_id", "title", "doc_id", *_PLACE) if key in known}
        grade = known.get("grade", 1)
        if type(grade) is not int:
            raise DatasetError(f"{where}: a grade must be a whole number, not {grade!r}")
        texts = as_texts(one) or (("",) if known.get("end") else ())  # of some only the place is known
        for text in texts:
            made.gold(name, where, text, file=known.get("doc_uri"), grade=grade, **place)


def _ragas(made: OwnRows, where: str, row: Row) -> None:
    """Rows of Ragas: `user_input`, `reference` and `reference_contexts`, or the names that it had before 0.2."""
    text = needed_text(row, "user_input" if "user_input" in row else "question", where)
    reference = row.get("reference") or row.get("ground_truth")
    kind = row.get("synthesizer_name")
    name = made.ask(where, {"_id": row.get("id"), "text": text, "type": kind, "reference": reference})
    for context in as_texts(row.get("reference_contexts") or row.get("ground_truth_contexts")):
        made.gold(name, where, context)


def _quotes(made: OwnRows, where: str, row: Row) -> None:
    """A row a question with its quote, or a further row of it; without a quote there is no answer.

    Rows of one id are one question, and so are rows without an id that ask the same under the same options.
    """
    text, quote = needed_text(row, "question", where), row.get("quote") or ""
    if not isinstance(quote, str):
        raise DatasetError(f'{where}: "quote" must be a text')
    answers, answerable = as_texts(row.get("answer") or row.get("answers")), bool(quote.strip())
    options = {name: row.get(name) for name in ("type", "reference", *_ASKED_UNDER)}
    given = as_id(row.get("id"))
    key = (given,) if given else (" ".join(text.split()), *(str(row.get(name)) for name in _ASKED_UNDER))
    before = made.asked(key)
    if before is None:
        asked = {"_id": given, "text": text, "answers": answers, "answerable": answerable, **options}
        name = made.ask(where, asked, key)
    elif text.split() != before["text"].split():
        raise DatasetError(
            f"{where}: a row above has the id {given!r} and another question: give each question its own"
        )
    else:
        name = before["_id"]
        made.add_answers(key, answers, answerable=answerable)
    if answerable:
        place = {name: _number(row[name]) for name in _PLACE if row.get(name, "") != ""}
        made.gold(name, where, quote, file=needed_text(row, "file", where), **place)


def _number(cell: Any) -> Any:
    """A cell's whole number; anything else as it is."""
    return int(cell) if isinstance(cell, str) and cell.strip().isdecimal() else cell


_READ: Mapping[RowForm, Callable[[OwnRows, str, Row], None]] = {
    RowForm.SQUAD: _squad,
    RowForm.MLFLOW: _mlflow,
    RowForm.RAGAS: _ragas,
    RowForm.QUOTES: _quotes,
}
