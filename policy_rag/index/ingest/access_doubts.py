"""Which files must not be taken in, as who may read them is said of a name that no file has, or was said of another.

Access is never opened by mistake. An entry of a `policies.yaml` that restricts a file that is not there may mean any
file of its folder that says nothing of its access: all of them are in doubt, but for those that the index knew beside
the file that is gone. Where one of them has the very name, but for case and the like, it alone is. And whatever has the
text of a restricted document whose file is gone is that document, wherever it was moved; so is a new file that has its
name in another format.
"""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from policy_rag.errors import DeclarationError, PolicyRagError
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag.index.ingest.source_fingerprint import Sidecars
from policy_rag.index.ingest.unmatched_declarations import UnmatchedEntry, nearest, plain, restricted_above
from policy_rag.index.store.manifest import place_hash
from policy_rag.index.store.stored_documents import DocumentInfo, PreparedDocument
from policy_rag_parsers.document_metadata.declarations import SIDECAR_NAME
from policy_rag_parsers.loaders.discovery import FoundFile

_OF_A_KIND = "say there who may read it, or as front matter ([] opens it to all)"


class IndexedFiles:
    """What the index knows when files are read.

    Args:
        documents: all that it holds.
        text_of: the text of one of them.
        removed: places of files whose documents were taken out; see `manifest.place_hash`.
    """

    def __init__(
        self,
        documents: Sequence[DocumentInfo] = (),
        text_of: Callable[[DocumentInfo], str] = lambda _: "",
        removed: Collection[str] = (),
    ) -> None:
        self.documents, self.text_of = documents, text_of
        self._by_place = {d.place: d for d in documents if d.root}
        self._removed = removed

    def at(self, file: FoundFile) -> DocumentInfo | None:
        """The document that was read from a file."""
        return self._by_place.get(file.root.resolve() / file.relative)

    def before(self, file: FoundFile, doc_id: str) -> DocumentInfo | None:
        """The document whose place a file takes: that of the file, or of that id where its folder was moved."""
        namesake = (d for d in self.documents if d.doc_id == doc_id and d.root and d.is_gone())
        return self.at(file) or next(namesake, None)

    def knew(self, place: Path) -> bool:
        """Whether a file of that name was once read."""
        place = place.parent.resolve() / place.name
        return place in self._by_place or place_hash(place) in self._removed


def require_no_doubt(doubt: str) -> None:
    """Raises what is in the way of a file, where anything is.

    Raises:
        DeclarationError: saying so.
    """
    if doubt:
        raise DeclarationError(doubt)


