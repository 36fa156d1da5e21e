"""A question set as a data set's folder: written whole or not at all, and read back."""

import json
import os
import shutil
import tempfile
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from policy_rag.errors import PolicyRagError
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag_eval.data.dataset_reader import read_dataset
from policy_rag_eval.data.json_lines import json_rows
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.questions.drafts import (
    DraftQuote,
    GeneratedQuestion,
    QuestionDraft,
    QuestionStyle,
    SectionKey,
    SectionSpan,
)
from policy_rag_eval.questions.source_documents import SourceDocument
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME

PROVENANCE = "provenance.json"
_MADE = ("documents", "documents.json", "queries.jsonl", "corpus.jsonl", "qrels.tsv", PROVENANCE)
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


def write_set(folder: Path, documents: Sequence[SourceDocument], made: QuestionSet) -> None:
    """Writes the data set beside its place, reads it back, and puts it there in one step.

    The documents are copied; what they declare outside their files goes into a `policies.yaml`. What else lies in the
    folder, such as decisions of a review, stays there.

    Raises:
        DatasetError: what was written cannot be read as a data set; nothing is changed then.
        PolicyRagError: the disk is full, or the folder cannot be written.
    """
    infos = [document.info for document in documents]
    with _beside(folder, made_anew=_MADE) as new:
        for document in documents:
            copy = new / "documents" / document.info.file
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(document.path, copy)
        declared = {info.file: _declaration(info) for info in infos}
        _dump(new / "documents" / SIDECAR_NAME, yaml.safe_dump(declared, allow_unicode=True, sort_keys=True))
        _dump_json(
            new / "documents.json", [{"doc_id": one.doc_id, "file": one.file, "title": one.title} for one in infos]
        )
        _write_questions(new, made)


def rewrite_questions(folder: Path, made: QuestionSet) -> None:
    """Writes a set's questions anew, beside the documents that it has, in one step.

    Raises:
        DatasetError: as for `write_set`.
        PolicyRagError: as for `write_set`.
    """
    with _beside(folder) as new:
        _write_questions(new, made)


@contextmanager
def _beside(folder: Path, *, made_anew: Collection[str] = ()) -> Iterator[Path]:
    """A copy to write into, which takes the folder's place if it can be read as a data set in the end.

    It begins with all that lies in the folder but for what is made anew.
    """
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
        new, old = work / "new", work / "old"
        try:
            new.mkdir()
            if folder.exists():
                left_out = {str(folder): set(made_anew)}  # names in the folder itself, not in those inside of it
                shutil.copytree(folder, new, dirs_exist_ok=True, ignore=lambda at, _: left_out.get(str(at), set()))
            yield new
            read_dataset(new)
            if folder.exists():
                folder.rename(old)
            try:
                new.rename(folder)
            except OSError:
                if old.exists():
                    old.rename(folder)
                raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        raise PolicyRagError(
            f"{folder} cannot be written ({error.strerror or error}): free space, or name another"
        ) from error


def _write_questions(folder: Path, made: QuestionSet) -> None:
    """Writes all but the documents into a folder."""
    gold = {_gold_id(quote): quote for one in made.questions for quote in one.draft.quotes}
    passages = ({"_id": name, **asdict(quote)} for name, quote in sorted(gold.items()))
    _dump_rows(folder / "queries.jsonl", (query_row(one, made.sections) for one in made.questions))
    _dump_rows(folder / "corpus.jsonl", passages)
    labels = [(one, name) for one in made.questions for name in dict.fromkeys(map(_gold_id, one.draft.quotes))]
    rows = [f"{one.question_id}\t{name}\t1" for one, name in labels]
    _dump(folder / "qrels.tsv", "\n".join(["query-id\tcorpus-id\tscore", *rows]) + "\n")
    provenance = {
        "version": _VERSION,
        "refused": list(made.refused),
        "set_aside": [dict(row) for row in made.set_aside],
        "summary": dict(made.summary),
    }
    _dump_json(folder / PROVENANCE, provenance)


