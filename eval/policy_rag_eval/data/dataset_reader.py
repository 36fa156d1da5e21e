"""Reads a data set's folder and checks that it fits together."""

import datetime as dt
import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from policy_rag_eval.data.dataset import Dataset, Document, GoldPassage, Question, find_dataset, some_of
from policy_rag_eval.data.digests import digest_of
from policy_rag_eval.data.foreign import OwnRows, own_rows
from policy_rag_eval.data.forms import ROW_SUFFIXES, FileRows, Row, RowForm, read_rows
from policy_rag_eval.data.gold_checks import holds
from policy_rag_eval.data.json_lines import json_rows, json_value, needed_text, text_of
from policy_rag_eval.data.quote_locations import Locator
from policy_rag_eval.errors import DatasetError
from policy_rag_parsers.loaders import SUFFIXES
from policy_rag_parsers.text.near_names import did_you_mean

BEIR_SPLITS = ("test", "dev", "train")

Qrels = dict[str, dict[str, int]]


def read_dataset(name: str | Path) -> Dataset:
    """Reads and checks a data set, in whatever form it is.

    Args:
        name: a folder of ours or of BEIR; a file of SQuAD, MLflow, Ragas, or CSV with question, quote and file, beside
            the `documents/` that it is about, if any; or the name of a data set that comes with the project.

    Raises:
        DatasetError: something is missing or does not fit; the message names the file and the line.
    """
    path = find_dataset(name)
    return _of_file(path) if path.is_file() else _of_folder(path)


def _of_folder(folder: Path) -> Dataset:
    corpus, queries = folder / "corpus.jsonl", folder / "queries.jsonl"
    judged, beir = _qrels_file(folder)
    documents = _read_documents(folder)
    passages = _passages(json_rows(corpus), documents, folder)
    if not passages:
        raise DatasetError(f"{corpus} holds no passages: it needs one a line, as JSON")
    qrels = _read_qrels(judged)
    questions = _questions(json_rows(queries), documents, queries)
    if beir:
        questions = tuple(question for question in questions if question.question_id in qrels)
    files = [corpus, queries, judged, *([folder / "documents.json"] if documents else [])]
    return Dataset(
        name=folder.resolve().name,
        folder=folder,
        documents=documents,
        questions=questions,
        passages=passages,
        qrels=_positives(qrels),
        digest=digest_of([*files, *_document_files(folder, documents)], folder),
        notes=_check(questions, passages, qrels, judged, lenient=beir),
    )


def _of_file(path: Path) -> Dataset:
    """A data set in a file, with the documents beside it."""
    folder = path.parent
    documents = _listed(folder)
    return _foreign(
        own_rows(read_rows(path)),
        path,
        folder,
        documents,
        digest_of([path, *_document_files(folder, documents)], folder),
        name=path.stem,
    )


def records_dataset(records: Sequence[Row], name: str, folder: Path | None) -> Dataset:
    """A data set of records with `inputs` and `expectations`, as MLflow keeps them.

    Without a `folder` that holds the documents the gold passages alone are searched.

    Raises:
        DatasetError: a record does not fit; the message names it.
    """
    documents = _listed(folder) if folder is not None else ()
    place = folder or Path(name)
    rows = own_rows(FileRows(RowForm.MLFLOW, tuple((f"{name}, record {n}", row) for n, row in enumerate(records, 1))))
    content = hashlib.sha256(records_text(records).encode()).hexdigest()
    own = digest_of(_document_files(place, documents), place) if documents else ""
    digest = hashlib.sha256(f"{content} {own}".encode()).hexdigest()
    return _foreign(rows, Path(name), place, documents, digest, name=name)


def records_text(records: Iterable[Row]) -> str:
    """What records ask and expect, as text, the same in whatever order they are."""
    pairs = ([one["inputs"], one.get("expectations") or {}] for one in records)
    return "\n".join(sorted(json.dumps(pair, sort_keys=True, default=str) for pair in pairs))


