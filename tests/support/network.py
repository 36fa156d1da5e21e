"""The network of a test process, which has one for all its tests."""

import sys


def go_online() -> None:
    """Takes back what a command with `--offline` said in this process."""
    module = sys.modules.get("policy_rag.offline")
    if module is not None and module._installed is not None:
        module._installed.remove()
        module._installed = None
