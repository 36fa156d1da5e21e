"""`policy-rag doctor`: what is installed, reachable and usable here, and what to run for the rest."""

import typer

from policy_rag.cli import options as opt
from policy_rag.cli.output import console, print_json


def doctor(common: opt.CommonOptions) -> None:
    """Check what is installed, reachable and usable here.

    It tells too which settings are in force.
    """
    from policy_rag.diagnosis import diagnose, shown_settings
    from policy_rag.offline import keep_offline

    settings = common.settings()
    keep_offline(settings)
    checks = diagnose(common.index, settings, options=("offline",) if common.offline else ())
    if common.json:
        print_json({"checks": checks, "settings": shown_settings(settings)})
    else:
        out = console()
        for check in checks:
            mark, style = ("ok  ", "green") if check.ok else ("MISS", "red") if check.needed else ("--  ", "yellow")
            out.print(f"{mark} {check.name}: {check.detail}", style=style)
    if any(check.needed and not check.ok for check in checks):
        raise typer.Exit(1)
