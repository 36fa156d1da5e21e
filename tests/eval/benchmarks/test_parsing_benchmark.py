"""The speed benchmark counts what it parses and reports it; how fast is nobody's test."""

from pathlib import Path

import pytest
from reportlab.pdfgen.canvas import Canvas

from benchmarks import parsing
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_sections


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parsing, "_MEGABYTE", 10_000)


def test_the_made_up_policy_has_a_section_for_each_of_its_numbers() -> None:
    text = parsing.made_up_policy(20_000)
    assert len(text) >= 20_000
    sections = parse_sections(SourceText(text, FileFormat.TEXT), title="")
    chapters = [one for one in sections if one.level == 1]
    assert len(sections) == 10 * len(chapters)
    assert chapters[-1].number == str(len(chapters))


def test_a_folder_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("1. Scope\n\nAll of us.\n\n2. End\n\nNow.\n", encoding="utf-8")
    (tmp_path / "b.md").write_text("# P\n\n## Scope\n\nAll.\n\n## End\n", encoding="utf-8")
    assert parsing.main([str(tmp_path)]) == 0
    assert capsys.readouterr().out.startswith("2 documents, 0.01 MB, 5 sections: ")


def test_pdf_files_of_a_folder_are_measured_by_their_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("1. Scope\n\nAll of us.\n", encoding="utf-8")
    canvas = Canvas(str(tmp_path / "b.pdf"))
    canvas.drawString(40, 700, "All of us.")
    canvas.save()
    size = (tmp_path / "b.pdf").stat().st_size
    assert parsing.main([str(tmp_path)]) == 0
    second = capsys.readouterr().out.splitlines()[1]
    assert second.startswith(f"1 PDF files, {size / 10_000:.2f} MB: ")
    assert float(second.removesuffix(" MB/s").rsplit(maxsplit=1)[-1]) > 0


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert parsing.main([str(tmp_path)]) == 2
    assert "holds no .txt or .md file" in capsys.readouterr().err
    assert parsing.main(["a", "b"]) == 2
