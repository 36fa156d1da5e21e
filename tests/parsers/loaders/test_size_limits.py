"""Small files that grow: what is exceeded is named, and what just does not exceed it is read."""

import io
import zipfile

import pytest
from word_files import para, put, saved, table

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders.docx import document as docx
from policy_rag_parsers.loaders.docx import package
from policy_rag_parsers.loaders.docx.document import load_docx
from policy_rag_parsers.loaders.html import document as html
from policy_rag_parsers.loaders.html import table as html_table
from policy_rag_parsers.loaders.html.document import load_html


def with_part(name: str, size: int) -> bytes:
    """A Word document with one more part, of blanks."""
    made = io.BytesIO(saved(lambda document: put(document, para("Leave"))))
    with zipfile.ZipFile(made, "a", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr(name, b" " * size)
    return made.getvalue()


def unpacked(data: bytes) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return sum(part.file_size for part in archive.infolist())


def test_a_part_that_is_too_large_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    assert package.MOST_PART_BYTES == 64 << 20
    monkeypatch.setattr(package, "MOST_PART_BYTES", 1_000_000)
    assert load_docx(with_part("word/more.xml", 1_000_000)).text == "Leave\n"
    assert load_docx(with_part("word/media/film.mp4", 1_000_001)).text == "Leave\n"
    for name in ("word/more.xml", "word/MORE.XML", "word/_rels/more.rels"):
        with pytest.raises(LoadError, match=rf"holds 1,000,001 bytes in '{name}' unpacked, and at most 1,000,000 "):
            load_docx(with_part(name, 1_000_001))


def test_a_document_that_is_too_large_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    data = with_part("word/media/film.mp4", 1_000_000)
    monkeypatch.setattr(package, "MOST_UNPACKED_BYTES", unpacked(data))
    assert load_docx(data).text == "Leave\n"
    with pytest.raises(LoadError, match=r"bytes unpacked, and at most .* split it, or take it out"):
        load_docx(with_part("word/media/film.mp4", 1_000_001))


def test_too_many_elements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html, "MOST_ELEMENTS", 12)  # html and body count
    assert load_html(b"<html><body>" + b"<b>a</b>" * 10).text == "a" * 10 + "\n"
    with pytest.raises(LoadError, match="holds 13 elements, and at most 12 are read"):
        load_html(b"<html><body>" + b"<b>a</b>" * 11)
    monkeypatch.setattr(package, "MOST_ELEMENTS", 50)
    with pytest.raises(LoadError, match="elements, and at most 50 are read"):
        load_docx(saved(lambda document: put(document, *[para("Leave")] * 20)))


WIDE = "<tr>" + "<td colspan=100>a</td>" * 100 + "</tr>"


def word_table(rows: int) -> bytes:
    cell = f'<w:tc><w:tcPr><w:gridSpan w:val="100"/></w:tcPr>{para("a")}</w:tc>'
    whole = table().replace("<w:tblGrid/>", "<w:tblGrid/>" + f"<w:tr>{cell * 100}</w:tr>" * rows)
    return saved(lambda document: put(document, whole))


def test_a_table_of_too_many_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(html_table, "MOST_CELLS", 30_000)
    monkeypatch.setattr(docx, "MOST_CELLS", 30_000)
    load_html(f"<html><body><table>{WIDE * 3}</table>".encode())
    load_docx(word_table(3))
    with pytest.raises(LoadError, match="holds 40,000 cells in one table, and at most 30,000 are read"):
        load_html(f"<html><body><table>{WIDE * 4}</table>".encode())
    with pytest.raises(LoadError, match="holds 40,000 cells in one table, and at most 30,000 are read"):
        load_docx(word_table(4))


def test_one_wide_row_counts_in_each_row() -> None:
    with pytest.raises(LoadError, match="cells in one table, and at most 1,000,000"):
        load_html(f"<html><body><table>{WIDE}{'<tr><td>a</td></tr>' * 100}</table>".encode())
