"""`policy-rag ingest`: files or folders into an index."""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer

from policy_rag.cli.options import CommonOptions
from policy_rag.cli.output import console, notice, print_json, progress_bar
from policy_rag.errors import UsageError
from policy_rag.index.store.place import IndexPlace
from policy_rag.index.store.schema import DATABASE
from policy_rag.records.ingest import IngestReport

if TYPE_CHECKING:
    from policy_rag.settings import Settings
    from policy_rag_parsers.metadata.extraction_report import KindCounts

_MOST_FAILURES = 20
_MOST_NAMES = 5  # of files that one message names


def ingest(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Files or folders of policies.")],
    embedding: Annotated[str | None, typer.Option(metavar="NAME", help="Embedding model: a name or a folder.")] = None,
    chunker: Annotated[str | None, typer.Option(metavar="NAME", help="How documents are cut.")] = None,
    profile: Annotated[
        str | None, typer.Option(metavar="NAME|FILE", help="Heading profile; detected by default.")
    ] = None,
    access: Annotated[
        list[str] | None, typer.Option(metavar="GROUP", help="Access group of documents that declare none.")
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove documents of these folders whose file is gone.")
    ] = False,
    metadata: Annotated[
        str | None,
        typer.Option(metavar="KINDS", help="What to extract from sections: summary,questions,... or all, or none."),
    ] = None,
    llm: Annotated[
        str | None, typer.Option("--llm", metavar="NAME", help="Who extracts: auto, extractive (by rule), ollama/NAME.")
    ] = None,
    follow_links: Annotated[
        bool, typer.Option("--follow-links", help="Read files to which a link leads out of the folder.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say how many calls --metadata costs, and how long it takes.")
    ] = False,
    ray: Annotated[
        str | None,
        typer.Option("--ray", metavar="ADDRESS", help="Embed on all machines of a Ray cluster: HOST:PORT, or local."),
    ] = None,
    queue: Annotated[
        bool, typer.Option("--queue", help="Leave it to `policy-rag worker`: one job a document, in Postgres.")
    ] = False,
    *,
    common: CommonOptions,
) -> None:
    """Take files or folders into an index; run again after changes."""
    changes = {
        "embedding": embedding,
        "chunker": chunker,
        "profile": profile,
        "access": tuple(access) if access else None,
        "metadata": metadata,
        "llm": llm,
        "follow_links": follow_links or None,
        "ray": ray,
    }
    if dry_run:
        print_plan(common.index, common.settings(changes), paths, json=common.json)
        return
    if queue:
        if ray is not None:
            raise UsageError("with --queue the workers embed: leave --queue or --ray out")
        queue_ingest(common, paths, changes, prune=prune)
        return
    with common.open(changes, create=True) as assistant, progress_bar() as progress:
        report = assistant.ingest(paths, prune=prune, progress=progress)
    _tell(report)
    if common.json:
        print_json(report)
    else:
        console().print(summary(report, common.index, prune=prune))


def queue_ingest(common: CommonOptions, paths: Sequence[Path], changes: Mapping[str, Any], *, prune: bool) -> None:
    """Leaves an ingest to workers."""
    from policy_rag.jobs.queue import database_of, hand_over

    address = database_of(common.index)
    given = {name: value for name, value in changes.items() if value is not None}
    with common.open(given, create=True) as assistant:
        done = hand_over(assistant, address, paths, prune=prune, changes=given)
    if common.json:
        print_json(done)
        return
    console().print(
        f"{_documents(done.waiting)} left to workers, {done.unchanged} in the index as they are; "
        f"`policy-rag worker --index {address}` takes them in",
    )


def print_plan(index: IndexPlace, settings: "Settings", paths: Sequence[Path], *, json: bool) -> None:
    """What extracting metadata would cost. Where there is no index, none is left behind."""
    from policy_rag.assistant import PolicyAssistant

    with ExitStack() as stack:
        place = index
        if isinstance(index, Path) and not (index / DATABASE).is_file():
            place = Path(stack.enter_context(TemporaryDirectory(prefix="policy-rag-")))
        plan = stack.enter_context(PolicyAssistant.open(place, create=True, settings=settings)).plan_metadata(paths)
    if json:
        print_json(plan)
        return
    out = console()
    out.print(f"{plan.sections} sections of {plan.documents} documents, by {plan.route}")
    for kind, calls in plan.calls.items():
        tokens = f"about {plan.tokens_in[kind]:,} tokens in, {plan.tokens_out[kind]:,} out at most"
        out.print(f"  {kind}: {calls:,} calls, {tokens}")
    if plan.calls:
        total = sum(plan.calls.values())
        out.print(f"  together {total:,} calls, {sum(plan.tokens_in.values()):,} tokens in")
    out.print(f"about {duration(plan.seconds)}, without embedding")


