"""Reranking the first stage's list: recall@10, ap@10 and ndcg@10 for shares of the reader's relevance."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from policy_rag_eval.measures.measures import Measure, score
from training.folds import fold_of
from training.text_spans import interval

DEPTH = 30  # candidates that the product ranks by the reader
BLENDS = tuple(round(0.1 * i, 1) for i in range(11))
_MEASURES = tuple(Measure.parse(name) for name in ("recall@10", "ap@10", "ndcg@10"))


def scaled(scores: Sequence[float]) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Scores from 0 to 1 over a question's candidates; all 0 where they are equal.

    >>> scaled([1.0, 3.0, 2.0]).tolist()
    [0.0, 1.0, 0.5]
    """
    array = np.asarray(scores, dtype=float)
    spread = array.max() - array.min()
    return (array - array.min()) / spread if spread > 0 else np.zeros_like(array)


def reordered(row: Mapping[str, Any], blend: float) -> list[str]:
    """The labels in the order of `(1 - blend) * first stage + blend * relevance`, each once."""
    if not row["keys"]:
        return []
    total = (1 - blend) * scaled(row["first"][:DEPTH]) + blend * scaled(row["relevance"][:DEPTH])
    order = [row["keys"][i] for i in np.argsort(-total, kind="stable")]
    return list(dict.fromkeys([*order, *row["keys"][DEPTH:]]))


def ranking_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Each blend's measures; for the blend that is best by ndcg@10 on the other half, the gain over the first stage."""
    gold = {row["id"]: dict.fromkeys(row["gold"], 1) for row in rows}
    table: dict[float, dict[str, tuple[float, ...]]] = {}
    for blend in BLENDS:
        scores = score(gold, {row["id"]: reordered(row, blend) for row in rows}, _MEASURES)
        table[blend] = {str(measure): values for measure, values in scores.values.items()}
    means = {
        blend: {name: round(float(np.mean(values)), 4) for name, values in found.items()}
        for blend, found in table.items()
    }
    half = np.array([fold_of(row["id"], 2) for row in rows])
    chosen: dict[int, float] = {}
    for one in (0, 1):
        other = np.flatnonzero(half != one)
        chosen[one] = max(BLENDS, key=lambda blend: float(np.mean(np.array(table[blend]["ndcg@10"])[other])))
    made: dict[str, Any] = {"questions": len(rows), "by_blend": means, "chosen": chosen}
    made["best_blend"] = max(BLENDS, key=lambda blend: means[blend]["ndcg@10"])
    for name in means[0.0]:
        own = [table[chosen[int(half[i])]][name][i] for i in range(len(rows))]
        plain = table[0.0][name]
        made[name] = {
            "first_stage": interval(plain),
            "reranked": interval(own),
            "gain": interval([a - b for a, b in zip(own, plain, strict=True)]),
        }
    if "seconds" in rows[0]:
        made["median_ms"] = round(1000 * float(np.median([row["seconds"] for row in rows])))
    return made