def _gold_id(quote: DraftQuote) -> str:
    """The label of a quote: the same words are one label, whichever questions they answer."""
    return f"{quote.doc_id}|{quote.start}-{quote.end}"


def query_row(question: GeneratedQuestion, sections: Mapping[SectionKey, SectionSpan]) -> dict[str, Any]:
    """A question as a row of `queries.jsonl`: what a data set has, then where it is from."""
    draft = question.draft
    row = {
        "_id": question.question_id,
        "text": draft.text,
        "type": str(draft.style),
        "answerable": draft.answerable,
        "answers": list(draft.answers),
        "as": list(question.groups),
        "as_of": question.as_of,
    }
    origin = {
        "made_by": draft.made_by,
        "rule": draft.rule,
        "template": draft.template,
        "seed": draft.seed,
        "language": draft.language,
        "sections": [
            {"doc_id": key[0], "section_id": key[1], **asdict(sections[key])}
            for key in draft.sections
            if key in sections
        ],
        "quotes": [_gold_id(quote) for quote in draft.quotes],
        "found_at": question.found_at,
        "reviewed": question.reviewed,
    }
    return {**{name: value for name, value in row.items() if value not in ([], None)}, **origin}


def _declaration(info: DocumentInfo) -> dict[str, Any]:
    """What the index knows that a document declares, as a `policies.yaml` says it."""
    declared: dict[str, Any] = {
        **{key: list(value) if isinstance(value, tuple) else value for key, value in info.extra.items()},
        "title": info.title,
        "version": info.version,
        "effective_from": info.effective_from,
        "effective_to": info.effective_to,
        "supersedes": list(info.supersedes),
        "access": list(info.access),
    }
    return {key: value for key, value in declared.items() if value not in ("", [], None)}


def _dump_json(path: Path, value: Any) -> None:
    _dump(path, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def _dump_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
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
        rows = {row["_id"]: row for _, row in json_rows(folder / "queries.jsonl")}
        quotes = {row.pop("_id"): DraftQuote(**row) for _, row in json_rows(folder / "corpus.jsonl")}
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


def _question(row: Mapping[str, Any], quotes: Mapping[str, DraftQuote]) -> GeneratedQuestion:
    draft = QuestionDraft(
        style=QuestionStyle(row["type"]),
        text=row["text"],
        quotes=tuple(quotes[name] for name in row["quotes"]),
        sections=tuple((at["doc_id"], at["section_id"]) for at in row["sections"]),
        answers=tuple(row.get("answers", ())),
        **{name: row[name] for name in ("language", "made_by", "rule", "template", "seed")},
    )
    return GeneratedQuestion(
        row["_id"], draft, tuple(row.get("as", ())), row.get("as_of"), row["found_at"], reviewed=row["reviewed"]
    )


def as_it_stands(question: GeneratedQuestion, documents: Mapping[str, SourceDocument]) -> GeneratedQuestion | None:
    """A question on the documents as they are now; None where they do not hold its words any more.

    They must still have its sections. A quote whose words are no longer in their place is looked for in its section,
    where they must stand once.
    """
    draft = question.draft
    if not all(doc_id in documents and section in documents[doc_id].by_id for doc_id, section in draft.sections):
        return None
    quotes = [_as_it_stands(quote, documents.get(quote.doc_id)) for quote in draft.quotes]
    found = tuple(quote for quote in quotes if quote is not None)
    return replace(question, draft=replace(draft, quotes=found)) if len(found) == len(quotes) else None


def _as_it_stands(quote: DraftQuote, document: SourceDocument | None) -> DraftQuote | None:
    section = document.by_id.get(quote.section_id) if document else None
    if document is None or section is None:
        return None
    if document.text[quote.start : quote.end] == quote.text:
        return quote
    start = document.text.find(quote.text, section.start, section.end)
    if start < 0 or document.text.find(quote.text, start + 1, section.end) >= 0:
        return None
    return replace(quote, start=start, end=start + len(quote.text))