class AccessDoubts:
    """Says of files why they are not taken in.

    Args:
        entries: of `policies.yaml` files, those that name no file.
        files: all that is being ingested.
        sidecars: reads what is said of them.
        held: what the index knows.
        reader: reads the files.
    """

    def __init__(
        self,
        entries: Sequence[UnmatchedEntry],
        files: Sequence[FoundFile],
        sidecars: Sidecars,
        held: IndexedFiles,
        reader: FileReader,
    ) -> None:
        self._sidecars, self._held, self._reader = sidecars, held, reader
        self._reasons: dict[Path, str] = {}
        self._by_text: dict[str, list[DocumentInfo]] = {}
        self._by_stem: dict[Path, list[DocumentInfo]] = {}
        self._looked_for_gone = False
        silent: dict[Path, bool] = {}
        for entry in entries:
            if entry.restricts:
                meant = [f for f in files if self._may_be(entry, f)]
                for file in meant:
                    if file.path not in silent:
                        silent[file.path] = self._says_nothing(file)
                self._suspect(entry, [f for f in meant if silent[f.path]])
        above = restricted_above(files, sidecars)
        for file in files:
            if file.path in above and self._says_nothing(file):
                entry = above[file.path]
                beside = file.path.parent.resolve() / SIDECAR_NAME
                way = f"ingest {entry.folder}, or name it in {beside} and {_OF_A_KIND}"
                reason = f"{entry.says()}, and only {file.root.resolve()} is ingested: {way}"
                self._reasons.setdefault(file.path, reason)

    def about(self, file: FoundFile) -> str:
        """Why a file is not taken in, before it is read; "" where nothing is in the way."""
        return self._reasons.get(file.path, "")

    def about_text(self, document: PreparedDocument, file: FoundFile) -> str:
        """The same once it is read: whether it is a restricted document under another name."""
        groups = set(document.declaration.access)
        was = next((d for d in self.restricted_originals(document) if d.withheld or set(d.access) != groups), None)
        if was is None:
            return ""
        before = self._held.at(file)
        if before is not None and self._held.text_of(before) == document.source.text:
            return ""  # it stood beside that one
        try:
            if self._reader.stated_access(file, self._sidecars.of(file)) is not None:
                return ""
        except PolicyRagError as error:
            return str(error)
        readers = "withheld from everybody" if was.withheld else f"open to {', '.join(was.access)} only"
        shared = "text" if was in self._by_text.get(document.source.text, ()) else "name"
        return (
            f"its {shared} is that of {was.file}, whose file is gone and which was {readers}: "
            f"name it in {file.path.parent / SIDECAR_NAME} and {_OF_A_KIND}"
        )

    def restricted_originals(self, document: PreparedDocument) -> Sequence[DocumentInfo]:
        """The restricted documents of the index whose file is gone and whose text this one has.

        Where its file is new, also those whose name it has in another format.
        """
        if not self._looked_for_gone:
            for gone in self._held.documents:
                if gone.root and (gone.access or gone.withheld) and gone.is_gone():
                    self._by_text.setdefault(self._held.text_of(gone), []).append(gone)
                    self._by_stem.setdefault(gone.place.with_suffix(""), []).append(gone)
            self._looked_for_gone = True
        place = Path(document.root) / document.file
        named_so = () if self._held.knew(place) else self._by_stem.get(place.with_suffix(""), ())
        found = {gone.doc_id: gone for gone in (*self._by_text.get(document.source.text, ()), *named_so)}
        return tuple(found.values())

    def _may_be(self, entry: UnmatchedEntry, file: FoundFile) -> bool:
        """Whether the entry may mean the file, as far as places tell."""
        if entry.alias is not None:
            return file.path == entry.alias
        below = file.path.is_relative_to(entry.folder)
        if self._held.knew(entry.place):
            # The file was there once, so it is none of those that were there with it.
            before = self._held.at(file)
            return before is None or bool(before.withheld) or self._is(entry, file)
        return below or plain(file.path.name) == plain(Path(entry.name).name)

    def _is(self, entry: UnmatchedEntry, file: FoundFile) -> bool:
        return file.path.is_relative_to(entry.folder) and plain(_from(entry, file)) == plain(entry.name)

    def _says_nothing(self, file: FoundFile) -> bool:
        """Whether nothing says who may read a file, and nothing names it. What cannot be read is told of elsewhere."""
        try:
            said = self._sidecars.of(file)
            return not said and self._reader.stated_access(file, said) is None
        except PolicyRagError:
            return False

    def _suspect(self, entry: UnmatchedEntry, files: Sequence[FoundFile]) -> None:
        surely = [f for f in files if entry.alias is not None or self._is(entry, f)]
        guess = nearest(entry.name, [_from(entry, f) for f in files])
        instead = f"did you mean {guess!r}? Name" if guess else "name"
        for file in surely or files:
            name = _from(entry, file)
            reason = (
                f"{entry.says()}, and no file is called so: write {name!r} there"
                if surely
                else f"{entry.says()}, there is no such file, and of this one nothing says who may read it: {instead} "
                f"the file there as it is called now, or remove the entry if it is gone"
            )
            self._reasons.setdefault(file.path, reason)


def _from(entry: UnmatchedEntry, file: FoundFile) -> str:
    """A file's path as the entry's `policies.yaml` would have it."""
    inside = file.path.is_relative_to(entry.folder)
    return file.path.relative_to(entry.folder).as_posix() if inside else str(file.path)


def notes_on(
    entries: Sequence[UnmatchedEntry], files: Sequence[FoundFile], sidecars: Sidecars, held: IndexedFiles
) -> list[str]:
    """A line for each entry that names no file."""
    notes = []
    for entry in entries:
        unnamed = [_from(entry, f) for f in files if f.path.is_relative_to(entry.folder) and not _named(f, sidecars)]
        guess = nearest(entry.name, unnamed)
        gone = " any more" if held.knew(entry.place) else ""
        way = f"did you mean {guess!r}?" if guess else "mend or remove the entry"
        notes.append(f"{entry.says()}, and there is no such file{gone}: {way}")
    return notes


def _named(file: FoundFile, sidecars: Sidecars) -> bool:
    try:
        return bool(sidecars.of(file))
    except PolicyRagError:
        return True
