"""Puts figures, data counts and the learning curve into the model card, between its markers.

python -m training.card WORK CARD
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from training.examples import json_rows


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table; what is behind the first column stands on the right.

    >>> print(table(["a", "b"], [["x", 1]]))
    | a | b |
    | --- | --: |
    | x | 1 |
    """
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " --: |" * (len(head) - 1)]
    return "\n".join([*lines, *("| " + " | ".join(str(cell) for cell in row) + " |" for row in rows)])


def shown(value: Sequence[float]) -> str:
    """A figure with its interval.

    >>> shown([0.5, 0.4, 0.61])
    '.50 (.40 to .61)'
    """
    mean, low, high = (f"{one:.2f}".removeprefix("0") if one >= 0 else f"{one:.2f}".replace("-0", "-") for one in value)
    return f"{mean} ({low} to {high})"


_TOLD: Mapping[str, Sequence[tuple[str, str]]] = {
    "squad": (
        ("em", "SQuAD 2.0, half of the development set: EM"),
        ("f1", "the same: F1"),
        ("em_answerable", "the same, answerable questions alone: EM"),
        ("f1_answerable", "the same, answerable questions alone: F1"),
        ("roc", "the same: ROC area of answerability"),
    ),
    "contracts": (
        ("three_labels", "ContractNLI, held-out third: balanced accuracy, three labels"),
        ("supported_or_contradicted", "the same: supported against contradicted"),
        ("supported_roc", "the same: ROC area of supported"),
    ),
    "free_wording": (
        ("true_rejected", "free wording: true statements rejected"),
        ("false_passed", "free wording: false statements passed"),
        ("roc", "free wording: ROC area of supported"),
    ),
    "written": (
        ("f1", "written, held-out organisations: F1 of the answer's span in its section"),
        ("first", "the same: the first sentence, item or row of the section is the one that answers"),
        ("roc_whole", "the same: ROC area, answered or only treated, by the whole section"),
        ("roc_sentence", "the same, by its best sentence"),
        ("roc_false", "the same: ROC area of supported, true against false statements"),
        ("roc_neither", "the same, true statements against what is not said"),
    ),
}
"""The figures of a set, with what they measure."""


def figure_rows(made: Mapping[str, Any]) -> list[list[str]]:
    """What is measured, with its figure, for the sets that were."""

    def told(name: str) -> list[list[str]]:
        return [[title, shown(made[name][figure])] for figure, title in _TOLD[name] if name in made]

    rows = told("squad")
    for name, title in (("obliqa", "ObliQA passages, held-out fifth"), ("policyqa", "PolicyQA, held-out policies")):
        for measure in ("recall@10", "ap@10", "ndcg@10") if name in made else ():
            one = made[name][measure]
            rows.append([f"{title}: {measure}, first stage", shown(one["first_stage"])])
            rows.append(["the same, reranked with the blend", shown(one["reranked"])])
            rows.append(["gain", shown(one["gain"])])
    rows += [*told("contracts"), *told("free_wording"), *told("written")]
    for name, title in (("handbook", "handbook"), ("brannholt", "sample company")):
        if "refusal" in made.get(name, {}):
            one = made[name]["refusal"]["fitted"]
            rows.append([f"{title}: unanswerable refused at 10 % of the answerable refused", shown(one["refused"])])
            rows.append([f"{title}: ROC area of answerability", shown(one["roc"])])
        if "quoting" in made.get(name, {}):
            quoting = made[name]["quoting"]
            ways = {way: one for way, one in quoting.items() if isinstance(one, dict)}
            best = max(ways, key=lambda way: ways[way]["whole_gold"])
            rows.append([
                f"{title}: whole gold in the first three quotations (by {best})",
                f"{ways[best]['whole_gold']} of {quoting['questions']}",
            ])  # fmt: skip
            rows.append([f"{title}: quotations that touch gold", f"{ways[best]['quotations_with_gold']:.2f}"])
    return rows


def curve(log: Path) -> str:
    """The learning curve, a row a checkpoint; pairs are counted on. Figures that no checkpoint has are left out."""
    lines = list(json_rows(log))
    names = [name for name in CURVE if any(name in line for line in lines)]
    seen = 0
    rows: list[list[object]] = []
    for line in lines:
        seen += line["pairs"]
        rows.append([line["stage"], seen, line["loss"], *(line.get(name, "") for name in names)])
    return table(["stage", "pairs seen", "loss", *names], rows)


CURVE = ("token_exact", "answerable_roc", "contract_balanced", "obliqa_rr")


def filled(card: str, blocks: Mapping[str, str]) -> str:
    r"""The card with what stands between each pair of markers replaced.

    >>> filled("a <!-- x -->old<!-- /x --> b", {"x": "new"})
    'a <!-- x -->\n\nnew\n\n<!-- /x --> b'
    """
    for name, text in blocks.items():
        before, mark, rest = card.partition(f"<!-- {name} -->")
        _, closing, behind = rest.partition(f"<!-- /{name} -->")
        if mark and closing:
            card = f"{before}{mark}\n\n{text}\n\n{closing}{behind}"
    return card


def main(arguments: Sequence[str] | None = None) -> None:
    """Fills the card in."""
    parser = argparse.ArgumentParser(description="Fill the model card in.")
    parser.add_argument("work", type=Path)
    parser.add_argument("card", type=Path)
    chosen = parser.parse_args(arguments)
    made = json.loads((chosen.work / "figures.json").read_text(encoding="utf-8"))
    counts = json.loads((chosen.work / "counts.json").read_text(encoding="utf-8"))
    names = sorted({name for stage in counts.values() for name in stage})
    blocks = {
        "figures": table(["measured", "figure (95 % interval)"], figure_rows(made)),
        "counts": table(
            ["source", *(f"pairs made, {stage}" for stage in counts)],
            [[name, *(of.get(name, 0) for of in counts.values())] for name in names],
        ),
        "curve": curve(chosen.work / "log.jsonl"),
    }
    chosen.card.write_text(filled(chosen.card.read_text(encoding="utf-8"), blocks), encoding="utf-8")


if __name__ == "__main__":
    main()
