"""`policy-rag serve`: the service over one index."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import notice
from policy_rag.errors import UsageError

if TYPE_CHECKING:
    from policy_rag.server.service_options import OidcOptions

SECRET = "POLICY_RAG_OIDC_CLIENT_SECRET"  # noqa: S105 - the variable's name


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoAsks:
    """Who is let in, besides the holders of keys."""

    no_auth: Annotated[bool, typer.Option("--no-auth", help="Let everybody in; on this machine alone.")] = False
    oidc_issuer: Annotated[
        str | None, typer.Option("--oidc-issuer", metavar="URL", help="People sign in with this OpenID Connect issuer.")
    ] = None
    oidc_client: Annotated[
        str | None, typer.Option("--oidc-client", metavar="ID", help=f"Our client id there; its secret is in {SECRET}.")
    ] = None
    oidc_groups_claim: Annotated[
        str, typer.Option("--oidc-groups-claim", metavar="NAME", help="The claim that lists groups; a.b leads inside.")
    ] = "groups"
    oidc_group: Annotated[
        list[str] | None,
        typer.Option(
            "--oidc-group", metavar="THEIRS=OURS", help="A group's name there and here; others then count not."
        ),
    ] = None
    admin_group: Annotated[
        str | None, typer.Option("--admin-group", metavar="GROUP", help="Whose members are administrators.")
    ] = None
    trust_proxy: Annotated[
        list[str] | None,
        typer.Option("--trust-proxy", metavar="ADDRESS", help="A proxy there says who asks; may be repeated."),
    ] = None
    user_header: Annotated[str, typer.Option("--user-header", metavar="NAME", help="The header in which it does.")] = (
        "X-Forwarded-User"
    )
    groups_header: Annotated[
        str, typer.Option("--groups-header", metavar="NAME", help="The header that lists groups, with commas between.")
    ] = "X-Forwarded-Groups"

    def oidc(self) -> "OidcOptions | None":
        """The issuer, where one is given.

        Raises:
            UsageError: a part of what belongs to it is missing or wrong.
        """
        from policy_rag.server.service_options import OidcOptions, read_group_names

        if self.oidc_issuer is None:
            if self.oidc_client or self.oidc_group:
                raise UsageError("--oidc-client and --oidc-group are for an issuer: give --oidc-issuer too")
            return None
        if self.oidc_client is None:
            raise UsageError("--oidc-issuer needs --oidc-client, the id that the issuer knows this service by")
        return OidcOptions(
            issuer=self.oidc_issuer,
            client_id=self.oidc_client,
            client_secret=os.environ.get(SECRET) or None,
            groups_claim=self.oidc_groups_claim,
            groups=read_group_names(self.oidc_group or ()),
            admin_group=self.admin_group,
        )


def serve(
    host: Annotated[str, typer.Option("--host", metavar="ADDRESS", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=1, max=65535, help="The port to listen on.")] = 8765,
    public_url: Annotated[
        str,
        typer.Option("--public-url", metavar="URL", help="Where browsers reach it, as in https://policies.example."),
    ] = "",
    state: opt.StateOption = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256, help="Processes that share the work.")] = 1,
    rate: Annotated[int, typer.Option("--rate", min=0, help="Requests of one caller a minute; 0: any number.")] = 240,
    keep_days: Annotated[
        int,
        typer.Option("--keep-questions", min=0, metavar="DAYS", help="How long the log keeps a question; 0: for ever."),
    ] = 365,
    folders: Annotated[
        list[Path] | None,
        typer.Option(
            "--folder",
            metavar="DIR",
            exists=True,
            file_okay=False,
            help="Administrators may have it taken in; may be repeated.",
        ),
    ] = None,
    no_worker: Annotated[
        bool, typer.Option("--no-worker", help="Leave what is to be taken in to `policy-rag worker` elsewhere.")
    ] = False,
    log_questions: Annotated[
        bool, typer.Option("--log-questions", help="Let logs, traces and the audit hold what was asked.")
    ] = False,
    experiment: Annotated[
        Path | None,
        typer.Option("--experiment", metavar="FILE", help="Serve several configurations by share of users."),
    ] = None,
    review: Annotated[
        Path | None,
        typer.Option("--review", metavar="SET", help="Administrators review it at /review; see `eval review`."),
    ] = None,
    *,
    who: WhoAsks,
    llm: opt.LLMOption = None,
    common: opt.CommonOptions,
) -> None:
    """Serve the index to a whole organisation, over HTTP. It stops at Ctrl-C, or SIGTERM."""
    with opt.service_installed():
        from policy_rag.server.experiments import read_experiment
        from policy_rag.server.run import run
        from policy_rag.server.service_options import ServerOptions, state_beside, state_place

    place = state_place(common.index, state)
    settings = common.settings({"llm": llm})
    options = ServerOptions(
        state=state or state_beside(common.index),
        database=None if isinstance(place, Path) else place,
        host=host,
        port=port,
        public_url=public_url,
        no_auth=who.no_auth,
        rate=rate,
        keep_days=keep_days,
        log_questions=log_questions,
        folders=tuple(folder.resolve() for folder in folders or ()),
        experiment=read_experiment(experiment, settings) if experiment else None,
        oidc=who.oidc(),
        trusted_proxies=tuple(who.trust_proxy or ()),
        user_header=who.user_header,
        groups_header=who.groups_header,
        admin_group=who.admin_group,
        review=review.resolve() if review else None,
    )
    # Not in the worker's call, which every user of the machine sees: an address may hold a password.
    os.environ["POLICY_RAG_INDEX"] = common.place
    worker = ["--state", str(place)] if isinstance(place, Path) else ["--uploads"]
    worker += ["--offline"] if common.offline else []
    begun = f"policy_rag serves {common.index} on {options.public_url} until Ctrl-C"
    beside = None if no_worker else worker
    run(common.index, settings, options, processes=workers, worker=beside, begun=lambda: notice(begun))
