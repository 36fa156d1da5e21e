"""Real documents with a few things wrong: each is taken in or refused with one line, within the limits that are set.

A Word document is mutated in its parts, not in the bytes of the archive, which would be refused as such.
"""

import copy
import io
import os
import random
import resource
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from attack_scale import FULL
from lxml import etree

from policy_rag.errors import PolicyRagError
from policy_rag.index.ingest.file_reader import FileReader
from policy_rag_parsers.loaders.discovery import FoundFile

BENCHMARKS = Path(__file__).parents[3] / "shared" / "benchmarks"
DOCUMENTS = [BENCHMARKS / "headings" / "documents", BENCHMARKS / "handbook" / "documents"]
SUFFIXES = (".md", ".txt", ".html", ".docx", ".pdf")
MOST_SECONDS = 30
MOST_MEGABYTES = 1024
PARTS = ("document.xml", "styles.xml", "numbering.xml", "footnotes.xml", "endnotes.xml", "document.xml.rels")

pytestmark = [
    pytest.mark.benchmark_data,
    pytest.mark.skipif(not all(folder.is_dir() for folder in DOCUMENTS), reason="needs ../shared/benchmarks"),
    pytest.mark.skipif(
        not Path("/proc/self/status").exists(), reason="needs /proc, to measure the memory that is used"
    ),
]


class Measured:
    """A reader, and what its process takes: by the system's own count, of this process and of those that ended."""

    def __init__(self, reader):
        self.reader = reader

    def _proc(self, name):
        process = self.reader._process
        return None if process is None or not process.is_alive else Path(f"/proc/{process.pid}/{name}")

    def start_anew(self):
        """Forget the peak so far, where the system lets us: else it is that of all files."""
        with suppress(OSError):
            if (peak := self._proc("clear_refs")) is not None:
                peak.write_text("5")

    @property
    def peak_megabytes(self):
        """Most memory that lay in the machine since; where the process ended, of any that ended."""
        if (status := self._proc("status")) is None:
            return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        (line,) = [line for line in status.read_text().splitlines() if line.startswith("VmHWM")]
        return int(line.split()[1]) / 1024

    @property
    def seconds(self):
        """Processor time so far."""
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        alive = self._proc("stat")
        ticks = [0, 0] if alive is None else alive.read_text().rpartition(")")[2].split()[11:13]
        return ended.ru_utime + ended.ru_stime + sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")


@pytest.fixture(scope="module")
def measured():
    with FileReader() as reader:
        yield Measured(reader)


def mutated(data, draw):
    """Bytes with a few things wrong."""
    made = bytearray(data)
    for _ in range(draw.randint(1, 4)):
        at = draw.randrange(len(made))
        match draw.randrange(4):
            case 0:
                made[at] = draw.randrange(256)
            case 1 if len(made) > 100:
                del made[at : at + draw.randint(1, 30)]
            case 2:
                made[at:at] = bytes(made[at : at + draw.randint(1, 200)]) * draw.choice([1, 3, 500])
            case _:
                made[at:at] = draw.choice([b"9" * 9, b"-1", b" ", b"0"])
    return bytes(made)


def mutated_elements(data, draw):
    """XML that is still well formed, with a few elements lost, repeated, moved or renamed, or attributes changed."""
    root = etree.fromstring(data)
    for _ in range(draw.randint(1, 8)):
        elements = list(root.iterdescendants("*"))
        if not elements:
            break
        chosen, other = draw.choice(elements), draw.choice(elements)
        match draw.randrange(5):
            case 0:
                chosen.getparent().remove(chosen)
            case 1:
                size = len(etree.tostring(chosen))
                for _ in range(min(draw.choice([1, 3, 500]), 1 + 100_000 // size)):
                    chosen.addnext(copy.deepcopy(chosen))
            case 2:
                other.append(copy.deepcopy(chosen))
            case 3:
                chosen.tag = other.tag
            case _:
                changed = draw.choice([element for element in elements if element.attrib] or elements)
                for name in changed.attrib:
                    changed.set(name, draw.choice(["", "-1", "0", "9" * 9, "x", "1e9", other.get(name, "none")]))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)


def mutated_word(data, draw):
    """A Word document with some of its parts mutated, and put together again."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as written:
        parts = [name for name in archive.namelist() if name.rpartition("/")[2] in PARTS]
        chosen = set(draw.sample(parts, draw.randint(1, min(2, len(parts)))))
        for name in archive.namelist():
            part = archive.read(name)
            if name in chosen:
                # Bytes at random are mostly no XML any more; elements reach what reads it.
                part = mutated(part, draw) if draw.random() < 0.25 else mutated_elements(part, draw)
            written.writestr(name, part)
    return made.getvalue()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("seed", range(300 if FULL else 3))
def test_a_mutated_document_is_taken_in_or_refused(measured, tmp_path, seed, suffix, record_property):
    draw = random.Random(f"{seed}{suffix}")
    path = tmp_path / f"mutated{suffix}"
    documents = sorted(found for folder in DOCUMENTS for found in folder.rglob(f"*{suffix}"))
    if not FULL:  # of the short ones: a long one takes seconds
        documents = sorted(documents, key=lambda found: found.stat().st_size)[: len(documents) // 3]
    document = draw.choice(documents)
    path.write_bytes((mutated_word if suffix == ".docx" else mutated)(document.read_bytes(), draw))
    measured.start_anew()
    begun = measured.seconds
    said = "taken in"
    try:
        assert measured.reader.sections(FoundFile(path, tmp_path, path.name), {}, None)
    except PolicyRagError as error:
        said = str(error)
        assert path.name in said
        assert "\n" not in said
        assert len(said) < 1000
    seconds, megabytes = measured.seconds - begun, measured.peak_megabytes
    for name, value in (("of", document.name), ("said", said), ("seconds", seconds), ("megabytes", megabytes)):
        record_property(name, value)
    assert seconds < MOST_SECONDS
    assert megabytes < MOST_MEGABYTES
