"""How many cases of an attack are tried: all with `POLICY_RAG_ATTACK=1`, as `make attack` sets it, else a tenth."""

import os
from collections.abc import Sequence
from typing import TypeVar

_Case = TypeVar("_Case")

FULL = os.environ.get("POLICY_RAG_ATTACK", "") not in {"", "0"}


def scaled(full: int) -> int:
    """`full` cases in `make attack`, else a tenth of them, at least one."""
    return full if FULL else -(-full // 10)


def seeds(full: int) -> range:
    """Seeds of drawn cases: `@pytest.mark.parametrize("seed", seeds(300))`."""
    return range(scaled(full))


def some(cases: Sequence[_Case]) -> list[_Case]:
    """All of listed cases in `make attack`, else every tenth, from the first on."""
    return list(cases if FULL else cases[::10])
