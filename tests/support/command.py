"""A command as it is called, and what it printed."""

import json
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias


class Printed(NamedTuple):
    """What a command printed on standard output and standard error."""

    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as the one JSON document that it is."""
        return json.loads(self.out)


Cli: TypeAlias = Callable[..., Printed]
"""Runs `policy-rag` with these words; it must end with `status`, 0 unless said."""
