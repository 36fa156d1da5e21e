"""The command line. `main` is the entry point; each command has a file of its own."""

import sys
from collections.abc import Sequence
from typing import Any

from policy_rag.errors import PolicyRagError

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `policy-rag` and exits: 0 done, 1 the work failed, 2 the call or its input is wrong."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Runs `policy-rag` with these arguments and answers the exit status. An error is one line on standard error."""
    import typer

    from policy_rag.cli.app import build
    from policy_rag.cli.output import error_line

    # Typer carries its own copy of Click; this is the way to that copy's UsageError that needs no private name.
    usage_error: Any = typer.BadParameter.__base__
    try:
        status = build(next(iter(arguments), None))(
            args=list(arguments) or ["--help"], prog_name="policy-rag", standalone_mode=False
        )
    except PolicyRagError as error:
        if "--debug" in arguments:
            raise
        error_line(str(error))
        return error.exit_status
    except usage_error as error:
        return _usage(error)
    except (typer.Abort, KeyboardInterrupt):
        status = _INTERRUPTED
    except BrokenPipeError:
        return 1
    if status == _INTERRUPTED:  # Typer answers Ctrl-C with this status and without a word
        error_line("interrupted; what was there before is unchanged: run the same command again to go on")
        return 1
    return status if isinstance(status, int) else 0


def _usage(error: BaseException) -> int:
    from policy_rag.cli.output import error_line

    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else "policy-rag"
    if type(error).__name__ == "NoArgsIsHelpError":
        sys.stderr.write(context.get_help() + "\n" if context is not None else "")
        return 2
    message = getattr(error, "format_message", error.__str__)()
    error_line(f"{message.rstrip('.')}: `{command} --help` shows how to call it")
    return 2
