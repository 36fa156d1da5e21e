"""`policy-rag keys`: API keys of a service."""

import datetime as dt
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, notice, print_json
from policy_rag.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from policy_rag.server.identity.keys import ApiKey, ApiKeys

keys = typer.Typer(help="Make, list and revoke the API keys of a service.", no_args_is_help=True)

NameArgument: TypeAlias = Annotated[str, typer.Argument(metavar="NAME", help="Of whom the key is for.")]


def _add(
    name: NameArgument,
    groups: Annotated[
        list[str] | None, typer.Option("--group", metavar="GROUP", help="Access group; may be repeated.")
    ] = None,
    admin: Annotated[bool, typer.Option("--admin", help="May take documents in, and see what is asked.")] = False,
    expires: Annotated[
        str | None, typer.Option("--expires", metavar="DATE", help="First day on which it is not taken, YYYY-MM-DD.")
    ] = None,
    state: opt.StateOption = None,
    *,
    common: opt.CommonOptions,
) -> None:
    """Make a key. It is shown this once; only its hash is kept."""
    until = _midnight(expires) if expires else None
    with _keys(state, common) as held:
        made = held.add(name, now=_now(), groups=groups or (), admin=admin, expires=until)
    if common.json:
        print_json({"name": name, "key": made})
        return
    notice(f"{name}'s key; it is shown this once, send it as `Authorization: Bearer KEY`:")
    console().print(made, soft_wrap=True)


def _list(state: opt.StateOption = None, *, common: opt.CommonOptions) -> None:
    """List the keys that were made; the keys themselves are known to nobody."""
    with _keys(state, common) as held:
        found = held.all()
    if common.json:
        print_json(found)
        return
    now = _now()
    for key in found:
        groups = ", ".join(key.groups) or "no group"
        console().print(f"{key.name}: {_standing(key, now)}; {groups}{'; administrator' if key.admin else ''}")
    if not found:
        notice("there is no key: `policy-rag keys add NAME` makes one")


def _revoke(name: NameArgument, state: opt.StateOption = None, *, common: opt.CommonOptions) -> None:
    """Take a key back, and end the sessions that began with it."""
    with _keys(state, common) as held:
        held.revoke(name, _now())
    if common.json:
        print_json({"revoked": name})
    else:
        notice(f"{name}'s key is not taken any more")


for _command, _called in ((_add, "add"), (_list, "list"), (_revoke, "revoke")):
    keys.command(_called)(opt.with_options(_command))


@contextmanager
def _keys(state: Path | None, common: opt.CommonOptions) -> "Iterator[ApiKeys]":
    with opt.service_installed():
        from policy_rag.server.identity.keys import ApiKeys
    from policy_rag.server.service_options import state_place
    from policy_rag.server.state import open_state

    with closing(open_state(state_place(common.index, state))) as opened:
        yield ApiKeys(opened)


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


def _midnight(text: str) -> dt.datetime:
    """The local midnight at which a day begins."""
    try:
        return dt.datetime.combine(dt.date.fromisoformat(text), dt.time()).astimezone()
    except ValueError as error:
        raise UsageError(f"{text!r} is no date: write --expires YYYY-MM-DD") from error


def _standing(key: "ApiKey", now: dt.datetime) -> str:
    if key.revoked is not None:
        return f"revoked on {key.revoked.astimezone().date()}"
    if key.expires is None:
        return "valid"
    return f"{'valid until' if key.is_valid(now) else 'expired on'} {key.expires.astimezone().date()}"
