"""`policy-rag eval review`: a page on this machine where people decide on questions and disputed verdicts."""

import datetime as dt
import getpass
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli.options import DebugOption, JsonOption
from policy_rag.cli.output import console, notice, print_json

if TYPE_CHECKING:
    from policy_rag_eval.review.items import Source


def review(
    what: Annotated[
        Path,
        typer.Argument(metavar="SET", help="A question set's folder, or what `eval judges --disputed` wrote."),
    ],
    labelled: Annotated[
        Path,
        typer.Option("--labelled", metavar="FOLDER", help="Where verdicts go, for `eval judges FOLDER`."),
    ] = Path("labelled"),
    by: Annotated[str | None, typer.Option("--by", help="The reviewer; by default the user of this machine.")] = None,
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="Port on this machine.")] = 5002,
    apply: Annotated[bool, typer.Option("--apply", help="Write back what is settled, and open no page.")] = False,
    debug: DebugOption = False,  # noqa: ARG001 - read by `run`
    json: JsonOption = False,
) -> None:
    """Decide on questions, or on disputed answers, in a browser.

    Disputed are answers that judges disagree about. A decision takes a key, and Ctrl-C ends it. Decisions of several
    reviewers are kept side by side, with how far they agree. What all who decided agree on is written back: into the
    question set, or into labelled answers that `policy-rag eval judges FOLDER` measures with.
    """
    from policy_rag_eval.review.decisions import agreement, read_decisions
    from policy_rag_eval.review.mounted import source_of

    source = source_of(what, labelled)
    items = [one.item_id for one in source.items()]
    if apply:
        decided = read_decisions(source.decisions)
        written, found = source.apply(decided), agreement(items, decided)
        if json:
            print_json({"written": written, "reviewers": list(found.reviewers), "shared": found.shared,
                        "differing": list(found.differing), "krippendorff_alpha": found.alpha})  # fmt: skip
            return
        console().print(", ".join(f"{count} {name}" for name, count in written.items()), markup=False)
        if len(found.reviewers) > 1:
            alpha = "not defined" if found.alpha is None else f"{found.alpha:.3f}"
            console().print(
                f"{len(found.reviewers)} reviewers, {found.shared} items in common, {len(found.differing)} of them "
                f"decided differently and left open; Krippendorff's alpha {alpha}",
                markup=False,
            )
        return
    _serve(source, by or getpass.getuser(), port, len(items), json=json)


def _serve(source: "Source", reviewer: str, port: int, items: int, *, json: bool) -> None:
    import uvicorn

    from policy_rag_eval.review.app import review_app

    token = secrets.token_urlsafe(24)
    app = review_app(source, reviewer=reviewer, token=token, clock=lambda: dt.datetime.now(dt.UTC))
    address = f"http://127.0.0.1:{port}/#token={token}"
    if json:
        print_json({"url": address, "items": items}, one_line=True)
    else:
        notice(f"{items} items to review: open {address} in a browser, Ctrl-C ends it")
    uvicorn.run(app, host="127.0.0.1", port=port, log_level="warning", access_log=False)
