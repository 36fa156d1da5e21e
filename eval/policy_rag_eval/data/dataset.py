"""A data set: documents, questions, and the places in the documents that answer them.

A data set is a folder with `documents/`, `documents.json`, `queries.jsonl`, `qrels.tsv` and `corpus.jsonl`. A folder as
BEIR publishes it (`corpus.jsonl`, `queries.jsonl`, `qrels/test.tsv`; https://github.com/beir-cellar/beir) has no
documents; its questions are those that the judged split names.
"""

import dataclasses
import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from policy_rag.records.search import SearchRequest
from policy_rag_eval.errors import DatasetError
from policy_rag_parsers.text.near_names import did_you_mean


class Corpus(StrEnum):
    """What is searched: the documents through the parser under test, or the gold passages as they are."""

    FILES = "files"
    PASSAGES = "passages"


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the data set; `file` is relative to its `documents/` folder, with forward slashes."""

    doc_id: str
    file: str
    title: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question, with what it is asked under.

    Attributes:
        question_id: unique in the data set.
        text: the question; not blank.
        answers: accepted answers, verbatim from the documents; may be empty.
        doc_id: the one document that is searched, or None for all.
        where: filters as typed on the command line; all must hold.
        groups: the asker's access groups.
        as_of: the day whose rules are asked for, or None.
        kind: the data set's own word for the kind of question, or None.
        answerable: whether the documents answer it.
        made_by: `rules` or a model's name where the project made it, else None.
        reference: an answer known to be right in words of its own, or None where the gold passages alone tell it.
    """

    question_id: str
    text: str
    answers: tuple[str, ...] = ()
    doc_id: str | None = None
    where: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    as_of: dt.date | None = None
    kind: str | None = None
    answerable: bool = True
    made_by: str | None = None
    reference: str | None = None

    def request(self) -> SearchRequest:
        """The search that asks this question.

        >>> Question("q1", "Who approves?", doc_id="leave").request().where
        ('doc_id=leave',)
        """
        named = () if self.doc_id is None else (f"doc_id={self.doc_id}",)
        return SearchRequest(self.text, where=(*named, *self.where), groups=self.groups, as_of=self.as_of)


