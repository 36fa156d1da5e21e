"""Files to text: one loader a format, chosen by the file's suffix.

What every loader promises: the text that a reader of the file sees, in reading order, with headings, tables and pages
marked at exact offsets; nothing from the network, nothing written, no output; `LoadError` for anything that is wrong
with the file.
"""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.regular_files import read_regular
from policy_rag_parsers.records import FileFormat, SourceText

SUFFIXES: Final[Mapping[str, FileFormat]] = MappingProxyType(
    {
        ".md": FileFormat.MARKDOWN,
        ".markdown": FileFormat.MARKDOWN,
        ".txt": FileFormat.TEXT,
        ".text": FileFormat.TEXT,
        ".html": FileFormat.HTML,
        ".htm": FileFormat.HTML,
        ".docx": FileFormat.DOCX,
        ".pdf": FileFormat.PDF,
    }
)


def format_of(name: str) -> FileFormat | None:
    """The format that a file's name says it has; None where none is read that is called so.

    >>> format_of("hr/Leave.MD").value
    'markdown'
    """
    return SUFFIXES.get(Path(name).suffix.lower())


def load(path: Path, *, most: int | None = None) -> SourceText:
    """Read a file as the format that its suffix (in any case) names.

    Args:
        path: the file.
        most: bytes that it may have; any number without it.

    Returns:
        Its text with marks; `text` is never blank.

    Raises:
        LoadError: the file cannot be read, is empty, is not what its suffix says, or holds no text. One line, with
            the file's name first.
    """
    file_format = format_of(path.name)
    if file_format is None:
        raise LoadError(
            f"{path}: files of type {path.suffix or '(none)'} are not read; use one of {', '.join(SUFFIXES)}"
        )
    try:
        source = _load(_read(path, most), file_format)
    except LoadError as error:
        raise LoadError(f"{path}: {error}") from error.__cause__
    if not source.text[source.body_start :].strip():
        raise LoadError(f"{path}: holds no text; put text in it, or take it out")
    return source


def _read(path: Path, most: int | None) -> bytes:
    if path.is_dir():
        raise LoadError("is a folder, not a file; rename it, or name the files in it")
    data = read_regular(path, most=most)
    if not data:
        raise LoadError("is empty (0 bytes); put text in it, or take it out")
    return data


def _load(data: bytes, file_format: FileFormat) -> SourceText:
    # Each loader is imported when it is needed: a folder of Markdown pays for no PDF library.
    match file_format:
        case FileFormat.MARKDOWN | FileFormat.TEXT:
            from policy_rag_parsers.loaders.text import load_text

            return load_text(data, file_format)
        case FileFormat.HTML:
            from policy_rag_parsers.loaders.html.document import load_html

            return load_html(data)
        case FileFormat.DOCX:
            from policy_rag_parsers.loaders.docx.document import load_docx

            return load_docx(data)
        case FileFormat.PDF:
            from policy_rag_parsers.loaders.pdf.document import load_pdf

            return load_pdf(data)
