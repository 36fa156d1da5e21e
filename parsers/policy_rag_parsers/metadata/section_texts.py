"""What the extractors read: documents as titled texts of sections, wherever they come from."""

from collections.abc import Sequence
from dataclasses import dataclass

from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.structure.sections import document_title


@dataclass(frozen=True, slots=True)
class SectionText:
    """A section by itself. Every range in its metadata counts characters of `text`.

    Attributes:
        section_id: unique in its document.
        text: the heading and the body, as in the document.
        title: the heading without number and markup; may be empty.
        body: where in `text` the heading ends and the body begins.
        path: titles from the document's down to this section's own.
    """

    section_id: str
    text: str
    title: str = ""
    body: int = 0
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SectionedDocument:
    """A document to extract from; `language` is a name like "english" or "german"."""

    doc_id: str
    title: str
    sections: tuple[SectionText, ...]
    language: str = "english"


def sectioned_document(
    source: SourceText,
    sections: Sequence[Section],
    *,
    doc_id: str,
    title: str | None = None,
    language: str = "english",
) -> SectionedDocument:
    """A parsed document as the extractors read it.

    Without a title it has that of its own heading or property.
    """
    return SectionedDocument(
        doc_id=doc_id,
        title=title or document_title(source) or "",
        sections=tuple(
            SectionText(
                section_id=section.section_id,
                text=source.text[section.start : section.end],
                title=section.title,
                body=section.body - section.start,
                path=section.path,
            )
            for section in sections
        ),
        language=language,
    )
