"""Opening a Word document: what the file is, and in which of the two dialects it is written."""

import io
import re
import zipfile
from typing import TYPE_CHECKING, Final

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.xml import refuse_document_type
from policy_rag_parsers.loaders.size_limits import (
    MOST_ELEMENTS,
    MOST_PART_BYTES,
    MOST_UNPACKED_BYTES,
    require_at_most,
)

if TYPE_CHECKING:
    from docx.document import Document

_OLD_FORMAT: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# ISO 29500 names the same elements in two ways; "Strict Open XML Document" is the rarer one of Word's two.
_STRICT: Final = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME: Final = re.compile(rb"http://purl\.oclc\.org/ooxml/(\w+)/")
_USUAL_NAME: Final = rb"http://schemas.openxmlformats.org/\1/2006/"


def open_document(data: bytes) -> "Document":
    """Open a Word document, one saved as "Strict Open XML" too.

    Raises:
        LoadError: it is encrypted, in Word's old format, declares a document type, or is too large unpacked.
        zipfile.BadZipFile, lxml.etree.LxmlError, LookupError, ValueError, OSError: it is no Word document.
    """
    if data.startswith(_OLD_FORMAT):
        raise LoadError("is encrypted or in Word's old format; open it in Word and save it as .docx without a password")
    import docx

    _require_small(data)
    document = docx.Document(io.BytesIO(_usual_dialect(data)))
    require_at_most(sum(1 for _ in document.element.iter("*")), MOST_ELEMENTS, "elements")
    refuse_document_type(document.element)
    refuse_document_type(document.styles.element)
    return document


def _require_small(data: bytes) -> None:
    """Refuse what is too large unpacked; the sizes that the archive states are the most that is read of its parts."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = archive.infolist()
    for part in parts:
        if part.filename.lower().endswith((".xml", ".rels")):
            require_at_most(part.file_size, MOST_PART_BYTES, f"bytes in {part.filename!r} unpacked")
    require_at_most(sum(part.file_size for part in parts), MOST_UNPACKED_BYTES, "bytes unpacked")


def _usual_dialect(data: bytes) -> bytes:
    """The file with the usual names for its elements, where it has the strict ones."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if _STRICT not in archive.read("_rels/.rels"):
            return data
        translated = io.BytesIO()
        with zipfile.ZipFile(translated, "w") as written:
            for name in archive.namelist():
                part = archive.read(name)
                is_text = name.endswith((".xml", ".rels"))
                written.writestr(name, _STRICT_NAME.sub(_USUAL_NAME, part) if is_text else part)
    return translated.getvalue()
