"""What shapes a document before it is indexed, as one hash: a file whose hash is known need not be read again."""

import errno
import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from unicodedata import normalize

from policy_rag.errors import PolicyRagError
from policy_rag.index.store.manifest import Manifest
from policy_rag.settings.groups import ParsingSettings
from policy_rag_parsers.document_metadata.declarations import Sidecar, read_sidecar
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders.discovery import FoundFile

_SHARE = 1 << 20  # bytes
_READERS = ("pypdfium2", "python-docx", "beautifulsoup4", "lxml", "charset-normalizer", "PyYAML", "PyStemmer")


class Sidecars:
    """The `policies.yaml` files of one ingest, each read once.

    Args:
        roots: out of which no link may lead; None where links are followed.
    """

    def __init__(self, roots: Sequence[Path] | None = None) -> None:
        self._roots = roots
        self._read: dict[Path, Sidecar | PolicyRagError] = {}

    def read(self, folder: Path) -> Sidecar:
        """The entries of a folder's file.

        Raises:
            DeclarationError: it cannot be read or understood; again each time that it is asked for.
        """
        if folder not in self._read:
            try:
                self._read[folder] = read_sidecar(folder, self._root_of(folder))
            except PolicyRagError as error:
                self._read[folder] = error
        found = self._read[folder]
        if isinstance(found, PolicyRagError):
            raise found
        return found

    def _root_of(self, folder: Path) -> Path | None:
        if self._roots is None:
            return None
        return next((root for root in self._roots if root.is_dir() and folder.is_relative_to(root)), folder)

    def of(self, file: FoundFile) -> Mapping[str, Mapping[str, Field]]:
        """What is said of a file beside it, and in each folder above it up to the one that is ingested, by its name.

        The nearer folder wins, key by key. A folder above must name the file by its path from there, since its bare
        names mean its own files.
        """
        said: dict[str, Field] = {}
        for folder in reversed((file.path.parent, *folders_above(file))):
            below = normalize("NFC", file.path.relative_to(folder).as_posix())
            said.update(self.read(folder).get(below, {}))
        return {normalize("NFC", file.path.name): said} if said else {}


def folders_above(file: FoundFile) -> tuple[Path, ...]:
    """The folders above a file's own, up to the one that is ingested, nearest first."""
    return tuple(file.path.parents[1 : len(Path(file.relative).parents)])


def source_hash(
    file: FoundFile,
    sidecar: Mapping[str, Mapping[str, Field]],
    manifest: Manifest,
    parsing: ParsingSettings,
) -> str:
    """SHA-256 of a file's bytes, its place, what is said of it beside it, the settings, and the code that reads it.

    Raises:
        OSError: the file cannot be read, or is larger than may be read.
    """
    with file.path.open("rb") as opened:
        if os.fstat(opened.fileno()).st_size > parsing.most_bytes:
            raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return source_hash_of(iter(lambda: opened.read(_SHARE), b""), file, sidecar, manifest, parsing.access)


def source_hash_of(
    shares: Iterable[bytes],
    file: FoundFile,
    sidecar: Mapping[str, Mapping[str, Field]],
    manifest: Manifest,
    access: tuple[str, ...],
) -> str:
    """The same, of bytes that were read already."""
    entry = sidecar.get(normalize("NFC", file.path.name), {})
    said = {
        "place": [str(file.root.resolve()), file.relative],
        "sidecar": [[key, repr(field.value), field.text, field.nested] for key, field in entry.items()],
        "manifest": asdict(manifest),
        "profile": _contents(manifest.profile),
        "access": access,
        "readers": _readers(),
    }
    digest = hashlib.sha256(json.dumps(said, sort_keys=True).encode())
    for share in shares:
        digest.update(share)
    return digest.hexdigest()


def _contents(profile: str | None) -> str:
    path = Path(profile) if profile else None
    return hashlib.sha256(path.read_bytes()).hexdigest() if path is not None and path.is_file() else ""


@cache
def _readers() -> str:
    """SHA-256 of the code between a file and its passages, with the versions of the libraries that read files."""
    import policy_rag_parsers

    digest = hashlib.sha256()
    index = Path(__file__).parents[1]
    code = sorted(Path(policy_rag_parsers.__file__).parent.rglob("*.py"))
    for path in (
        *code,
        index / "ingest" / "document_preparation.py",
        index / "search" / "terms.py",
        index / "store" / "embedded_text.py",
    ):
        digest.update(path.read_bytes())
    for name in _READERS:
        try:
            digest.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            digest.update(name.encode())
    return digest.hexdigest()