def duration(seconds: float) -> str:
    """Seconds as people say them.

    >>> duration(0.4), duration(75), duration(7300)
    ('1 second', '1 minute', '2 hours')
    """
    for size, name in ((3600, "hour"), (60, "minute")):
        if seconds >= size:
            return f"{seconds / size:.0f} {name}{'s' if round(seconds / size) != 1 else ''}"
    return f"{max(1, round(seconds))} second{'s' if round(seconds) > 1 else ''}"


def summary(report: IngestReport, index: IndexPlace, *, prune: bool = False) -> str:
    """What an ingest did and what the index holds, the time it took, and a line for each kind of metadata."""
    done = _counts((report.added, "added"), (report.updated, "updated"), (report.unchanged, "unchanged"))
    took = f"{_documents(report.taken_in)} taken in ({done}): " if report.taken_in else "nothing taken in: "
    rest = _counts(
        (sum(skipped.failed for skipped in report.skipped), "failed"),
        (len(report.kept), "kept with its old text" if len(report.kept) == 1 else "kept with their old text"),
        (len(report.withheld), "withheld from everybody"),
        (report.removed, "removed"),
    )
    lines = [
        f"{took}{report.sections} sections, {report.chunks} chunks, {report.embedded} embedded"
        + (rest and f"; {rest}"),
        f"{index} now holds {_documents(report.documents)}",
    ]
    if report.gone:
        one = len(report.gone) == 1
        subject = "1 file is gone and still answers" if one else f"{len(report.gone)} files are gone and still answer"
        way = "kept until its failure is mended" if prune else f"--prune removes {'it' if one else 'them'}"
        lines.append(f"{subject}: {way}")
    extracting = f", {report.seconds['extract']:.1f} s extracting metadata" if "extract" in report.seconds else ""
    lines.append(
        f"{report.seconds['total']:.1f} s: {report.seconds['read']:.1f} s reading and cutting"
        f"{extracting}, {report.seconds['embed_and_write']:.1f} s embedding and writing"
    )
    return "\n".join([*lines, *(_extracted(kind, counts) for kind, counts in report.metadata.items())])


def _counts(*pairs: tuple[int, str]) -> str:
    return ", ".join(f"{count} {name}" for count, name in pairs if count)


def _documents(count: int) -> str:
    return f"{count} document{'' if count == 1 else 's'}"


def _extracted(kind: str, counts: "KindCounts") -> str:
    return (
        f"{kind}: {counts.extracted} of {counts.wanted} extracted"
        f"{f', {counts.skipped} too short' if counts.skipped else ''}"
        f"{f', {counts.failed} failed' if counts.failed else ''}"
        f"{f', {counts.calls} calls' if counts.calls else ''}, {counts.seconds:.1f} s"
    )


def _one_line(text: str) -> str:
    """A name or a reason in which a line break of a file's name is seen, and makes no line of its own."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)


def _first(files: Sequence[str]) -> str:
    """The first few names, and how many there are besides."""
    more = f" and {len(files) - _MOST_NAMES} more" if len(files) > _MOST_NAMES else ""
    return ", ".join(map(_one_line, files[:_MOST_NAMES])) + more


def _tell(report: IngestReport) -> None:
    """What went wrong and what to know, on standard error; what befell many files in one line."""
    reasons: dict[tuple[bool, str], list[str]] = {}
    for skipped in report.skipped:
        reasons.setdefault((skipped.failed, _one_line(skipped.reason)), []).append(skipped.file)
    for (failed, reason), files in reasons.items():
        notice(f"{'failed' if failed else 'skipped'}: {_first(files)}: {reason}")
    if report.gone:
        notice(f"gone, and still answering: {_first(report.gone)}")
    for note in report.notes:
        notice(f"note: {_one_line(note)}")
    for failure in report.metadata_failures[:_MOST_FAILURES]:
        place = f"{failure.doc_id} {failure.section_id}" if failure.section_id else failure.doc_id
        notice(f"without {failure.kind}: {place}: {failure.reason}")
    if len(report.metadata_failures) > _MOST_FAILURES:
        notice(f"... and {len(report.metadata_failures) - _MOST_FAILURES} more")
