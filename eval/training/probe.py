"""A glance at the network while it is trained: small samples of what it will be measured on in full."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.encoding import EncodedGroup, EncodedPair, Encoder, tensors
from training.examples import Pair, PairGroup, TrainingTask, json_rows
from training.folds import is_held_out
from training.network import ReaderNetwork, autocast
from training.policies import obliqa_keys
from training.support_sets import CONTRACT_FOLDS, contract_rows
from training.text_spans import roc_area

_READING, _RANKED, _DEEP, _AGREEMENTS = 120, 16, 15, 120
_LABELS = ("entailed", "contradicted", "neutral")


def scores(
    network: ReaderNetwork, rows: Sequence[EncodedPair], tokens: int = 4096
) -> list[tuple[float, float, list[float], int, int]]:
    """Of each row relevance, answerability, support logits, and the best start and end tokens in its passage."""
    order = sorted(range(len(rows)), key=lambda i: -len(rows[i].ids))
    found: dict[int, Any] = {}
    while order:
        count = max(1, tokens // len(rows[order[0]].ids))
        block, order = order[:count], order[count:]
        read = tensors([EncodedGroup(TrainingTask.READ, (rows[i],)) for i in block])
        device = network.scale.device
        given = (read[name].to(device) for name in ("input_ids", "attention_mask", "token_type_ids"))
        with torch.no_grad(), autocast(device.type):
            outputs = network(*given)
        relevance, answerable, support, start, end = (output.float().cpu().numpy() for output in outputs)
        inside = read["token_type_ids"].numpy().astype(bool)
        for row, i in enumerate(block):
            places = np.flatnonzero(inside[row])[:-1]
            if len(places) == 0:
                places = np.array([0])
            pairs = start[row, places][:, None] + end[row, places][None, :]
            allowed = np.triu(np.ones_like(pairs)) - np.triu(np.ones_like(pairs), 40)
            best = int(np.argmax(np.where(allowed > 0, pairs, -1e9)))
            first, last = divmod(best, len(places))
            found[i] = (
                float(relevance[row]),
                float(answerable[row]),
                support[row].tolist(),
                int(places[first]),
                int(places[last]),
            )
    return [found[i] for i in range(len(rows))]


def make_probe(data: Path, work: Path, encoder: Encoder) -> Callable[[ReaderNetwork], Mapping[str, float]]:
    """What a checkpoint is glanced at with; the samples are the same each time."""
    rng = random.Random(0)

    def rows_of(asked: Iterable[tuple[str, Pair]]) -> list[EncodedPair]:
        groups = [PairGroup(TrainingTask.READ, "", "", text, (pair,)) for text, pair in asked]
        return [group.rows[0] for group in encoder.rows(groups, random.Random(0))]

    squad = rng.sample(list(json_rows(data / "reading" / "squad2_half_dev.jsonl.gz")), _READING)
    reading = rows_of(
        (row["question"], Pair(row["context"], span=tuple(row["answers"][0]) if row["answers"] else None))
        for row in squad
    )
    contracts = [
        row
        for row in contract_rows(data / "support" / "contractnli_dev.jsonl.gz")
        if is_held_out(row["key"], CONTRACT_FOLDS)
    ]
    contracts = rng.sample(contracts, min(_AGREEMENTS, len(contracts)))
    support = rows_of((row["statement"], Pair(row["passage"])) for row in contracts)
    candidates = list(json_rows(work / "candidates" / "obliqa.jsonl"))
    keys = obliqa_keys(candidates)
    held = [row for row in candidates if row["id"] in keys and is_held_out(keys[row["id"]])]
    ranked = [row for row in rng.sample(held, min(_RANKED, len(held))) if row["hits"]]
    pairs = rows_of((row["text"], Pair(hit["text"])) for row in ranked for hit in row["hits"][:_DEEP])

    def probe(network: ReaderNetwork) -> Mapping[str, float]:
        read = scores(network, reading)
        answered = [i for i, row in enumerate(squad) if row["answers"]]
        exact = [(read[i][3], read[i][4]) == (reading[i].start, reading[i].end) for i in answered]
        unanswered = [read[i][1] for i, row in enumerate(squad) if not row["answers"]]
        said = [_LABELS[int(np.argmax(one[2]))] for one in scores(network, support)]
        right = [
            np.mean([told == label for told, row in zip(said, contracts, strict=True) if row["label"] == label])
            for label in _LABELS
        ]
        ranks = scores(network, pairs)
        precision, plain, place = [], [], 0
        for row in ranked:
            hits = row["hits"][:_DEEP]
            own = [one[0] for one in ranks[place : place + len(hits)]]
            place += len(hits)
            order = np.argsort(-np.asarray(own), kind="stable")
            precision.append(_reciprocal([hits[i]["key"] for i in order], row["gold"]))
            plain.append(_reciprocal([hit["key"] for hit in hits], row["gold"]))
        return {
            "token_exact": round(float(np.mean(exact)), 3),
            "answerable_roc": round(roc_area([read[i][1] for i in answered], unanswered), 3),
            "contract_balanced": round(float(np.mean(right)), 3),
            "obliqa_rr": round(float(np.mean(precision)), 3),
            "obliqa_rr_before": round(float(np.mean(plain)), 3),
        }

    return probe


def _reciprocal(keys: Sequence[str], gold: Sequence[str]) -> float:
    return next((1 / (rank + 1) for rank, key in enumerate(keys) if key in gold), 0.0)
