"""Parts of a Word document beside its body: page headers and footers, notes, and whole files that it embeds."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from lxml import etree

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx.paragraph_text import NoteKey, TextReader, paragraphs
from policy_rag_parsers.loaders.docx.tracked_changes import accept_deleted_marks
from policy_rag_parsers.loaders.docx.xml import RELATION, R, W, child, flag, part_root
from policy_rag_parsers.loaders.html.document import load_html
from policy_rag_parsers.loaders.text import load_text
from policy_rag_parsers.loaders.text_builder import one_line
from policy_rag_parsers.records import FileFormat, SourceText

if TYPE_CHECKING:
    from docx.document import Document

_APART: Final = re.compile(r"[\t\n]+|[ \xa0]{2,}")
_HTML: Final = frozenset({"text/html", "application/xhtml+xml"})


def margin_lines(document: "Document", reader: TextReader) -> tuple[str, ...]:
    """What is printed above and below the pages, in order, each line once; tabs and wide gaps part lines."""
    found: dict[str, None] = {}
    for identity in _shown(document):
        part = document.part.related_parts.get(identity)
        if part is None:
            continue
        root = part_root(part)
        accept_deleted_marks(root)
        for paragraph in paragraphs(root):
            pieces = map(one_line, _APART.split(reader.read(paragraph).text))
            found.update(dict.fromkeys(filter(None, pieces)))
    return tuple(found)


def _shown(document: "Document") -> Iterator[str]:
    """The relations of the headers and footers that are printed: those of first and even pages only where asked for."""
    even = flag(child(document.settings.element, "evenAndOddHeaders"))
    for section in document.element.iter(W + "sectPr"):
        printed = {"default", "first"} if flag(child(section, "titlePg")) else {"default"}
        for reference in section.iterchildren(W + "headerReference", W + "footerReference"):
            if reference.get(W + "type", "default") in (printed | {"even"} if even else printed):
                yield reference.get(RELATION, "")


def note_elements(document: "Document") -> dict[NoteKey, etree._Element]:
    """The footnotes and endnotes by kind and id, without those that draw the line above them."""
    found: dict[NoteKey, etree._Element] = {}
    for relation in document.part.rels.values():
        kind = relation.reltype.removeprefix(R).removesuffix("s")
        if relation.is_external or kind not in {"footnote", "endnote"}:
            continue
        root = part_root(relation.target_part)
        accept_deleted_marks(root)
        for note in root.iter(W + kind):
            if note.get(W + "type") in {None, "normal"}:
                found[kind, note.get(W + "id", "")] = note
    return found


def diagram_texts(document: "Document", identity: str) -> list[str]:
    """The texts in the boxes of a SmartArt diagram, in the order of its outline."""
    part = document.part.related_parts.get(identity)
    if part is None:
        return []
    points = part_root(part).iter("{*}pt")
    texts = ("\n".join("".join(map(str, line.itertext())) for line in point.iter("{*}p")) for point in points)
    return [text for text in map(one_line, texts) if text]


def embedded_file(document: "Document", chunk: etree._Element) -> SourceText:
    """The file that an `altChunk` stands for, as programs write that make reports out of HTML.

    Raises:
        LoadError: it is of a type that is not read, holds nothing that can be read, or lies elsewhere.
    """
    part = document.part.related_parts.get(chunk.get(RELATION, ""))
    if part is None:
        raise LoadError("is not in the document")
    kind = part.content_type.partition(";")[0].strip().lower()
    if kind in _HTML:
        return load_html(part.blob)
    if kind == "text/plain":
        return load_text(part.blob, FileFormat.TEXT)
    raise LoadError(f"is of the type {kind}")
