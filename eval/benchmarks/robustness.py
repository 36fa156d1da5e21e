"""Whether the parser holds on files that nobody chose: no crash, no hang, no gap in the tiling.

    python -m benchmarks.robustness FOLDER... [--seconds N] [--most N]

Every file under the folders that has one of our suffixes is read, cut into sections, blocks, references and
defined terms, in one process. It prints how many were read, how many were refused with a reason, and each file that

- ended in an exception that is no refusal (crash),
- took longer than `--seconds` of processor time (slow: 60 unless told), where it is broken off,
- has text that belongs to no section, or to two (gap).

The exit status is 1 where there is any.
"""

import argparse
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import FrameType

from policy_rag_parsers.blocks.section_blocks import find_blocks
from policy_rag_parsers.errors import LoadError
from policy_rag_parsers.loaders import format_of, load
from policy_rag_parsers.records import Section, SourceText
from policy_rag_parsers.references.defined_terms import find_definitions
from policy_rag_parsers.references.section_edges import find_edges
from policy_rag_parsers.structure.sections import parse_document

_SECONDS = 60


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """What became of a file: `read`, `refused`, `crash`, `slow` or `gap`, and what there is to say of it."""

    file: Path
    kind: str
    said: str = ""
    sections: int = 0
    seconds: float = 0.0


class _TooSlow(Exception):  # noqa: N818 - it ends an attempt, and is no error of the file
    """The time of a file is over."""


def files_of(folders: Sequence[Path]) -> Iterator[Path]:
    """The files with one of our suffixes, in order; each once, links left out."""
    seen: set[Path] = set()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and format_of(path.name) is not None and path not in seen:
                seen.add(path)
                yield path


def attempt(file: Path, seconds: int) -> FileOutcome:
    """Reads a file with all that an ingest does before it embeds."""
    signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    begun = time.process_time()
    try:
        source = load(file)
        sections = parse_document(source, title="", otherwise=file.stem).sections
        find_blocks(source, sections)
        find_edges(source, sections)
        find_definitions(source, sections)
    except LoadError as error:
        return FileOutcome(file, "refused", str(error))
    except _TooSlow:
        return FileOutcome(file, "slow", f"more than {seconds} s")
    except Exception as error:  # noqa: BLE001 - what is looked for
        return FileOutcome(file, "crash", f"{type(error).__name__}: {error}")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    gap = gap_of(source, sections)
    return FileOutcome(file, "gap" if gap else "read", gap, len(sections), time.process_time() - begun)


def _stop(_: int, __: FrameType | None) -> None:
    raise _TooSlow


def gap_of(source: SourceText, sections: Sequence[Section]) -> str:
    """The first place of a text that belongs to no section, or to two; "" where they tile it."""
    edges = [source.body_start, *(edge for one in sections for edge in (one.start, one.end)), len(source.text)]
    for start, end in pairwise(edges):
        if start > end:
            return f"sections overlap at {end}"
    for start, end in list(pairwise(edges))[::2]:
        if source.text[start:end].strip():
            return f"{start}:{end} belongs to no section"
    return ""


def report(outcomes: Sequence[FileOutcome]) -> list[str]:
    """The lines that are printed."""
    counts = Counter(outcome.kind for outcome in outcomes)
    formats = Counter(outcome.file.suffix.lower() for outcome in outcomes)
    found = [outcome for outcome in outcomes if outcome.kind in {"crash", "slow", "gap"}]
    slowest = max(outcomes, key=lambda outcome: outcome.seconds, default=None)
    named = ", ".join(f"{count} {name}" for name, count in formats.most_common())
    lines = [f"{len(outcomes)} files ({named}): {_told(counts)}"]
    if slowest is not None:
        lines.append(f"slowest: {slowest.seconds:.1f} s, {slowest.file}")
    return lines + [f"{outcome.kind}: {outcome.file}: {outcome.said}" for outcome in found]


def _told(counts: Counter[str]) -> str:
    read = counts["read"] + counts["gap"]
    failures = f"{counts['crash']} crashes, {counts['slow']} slow, {counts['gap']} gaps"
    return f"{read} read, {counts['refused']} refused, {failures}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the report; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    parser.add_argument("--seconds", type=int, default=_SECONDS, help=f"of processor time a file ({_SECONDS})")
    parser.add_argument("--most", type=int, default=0, help="files, the first ones; 0 takes all")
    options = parser.parse_args(arguments)
    files = list(files_of(options.folders))
    outcomes = [attempt(file, options.seconds) for file in files[: options.most or None]]
    lines = report(outcomes)
    sys.stdout.write("\n".join(lines) + "\n")
    return int(any(outcome.kind in {"crash", "slow", "gap"} for outcome in outcomes))


if __name__ == "__main__":
    sys.exit(main())