def _foreign(
    rows: OwnRows, path: Path, folder: Path, documents: tuple[Document, ...], digest: str, *, name: str
) -> Dataset:
    passages = _passages(_placed(rows.corpus, documents, folder), documents, folder)
    questions = _questions(rows.queries, documents, path)
    return Dataset(
        name=name,
        folder=folder,
        documents=documents,
        questions=questions,
        passages=passages,
        qrels=_positives(rows.qrels),
        digest=digest,
        notes=_check(questions, passages, rows.qrels, path, lenient=True),
    )


def _placed(
    corpus: Iterable[tuple[str, Row]], documents: tuple[Document, ...], folder: Path
) -> Iterator[tuple[str, Row]]:
    """The passages, those without a file under the one document that says them, where there is one."""
    locator = Locator(folder / "documents")
    for where, row in corpus:
        if documents and "file" not in row:
            places = [(one.file, place) for one in documents if (place := locator.only(one.file, str(row["text"])))]
            if len(places) == 1:
                file, (start, end) = places[0]
                row = {**row, "file": file, "start": start, "end": end}  # noqa: PLW2901 - the same passage
        yield where, row


def _listed(folder: Path) -> tuple[Document, ...]:
    """The documents beside a file: as `documents.json` lists them, else all that can be loaded."""
    if (folder / "documents.json").is_file():
        return _read_documents(folder)
    inside = folder / "documents"
    files = sorted(path for path in inside.rglob("*") if path.suffix.lower() in SUFFIXES) if inside.is_dir() else []
    names = [path.relative_to(inside).as_posix() for path in files]
    return tuple(Document(name, name, Path(name).stem) for name in names)


def _document_files(folder: Path, documents: tuple[Document, ...]) -> list[Path]:
    declared = folder / "documents" / "policies.yaml"
    listed = [folder / "documents" / document.file for document in documents]
    return [*listed, *([declared] if documents and declared.is_file() else [])]


def _passages(
    rows: Iterable[tuple[str, Row]], documents: tuple[Document, ...], folder: Path
) -> tuple[GoldPassage, ...]:
    owners = {document.file: document.doc_id for document in documents}
    locator = Locator(folder / "documents")
    made, wrong = [], []
    for where, row in rows:
        try:
            made.append(_passage(row, owners, locator, where))
        except DatasetError as error:
            wrong.append(str(error))
    if wrong:
        more = f" ({len(wrong) - 1} more have a fault)" if wrong[1:] else ""
        raise DatasetError(f"{wrong[0]}{more}")
    return tuple(made)


def _positives(qrels: Mapping[str, Mapping[str, int]]) -> Qrels:
    return {key: positive for key, grades in qrels.items() if (positive := _positive(grades))}


def _positive(grades: Mapping[str, int]) -> dict[str, int]:
    return {gold_id: grade for gold_id, grade in grades.items() if grade > 0}


def _qrels_file(folder: Path) -> tuple[Path, bool]:
    """The judgements, and whether they lie as BEIR lays them."""
    own = folder / "qrels.tsv"
    if own.is_file():
        return own, False
    for split in BEIR_SPLITS:
        path = folder / "qrels" / f"{split}.tsv"
        if path.is_file():
            return path, True
    ours = {"corpus.jsonl", "queries.jsonl", "documents.json"}
    rows = (path for path in sorted(folder.iterdir()) if path.suffix.lower() in ROW_SUFFIXES and path.name not in ours)
    file = next(rows, None)
    hint = f"; where {file.name} holds the questions, name it: {file}" if file else ""
    raise DatasetError(
        f"{folder} has neither qrels.tsv nor qrels/test.tsv: without judgements nothing can be scored{hint}"
    )


def _optional(row: Mapping[str, Any], key: str, where: str) -> str | None:
    return None if row.get(key) is None else needed_text(row, key, where)


