"""JSON of a data set, whole or an object a line, and what is wrong with one that does not hold what it must."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from policy_rag_eval.errors import DatasetError


def text_of(path: Path) -> str:
    """The text of a file, a byte order mark left out.

    Raises:
        DatasetError: it is missing, or no text in UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError as error:
        raise DatasetError(f"{path} is missing: a data set needs it") from error
    except OSError as error:
        raise DatasetError(f"{path} cannot be read ({error})") from error
    except UnicodeDecodeError as error:
        raise DatasetError(
            f"{path} cannot be read as UTF-8 text ({error}): save it as UTF-8, a spreadsheet as CSV in UTF-8"
        ) from error


def json_value(path: Path) -> Any:
    """What a file of JSON holds.

    Raises:
        DatasetError: it cannot be read; names the line.
    """
    try:
        return json.loads(text_of(path))
    except json.JSONDecodeError as error:
        raise DatasetError(f"{path} is not JSON: line {error.lineno}, {error.msg}") from error


def needed_text(row: Mapping[str, Any], key: str, where: str) -> str:
    """The text that a row must have under a key.

    Raises:
        DatasetError: it has none, or a blank one.
    """
    value = row.get(key)
    if not isinstance(value, str) or not value.strip():
        raise DatasetError(f'{where}: "{key}" must be a text that is not blank')
    return value


def json_rows(path: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each line of a JSON-lines file as (where it stands, its object); blank lines are passed over.

    Raises:
        DatasetError: the file cannot be read, or a line is no JSON object; names the line.
    """
    # Not splitlines(): JSON may hold U+2028 and its like unescaped inside a string.
    for number, line in enumerate(text_of(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line)
        except json.JSONDecodeError as error:
            raise DatasetError(f"{where} is not JSON: {error.msg}") from error
        if not isinstance(row, dict):
            raise DatasetError(f"{where} is not a JSON object")
        yield where, row
