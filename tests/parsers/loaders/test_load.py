"""`load`: files that cannot be read, and one policy in five formats."""

import io
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from reportlab.lib import colors
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, SimpleDocTemplate, Table

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.records import FileFormat, SourceText

Block = tuple[str, str] | tuple[str, list[list[str]]]
BODY = "Staff who travel on business follow this policy, keep their receipts and hand them in within a month of return."
POLICY: list[Block] = [
    ("1", "Travel Policy"),
    ("2", "1. Scope"),
    ("p", f"{BODY} {BODY}"),
    ("3", "1.1 Limits"),
    ("t", [["City", "Rate"], ["Paris", "200"], ["Rome", "150"]]),
    ("2", "2. Approval"),
    ("p", BODY),
]
LINES = [
    "Travel Policy", "1. Scope", f"{BODY} {BODY}", "1.1 Limits", "City | Rate", "Paris | 200", "Rome | 150",
    "2. Approval", BODY,
]  # fmt: skip


def as_html() -> bytes:
    parts: list[str] = []
    for kind, content in POLICY:
        if isinstance(content, list):
            rows = (("th", content[0]), *(("td", row) for row in content[1:]))
            cells = "".join("<tr>" + "".join(f"<{tag}>{cell}</{tag}>" for cell in row) + "</tr>" for tag, row in rows)
            parts.append(f"<table>{cells}</table>")
        else:
            tag = "p" if kind == "p" else f"h{kind}"
            parts.append(f"<{tag}>{content}</{tag}>")
    return "".join(parts).encode()


def as_docx() -> bytes:
    document = docx.Document()
    for kind, content in POLICY:
        if isinstance(content, list):
            table = document.add_table(len(content), len(content[0]))
            for at, row in enumerate(content):
                for place, text in enumerate(row):
                    table.cell(at, place).paragraphs[0].add_run(text).bold = at == 0
        elif kind == "p":
            document.add_paragraph(content)
        else:
            document.add_heading(content, int(kind))
    buffer = io.BytesIO()
    document.save(buffer)
    return buffer.getvalue()


def as_pdf() -> bytes:
    styles = {
        "1": ParagraphStyle("1", fontName="Helvetica-Bold", fontSize=18, leading=22, spaceAfter=8),
        "2": ParagraphStyle("2", fontName="Helvetica-Bold", fontSize=13, leading=16, spaceBefore=8),
        "3": ParagraphStyle("3", fontName="Helvetica-Bold", fontSize=11, leading=14, spaceBefore=6),
        "p": ParagraphStyle("p", fontSize=10, leading=12, spaceAfter=6),
    }
    story: list[Flowable] = []
    for kind, content in POLICY:
        if isinstance(content, list):
            ruled = [("GRID", (0, 0), (-1, -1), 0.5, colors.black), ("FONTNAME", (0, 0), (-1, 0), "Helvetica-Bold")]
            story.append(Table(content, style=ruled))
        else:
            story.append(Paragraph(content, styles[kind]))
    buffer = io.BytesIO()
    SimpleDocTemplate(buffer, invariant=1).build(story)
    return buffer.getvalue()


def marks(source: SourceText) -> list[tuple[int, str]]:
    return [(mark.level, source.text[mark.start : mark.end]) for mark in source.headings]


@pytest.mark.parametrize(("suffix", "build"), [(".html", as_html), (".docx", as_docx), (".pdf", as_pdf)])
def test_one_policy_reads_the_same_from_every_format(tmp_path: Path, suffix: str, build: Callable[[], bytes]) -> None:
    path = tmp_path / f"Règles de voyage{suffix.upper()}"
    path.write_bytes(build())
    source = load(path)
    assert [line for line in source.text.split("\n") if line] == LINES
    assert marks(source) == [(1, "Travel Policy"), (2, "1. Scope"), (3, "1.1 Limits"), (2, "2. Approval")]
    (table,) = source.tables
    assert source.text[table.start : table.end] == "City | Rate\nParis | 200\nRome | 150"
    assert source.text[table.start : table.header_end] == "City | Rate"


@pytest.mark.parametrize("suffix", [".md", ".txt"])
def test_text_files_keep_their_characters(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    text = "\n\n".join(LINES)
    path.write_bytes(f"---\r\ntitle: Travel\r\n---\r\n{text}\r\n".encode())
    source = load(path)
    assert source.text == f"---\ntitle: Travel\n---\n{text}\n"
    assert source.body_start == len("---\ntitle: Travel\n---\n")
    assert source.format is SUFFIXES[suffix]
    assert (source.headings, source.tables, source.pages, source.title) == ((), (), (), None)


@pytest.mark.parametrize("suffix", sorted(SUFFIXES))
def test_empty_files_and_folders_with_the_name_of_a_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    path.write_bytes(b"")
    with pytest.raises(LoadError, match=r"a\.\w+: is empty"):
        load(path)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with pytest.raises(LoadError, match="is a folder, not a file"):
        load(folder)
    with pytest.raises(LoadError, match=r"cannot be read \(No such file"):
        load(tmp_path / f"none{suffix}")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.md", b" \n\t\n", "holds no text"),
        ("a.md", b"---\ntitle: A\n---\n\n", "holds no text"),
        ("a.txt", b"a\x00b", "NUL bytes"),
        ("a.html", b"<html><body><script>x</script></body></html>", "holds no text"),
        ("a.pdf", b"<html>", "is not a PDF file"),
        ("a.docx", b"%PDF-", "is not a Word document"),
        ("a.xlsx", b"x", "files of type .xlsx are not read; use one of .md"),
    ],
)
def test_one_line_names_the_file_and_what_to_do(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(LoadError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert ";" in str(caught.value)


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.md"
    path.write_text("x")

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("os.open", refuse)
    with pytest.raises(LoadError, match=r"a\.md: no permission to read it; try: chmod"):
        load(path)


def test_large_text_file(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    path.write_bytes(b"1. Scope\r\nAll staff.\r\n" * 100_000)
    source = load(path)
    assert len(source.text) == 20 * 100_000
    assert source.format is FileFormat.TEXT