def _texts(row: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A text or a list of texts."""
    value = row.get(key)
    values = [value] if isinstance(value, str) else () if value is None else value
    if not isinstance(values, list | tuple) or not all(isinstance(item, str) and item.strip() for item in values):
        raise DatasetError(f'{where}: "{key}" must be a text or a list of texts')
    return tuple(values)


def _read_documents(folder: Path) -> tuple[Document, ...]:
    path = folder / "documents.json"
    if not path.is_file():
        if (folder / "documents").is_dir():
            raise DatasetError(f"{path} is missing: list each document there with doc_id, file and title")
        return ()
    rows = json_value(path)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise DatasetError(f"{path} must be a list of objects with doc_id, file and title")
    documents = []
    for number, row in enumerate(rows, start=1):
        where = f"{path}, entry {number}"
        file = needed_text(row, "file", where)
        documents.append(Document(needed_text(row, "doc_id", where), file, _optional(row, "title", where) or file))
        inside = folder / "documents"
        if not (inside / file).resolve().is_relative_to(inside.resolve()):
            raise DatasetError(f"{where}: {file} lies outside {inside}")
        if not (inside / file).is_file():
            raise DatasetError(f"{where}: there is no file {inside / file}")
    _refuse_repeats((document.doc_id for document in documents), path, "doc_id")
    _refuse_repeats((document.file for document in documents), path, "file")
    return tuple(documents)


def _refuse_repeats(values: Iterator[str], path: Path, what: str) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise DatasetError(f"{path}: {what} {value!r} comes twice: each must be unique")
        seen.add(value)


def _questions(rows: Iterable[tuple[str, Row]], documents: tuple[Document, ...], path: Path) -> tuple[Question, ...]:
    known = {document.doc_id for document in documents}
    questions = []
    for where, row in rows:
        question = _question(row, where)
        if known and question.doc_id is not None and question.doc_id not in known:
            hint = did_you_mean(question.doc_id, known, otherwise="name one by its doc_id")
            raise DatasetError(f"{where}: there is no document {question.doc_id!r}: {hint}")
        questions.append(question)
    _refuse_repeats((question.question_id for question in questions), path, "_id")
    if not questions:
        raise DatasetError(f"{path} holds no questions: it needs one a line, as JSON")
    return tuple(questions)


def _question(row: Mapping[str, Any], where: str) -> Question:
    answerable = row.get("answerable", True)
    if not isinstance(answerable, bool):
        raise DatasetError(f'{where}: "answerable" must be true or false')
    answers = _texts(row, "answers", where)
    if answers and not answerable:
        raise DatasetError(
            f"{where}: it has an answer, yet the documents are said not to answer it: give what answers it, or take "
            "the answer out"
        )
    return Question(
        question_id=needed_text(row, "_id", where),
        text=needed_text(row, "text", where),
        answers=answers,
        doc_id=_optional(row, "doc_id", where),
        where=_texts(row, "where", where),
        groups=_texts(row, "as", where),
        as_of=_date(row, where),
        kind=_optional(row, "type", where),
        answerable=answerable,
        made_by=_optional(row, "made_by", where),
        reference=_optional(row, "reference", where),
    )


def _date(row: Mapping[str, Any], where: str) -> dt.date | None:
    text = _optional(row, "as_of", where)
    if text is None:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise DatasetError(f'{where}: "as_of" must be a day like 2024-05-31, not {text!r}') from error


def _passage(row: Mapping[str, Any], owners: Mapping[str, str], locator: Locator, where: str) -> GoldPassage:
    """A passage; `owners` gives each file's document. Without documents, places mean nothing and are left out.

    One that says nothing of its place in its file is looked for there; `"start": null` says that it is not known.
    """
    text, title = row.get("text", ""), row.get("title", "")
    if not isinstance(text, str) or not isinstance(title, str):
        raise DatasetError(f'{where}: "text" and "title" must be texts')
    file, start, end = None, None, None
    if owners:
        file = _optional(row, "file", where)
        if file is not None and file not in owners:
            hint = did_you_mean(file, owners, otherwise="name one as it is called in documents/")
            raise DatasetError(f"{where}: there is no file {file!r} among the documents: {hint}")
        start, end = _place(row, where)
        if file is not None and text.strip() and not {"start", "end"} & row.keys():
            start, end = locator.find(file, text, where)
    doc_id = _optional(row, "doc_id", where)
    if doc_id is None and file is not None:
        doc_id = owners[file]
    return GoldPassage(needed_text(row, "_id", where), text, title, doc_id, file, start, end)


def _place(row: Mapping[str, Any], where: str) -> tuple[int | None, int | None]:
    start, end = row.get("start"), row.get("end")
    if start is None and end is None:
        return None, None
    if row.get("file") is None or type(start) is not int or type(end) is not int or not 0 <= start < end:
        raise DatasetError(f'{where}: a place is "file" and whole numbers 0 <= start < end, not {start!r} to {end!r}')
    return start, end


def _read_qrels(path: Path) -> Qrels:
    qrels: Qrels = {}
    lines: dict[tuple[str, str], int] = {}
    for number, line in enumerate(text_of(path).split("\n"), start=1):
        cells = line.rstrip("\r").split("\t")
        if not line.strip() or (number == 1 and cells[-1].strip() == "score"):
            continue
        where = f"{path}, line {number}"
        if len(cells) != 3 or not cells[0] or not cells[1]:
            raise DatasetError(f"{where}: there must be three columns between tabs: query-id, corpus-id, score")
        try:
            grade = int(cells[2])
        except ValueError as error:
            raise DatasetError(f"{where}: the score must be a whole number, not {cells[2]!r}") from error
        first = lines.setdefault((cells[0], cells[1]), number)
        if qrels.setdefault(cells[0], {}).setdefault(cells[1], grade) != grade:
            raise DatasetError(
                f"{where}: {cells[0]} and {cells[1]} have another score in line {first}: keep one of the two"
            )
    return qrels


def _check(
    questions: tuple[Question, ...], passages: tuple[GoldPassage, ...], qrels: Qrels, path: Path, *, lenient: bool
) -> tuple[str, ...]:
    """Judgements against questions and passages; published BEIR folders are taken as they come, with a note."""
    asked = {question.question_id for question in questions}
    known = {passage.gold_id for passage in passages}
    gold = {question_id: _positive(grades) for question_id, grades in qrels.items()}
    problems = (
        ("names questions that are not in queries.jsonl", [q for q in qrels if q not in asked]),
        (
            "names passages that are not in corpus.jsonl",
            [i for grades in gold.values() for i in grades if i not in known],
        ),
        (
            "has no gold for answerable questions (add it, or say answerable: false)",
            [q.question_id for q in questions if q.answerable and not gold.get(q.question_id)],
        ),
        (
            "has gold for questions that are said to be unanswerable",
            [q.question_id for q in questions if not q.answerable and gold.get(q.question_id)],
        ),
    )
    found = tuple(f"{path} {problem}: {some_of(ids)}" for problem, ids in problems if ids)
    if found and not lenient:
        raise DatasetError(found[0])
    repeated = _repeated(questions)
    again = f"the same is asked more than once, and counts each time: {some_of(repeated)}"
    reworded = _reworded(questions, passages, gold)
    told = f'"answers" that stand in no gold passage, give those as "reference": {some_of(reworded)}'
    return (*found, *([again] if repeated else []), *([told] if reworded else []))


def _reworded(questions: Sequence[Question], passages: Sequence[GoldPassage], gold: Qrels) -> list[str]:
    """Ids of the questions with an answer that stands in none of their gold passages, where the words of all are known.

    Published question sets have such answers, so that they are no fault.
    """
    texts: dict[str, list[str]] = {}
    for passage in passages:
        texts.setdefault(passage.gold_id, []).append(passage.text)
    found = []
    for question in questions:
        held = [text for gold_id in gold.get(question.question_id, ()) for text in texts.get(gold_id, [])]
        if all(map(str.strip, held)) and not all(any(holds(text, one) for text in held) for one in question.answers):
            found.append(question.question_id)
    return found


def _repeated(questions: Sequence[Question]) -> list[str]:
    """Ids of the questions that ask in the same words, and under the same filters, groups and day, as one before."""
    first: dict[object, str] = {}
    for one in questions:
        asked = (one.text.casefold().split(), one.doc_id, one.where, one.groups, one.as_of)
        first.setdefault(str(asked), one.question_id)
    known = set(first.values())
    return [one.question_id for one in questions if one.question_id not in known]
