"""What the system, a caller or whoever wrote beside the index does wrong costs one line, and never a traceback."""

import hashlib
import io
import json
import os
import random
import shutil
import subprocess
import sys

import index_worker
import numpy as np
import pytest
from attack_scale import seeds, some

from policy_rag.cli import run
from policy_rag.index.store.snapshot_files import FOLDER, STAMP
from policy_rag.index.store.store import Index

POLICY = "# Leave\n\n## 1. Scope\n\nEach employee has 30 days of leave a year.\n"


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("one_line")
    (folder / "policies").mkdir()
    (folder / "policies" / "leave.md").write_text(POLICY)
    assert run(["ingest", str(folder / "policies"), "--index", str(folder / "index")]) == 0
    return str(folder / "index")


DESCRIPTORS = [
    (arguments, limit)
    for limit in (10, 6, 8, 12, 16, 24, 40)
    for arguments in (["ask", "How many days of leave?", "--llm", "extractive"], ["search", "leave"], ["documents"])
]


@pytest.mark.skipif(os.name == "nt", reason="needs ulimit")
@pytest.mark.parametrize(("arguments", "limit"), some(DESCRIPTORS))
def test_few_descriptors(index, arguments, limit):
    command = [sys.executable, "-m", "policy_rag", *arguments, "--index", index]
    done = subprocess.run(
        ["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh", *command], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    if done.returncode:
        assert done.stderr.startswith("error: ")
        assert done.stderr.count("\n") == 1
    else:
        assert "leave" in done.stdout.lower()


SURROGATES = ["\ud800", "\udfff", "\udcff", "leave\ud83d", "How many \udca0 days of leave?", "\ude00\ud83d leave"]
PLACES = [
    ["ask", "{}", "--llm", "extractive"],
    ["search", "{}"],
    ["search", "leave", "--as", "{}"],
    ["search", "leave", "--where", "title={}"],
    ["show", "{}"],
    ["show", "leave.md", "--section", "{}"],
    ["changes", "leave.md", "{}"],
    ["remove", "{}"],
    ["documents", "--as", "{}"],
]


@pytest.mark.parametrize(("place", "text"), some([(place, text) for text in SURROGATES for place in PLACES]))
def test_halves_of_characters(index, capsys, place, text):
    status = run([*(part.format(text) for part in place), "--index", index])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    printed.out.encode()
    printed.err.encode()
    if status:
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
    if place[0] == "ask":
        assert status == 2
        assert "half of a character" in printed.err


NAMES = [
    "a\nerror: all is lost.md",
    "a\r\nerror: all is lost.md",
    "a\rerror: all is lost.md",
    "a\x0berror: all is lost.md",
    "a\x85error: all is lost.md",
    "a\u2028error: all is lost.md",
    "a\x1b[2K\x1b[1Gerror: all is lost.md",
    "a\n\nerror: all is lost.pdf",
    "a\nerror: all is lost.docx",
    "a\nerror: all is lost.xyz",
]


@pytest.mark.parametrize("content", [b"", b"---\naccess:\n---\nx\n", b"\xff\xfe\x00", POLICY.encode()])
@pytest.mark.parametrize("name", some(NAMES))
def test_a_line_break_in_the_name_of_a_file(tmp_path, capsys, name, content):
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text(POLICY)
    (folder / name).write_bytes(content)
    index = str(tmp_path / "index")
    assert run(["ingest", str(folder), "--index", index]) == 0
    printed = capsys.readouterr()
    lines = (printed.out + printed.err).splitlines()
    assert not [line for line in lines if line.lstrip().startswith("error: all")], lines
    assert "\x1b[2K" not in printed.out + printed.err


@pytest.mark.parametrize(("name", "reason"), [(NAMES[0], "its name holds a line break"), ("a.xyz", "are not read")])
def test_a_folder_of_which_nothing_is_read_says_why(tmp_path, capsys, name, reason):
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / name).write_text(POLICY)
    assert run(["ingest", str(tmp_path / "policies"), "--index", str(tmp_path / "index")]) != 0
    said = capsys.readouterr().err
    assert said.startswith("error: nothing in ")
    assert reason in said
    assert len(said.splitlines()) == 1


@pytest.fixture(scope="module")
def whole(tmp_path_factory, workers):
    """An index of state 1; see `index_worker`."""
    folder = tmp_path_factory.mktemp("derived") / "index"
    assert workers.start(do="write", folder=folder, out=folder.with_suffix(".out"), count=1).end()[-1] == "done"
    return folder


def array(values, **options):
    made = io.BytesIO()
    np.save(made, values, **options)
    return made.getvalue()


def crafted(name, data, draw):
    """Another file in the place of a derived one, that no ingest makes."""
    if not name.endswith(".npy"):
        return draw.choice([b"", b"\0" * len(data), draw.randbytes(len(data)), data[: len(data) // 2]])
    values = np.load(io.BytesIO(data), allow_pickle=False)
    return draw.choice(
        [
            b"",
            data[:40],
            array(values.reshape(-1)[:1].reshape((1,) * (values.ndim + 1))),
            array(values.astype("S8")),
            array(np.array([{"a": 1}], dtype=object), allow_pickle=True),
        ]
    )


@pytest.mark.parametrize("seed", seeds(100))
def test_crafted_derived_files_are_made_anew_from_the_rows(whole, tmp_path, capsys, seed):
    draw = random.Random(seed)
    folder = tmp_path / "index"
    shutil.copytree(whole, folder)
    (derived,) = (folder / FOLDER).iterdir()
    stamp = json.loads((derived / STAMP).read_text())
    names = ["passages.npy", "chunks.npy", "mean.npy"]
    for name in draw.sample(names, draw.randint(1, 2)):
        made = crafted(name, (derived / name).read_bytes(), draw)
        (derived / name).write_bytes(made)
        stamp["files"][name] = [len(made), hashlib.sha256(made).hexdigest()]  # as whoever crafts it would say
    if draw.random() < 0.3:
        stamp = draw.choice(
            [
                [],
                {},
                None,
                {**stamp, "files": []},
                {**stamp, "keyword": {"x": 1}},
                {**stamp, "files": {"../../x": [1, "a"]}},
            ]
        )
    (derived / STAMP).write_text(json.dumps(stamp))
    with Index(folder) as index:
        assert index_worker.held_state(index) == 1
    assert run(["verify", "--repair", "--index", str(folder)]) == 0
    assert "Traceback" not in capsys.readouterr().err