@dataclass(frozen=True, slots=True)
class GoldPassage:
    """A passage that may be relevant. Passages that share a `gold_id` are one label with several places.

    Attributes:
        gold_id: the label that `qrels` names.
        text: the passage; blank where only the place is known.
        title: its title, or empty.
        doc_id: the document that it is from, or None where the data set has no documents.
        file: that document's file, or None.
        start: first character in the file's text, or None where the place is not known.
        end: one past the last, or None.
    """

    gold_id: str
    text: str
    title: str = ""
    doc_id: str | None = None
    file: str | None = None
    start: int | None = None
    end: int | None = None

    @property
    def placed(self) -> bool:
        """Whether its place in a file is known."""
        return self.file is not None and self.start is not None and self.end is not None


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set that was read and checked.

    Attributes:
        name: the folder's name.
        folder: where it was read from.
        documents: in the order of `documents.json`; empty for a BEIR folder.
        questions: in the order of `queries.jsonl`.
        passages: in the order of `corpus.jsonl`.
        qrels: question id to gold id to grade, grades above 0 only; a question without relevant passages is absent.
        digest: sha256 over the files that it was read from, as 64 hexadecimal digits.
        notes: what a reader of the figures should know, one line each.
        of: how many questions the data set has that this is a part of; 0: it is whole.
    """

    name: str
    folder: Path
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]
    passages: tuple[GoldPassage, ...]
    qrels: Mapping[str, Mapping[str, int]]
    digest: str
    notes: tuple[str, ...] = field(default=())
    of: int = 0

    @property
    def label(self) -> str:
        """The name, and of a part how many of the questions it has.

        >>> Dataset("own", Path(), (), (Question("q1", "Who?"),), (), {}, "", of=20).label
        'own, 1 of 20 questions'
        """
        count = len(self.questions)
        return self.name if self.of in {0, count} else f"{self.name}, {count} of {self.of} questions"

    def part(self, questions: Sequence[Question], digest: str) -> "Dataset":
        """The data set with some of its questions.

        `digest` tells it from the whole.
        """
        ids = {question.question_id for question in questions}
        qrels = {question_id: grades for question_id, grades in self.qrels.items() if question_id in ids}
        whole = self.of or len(self.questions)
        return dataclasses.replace(self, questions=tuple(questions), qrels=qrels, digest=digest, of=whole)

    @property
    def documents_folder(self) -> Path:
        """Where the documents lie."""
        return self.folder / "documents"

    @property
    def scored(self) -> tuple[Question, ...]:
        """The questions that retrieval measures are taken over: answerable ones with at least one relevant label."""
        return tuple(
            question for question in self.questions if question.answerable and question.question_id in self.qrels
        )

    @property
    def unanswerable(self) -> tuple[Question, ...]:
        """The questions that the documents do not answer."""
        return tuple(question for question in self.questions if not question.answerable)

    def reference(self, question: Question) -> str | None:
        """The right answer, else what it is taken from: the gold passages' text in their order; None without either."""
        if question.reference is not None:
            return question.reference
        wanted = self.qrels.get(question.question_id, {}) if question.answerable else {}
        texts = [one.text.strip() for one in self.passages if one.gold_id in wanted and one.text.strip()]
        return "\n".join(dict.fromkeys(texts)) or None

    def placed(self) -> "Dataset":
        """The same data set without the gold that has no place, and without questions that are then left with none.

        Comparing the two corpora is fair on these questions only. A note tells which are left out.
        """
        passages = tuple(passage for passage in self.passages if passage.placed)
        known = {passage.gold_id for passage in passages}
        kept = {
            question_id: {gold_id: grade for gold_id, grade in grades.items() if gold_id in known}
            for question_id, grades in self.qrels.items()
        }
        qrels = {question_id: grades for question_id, grades in kept.items() if grades}
        questions = tuple(q for q in self.questions if q.question_id in qrels or q.question_id not in self.qrels)
        lost = [question_id for question_id in self.qrels if question_id not in qrels]
        told = f"left out, as their gold has no place in a document: {some_of(lost)}"
        return dataclasses.replace(
            self,
            passages=passages,
            qrels=qrels,
            questions=questions,
            of=self.of or len(self.questions),
            notes=(*self.notes, *([told] if lost else [])),
        )

    def for_corpus(self, corpus: Corpus) -> "Dataset":
        """The data set as it is scored on `corpus`.

        Raises:
            DatasetError: it has nothing of that corpus to search, or no question that can be scored on it.
        """
        if corpus is Corpus.FILES and not self.documents:
            raise DatasetError(f"{self.folder} has no documents/ to search: use --corpus passages")
        if corpus is Corpus.PASSAGES and not any(passage.text.strip() for passage in self.passages):
            raise DatasetError(f"no passage in {self.folder / 'corpus.jsonl'} holds text: use --corpus files")
        dataset = self.placed() if corpus is Corpus.FILES else self
        if not dataset.scored:
            raise DatasetError(f"{self.folder} has no answerable question with gold for --corpus {corpus}: add some")
        return dataset


def some_of(ids: Iterable[str]) -> str:
    """Ids in a message, each once, the first three of many.

    >>> some_of(["a", "b", "a"]), some_of("abcde")
    ('a, b', 'a, b, c and 2 more')
    """
    once = list(dict.fromkeys(ids))
    more = f" and {len(once) - 3} more" if len(once) > 3 else ""
    return ", ".join(once[:3]) + more


def builtin_datasets() -> dict[str, Path]:
    """The data sets that come with the project: name to folder, in order of name."""
    places = (Path(__file__).parents[2] / "datasets", Path(__file__).parents[1] / "datasets")
    found = {path.parent.name: path.parent for place in places for path in place.glob("*/queries.jsonl")}
    return dict(sorted(found.items()))


def find_dataset(name: str | Path) -> Path:
    """The folder or file of a data set, given as a path or as the name of one that comes with the project.

    Raises:
        DatasetError: there is neither.
    """
    path = Path(name)
    if path.is_dir() or path.is_file():
        return path
    builtin = builtin_datasets()
    if str(name) in builtin:
        return builtin[str(name)]
    known = ", ".join(builtin) or "none"
    hint = did_you_mean(str(name), builtin, otherwise=f"give a folder or file, or one of those built in ({known})")
    raise DatasetError(f"there is no data set {name}: {hint}")
