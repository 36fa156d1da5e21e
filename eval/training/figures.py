"""Figures with intervals from what `training.measure` kept, and the calibration that the reader ships with.

    python -m training.figures WORK/measured/FINGERPRINT

Prints JSON. Whatever is chosen (a threshold, a blend, weights) is chosen on one half of a set and counted on the other,
or fitted on one set and counted on another.
"""

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from training.examples import json_rows
from training.fitting import apply, fit, temperature
from training.folds import fold_of
from training.quoting import quoting_figures
from training.ranking import BLENDS, ranking_figures
from training.text_spans import exact_match, interval, roc_area, token_f1

_LABELS = ("entailed", "contradicted", "neutral")
_REFUSED = 0.1


def squad_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """EM and F1 with unanswerable questions, threshold from the other half; ROC area of answerability."""
    features = np.array([_features(row) for row in rows])
    labels = np.array([bool(row["answers"]) for row in rows])
    half = np.array([fold_of(row["group"], 2) for row in rows])
    scores = np.zeros(len(rows))
    exact = np.array([exact_match(row["said"], row["answers"]) if row["answers"] else 0.0 for row in rows])
    f1 = np.array([token_f1(row["said"], row["answers"]) if row["answers"] else 0.0 for row in rows])
    em_given, f1_given = np.zeros(len(rows)), np.zeros(len(rows))
    for one in (0, 1):
        own, other = half == one, half != one
        weights = fit(features[other], labels[other])
        scores[own] = apply(weights, features[own])
        known = apply(weights, features[other])
        cuts = np.quantile(known, np.linspace(0, 1, 41))
        best = max(cuts, key=lambda cut: float(np.where(known >= cut, f1[other], ~labels[other]).mean()))
        em_given[own] = np.where(scores[own] >= best, exact[own], ~labels[own])
        f1_given[own] = np.where(scores[own] >= best, f1[own], ~labels[own])
    return {
        "questions": len(rows),
        "em": interval(em_given),
        "f1": interval(f1_given),
        "em_answerable": interval(exact[labels]),
        "f1_answerable": interval(f1[labels]),
        "roc": _roc(scores[labels], scores[~labels]),
        "roc_answerable_logit": round(roc_area(features[labels, 0], features[~labels, 0]), 3),
        "roc_span": round(roc_area(features[labels, 2], features[~labels, 2]), 3),
    }


def _features(one: Mapping[str, Any]) -> list[float]:
    return [one["answerable"], one["relevance"], one["spans"][0][2] if one["spans"] else -20.0]


def _roc(high: Any, low: Any) -> list[float]:
    """The area, and an interval over resampled groups."""
    rng = np.random.default_rng(0)
    high, low = np.asarray(high), np.asarray(low)
    drawn = [
        roc_area(high[rng.integers(0, len(high), len(high))], low[rng.integers(0, len(low), len(low))])
        for _ in range(500)
    ]
    return [round(float(v), 3) for v in (roc_area(high, low), np.quantile(drawn, 0.025), np.quantile(drawn, 0.975))]


def contract_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Balanced accuracy over three labels and over supported against contradicted, agreements resampled as they are."""
    from sklearn.metrics import recall_score

    def balanced(chosen: Sequence[Mapping[str, Any]], labels: Sequence[str]) -> float:
        """Over rows of the first labels, whose places in `given` are theirs."""
        own = [row for row in chosen if row["label"] in labels]
        said = [labels[int(np.argmax(row["given"][: len(labels)]))] for row in own]
        true = [row["label"] for row in own]
        return float(recall_score(true, said, labels=sorted(set(true)), average="macro"))

    made: dict[str, Any] = {"statements": len(rows)}
    groups = sorted({row["group"] for row in rows})
    rng = np.random.default_rng(0)
    by_group = {group: [row for row in rows if row["group"] == group] for group in groups}
    for name, labels in (("three_labels", _LABELS), ("supported_or_contradicted", _LABELS[:2])):
        drawn = []
        for _ in range(300):
            picked = [row for i in rng.integers(0, len(groups), len(groups)) for row in by_group[groups[i]]]
            drawn.append(balanced(picked, labels))
        made[name] = [
            round(balanced(rows, labels), 3),
            *(round(float(np.quantile(drawn, q)), 3) for q in (0.025, 0.975)),
        ]
    supported = [row["given"][0] for row in rows if row["label"] == "entailed"]
    made["supported_roc"] = _roc(supported, [row["given"][0] for row in rows if row["label"] != "entailed"])
    return made


def wording_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """True statements rejected and false ones passed, the threshold from the other half; ROC area."""
    true = np.array([row["label"] == "supported" for row in rows])
    scores = np.array([row["given"][0] for row in rows])
    half = np.arange(len(rows)) // 6 % 2  # six statements a passage: a passage's stay together
    passed = np.zeros(len(rows), dtype=bool)
    for one in (0, 1):
        own, other = half == one, half != one
        cuts = np.unique(scores[other])
        best = max(cuts, key=lambda cut: float(((scores[other] >= cut) == true[other]).mean()))
        passed[own] = scores[own] >= best
    kinds = sorted({row["kind"] for row in rows})
    return {
        "statements": len(rows),
        "true_rejected": interval((~passed[true]).astype(float)),
        "false_passed": interval(passed[~true].astype(float)),
        "roc": _roc(scores[true], scores[~true]),
        "right_by_kind": {
            kind: [int((passed == true)[own].sum()), int(own.sum())]
            for kind in kinds
            for own in [np.array([row["kind"] == kind for row in rows])]
        },
    }


def written_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What was written on held-out organisations: answered against silent, true against false and against neither."""
    by_kind: dict[str, list[Mapping[str, Any]]] = {
        kind: [row for row in rows if row["kind"] == kind] for kind in "qntfu"
    }

    def area(high: str, low: str, of: str) -> list[float]:
        return _roc([row[of] for row in by_kind[high]], [row[of] for row in by_kind[low]])

    return {
        "questions": len(by_kind["q"]) + len(by_kind["n"]),
        "f1": interval([token_f1(row["said"], row["answers"]) for row in by_kind["q"]]),
        "first": interval([float(row["first"]) for row in by_kind["q"]]),
        "roc_whole": area("q", "n", "answerable"),
        "roc_sentence": area("q", "n", "best"),
        "roc_false": area("t", "f", "supported"),
        "roc_neither": area("t", "u", "supported"),
    }


