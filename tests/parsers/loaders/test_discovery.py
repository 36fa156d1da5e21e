"""Finding files: order, links, what is passed over and what is listed as skipped."""

import os
import unicodedata
from pathlib import Path

import pytest

from policy_rag_parsers.errors import UsageError
from policy_rag_parsers.loaders import discovery
from policy_rag_parsers.loaders.discovery import discover


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")


def relatives(*paths: Path) -> list[str]:
    return [found.relative for found in discover(paths).files]


def test_order_and_what_is_passed_over(tmp_path: Path) -> None:
    decomposed = unicodedata.normalize("NFD", "é.md")  # names stay as they are on disk
    read = ["Größe und Maß.docx", "a/b/c.HTML", "a/z.txt", "a.pdf", "b.md", decomposed]
    make(tmp_path, *reversed(read), ".git/x.md", ".hidden.md", "~$a.docx", "policies.yaml", "a/policies.yaml")
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == read
    assert found.skipped == ()
    assert all(file.root == tmp_path and file.path == tmp_path / file.relative for file in found.files)


def test_unknown_types_are_skipped_with_the_reason(tmp_path: Path) -> None:
    make(tmp_path, "a.xlsx", "README")
    found = discover([tmp_path])
    assert found.files == ()
    assert [skip.path.name for skip in found.skipped] == ["README", "a.xlsx"]
    assert found.skipped[0].reason.startswith("it has no suffix")
    assert found.skipped[1].reason.startswith("files of type .xlsx are not read (only .md, .markdown")


def test_a_single_file_and_a_hidden_one_that_is_named(tmp_path: Path) -> None:
    make(tmp_path, "sub/a.md", ".b.md")
    assert relatives(tmp_path / "sub" / "a.md", tmp_path / ".b.md") == ["a.md", ".b.md"]


def test_the_same_file_twice_is_read_once(tmp_path: Path) -> None:
    make(tmp_path, "a.md")
    found = discover([tmp_path, tmp_path / "a.md", tmp_path])
    assert [file.relative for file in found.files] == ["a.md"]
    assert [skip.reason for skip in found.skipped] == [
        f"the same as {tmp_path / 'a.md'}, which is read already",
        f"the same as {tmp_path}, which is read already",
    ]


def test_loops_and_second_ways_by_links(tmp_path: Path) -> None:
    make(tmp_path, "b/real.md")
    (tmp_path / "a").symlink_to(tmp_path / "b", target_is_directory=True)
    (tmp_path / "b" / "up").symlink_to(tmp_path, target_is_directory=True)
    (tmp_path / "again.md").symlink_to(tmp_path / "b" / "real.md")
    (tmp_path / "gone.md").symlink_to(tmp_path / "nowhere.md")
    (tmp_path / "self.md").symlink_to(tmp_path / "self.md")
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["b/real.md"]
    reasons = {skip.path.name: skip.reason for skip in found.skipped}
    assert reasons.keys() == {"a", "up", "again.md", "gone.md", "self.md"}
    assert reasons["gone.md"] == reasons["self.md"] == "a link that leads nowhere"


def test_a_link_out_of_the_folder_is_followed_only_where_that_is_said(tmp_path: Path) -> None:
    make(tmp_path, "elsewhere/x.md", "root/y.md")
    (tmp_path / "root" / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    (tmp_path / "root" / "x.md").symlink_to(tmp_path / "elsewhere" / "x.md")
    found = discover([tmp_path / "root"])
    assert [file.relative for file in found.files] == ["y.md"]
    assert all("is a link out of the folder" in skip.reason for skip in found.skipped)
    followed = discover([tmp_path / "root"], follow_links=True)
    assert [file.relative for file in followed.files] == ["linked/x.md", "y.md"]


def test_a_named_link_is_followed(tmp_path: Path) -> None:
    make(tmp_path, "elsewhere/x.md")
    (tmp_path / "linked").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert [file.relative for file in discover([tmp_path / "linked"]).files] == ["x.md"]


def test_a_folder_that_cannot_be_read_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path, "closed/a.md", "open/b.md")
    plain = Path.iterdir

    def iterdir(self: Path) -> object:
        if self.name == "closed":
            raise PermissionError(13, "Permission denied", str(self))
        return plain(self)

    monkeypatch.setattr(discovery.Path, "iterdir", iterdir)
    found = discover([tmp_path])
    assert [file.relative for file in found.files] == ["open/b.md"]
    assert [(skip.path.name, skip.reason) for skip in found.skipped] == [
        ("closed", "the folder cannot be read (Permission denied)")
    ]


def test_pipes_and_names_that_are_no_text(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.md"))).write_text("x")
    reasons = sorted(skip.reason for skip in discover([tmp_path]).skipped)
    assert reasons == ["its name is not valid UTF-8; rename it", "not a regular file"]


def test_empty_folder_and_a_path_that_does_not_exist(tmp_path: Path) -> None:
    assert discover([tmp_path]) == discovery.Discovery((), ())
    with pytest.raises(UsageError, match="does not exist"):
        discover([tmp_path / "nothing"])
