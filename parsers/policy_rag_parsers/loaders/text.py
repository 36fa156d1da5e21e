"""Markdown and plain text: the file decoded, its front matter passed over, nothing else done."""

from policy_rag_parsers.encoding import decode
from policy_rag_parsers.front_matter import find_front_matter
from policy_rag_parsers.records import FileFormat, SourceText


def load_text(data: bytes, file_format: FileFormat) -> SourceText:
    """Decode a Markdown or text file.

    Front matter that is begun and not closed is left in the body here; `declarations.declared` reports it.

    Raises:
        LoadError: the bytes are no text.
    """
    text = decode(data)
    matter = find_front_matter(text)
    return SourceText(text=text, format=file_format, body_start=matter.body_start if matter else 0)


__all__ = ["load_text"]
