"""What an index holds: the documents that a caller may read, their text, and what changed between versions."""

import datetime as dt
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self, Unpack

from policy_rag.errors import MissingError, PolicyRagError, UsageError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.maintenance.excerpt import Excerpt, excerpt
from policy_rag.index.maintenance.printed_places import find_document, no_document
from policy_rag.index.search.bm25_index import KeywordSettings
from policy_rag.index.store.document_rows import read_text
from policy_rag.index.store.metadata import written_kinds
from policy_rag.index.store.place import IndexPlace
from policy_rag.index.store.store import Index
from policy_rag.index.store.stored_documents import DocumentInfo, readable
from policy_rag.retrieval.request import listed
from policy_rag.retrieval.self_query.named_documents import called_titles
from policy_rag.settings import SettingChanges, Settings, load_settings
from policy_rag_parsers.telemetry import silence_telemetry

if TYPE_CHECKING:
    from policy_rag.index.maintenance.compared_texts import ComparedText
    from policy_rag.index.maintenance.verify import Verification
    from policy_rag.index.maintenance.version_diff import VersionDiff

DEFAULT_FOLDER = ".policy_rag"


class PolicyLibrary:
    """The documents of one index, read without asking anything. Safe for many threads.

    Args:
        index: an open index.
        settings: every choice that can be set.
        today: the day that is meant unless another is named; the calendar's when None.
    """

    def __init__(self, index: Index, settings: Settings, *, today: dt.date | None = None) -> None:
        self.index = index
        self.settings = settings
        self._today = today
        self._models = LoadedModels(index, settings)

    @classmethod
    def open(
        cls,
        index: str | IndexPlace = DEFAULT_FOLDER,
        *,
        create: bool = False,
        settings: Settings | None = None,
        today: dt.date | None = None,
        **changes: Unpack[SettingChanges],
    ) -> Self:
        """Opens the index in a folder, or in Postgres.

        Args:
            index: the folder, or the database as `postgresql://user@host/database`.
            create: whether to make an empty one where there is none.
            settings: instead of those in force (`policy_rag.toml`, `POLICY_RAG_...`).
            today: see the class.
            **changes: single settings on top, such as `top_k=3`.

        Raises:
            IndexingError: there is no index, or it cannot be read.
            SettingsError: an unknown setting or value.
        """
        from policy_rag.offline import keep_offline

        chosen = (settings or load_settings()).changed(
            {name: value for name, value in changes.items() if value is not None}
        )
        silence_telemetry()
        keep_offline(chosen)
        seen = written_kinds(chosen.search.metadata_use.keyword)
        keyword = KeywordSettings(k1=chosen.ranking.bm25_k1, b=chosen.ranking.bm25_b, metadata=seen)
        return cls(Index(index, create=create, keyword=keyword), chosen, today=today)

    def close(self) -> None:
        """Closes the index."""
        self.index.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def today(self) -> dt.date:
        """The day that questions are about unless they name another."""
        return self._today or dt.datetime.now().astimezone().date()

    def documents(self, *, groups: str | Sequence[str] = ()) -> tuple[DocumentInfo, ...]:
        """The documents that a caller of these groups may read, in order of `doc_id`."""
        caller = listed(groups)
        with self.index.reading(groups=caller) as db:
            return readable(self.index.documents(), caller, lambda document: read_text(db, document.doc_key))

    def show(
        self,
        doc_id: str,
        *,
        section: str | None = None,
        span: tuple[int, int] | None = None,
        place: str | None = None,
        groups: str | Sequence[str] = (),
    ) -> Excerpt:
        """The text that a citation points to, in its surroundings.

        Args:
            doc_id: the document's id, file or title, another name by which a question finds it, or a place as a
                citation prints it, of which title, section and line are read.
            section: a `section_id` or a clause number such as `4.2(b)`; the whole document without one.
            span: `[start, end)` in characters of the document's text, instead of a section.
            place: a section's number or title, "line 41" or "page 3", instead of either.
            groups: the caller's access groups.

        Raises:
            UsageError: no such document (or none that the caller may read), section or range.
        """
        document, named = self._named(doc_id, groups)
        if section is None and span is None:
            place = place or named
        with self.index.reading(groups=listed(groups)) as db:
            display = self.settings.search.metadata_use.display
            return excerpt(db, document, section=section, span=span, place=place, display=display)

    def original(self, doc_id: str, *, groups: str | Sequence[str] = ()) -> bytes | None:
        """The file that a document was made from.

        None where it is gone, is no longer what was taken in, leads out of its folder, or cannot be read.

        Raises:
            UsageError: a document that is not there or that the caller may not read.
        """
        from policy_rag.index.ingest.source_fingerprint import Sidecars, source_hash_of
        from policy_rag_parsers.loaders.discovery import FoundFile
        from policy_rag_parsers.loaders.regular_files import read_regular

        (document, _), parsing = self._named(doc_id, groups), self.settings.parsing
        known, manifest = self.index.source_hashes().get(document.doc_id), self.index.manifest
        if not known or not document.root or manifest is None:
            return None
        file = FoundFile(document.place, Path(document.root), document.file)
        try:
            data = read_regular(file.path, file.root, most=parsing.most_bytes)
            said = Sidecars([file.root]).of(file)
        except PolicyRagError:
            return None
        return data if source_hash_of((data,), file, said, manifest, parsing.access) == known else None

    def changes(self, old: str, new: str, *, groups: str | Sequence[str] = ()) -> "VersionDiff":
        """What changed between two versions, clause by clause; see `policy_rag.index.maintenance.version_diff`.

        Raises:
            UsageError: a document that is not there or that the caller may not read.
        """
        from policy_rag.index.maintenance.compared_texts import differences

        return differences(self.compared(old, groups), self.compared(new, groups))

    def compared(self, name: str, groups: str | Sequence[str] = ()) -> "ComparedText":
        """One side of a comparison, named as for `show`; see `compared_texts.text_of_file` for files of no index."""
        from policy_rag.index.maintenance.compared_texts import text_of_document

        document, place = self._named(name, groups)
        if place is not None:
            raise UsageError(f"whole documents are compared: leave {place!r} out")
        with self.index.reading(groups=listed(groups)) as db:
            return text_of_document(db, document)

    def verify(self, *, repair: bool = False, groups: str | Sequence[str] | None = None) -> "Verification":
        """Checks the index against its own hashes; see `policy_rag.index.maintenance.verify.verify`."""
        from policy_rag.index.maintenance.verify import verify

        models, caller = self._models, None if groups is None else listed(groups)
        return verify(
            self.index, repair=repair, embedder=lambda _: models.embedder(models.manifest().embedding), groups=caller
        )

    def document(self, doc_id: str, groups: str | Sequence[str] = ()) -> DocumentInfo:
        """A document by its id or file.

        Raises:
            UsageError: there is none, or none that a caller of these groups may read; the message is the same.
        """
        for document in self.documents(groups=groups):
            if doc_id in {document.doc_id, document.file}:
                return document
        raise no_document(doc_id)

    def _named(self, name: str, groups: str | Sequence[str]) -> tuple[DocumentInfo, str | None]:
        """The document that is meant, and the place in it that the name holds; see `find_document`.

        What is no title, id or file may be another name by which a question finds the document: "the AML policy".
        """
        documents = self.documents(groups=groups)
        try:
            return find_document(name, documents, self.today())
        except MissingError:
            end, titles = called_titles(name, documents)
            if len({title.casefold() for title in titles}) > 1:
                raise UsageError(f"{name[:end]!r} may be {' or '.join(map(repr, titles))}") from None
            with suppress(MissingError):
                if titles:
                    return find_document(f"{titles[0]}{name[end:]}", documents, self.today())
            raise
