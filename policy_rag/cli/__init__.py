"""The command line. `main` is the entry point; each command has a file of its own."""

import sys
from collections.abc import Sequence

from policy_rag.errors import PolicyRagError


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `policy-rag` and exits: 0 done, 1 the work failed, 2 the call or its input is wrong."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Runs `policy-rag` with these arguments and answers the exit status. An error is one line on standard error."""
    import click

    from policy_rag.cli.app import build
    from policy_rag.cli.output import error_line

    debug = "--debug" in arguments
    try:
        status = build().main(args=list(arguments), prog_name="policy-rag", standalone_mode=False)
    except PolicyRagError as error:
        if debug:
            raise
        error_line(str(error))
        return error.exit_status
    except click.UsageError as error:
        command = error.ctx.command_path if error.ctx else "policy-rag"
        error_line(f"{error.format_message().rstrip('.')}: `{command} --help` shows how to call it")
        return 2
    except (click.Abort, KeyboardInterrupt):
        error_line("interrupted; what was there before is unchanged: run the same command again to go on")
        return 1
    except BrokenPipeError:
        return 1
    return status if isinstance(status, int) else 0