def question_features(row: Mapping[str, Any]) -> list[float]:
    """What all hits of a question say together."""
    hits = [one for one in row["hits"] if one["spans"]]
    if not hits:
        return [-10.0, -10.0, -20.0, -10.0]
    own = sorted((hit["answerable"] for hit in hits), reverse=True)
    return [
        own[0],
        max(hit["relevance"] for hit in hits),
        max(hit["spans"][0][2] for hit in hits),
        float(np.mean(own[:3])),
    ]


def refusal_figures(rows: Sequence[Mapping[str, Any]], others: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Unanswerable questions refused where 10 % of the answerable are; weights fitted on another set's questions."""
    weights = fit(np.array([question_features(row) for row in others]), [float(row["answerable"]) for row in others])
    features = np.array([question_features(row) for row in rows])
    answerable = np.array([bool(row["answerable"]) for row in rows])
    scores = {"fitted": apply(weights, features), "answerable": features[:, 0], "span": features[:, 2]}
    scores["relevance"] = features[:, 1]
    scores["first_stage"] = np.array([row["hits"][0]["first"] if row["hits"] else 0.0 for row in rows])
    made: dict[str, Any] = {"answerable": int(answerable.sum()), "unanswerable": int((~answerable).sum())}
    for name, one in scores.items():
        cut = np.quantile(one[answerable], _REFUSED)
        made[name] = {
            "refused": interval((one[~answerable] < cut).astype(float)),
            "roc": _roc(one[answerable], one[~answerable]),
        }
    return made


def calibration(sets: Mapping[str, Sequence[Mapping[str, Any]]], made: Mapping[str, Any]) -> dict[str, Any]:
    """What `reader.json` keeps: a temperature, and the blend whose least gain over the sets is greatest."""
    found: dict[str, Any] = {}
    ranked = [made[name]["by_blend"] for name in ("obliqa", "policyqa") if name in made]
    if ranked:
        found["blend"] = max(BLENDS, key=lambda b: min(one[b]["ndcg@10"] - one[0.0]["ndcg@10"] for one in ranked))
    known = sets.get("contracts", ())
    if known:
        logs = np.log(np.maximum(np.array([row["given"] for row in known]), 1e-9))
        found["temperature"] = temperature(logs, [_LABELS.index(row["label"]) for row in known])
    return found


def figures(folder: Path) -> dict[str, Any]:
    """All figures of the sets that were measured."""
    sets = {file.stem: list(json_rows(file)) for file in sorted(folder.glob("*.jsonl"))}
    made: dict[str, Any] = {}
    simple: dict[str, Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]]] = {
        "squad": squad_figures,
        "contracts": contract_figures,
        "free_wording": wording_figures,
        "written": written_figures,
        "obliqa": ranking_figures,
        "policyqa": ranking_figures,
    }
    for name, count in simple.items():
        if sets.get(name):
            made[name] = count(sets[name])
    for name, other in (("handbook", "brannholt"), ("brannholt", "handbook")):
        if name in sets and other in sets:
            made[name] = {"refusal": refusal_figures(sets[name], sets[other])}
        if name in sets:
            made.setdefault(name, {})["quoting"] = quoting_figures(sets[name])
    made["calibration"] = calibration(sets, made)
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the figures; with a second path keeps the calibration there."""
    parser = argparse.ArgumentParser(description="Figures of a measured reader.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--calibration", type=Path)
    chosen = parser.parse_args(arguments)
    made = figures(chosen.folder)
    sys.stdout.write(json.dumps(made, indent=1) + "\n")
    if chosen.calibration is not None:
        chosen.calibration.write_text(json.dumps(made["calibration"], indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
