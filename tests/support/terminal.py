"""A program in a terminal: what it writes to a pseudo-terminal, and what a person would see there."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Mapping, Sequence
from typing import Self

_SEQUENCE = re.compile(r"\x1b\[(\??[\d;]*)([A-Za-z])")


class Terminal:
    """Runs `policy-rag` with `arguments` in a terminal of its own, `columns` wide.

    Attributes:
        written: all that came, control sequences with it.
    """

    def __init__(self, arguments: Sequence[str], *, env: Mapping[str, str], columns: int = 60) -> None:
        self.written = ""
        self._columns = columns
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        # A test runner's own COLUMNS would be believed before the terminal's size.
        ours = {name: value for name, value in os.environ.items() if name not in {"COLUMNS", "LINES"}}
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from policy_rag.cli import main; main()", *arguments],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env={**ours, "TERM": "xterm", **env},
            start_new_session=True,
        )
        os.close(slave)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._master)

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def interrupt(self) -> None:
        self._process.send_signal(signal.SIGINT)

    def until(self, text: str, *, seconds: float = 60.0) -> None:
        """Reads on until the screen shows `text`.

        Raises:
            AssertionError: it does not come.
        """
        end = time.monotonic() + seconds
        while text not in self.screen:
            assert time.monotonic() < end, f"{text!r} is not shown:\n{self.screen}"
            assert self._read() or text in self.screen, f"{text!r} was never shown:\n{self.screen}"

    def wait(self) -> int:
        """Reads to the end; the exit status."""
        while self._read():
            pass
        return self._process.wait(60)

    def _read(self) -> bool:
        """Whether the program can still write."""
        if select.select([self._master], [], [], 1.0)[0]:
            with contextlib.suppress(OSError):  # the other end is closed
                piece = os.read(self._master, 65536)
                self.written += piece.decode()
                return bool(piece)
            return False
        return self._process.poll() is None

    @property
    def screen(self) -> str:
        """What stands there now, from the first line on."""
        return as_seen(self.written, self._columns)


def as_seen(written: str, columns: int) -> str:
    r"""The lines that a terminal shows, with the sequences that `rich` uses carried out; colours are left out.

    >>> as_seen("wait\r\x1b[2Kdone\nabcdef", 4)
    'done\nabcd\nef'
    """
    lines: list[list[str]] = [[]]
    row = column = at = 0
    while at < len(written):
        sequence = _SEQUENCE.match(written, at)
        char = written[at]
        at = sequence.end() if sequence else at + 1
        if sequence:
            amount, act = sequence[1], sequence[2]
            if act == "A":
                row = max(0, row - int(amount or 1))
            elif act == "K":
                lines[row] = []
            elif act not in "mhl":
                raise ValueError(f"a terminal is asked for {sequence[0]!r}")
        elif char == "\r":
            column = 0
        elif char == "\n":
            row, column = row + 1, 0  # the terminal's own discipline adds the carriage return
            lines += [[] for _ in range(row + 1 - len(lines))]
        else:
            if column == columns:
                row, column = row + 1, 0
                lines += [[] for _ in range(row + 1 - len(lines))]
            line = lines[row]
            line += [" "] * (column + 1 - len(line))
            line[column] = char
            column += 1
    return "\n".join("".join(line).rstrip() for line in lines)
