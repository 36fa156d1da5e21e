"""Whole files within a Word document (`altChunk`), as programs write that make reports out of HTML."""

from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.xml import RELATION
from policy_rag_parsers.records import FileFormat, SourceText

if TYPE_CHECKING:
    from docx.document import Document

_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


def read_chunk(document: "Document", chunk: etree._Element) -> SourceText:
    """The file that a chunk stands for.

    Raises:
        LoadError: it is of a type that is not read, holds nothing that can be read, or lies elsewhere.
    """
    part = document.part.related_parts.get(chunk.get(RELATION, ""))
    if part is None:
        raise LoadError("is not in the document")
    kind = part.content_type.partition(";")[0].strip().lower()
    if kind in _HTML:
        from policy_rag_parsers.loaders.html.document import load_html

        return load_html(part.blob)
    if kind == "text/plain":
        from policy_rag_parsers.loaders.text import load_text

        return load_text(part.blob, FileFormat.TEXT)
    raise LoadError(f"is of the type {kind}")


__all__ = ["read_chunk"]
