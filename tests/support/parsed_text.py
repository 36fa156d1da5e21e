"""Texts that tests write out, with their sections."""

from functools import lru_cache

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.structure.sections import parse_sections


@lru_cache(maxsize=32)
def parsed(text: str, *, title: str = "Doc") -> tuple[SourceText, tuple[Section, ...]]:
    """A text and its sections; one that begins with "#" is Markdown, any other plain text."""
    source = SourceText(text, FileFormat.MARKDOWN if text.startswith("#") else FileFormat.TEXT)
    return source, parse_sections(source, title=title)
