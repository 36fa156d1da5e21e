"""An index that is there already, in a folder or in Postgres, measured as it stands beside configurations."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace, index_place
from policy_rag.records.search import Hit, SearchRequest
from policy_rag.retrieval.filters import Operator, parse_filter, written_filter
from policy_rag_eval.data.dataset import Dataset, Question

if TYPE_CHECKING:
    from policy_rag.assistant import PolicyAssistant
    from policy_rag.index.store.manifest import Manifest
    from policy_rag.records.answer import Answer
    from policy_rag.settings import Settings

_DEEP = 100  # hits, so that the deepest cut-offs are filled


class ExistingIndex:
    """What an index finds where it lies, by what searches it there, under the settings in force.

    It is asked as people ask it, with each question's filters, groups and day; what `expand` brings along is left out.
    How long it takes is not measured: models remember what was asked of them before in the same process.

    Args:
        place: its folder, or `postgresql://...`.
    """

    def __init__(self, place: IndexPlace | str) -> None:
        self.place = index_place(place)

    def made_with(self) -> tuple["Settings", "Manifest"]:
        """The settings in force, and what the index was made with."""
        from policy_rag.assistant import PolicyAssistant

        with PolicyAssistant.open(self.place) as assistant:
            return assistant.settings, assistant.index.manifest or assistant.manifest_for_ingest()

    @contextmanager
    def opened(self, dataset: Dataset) -> Iterator["OpenedIndex"]:
        """The index, to be asked the questions of a data set.

        Raises:
            UsageError: it holds none of the data set's documents.
            IndexingError: there is none, or it cannot be read.
        """
        from policy_rag.assistant import PolicyAssistant

        with PolicyAssistant.open(self.place) as assistant:
            held = {info.file: info.doc_id for info in assistant.index.documents()}
            doc_ids = {one.doc_id: held[file] for one in dataset.documents for file in _alike(one.file, held)}
            if dataset.documents and not doc_ids:
                raise UsageError(
                    f"the index in {assistant.index.name} holds no document of {dataset.name}: run "
                    f"`policy-rag ingest {dataset.documents_folder} --index INDEX` first"
                )
            yield OpenedIndex(assistant, doc_ids, _notes(assistant.index.name, dataset, held, doc_ids))


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """An index that is asked.

    Attributes:
        assistant: over it.
        doc_ids: the data set's names of documents to the index's own.
        notes: what a reader of the figures should know, one line each.
    """

    assistant: "PolicyAssistant"
    doc_ids: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def top_k(self) -> int:
        """How many hits a search returns."""
        return self.assistant.settings.search.top_k

    def ask(self, question: Question) -> Sequence[Hit]:
        """Hits for a question, as many as any measure counts."""
        (found,) = self.assistant.search_many([self._request(question)], top_k=max(_DEEP, self.top_k), expand=())
        return found.hits

    def answer(self, question: Question) -> "Answer":
        """The answer to a question, by whom and as the settings in force have it."""
        asked = self._request(question)
        return self.assistant.ask(asked.question, where=asked.where, groups=asked.groups, as_of=asked.as_of)

    def _request(self, question: Question) -> SearchRequest:
        asked = question.request()
        return replace(asked, where=tuple(self._named(one) for one in asked.where))

    def _named(self, text: str) -> str:
        """A filter on documents by the index's own names of them."""
        asked = parse_filter(text)
        if (asked.key, asked.operator) != ("doc_id", Operator.EQUAL):
            return text
        return written_filter(asked.key, *(self.doc_ids.get(value, value) for value in asked.values))


def _alike(file: str, held: Mapping[str, str]) -> Sequence[str]:
    """The one file of an index that a document of a data set is: of the same name, else of the same ending.

    >>> _alike("leave.md", {"hr/leave.md": "", "travel.md": ""}), _alike("a.md", {"x/a.md": "", "y/a.md": ""})
    (['hr/leave.md'], [])
    """
    if file in held:
        return [file]
    found = [one for one in held if one.endswith(f"/{file}") or file.endswith(f"/{one}")]
    return found if len(found) == 1 else []


def _notes(name: str, dataset: Dataset, held: Mapping[str, str], doc_ids: Mapping[str, str]) -> tuple[str, ...]:
    lacking, others = len(dataset.documents) - len(doc_ids), len(held) - len(set(doc_ids.values()))
    if not dataset.documents or not (lacking or others):
        return ()
    whole = len(dataset.documents)
    return (f"the index in {name} lacks {lacking} of {dataset.name}'s {whole} documents, and holds {others} others",)
