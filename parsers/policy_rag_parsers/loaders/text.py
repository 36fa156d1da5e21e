"""Markdown and plain text: the file decoded, its front matter passed over.

Of Markdown what is struck out is left out and tables in HTML are read as rows; in plain text pages are joined.
"""

from policy_rag_parsers.loaders.encoding import decode
from policy_rag_parsers.loaders.front_matter import find_front_matter
from policy_rag_parsers.loaders.html_in_markdown import with_rows
from policy_rag_parsers.loaders.struck_markdown import without_struck
from policy_rag_parsers.loaders.text_pages import BREAK, join_pages
from policy_rag_parsers.records import FileFormat, SourceText


def load_text(data: bytes, file_format: FileFormat) -> SourceText:
    """Decode a Markdown or text file.

    Front matter that is begun and not closed is left in the body here; `declarations.declared` reports it.

    Raises:
        LoadError: the bytes are no text.
    """
    text = decode(data)
    matter = find_front_matter(text)
    start = matter.body_start if matter else 0
    if file_format is FileFormat.TEXT and BREAK in text[start:].strip(BREAK + "\n "):
        joined, pages, margins = join_pages(text, start)
        return SourceText(text=joined, format=file_format, body_start=start, pages=pages, margins=margins)
    if file_format is FileFormat.MARKDOWN:
        text, tables = with_rows(without_struck(text, start), start)
        return SourceText(text=text, format=file_format, body_start=start, tables=tables)
    return SourceText(text=text, format=file_format, body_start=start)
