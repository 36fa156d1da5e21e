"""Footnotes and endnotes of a Word document, which stand in parts of their own."""

from typing import TYPE_CHECKING

from lxml import etree

from policy_rag_parsers.loaders.docx.text import NoteKey
from policy_rag_parsers.loaders.docx.tracked_changes import accept_deleted_marks
from policy_rag_parsers.loaders.docx.xml import R, W, part_root

if TYPE_CHECKING:
    from docx.document import Document


def note_elements(document: "Document") -> dict[NoteKey, etree._Element]:
    """The notes by kind and id, without those that draw the line above them."""
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


__all__ = ["note_elements"]
