"""`load`: files that cannot be read, and one policy in several formats."""

from pathlib import Path

import pytest
from policy_forms import Node, Policy, write
from shown_source import shown

from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import SUFFIXES, load
from policy_rag_parsers.records import FileFormat

BODY = "Staff who travel on business follow this policy, keep their receipts and hand them in within a month of return."
POLICY = Policy(
    "Travel Policy",
    (),
    (
        Node("1", "Scope", 1, (f"{BODY} {BODY}",)),
        Node("1.1", "Limits", 2, ((("City", "Rate"), ("Paris", "200"), ("Rome", "150")),)),
        Node("2", "Approval", 1, (BODY,)),
    ),
)


@pytest.mark.parametrize("form", ["html", "docx", "pdf"])
def test_one_policy_reads_the_same_from_every_format(tmp_path: Path, form: str) -> None:
    path = write(POLICY, form, tmp_path)
    found = shown(load(path.rename(tmp_path / f"Règles de voyage{path.suffix.upper()}")))
    # A Word file has no title in its properties; a line at the head of a single page repeats nowhere.
    assert [line for line in found if line not in {"= Travel Policy", "Internal use only"}] == [
        "# Travel Policy", "## 1. Scope", f"{BODY} {BODY}", "### 1.1 Limits", "|| City | Rate", "| Paris | 200",
        "| Rome | 150", "## 2. Approval", BODY,
    ]  # fmt: skip


@pytest.mark.parametrize("suffix", [".md", ".txt"])
def test_text_files_keep_their_characters(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"a{suffix}"
    text = "1. Scope\n\n| City | Rate |"
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
    assert (len(source.text), source.format) == (20 * 100_000, FileFormat.TEXT)
