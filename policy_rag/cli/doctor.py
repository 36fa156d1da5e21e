"""`policy-rag doctor`: what is installed, reachable and usable here, and what to run for the rest."""

from pathlib import Path

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("doctor")(doctor)


def doctor(
    index: opt.IndexOption = Path(".policy_rag"),
    offline: opt.OfflineOption = False,
    debug: opt.DebugOption = False,  # noqa: ARG001 - read by `run`
    json: opt.JsonOption = False,
) -> None:
    """Check what is installed, reachable and usable here, and tell which settings are in force."""
    from policy_rag.diagnosis import diagnose
    from policy_rag.offline import enforce_offline, silence_telemetry
    from policy_rag.settings import load_settings

    settings = load_settings({"offline": offline or None})
    silence_telemetry()
    if settings.run.offline:
        enforce_offline([settings.llm.llm_url] if settings.llm.llm_url else [])
    checks = diagnose(index, settings, options=("offline",) if offline else ())
    if json:
        print_json({"checks": checks, "settings": settings.as_json()})
    else:
        out = console()
        for check in checks:
            mark, style = ("ok  ", "green") if check.ok else ("MISS", "red") if check.needed else ("--  ", "yellow")
            out.print(f"{mark} {check.name}: {check.detail}", style=style, markup=False)
    if any(check.needed and not check.ok for check in checks):
        raise typer.Exit(1)
