"""The answers that people have labelled: read from a folder, and what a judge's verdicts are worth against them."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from policy_rag_eval.data.json_lines import json_rows
from policy_rag_eval.errors import DatasetError
from policy_rag_eval.judges.judge_cases import Case

BUILTIN = "judged"


class LabelledHalf(StrEnum):
    """Thresholds are fixed on one half, figures reported from the other."""

    FIX = "fix"
    REPORT = "report"


@dataclass(frozen=True, slots=True)
class LabelledAnswer:
    """A case with what a person says of it.

    Attributes:
        case: what a judge is given.
        right: whether a person would let the answer pass.
        kind: what is wrong with it, or what is hard about a right one.
        faithful: whether the contexts bear out every statement; None for a refusal, which states nothing.
        half: which half of the set it is in.
    """

    case: Case
    right: bool
    kind: str
    faithful: bool | None
    half: LabelledHalf


def builtin_labelled() -> Path:
    """The folder of the set that comes with the project.

    Raises:
        DatasetError: this installation does not have it.
    """
    for root in (Path(__file__).parents[2] / "datasets", Path(__file__).parents[1] / "datasets"):
        if (root / BUILTIN / "cases.jsonl").is_file():
            return root / BUILTIN
    raise DatasetError("the labelled answers are not installed: give their folder, eval/datasets/judged of a clone")


def read_labelled(folder: Path) -> tuple[LabelledAnswer, ...]:
    """The labelled answers of a folder, in the order of its `cases.jsonl`.

    An answer that names no contexts has unknown ones; `contexts.jsonl` is needed where one names some.

    Raises:
        DatasetError: a file is missing, a line cannot be read, or an id is unknown or repeated; names the line.
    """
    contexts: dict[str, str] = {}
    file = folder / "contexts.jsonl"
    for place, row in json_rows(file) if file.is_file() else ():
        contexts[_text(row, "_id", place)] = _text(row, "text", place)
    found: dict[str, LabelledAnswer] = {}
    for place, row in json_rows(folder / "cases.jsonl"):
        one = _labelled(row, contexts, place)
        if one.case.case_id in found:
            raise DatasetError(f"{place}: {one.case.case_id!r} is there twice: give each case an id of its own")
        found[one.case.case_id] = one
    if not found:
        raise DatasetError(f"{folder / 'cases.jsonl'} is empty: it needs a labelled answer a line")
    return tuple(found.values())


def _labelled(row: Mapping[str, Any], contexts: Mapping[str, str], place: str) -> LabelledAnswer:
    verdict, half = _text(row, "verdict", place), str(row.get("half", LabelledHalf.REPORT))
    if verdict not in {"right", "wrong"} or half not in set(LabelledHalf):
        raise DatasetError(f"{place}: verdict is `right` or `wrong`, half is `fix` or `report`")
    named = row.get("contexts")
    if named is not None and (not isinstance(named, list) or not all(isinstance(name, str) for name in named)):
        raise DatasetError(f"{place}: contexts is a list of ids of contexts.jsonl")
    unknown = [name for name in named or () if name not in contexts]
    if unknown:
        raise DatasetError(f"{place}: there is no context {unknown[0]!r} in contexts.jsonl")
    faithful = row.get("faithful")
    if faithful is not None and not isinstance(faithful, bool):
        raise DatasetError(f"{place}: faithful is true, false or null")
    case = Case(
        case_id=_text(row, "_id", place),
        question=_text(row, "question", place),
        answer=_text(row, "answer", place, blank=True),
        contexts=None if named is None else tuple(contexts[name] for name in named),
        reference=None if row.get("reference") is None else _text(row, "reference", place),
    )
    return LabelledAnswer(case, verdict == "right", str(row.get("kind") or ""), faithful, LabelledHalf(half))


def _text(row: Mapping[str, Any], key: str, place: str, *, blank: bool = False) -> str:
    value = row.get(key)
    if not isinstance(value, str) or not (blank or value.strip()):
        raise DatasetError(f"{place}: it needs {key}, a text")
    return value
