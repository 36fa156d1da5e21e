"""YAML files that a user names on the command line."""

from pathlib import Path
from typing import Any

import yaml

from policy_rag.errors import UsageError

_SAID = 200  # of what the YAML reader says, which shows the lines around


def read_yaml(path: Path, missing: str) -> Any:
    """What a YAML file holds.

    `missing` is what to say where there is none.

    Raises:
        UsageError: there is no such file, or it cannot be read as YAML.
    """
    try:
        return yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError(missing) from error
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise UsageError(f"{path} cannot be read as YAML ({' '.join(str(error).split())[:_SAID]})") from error
