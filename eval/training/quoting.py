"""Which sentences of the first hits would be quoted, and whether they hold the gold."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from training.text_spans import interval

_QUOTES = 3
_HITS = 10
Place = tuple[str, int, int]


def sentence_of(hit: Mapping[str, Any], start: int, end: int) -> tuple[int, int]:
    """The sentences of the hit's file that a span of the hit touches, from the first to the last."""
    first, last = hit["start"] + start, hit["start"] + end
    touched = [(a, b) for a, b in hit["sentences"] if a < last and b > first]
    return (touched[0][0], touched[-1][1]) if touched else (first, last)


def by_span(row: Mapping[str, Any], weight: float) -> Iterator[tuple[float, Place]]:
    """Sentences around the best spans, scored by the span and its passage's relevance and rank."""
    for rank, hit in enumerate(row["hits"][:_HITS]):
        for start, end, score in hit["spans"]:
            place = sentence_of(hit, start, end)
            yield score + weight * hit["relevance"] - 0.3 * rank, (hit["file"], *place)


def quotations(found: Iterable[tuple[float, Place]]) -> list[Place]:
    """The best places, none within another, best first."""
    kept: list[Place] = []
    for _, place in sorted(found, key=lambda one: -one[0]):
        if not any(place[0] == other[0] and place[1] < other[2] and place[2] > other[1] for other in kept):
            kept.append(place)
    return kept[:_QUOTES]


def covered(gold: Sequence[Any], places: Sequence[Place]) -> bool:
    """Whether all but a few characters of a gold passage lie in the places."""
    inside = np.zeros(gold[2] - gold[1], dtype=bool)
    for file, start, end in places:
        if file == gold[0]:
            inside[max(0, start - gold[1]) : max(0, end - gold[1])] = True
    return bool(inside.mean() >= 0.97)


def quoting_figures(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Whole gold among the first three quotations, and the share of quotations that touch gold, for each way."""
    asked = [row for row in rows if row["answerable"] and row["gold"]]
    made: dict[str, Any] = {"questions": len(asked)}
    made["gold_in_hits"] = sum(
        all(
            any(covered(gold, [(hit["file"], hit["start"], hit["end"])]) for hit in row["hits"]) for gold in row["gold"]
        )
        for row in asked
    )
    for weight in (0.0, 0.5, 1.0):
        quoted = [quotations(by_span(row, weight)) for row in asked]
        whole = [float(all(covered(g, q) for g in row["gold"])) for row, q in zip(asked, quoted, strict=True)]
        one = [float(any(covered(g, q[:1]) for g in row["gold"])) for row, q in zip(asked, quoted, strict=True)]
        touching = [
            float(any(p[0] == g[0] and p[1] < g[2] and p[2] > g[1] for g in row["gold"]))
            for row, q in zip(asked, quoted, strict=True)
            for p in q
        ]
        made[f"span {weight}"] = {
            "whole_gold": int(sum(whole)),
            "interval": interval(whole),
            "first_holds_a_gold": int(sum(one)),
            "quotations_with_gold": round(float(np.mean(touching)), 3),
        }
    return made
