"""No quotation starts or ends inside a sentence, on Markdown that nobody here wrote; CommonMark's own parser tells."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from policy_rag.answering.extraction.quotable_units import units
from policy_rag.records.search import Hit
from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.loaders import load
from policy_rag_parsers.records import SourceText
from policy_rag_parsers.structure.sections import parse_document

HANDBOOK = Path(__file__).parents[5] / "shared" / "benchmarks" / "handbook" / "documents"
pytestmark = [
    pytest.mark.benchmark_data,
    pytest.mark.skipif(not HANDBOOK.is_dir(), reason=f"{HANDBOOK} is absent"),
]

_CLOSED = re.compile(r"[.!?…:;][\"'”’»)\]*_`|}%>]*$")
_MARKS = re.compile(r"^[\s>*_#+\-•|`\"“(\[]*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,5})[.)])?[\s*_]*$")
# A hard line break, a row, a template tag, an admonition's mark and a bold line end what stands before them.
_BREAK = re.compile(r"(?:  |\\|\||%\}|\[!\w+\]|\*\*|<br ?/?>)[\s>*]*$")
_GOES_ON = re.compile(r"[\s\"“(*_]*[a-z]")
_ITEM = re.compile(r"\s*\n\s*(?:\(?[a-z]{1,4}[.)]|[-*+])\s")
_OVER = re.compile(r"(?:  +|\\|<br ?/?>)\n|\s*(?:\{% end|<br)")


def paragraphs(source: SourceText) -> Iterator[tuple[int, int]]:
    """What CommonMark takes for the text of one paragraph, heading or item, without tables."""
    text = re.sub(r"[^\n]", " ", source.text[: source.body_start]) + source.text[source.body_start :]
    lines = [0, *(found.end() for found in re.finditer("\n", text)), len(text)]
    for token in MarkdownIt("commonmark").enable("table").parse(text):
        if token.type == "inline" and token.map and not text.startswith("|", lines[token.map[0]]):
            yield lines[token.map[0]], lines[min(token.map[1], len(lines) - 1)]


def quotable(source: SourceText, name: str) -> Iterator[tuple[int, int, int, int]]:
    """What may be quoted, each with the section that it stands in: whether that ends rightly is measured elsewhere."""
    sections = parse_document(source, otherwise=name).sections
    blocks = find_blocks(source, sections)
    for one in sections:
        hit = Hit(
            rank=1, score=1.0, doc_id=name, version=None, file=name, section_id=one.section_id, number=one.number,
            title=one.title, path=one.path, start=one.start, end=one.end, chunk_start=one.start, chunk_end=one.end,
            page=None, text=source.text[one.start : one.end], found_by={},
            blocks=tuple(block for block in blocks if block.start < one.end and one.start < block.end),
        )  # fmt: skip
        yield from {(*span, one.start, one.end) for unit in units(hit) for span in unit.quoted}


def starts_inside(before: str) -> bool:
    plain = before.rstrip(" \xa0\n>")
    return not (not plain or _MARKS.match(before) or _CLOSED.search(plain) or _BREAK.search(before))


def ends_inside(quoted: str, behind: str) -> bool:
    if not behind.strip(" \n*_|\\>") or _OVER.match(behind) or quoted.endswith("<br>"):
        return False
    return not _CLOSED.search(quoted) or (_GOES_ON.match(behind) is not None and not _ITEM.match(behind))


def test_no_quotation_starts_or_ends_inside_a_sentence() -> None:
    torn: list[tuple[str, str]] = []
    count = 0
    for path in sorted(HANDBOOK.rglob("*.md")):
        source = load(path)
        inside = list(paragraphs(source))
        for start, end, begin, stop in quotable(source, path.name):
            count += 1
            for first, last in inside:
                if first <= start < last and starts_inside(source.text[max(first, begin) : start]):
                    torn.append((path.name, source.text[start : start + 60]))
                if first <= end - 1 < last and ends_inside(source.text[start:end], source.text[end : min(last, stop)]):
                    torn.append((path.name, source.text[max(start, end - 60) : end + 40]))
    assert count > 10_000
    assert torn == []
