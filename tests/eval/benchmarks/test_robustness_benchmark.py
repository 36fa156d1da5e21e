"""The benchmark of robustness tells a refusal from a crash, a hang and a gap."""

from dataclasses import replace

import pytest

from benchmarks import robustness
from benchmarks.robustness import attempt, files_of, gap_of, main
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_sections


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "good.md").write_text("# 1 Tea\n\nTea is free.\n\n# 2 Milk\n\nMilk is not.\n", encoding="utf-8")
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    (tmp_path / "notes.bin").write_bytes(b"\0")
    (tmp_path / "linked.md").symlink_to(tmp_path / "good.md")
    return tmp_path


def test_files_are_read_or_refused_and_that_is_no_failure(folder, capsys):
    assert main([str(folder), str(folder)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("2 files (1 .pdf, 1 .md): 1 read, 1 refused, 0 crashes, 0 slow, 0 gaps\n")
    assert [path.name for path in files_of([folder])] == ["broken.pdf", "good.md"]


def endless(*_):
    while True:
        pass


@pytest.mark.parametrize(
    ("broken", "kind", "said"),
    [(lambda *_: 1 / 0, "crash", "ZeroDivisionError: division by zero"), (endless, "slow", "more than 1 s")],
)
def test_a_crash_and_a_hang_are_told_with_their_file(folder, monkeypatch, capsys, broken, kind, said):
    monkeypatch.setattr(robustness, "find_blocks", broken)
    assert main([str(folder), "--seconds", "1"]) == 1
    assert f"{kind}: {folder / 'good.md'}: {said}\n" in capsys.readouterr().out
    monkeypatch.undo()
    assert attempt(folder / "good.md", 1).kind == "read", "the clock of the file before is off"


def test_text_of_no_section_or_of_two_is_a_gap():
    source = SourceText("# 1 Tea\n\nFree.\n\n# 2 Milk\n\nDear.\n", FileFormat.MARKDOWN)
    first, second = parse_sections(source, title="")
    assert gap_of(source, (first, second)) == ""
    assert gap_of(source, (second,)) == f"0:{second.start} belongs to no section"
    assert gap_of(source, (first,)) == f"{first.end}:{len(source.text)} belongs to no section"
    assert gap_of(source, (replace(first, end=second.end), second)) == f"sections overlap at {second.start}"
