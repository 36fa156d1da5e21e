"""Boundary F1 and tiling over documents that nobody here wrote."""

import json
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from policy_rag_parsers.records import FileFormat, Section, SourceText
from policy_rag_parsers.structure.sections import parse_sections

BENCHMARKS = Path(__file__).parents[4] / "shared" / "benchmarks"
pytestmark = [
    pytest.mark.benchmark_data,
    pytest.mark.skipif(not BENCHMARKS.is_dir(), reason=f"{BENCHMARKS} is absent"),
]


def read(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")


@cache
def parsed(folder: str) -> list[tuple[str, str, tuple[Section, ...]]]:
    found = []
    for path in sorted((BENCHMARKS / folder / "documents").iterdir()):
        kind = FileFormat.MARKDOWN if path.suffix == ".md" else FileFormat.TEXT
        text = read(path)
        found.append((path.name, text, parse_sections(SourceText(text, kind), title=path.stem)))
    return found


def test_section_starts_agree_with_those_of_the_regulator(tmp_path: Path) -> None:
    starts = [{"file": name, "start": one.start} for name, _, sections in parsed("obliqa") for one in sections]
    printed = tmp_path / "sections.json"
    printed.write_text(json.dumps(starts), encoding="utf-8")
    command = [sys.executable, str(BENCHMARKS / "section_f1.py"), str(BENCHMARKS / "obliqa"), str(printed)]
    words = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    measured = dict(zip(words[::2], map(float, words[1::2]), strict=True))
    # measured 0.9998, 0.9967 and 0.9982; the room left is for rules that serve other documents better
    assert measured["precision"] >= 0.995
    assert measured["recall"] >= 0.99
    assert measured["f1"] >= 0.995


@pytest.mark.parametrize(("folder", "count"), [("obliqa", 40), ("policyqa", 20)])
def test_every_document_tiles_exactly(folder: str, count: int) -> None:
    documents = parsed(folder)
    assert len(documents) == count
    for name, text, sections in documents:
        edges = [0, *(edge for one in sections for edge in (one.start, one.end)), len(text)]
        assert edges == sorted(edges), name
        gaps = [text[start:end] for start, end in list(pairwise(edges))[::2]]
        assert not "".join(gaps).strip(), name
        assert len({one.section_id for one in sections}) == len(sections), name


def test_privacy_policies_without_headings_get_none() -> None:
    counts = {name: len(sections) for name, _, sections in parsed("policyqa")}
    assert sorted(count for count in counts.values() if count > 1) == [6, 10]  # two of them number their paragraphs
