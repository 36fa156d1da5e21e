"""Page headers and footers of a Word document: no part of the text, though version and day often stand there."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from policy_rag_parsers.loaders.docx.text import TextReader, paragraphs
from policy_rag_parsers.loaders.docx.tracked_changes import accept_deleted_marks
from policy_rag_parsers.loaders.docx.xml import RELATION, W, child, flag, part_root
from policy_rag_parsers.loaders.text_builder import one_line

if TYPE_CHECKING:
    from docx.document import Document

_APART: Final = re.compile(r"[\t\n]+|[ \xa0]{2,}")


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


__all__ = ["margin_lines"]
