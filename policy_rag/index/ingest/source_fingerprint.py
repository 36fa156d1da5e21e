"""What shapes a document before it is indexed, as one hash: a file whose hash is known need not be read again."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from unicodedata import normalize

from policy_rag.errors import PolicyRagError
from policy_rag.index.store.manifest import Manifest
from policy_rag_parsers.document_metadata.declarations import Sidecar, read_sidecar
from policy_rag_parsers.document_metadata.yaml_fields import Field
from policy_rag_parsers.loaders.discovery import FoundFile

_READERS = ("pypdfium2", "python-docx", "beautifulsoup4", "lxml", "charset-normalizer", "PyYAML", "PyStemmer")


class Sidecars:
    """The `policies.yaml` files of one ingest, each read once."""

    def __init__(self) -> None:
        self._read: dict[Path, Sidecar | PolicyRagError] = {}

    def read(self, folder: Path) -> Sidecar:
        """The entries of a folder's file.

        Raises:
            DeclarationError: it cannot be read or understood; again each time that it is asked for.
        """
        if folder not in self._read:
            try:
                self._read[folder] = read_sidecar(folder)
            except PolicyRagError as error:
                self._read[folder] = error
        found = self._read[folder]
        if isinstance(found, PolicyRagError):
            raise found
        return found

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
    file: FoundFile, sidecar: Mapping[str, Mapping[str, Field]], manifest: Manifest, access: tuple[str, ...]
) -> str:
    """SHA-256 of a file's bytes, its place, what is said of it beside it, the settings, and the code that reads it.

    Raises:
        OSError: the file cannot be read.
    """
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
    digest.update(file.path.read_bytes())
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
        index / "ingest" / "prepare.py",
        index / "search" / "tokens.py",
        index / "store" / "embedded_text.py",
    ):
        digest.update(path.read_bytes())
    for name in _READERS:
        try:
            digest.update(f"{name} {version(name)}".encode())
        except PackageNotFoundError:
            digest.update(name.encode())
    return digest.hexdigest()
