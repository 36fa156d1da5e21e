"""`policy-rag show`: the text that a citation points to, in its surroundings."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json, print_metadata
from policy_rag.errors import UsageError
from policy_rag.index.maintenance.section_links import SectionLink, section_links
from policy_rag.records.locations import STEP, numbered, place
from policy_rag.records.serialization import to_json


def show(
    document: Annotated[
        str, typer.Argument(metavar="DOC", help="A document's id, file or title, or a place as a citation prints it.")
    ],
    where: Annotated[
        list[str] | None, typer.Argument(metavar="[PLACE]", help="A section's number or title, `line 41`, `page 3`.")
    ] = None,
    section: Annotated[
        str | None, typer.Option("--section", metavar="ID", help="A section's id or a clause number, such as 4.2(b).")
    ] = None,
    span: Annotated[str | None, typer.Option("--range", metavar="A:B", help="Characters of the text.")] = None,
    links: Annotated[
        bool, typer.Option("--links", help="What it refers to and is referred to by, instead of what stands around it.")
    ] = False,
    alone: Annotated[bool, typer.Option("--alone", help="Without the text before and after it.")] = False,
    groups: opt.GroupsOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Show the text of a document, a section, a line or a range.

    It stands between >>> and <<< in what is around it.
    """
    with common.open() as assistant:
        found = assistant.show(
            document, section=section, span=_span(span), place=" ".join(where or ()) or None, groups=groups or ()
        )
        day, index = assistant.today(), assistant.index
        linked = section_links(index, found, groups=groups or (), day=day) if links else None
    if alone or linked:
        found = replace(found, before="", after="")
    if common.json:
        print_json(to_json(found) | ({"links": to_json(linked)} if linked else {}))
        return
    out = console()
    out.print(place(found), style="cyan")
    text = found.text.rstrip()
    after = found.text[len(text) :] + found.after
    begins, ends = (">>> ", " <<<") if (found.before + found.after).strip() else ("", "")
    out.print(found.before, style="dim", end="")
    out.print(begins, style="cyan", end="")
    out.print(text, end="")
    out.print(ends, style="cyan", end="")
    out.print(after, style="dim")
    print_metadata(found.metadata)
    if linked is not None:
        _print_links("Refers to", linked.refers_to)
        _print_links("Referred to by", linked.referred_to_by)


def _print_links(title: str, links: Sequence[SectionLink]) -> None:
    out = console()
    out.print(f"{title}:" if links else f"{title}: nothing that you may read", style="cyan")
    for link in links:
        steps = STEP.join(numbered(link.other.path, link.other.path_numbers))
        mention = f': "{" ".join(link.text.split())}"' if link.text else ""
        out.print(f"  {link.kind.value}  {steps} ({link.other.file}){mention}")


def _span(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    start, colon, end = text.partition(":")
    if not colon or not start.strip().isdecimal() or not end.strip().isdecimal():
        raise UsageError(f"{text!r} is no range: write --range START:END, for example --range 120:480")
    return int(start), int(end)
