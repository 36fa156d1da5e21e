"""Calls of the command line."""

import pytest

from policy_rag.cli import run


@pytest.fixture
def call(capsys):
    """Runs a command, which ends with a status; what it printed."""

    def calling(*arguments, status=0):
        capsys.readouterr()
        assert run([str(one) for one in arguments]) == status
        return capsys.readouterr()

    return calling
