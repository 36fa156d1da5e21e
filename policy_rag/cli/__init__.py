"""The command line. `main` is the entry point; each command has a file of its own."""

import errno
import os
import re
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from policy_rag.errors import PolicyRagError

_INTERRUPTED = 130  # as a shell tells it: 128 and the number of the signal
_UNREAD = 141  # likewise, of a program that writes to one that reads no more
_USER = re.compile(r"://[^/@\s\"']+@")  # of an address
_SURROGATE = re.compile("[\ud800-\udfff]")  # what Python makes of a byte that is no UTF-8


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs `policy-rag` and exits with what `run` answers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:  # closed by the caller; else the next file opened would get its number
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - for good
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(given))


def run(arguments: Sequence[str]) -> int:
    """Runs `policy-rag` with these arguments. An error is one line on standard error.

    Returns:
        The exit status: 0 done, 1 the work failed, 2 the call or its input is wrong, 130 Ctrl-C, 141 nobody reads the
        output to its end.
    """
    try:
        status = _run(arguments)
    except KeyboardInterrupt:
        status = _INTERRUPTED
    except BrokenPipeError:
        return _UNREAD
    except SystemExit as ended:
        if isinstance(ended.__context__, BrokenPipeError):  # which Rich and Typer end by themselves, with 1
            return _UNREAD
        raise
    if status == _INTERRUPTED:  # Typer answers Ctrl-C with this status and without a word
        sys.stderr.write(
            "error: interrupted; what was there before is unchanged: run the same command again to go on\n"
        )
    return status


def _run(arguments: Sequence[str]) -> int:
    import typer

    from policy_rag.cli.app import build
    from policy_rag.cli.output import error_line
    from policy_rag_parsers.telemetry import silence_telemetry

    silence_telemetry()
    # Typer carries its own copy of Click; this is the way to that copy's UsageError that needs no private name.
    usage_error: Any = typer.BadParameter.__base__
    try:
        status = build(next(iter(arguments), None))(
            args=list(arguments) or ["--help"], prog_name="policy-rag", standalone_mode=False
        )
    except BrokenPipeError:
        raise
    except (PolicyRagError, OSError, UnicodeEncodeError) as error:
        if "--debug" in arguments:
            sys.stderr.write(_without_secrets(traceback.format_exc()))
        else:
            error_line(_told(error))
        return getattr(error, "exit_status", 1)
    except usage_error as error:
        return _usage(error)
    except typer.Abort:
        return _INTERRUPTED
    return status if isinstance(status, int) else 0


def _without_secrets(text: str) -> str:
    """A traceback without the key and the passwords that a server may have said back."""
    key = os.environ.get("OPENAI_API_KEY")
    return _USER.sub("://***@", text.replace(key, "***") if key else text)


def _told(error: Exception) -> str:
    """An error in one line, with a way out."""
    if isinstance(error, UnicodeEncodeError):
        char = error.object[error.start]
        if not _SURROGATE.match(char):
            return f"{sys.stdout.encoding}, as the output is encoded, has no {char!r}: set PYTHONIOENCODING=utf-8"
        return "an argument or a name holds bytes that are no UTF-8: write it anew, in a terminal set to UTF-8"
    if not isinstance(error, OSError):
        return str(error)
    if error.errno in {errno.EMFILE, errno.ENFILE}:
        return "too many files are open: allow more with `ulimit -n 1024`, and run this again"
    place = f" ({error.filename})" if error.filename else ""
    said = " ".join(f"the system refused: {error.strerror or error}{place}".split())
    return f"{said}; what was there before is unchanged: --debug shows where"


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
