"""Disputed verdicts to be decided: the table that `policy-rag eval judges --disputed` writes, into labelled answers."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.whole_files import written_whole
from policy_rag_eval.data.json_lines import json_rows
from policy_rag_eval.data.spreadsheet import read_cells
from policy_rag_eval.judges.labelled import LabelledHalf
from policy_rag_eval.judges.panel import OF_CASE, OF_PANEL
from policy_rag_eval.review.decisions import Decided, ReviewDecision, settled
from policy_rag_eval.review.items import Choice, ReviewItem, ReviewPassage

_MADE_BY = "make the table by `policy-rag eval judges --disputed FILE`"


@dataclass(frozen=True, slots=True)
class VerdictSource:
    """Answers on which judges disagree.

    Attributes:
        table: the CSV.
        labelled: the folder of labelled answers that decisions are written into, by which judges are measured.
    """

    table: Path
    labelled: Path
    choices: tuple[Choice, ...] = (Choice.RIGHT, Choice.WRONG)

    @property
    def title(self) -> str:
        """The table's name."""
        return self.table.name

    @property
    def decisions(self) -> Path:
        """The file of decisions, beside the table."""
        return self.table.with_suffix(".reviews.jsonl")

    def items(self) -> Sequence[ReviewItem]:
        """The answers, in the order of the table.

        Raises:
            UsageError: it is no table of disputed answers.
        """
        done = self._kept("cases.jsonl")
        return tuple(
            ReviewItem(
                item_id=row["case"],
                question=row["question"],
                answer=row["answer"],
                kind="disputed verdict",
                passages=tuple(
                    ReviewPassage(f"given {number}", text)
                    for number, text in enumerate(_contexts_in(row["contexts"], self.table) or (), 1)
                ),
                said=(
                    *((f"known to be right: {row['reference']}",) if row["reference"] else ()),
                    *(f"{name}: {said}" for name, said in row.items() if name not in {*OF_CASE, *OF_PANEL}),
                ),
                done=row["case"] in done,
            )
            for row in self._rows()
        )

    def check(self, decision: ReviewDecision) -> None:
        """Every decision can be written back."""

    def apply(self, decided: Decided) -> dict[str, int]:
        """Writes what is settled into the labelled answers, in place of what they said of the same case before.

        Raises:
            PolicyRagError: they cannot be written.
        """
        rows = {row["case"]: row for row in self._rows()}
        agreed = {item: one for item, of in decided.items() if item in rows and (one := settled(of)) is not None}
        kept = self._kept("cases.jsonl")
        contexts = {name: str(row["text"]) for name, row in self._kept("contexts.jsonl").items()}
        names = {text: name for name, text in contexts.items()}
        for item, one in agreed.items():
            given = _contexts_in(rows[item]["contexts"], self.table)
            for text in given or ():
                name = names.setdefault(text, f"c-{_digest(text)}")
                contexts[name] = text
            before = kept.get(item, {})
            made = {
                "_id": item,
                "question": rows[item]["question"],
                "answer": rows[item]["answer"],
                "contexts": None if given is None else [names[text] for text in given],
                **({"reference": reference} if (reference := rows[item]["reference"]) else {}),
                "verdict": one.decision,
                "kind": "disputed",
                "half": str(LabelledHalf.FIX if int(_digest(item), 16) % 2 else LabelledHalf.REPORT),
                "by": sorted(decided[item]),
            }
            kept[item] = {**made, **before, "verdict": one.decision, "by": made["by"]}
        if agreed:
            self.labelled.mkdir(parents=True, exist_ok=True)
            _write(self.labelled / "contexts.jsonl", [{"_id": name, "text": text} for name, text in contexts.items()])
            _write(self.labelled / "cases.jsonl", list(kept.values()))
        counts = {str(choice): sum(one.decision == choice for one in agreed.values()) for choice in self.choices}
        return {**counts, "open": len(rows) - len(agreed)}

    def _rows(self) -> list[dict[str, str]]:
        columns, rows = read_cells(self.table)
        if not set(OF_CASE) <= set(columns):
            raise UsageError(f"{self.table} is no table of disputed answers: {_MADE_BY}")
        return [row for _, row in rows]

    def _kept(self, name: str) -> dict[str, Mapping[str, object]]:
        """The rows of a file of the labelled answers, by id."""
        file = self.labelled / name
        return {str(row["_id"]): row for _, row in json_rows(file)} if file.is_file() else {}


def _contexts_in(cell: str, table: Path) -> list[str] | None:
    """The contexts of a cell, which is a JSON list, or null where they are not known."""
    try:
        listed = json.loads(cell)
    except json.JSONDecodeError:
        listed = cell
    if listed is None:
        return None
    if not isinstance(listed, list) or not all(isinstance(one, str) for one in listed):
        raise UsageError(f"{table}: `contexts` is no JSON list of texts: {_MADE_BY}")
    return [text for text in listed if text.strip()]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> None:
    try:
        with written_whole(path, durable=True) as beside, beside.open("w", encoding="utf-8", newline="\n") as file:
            file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    except OSError as error:
        raise PolicyRagError(f"{path} cannot be written ({error.strerror}): free space, or name another") from error
