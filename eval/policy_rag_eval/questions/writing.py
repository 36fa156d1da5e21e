"""Writes a question set as a data set's folder, whole or not at all, and reads an older one back."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import yaml

from policy_rag.errors import PolicyRagError
from policy_rag.index.store.documents import DocumentInfo
from policy_rag_eval.data.reader import read_dataset
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.questions.documents import SourceDocument
from policy_rag_eval.questions.drafts import Draft, GeneratedQuestion, Quote, SectionKey, SectionSpan, Style
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME

PROVENANCE = "provenance.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """A question set as it lies in a folder.

    Attributes:
        questions: in order.
        sections: where those stand that they were made from.
        refused: texts that people dropped; they are not made again.
        set_aside: reviewed questions whose words the documents do not hold any more, as rows of `queries.jsonl` with
            the quotes' texts.
        summary: what the run that made it counted.
    """

    questions: tuple[GeneratedQuestion, ...]
    sections: Mapping[SectionKey, SectionSpan]
    refused: tuple[str, ...] = ()
    set_aside: tuple[Mapping[str, Any], ...] = ()
    summary: Mapping[str, Any] = field(default_factory=dict)


def gold_id(quote: Quote) -> str:
    """The label of a quote: the same words are one label, whichever questions they answer."""
    return f"{quote.doc_id}|{quote.start}-{quote.end}"


def write_set(folder: Path, documents: Sequence[SourceDocument], made: QuestionSet) -> None:
    """Writes the data set beside its place, reads it back, and puts it there in one step.

    The documents are copied; what they declare outside their files goes into a `policies.yaml`.

    Raises:
        DatasetError: what was written cannot be read as a data set; nothing is changed then.
        PolicyRagError: the disk is full, or the folder cannot be written.
    """
    with _beside(folder) as new:
        for document in documents:
            place = new / "documents" / document.info.file
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(document.path, place)
        declared = yaml.safe_dump(_declared(documents), allow_unicode=True, sort_keys=True)
        _dump(new / "documents" / SIDECAR_NAME, declared)
        listed = [{"doc_id": d.info.doc_id, "file": d.info.file, "title": d.info.title} for d in documents]
        _dump(new / "documents.json", json.dumps(listed, ensure_ascii=False, indent=1) + "\n")
        _write_questions(new, made)


def rewrite_questions(folder: Path, made: QuestionSet) -> None:
    """Writes a set's questions anew, beside the documents that it has, in one step.

    Raises:
        DatasetError: as for `write_set`.
        PolicyRagError: as for `write_set`.
    """
    with _beside(folder) as new:
        shutil.copytree(folder, new, dirs_exist_ok=True)
        _write_questions(new, made)


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes the other's place if it can be read as a data set in the end."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        new = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        new.chmod(0o755)
        try:
            yield new
            read_dataset(new)
            replace_folder(new, folder)
        finally:
            shutil.rmtree(new, ignore_errors=True)
    except OSError as error:
        raise PolicyRagError(f"{folder} cannot be written ({error.strerror}): free space, or name another") from error


def replace_folder(new: Path, old: Path) -> None:
    """Puts a finished folder in the place of another, which is there until the new one is."""
    if not old.exists():
        new.rename(old)
        return
    away = Path(tempfile.mkdtemp(prefix=f".{old.name}-old-", dir=old.parent))
    old.rename(away / "set")
    try:
        new.rename(old)
    except OSError:
        (away / "set").rename(old)
        raise
    finally:
        if old.exists():
            shutil.rmtree(away, ignore_errors=True)


def _write_questions(folder: Path, made: QuestionSet) -> None:
    """Writes all but the documents into a folder."""
    gold = {gold_id(quote): quote for kept in made.questions for quote in kept.draft.quotes}
    _lines(folder / "queries.jsonl", (query_row(kept, made.sections) for kept in made.questions))
    _lines(folder / "corpus.jsonl", (_passage(name, quote) for name, quote in sorted(gold.items())))
    rows = [f"{kept.question_id}\t{name}\t1" for kept in made.questions for name in _labels(kept)]
    _dump(folder / "qrels.tsv", "\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n")
    provenance = {
        "version": _VERSION,
        "refused": list(made.refused),
        "set_aside": [dict(row) for row in made.set_aside],
        "summary": dict(made.summary),
    }
    _dump(folder / PROVENANCE, json.dumps(provenance, ensure_ascii=False, indent=1) + "\n")


def _labels(kept: GeneratedQuestion) -> dict[str, None]:
    return dict.fromkeys(gold_id(quote) for quote in kept.draft.quotes)


def query_row(kept: GeneratedQuestion, places: Mapping[SectionKey, SectionSpan]) -> dict[str, Any]:
    """A question as a row of `queries.jsonl`: what a data set has, then where it is from."""
    draft = kept.draft
    row: dict[str, Any] = {
        "_id": kept.question_id,
        "text": draft.text,
        "type": str(draft.style),
        "answerable": draft.answerable,
    }
    if draft.answers:
        row["answers"] = list(draft.answers)
    if kept.groups:
        row["as"] = list(kept.groups)
    if kept.as_of:
        row["as_of"] = kept.as_of
    return {
        **row,
        "made_by": draft.made_by,
        "rule": draft.rule,
        "template": draft.template,
        "seed": draft.seed,
        "language": draft.language,
        "sections": [
            {"doc_id": key[0], "section_id": key[1], **asdict(places[key])} for key in draft.sections if key in places
        ],
        "quotes": [gold_id(quote) for quote in draft.quotes],
        "found_at": kept.found_at,
        "reviewed": kept.reviewed,
    }


def _passage(name: str, quote: Quote) -> dict[str, Any]:
    return {
        "_id": name,
        "doc_id": quote.doc_id,
        "text": quote.text,
        "file": quote.file,
        "start": quote.start,
        "end": quote.end,
        "section_id": quote.section_id,
    }


def _declared(documents: Sequence[SourceDocument]) -> dict[str, dict[str, Any]]:
    return {document.info.file: _declaration(document.info) for document in documents}


def _declaration(info: DocumentInfo) -> dict[str, Any]:
    """What the index knows that a document declares, as a `policies.yaml` says it."""
    said: dict[str, Any] = {key: list(v) if isinstance(v, tuple) else v for key, v in info.extra.items()}
    said["title"] = info.title
    if info.version:
        said["version"] = info.version
    days = {"effective_from": info.effective_from, "effective_to": info.effective_to}
    said |= {key: day for key, day in days.items() if day is not None}
    if info.supersedes:
        said["supersedes"] = list(info.supersedes)
    if info.access:
        said["access"] = list(info.access)
    return said


def _lines(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    _dump(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows))


def _dump(path: Path, text: str) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def read_set(folder: Path) -> QuestionSet:
    """The question set in a folder, as `write_set` wrote it.

    Raises:
        DatasetError: there is none, it was made by hand or otherwise, or it does not fit together.
    """
    path = folder / PROVENANCE
    if not path.is_file():
        raise DatasetError(f"{folder} is no question set made here (it has no {PROVENANCE}): name another folder")
    dataset = read_dataset(folder)
    try:
        provenance = json.loads(path.read_text(encoding="utf-8"))
        rows = {row["_id"]: row for row in _objects(folder / "queries.jsonl")}
        quotes = {
            row["_id"]: Quote(row["doc_id"], row["file"], row["section_id"], row["start"], row["end"], row["text"])
            for row in _objects(folder / "corpus.jsonl")
        }
        ordered = [rows[question.question_id] for question in dataset.questions]
        return QuestionSet(
            questions=tuple(_question(row, quotes) for row in ordered),
            sections={
                (at["doc_id"], at["section_id"]): SectionSpan(at["file"], at["start"], at["end"])
                for row in ordered
                for at in row["sections"]
            },
            refused=tuple(provenance["refused"]),
            set_aside=tuple(provenance["set_aside"]),
            summary=provenance["summary"],
        )
    except (ValueError, KeyError, TypeError) as error:
        raise DatasetError(
            f"{folder} was changed so that it cannot be read back ({error!r}): undo that, or name another folder"
        ) from error


def _objects(path: Path) -> Iterable[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.strip():
            yield json.loads(line)


def _question(row: Mapping[str, Any], quotes: Mapping[str, Quote]) -> GeneratedQuestion:
    draft = Draft(
        style=Style(row["type"]),
        text=row["text"],
        quotes=tuple(quotes[name] for name in row["quotes"]),
        sections=tuple((at["doc_id"], at["section_id"]) for at in row["sections"]),
        language=row["language"],
        answers=tuple(row.get("answers", ())),
        made_by=row["made_by"],
        rule=row["rule"],
        template=row["template"],
        seed=row["seed"],
    )
    return GeneratedQuestion(
        row["_id"], draft, tuple(row.get("as", ())), row.get("as_of"), row["found_at"], reviewed=row["reviewed"]
    )


def holds_still(kept: GeneratedQuestion, documents: Mapping[str, SourceDocument]) -> bool:
    """Whether the documents still have the sections that a question is from, and say its quotes in the same places."""
    sections = all(key[0] in documents and key[1] in documents[key[0]].by_id for key in kept.draft.sections)
    return sections and all(
        quote.doc_id in documents and documents[quote.doc_id].text[quote.start : quote.end] == quote.text
        for quote in kept.draft.quotes
    )
