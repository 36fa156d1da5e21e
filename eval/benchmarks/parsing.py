"""How fast sections are found, and how the time grows with the text.

    python -m benchmarks.parsing [FOLDER]

FOLDER holds `.txt` and `.md` files; without one, policies are made up. Where it holds PDF files, a second line says how
fast these are read and cut, by the size of the files. Times are processor time of one core.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from pathlib import Path

from policy_rag_eval.errors import UsageError
from policy_rag_parsers.loaders.pdf.document import load_pdf
from policy_rag_parsers.records import FileFormat, SourceText
from policy_rag_parsers.structure.sections import parse_sections

_MEGABYTE = 1_000_000
_SUFFIXES = {".txt": FileFormat.TEXT, ".md": FileFormat.MARKDOWN}
_SENTENCE = "Employees keep the receipt and hand it in with the claim before the end of the month that follows."


@dataclass(frozen=True, slots=True)
class ParsingSpeed:
    """What was measured.

    Attributes:
        megabytes: size of the documents in UTF-8, in millions of bytes.
        sections: how many were found.
        megabytes_per_second: of processor time.
        growth: time for 10 MB over time for 1 MB; 10 is linear.
    """

    megabytes: float
    sections: int
    megabytes_per_second: float
    growth: float


def made_up_policy(size: int) -> str:
    """Return a numbered policy of at least `size` characters: chapters of nine clauses with lists."""
    chapters: list[str] = []
    length = 0
    while length < size:
        number = len(chapters) + 1
        clauses = [
            f"{number}.{clause} {' '.join([_SENTENCE] * (clause % 4 + 1))}\n(a) in writing; and\n(b) without delay.\n\n"
            for clause in range(1, 10)
        ]
        chapters.append(f"{number}. Chapter on matter {number}\n\n{''.join(clauses)}")
        length += len(chapters[-1])
    return "".join(chapters)


def measure(documents: Sequence[tuple[str, FileFormat]]) -> ParsingSpeed:
    """Measure the speed over documents, and the growth over their text repeated up to 1 and 10 MB."""
    size = sum(len(text.encode()) for text, _ in documents) / _MEGABYTE
    seconds = _timed(partial(_sections, documents))
    few = _timed(partial(_sections, [_filled(documents, _MEGABYTE)]))
    many = _timed(partial(_sections, [_filled(documents, 10 * _MEGABYTE)]))
    return ParsingSpeed(size, _sections(documents), size / seconds, many / few)


def _sections(documents: Sequence[tuple[str, FileFormat]]) -> int:
    """How many sections are found."""
    return sum(len(parse_sections(SourceText(text, kind), title="")) for text, kind in documents)


def _timed(call: Callable[[], object]) -> float:
    """The best processor time of three runs."""

    def once() -> float:
        before = time.process_time()
        call()
        return time.process_time() - before

    return max(min(once() for _ in range(3)), 1e-9)


def pdf_speed(files: Sequence[bytes]) -> float:
    """Megabytes of PDF files that are read and cut into sections in a second, each by the best of three runs."""
    seconds = sum(_timed(lambda: parse_sections(load_pdf(data), title="")) for data in files)  # noqa: B023 - called at once
    return sum(map(len, files)) / _MEGABYTE / seconds


def _filled(documents: Sequence[tuple[str, FileFormat]], size: int) -> tuple[str, FileFormat]:
    def pieces() -> Iterator[str]:
        length = 0
        for text, _ in cycle(documents):
            if length >= size:
                return
            yield text
            length += len(text)

    return "\n".join(pieces())[:size], documents[0][1]


def _read(folder: Path) -> list[tuple[str, FileFormat]]:
    files = sorted(path for path in folder.rglob("*") if path.suffix in _SUFFIXES)
    texts = [path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n") for path in files]
    documents = [(text, _SUFFIXES[path.suffix]) for path, text in zip(files, texts, strict=True) if text.strip()]
    if not documents:
        raise UsageError(f"{folder} holds no .txt or .md file with text: name a folder that does, or none at all")
    return documents


def main(arguments: Sequence[str]) -> int:
    """Print one line; return the exit status."""
    if len(arguments) > 1:
        sys.stderr.write("usage: python -m benchmarks.parsing [FOLDER]\n")
        return 2
    try:
        documents = _read(Path(arguments[0])) if arguments else [(made_up_policy(5 * _MEGABYTE), FileFormat.TEXT)]
    except UsageError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    speed = measure(documents)
    sys.stdout.write(
        f"{len(documents)} documents, {speed.megabytes:.2f} MB, {speed.sections} sections: "
        f"{speed.megabytes_per_second:.1f} MB/s; from 1 to 10 MB the time grows {speed.growth:.1f}-fold\n"
    )
    files = [path.read_bytes() for path in sorted(Path(arguments[0]).rglob("*.pdf"))] if arguments else []
    if files:
        size = sum(map(len, files)) / _MEGABYTE
        sys.stdout.write(f"{len(files)} PDF files, {size:.2f} MB: {pdf_speed(files):.2f} MB/s\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
