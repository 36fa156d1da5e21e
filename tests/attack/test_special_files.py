"""What is no regular file of the folder is never read, never waited for, and opens nothing."""

import os
import random
import socket
from pathlib import Path

import pytest
from attack_scale import seeds

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.source_fingerprint import Sidecars
from policy_rag_parsers.loaders import load
from policy_rag_parsers.loaders.discovery import discover

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
SECRET = "The code of the safe is 4711."


def special(kind, path, outside):
    match kind:
        case "pipe":
            os.mkfifo(path)
        case "socket":
            here = Path.cwd()
            os.chdir(path.parent)  # the name of a socket may have 107 characters
            try:
                with socket.socket(socket.AF_UNIX) as made:
                    made.bind(path.name)
            finally:
                os.chdir(here)
        case "folder":
            path.mkdir()
        case "nowhere":
            path.symlink_to(outside / "nothing.md")
        case "itself":
            path.symlink_to(path)
        case _:
            path.symlink_to({
                "device": "/dev/zero", "null": "/dev/null", "terminal": "/dev/tty", "memory": "/proc/self/mem",
                "environment": "/proc/self/environ", "descriptor": "/proc/self/fd/0", "maps": "/proc/self/maps",
                "cpus": "/sys/devices/system/cpu/online",
                "secret": outside / "secret.md", "folder of secrets": outside, "root": "/", "up": path.parent.parent,
                "link to a link": outside / "link.md",
            }[kind])  # fmt: skip


KINDS = [
    "pipe", "socket", "folder", "nowhere", "itself", "device", "null", "terminal", "memory", "environment",
    "descriptor", "maps", "cpus", "secret", "folder of secrets", "root", "up", "link to a link",
]  # fmt: skip


@pytest.fixture
def outside(tmp_path):
    made = tmp_path / "outside"
    made.mkdir()
    (made / "secret.md").write_text(f"# Safe\n\n{SECRET}\n")
    (made / "policies.yaml").write_text("leave.md: {access: []}\n")
    (made / "link.md").symlink_to(made / "secret.md")
    return made


@pytest.mark.parametrize("seed", seeds(300))
def test_only_regular_files_of_the_folder_are_read(tmp_path, outside, seed):
    draw = random.Random(seed)
    root = tmp_path / "policies of us"
    (root / "sub").mkdir(parents=True)
    (root / "leave.md").write_text("# Leave\n\nAll.\n")
    (root / "sub" / "travel.txt").write_text("1. Travel\n")
    for _ in range(draw.randint(1, 4)):
        place = draw.choice([root, root / "sub"]) / draw.choice(
            ["a.md", "b.txt", "c.html", "d.pdf", "e.docx", "f", "g.md"]
        )
        if not os.path.lexists(place):
            special(draw.choice(KINDS), place, outside)
    found = discover([root])
    assert {"leave.md", "sub/travel.txt"} <= {file.relative for file in found.files}
    for file in found.files:
        assert SECRET not in load(file.path).text
        assert file.path.resolve().is_relative_to(root.resolve())


@pytest.mark.parametrize("name", ["policies.yaml", "policies.yml", "Policies.yaml"])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in {"folder", "folder of secrets", "root", "up"}])
def test_what_stands_in_the_place_of_a_sidecar_keeps_the_folder_out(tmp_path, outside, kind, name):
    root = tmp_path / "root"
    root.mkdir()
    (root / "leave.md").write_text("# Leave\n\nAll.\n")
    special("link to a link" if kind == "secret" else kind, root / name, outside)
    (file,) = [file for file in discover([root]).files if file.relative == "leave.md"]
    with pytest.raises(PolicyRagError) as caught:
        Sidecars([root]).of(file)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)
