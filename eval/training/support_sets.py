"""Statements with passages: public entailment sets, agreements, and altered sentences of policies."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from benchmarks.altered import StatementOrigin, make_cases
from policy_rag.index.search.terms import terms
from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import Pair, PairGroup, SupportLabel, TrainingTask, json_rows
from training.folds import is_held_out
from training.lexical import Passages

CONTRACT_FOLDS = 3
_OPPOSED = frozenset(
    {
        StatementOrigin.NUMBER_CHANGED,
        StatementOrigin.NUMBER_SWAPPED,
        StatementOrigin.BOUND_TURNED,
        StatementOrigin.NOT_DROPPED,
        StatementOrigin.NOT_ADDED,
    }
)
_WINDOW = 900
_SENTENCE_PAIRS = ("mnli", "snli", "conjnli")
_CLASSES = 6
_MORE = 1.5
One = TypeVar("One")


def overlap_balanced_groups(rows: Mapping[str, Sequence[Mapping[str, Any]]], seed: int) -> Iterator[PairGroup]:
    """A group a row, such that how many words a statement shares with its passage says little of whether it holds.

    In public sets what shares many words is mostly true, and a small model learns that first (McCoy, Pavlick and
    Linzen, ACL 2019). Here, of the rows of a kind of set that share about as many words (six classes), the more
    frequent label is cut to half as many again as the other has.

    Args:
        rows: of each set by its name; sets whose names begin alike up to "_" are a kind, but for those of one pair of
            sentences each, which are one together.
        seed: of their order.
    """
    rng = random.Random(f"{seed} overlap")
    classes: dict[tuple[str, int], tuple[list[PairGroup], list[PairGroup]]] = {}
    for source, own in rows.items():
        kind = "sentences" if source.startswith(_SENTENCE_PAIRS) else source.split("_")[0]
        for row in rng.sample(list(own), len(own)):
            pair = Pair(row["premise"], support=SupportLabel(row["label"]))
            group = PairGroup(TrainingTask.SUPPORT, source, row["premise"][:60], row["hypothesis"], (pair,))
            sides = classes.setdefault((kind, shared_class(row["hypothesis"], row["premise"])), ([], []))
            sides[pair.support is not SupportLabel.ENTAILED].append(group)
    for true, false in classes.values():
        yield from evened(true, false)


def evened(true: Sequence[One], false: Sequence[One]) -> list[One]:
    """The more frequent side cut to half as many again as the other has.

    >>> evened([1, 2, 3, 4], [5, 6])
    [1, 2, 3, 5, 6]
    """
    most = int(_MORE * min(len(true), len(false)))
    return [*true[:most], *false[:most]]


def shared_class(statement: str, passage: str) -> int:
    """How large a share of a statement's words its passage has, in sixths, 0 to 5.

    >>> shared_class("Staff travel by train.", "Trains are for travel."), shared_class("Dogs bark.", "Rain falls.")
    (4, 0)
    """
    said = set(terms(statement))
    return min(_CLASSES - 1, int(_CLASSES * len(said & set(terms(passage))) / max(1, len(said))))


def usable_rows(file: Path, count: int, seed: int) -> list[dict[str, Any]]:
    """Rows of a public set that are neither empty nor very long, `count` of them at most."""
    rows = [row for row in json_rows(file) if 10 <= len(row["premise"]) <= 1400 and len(row["hypothesis"]) >= 5]
    return random.Random(f"{seed} {file.name}").sample(rows, min(count, len(rows)))


def contract_rows(file: Path) -> list[dict[str, Any]]:
    """The statements on agreements, each with the window of its agreement that bears on it.

    The window is the evidence with what stands around it, about 900 characters; of a statement without evidence the
    window that BM25 finds for it.
    """
    found = []
    windows: dict[str, Passages] = {}
    for row in json_rows(file):
        premise = row["premise"]
        key = premise[:300]
        if key not in windows:
            windows[key] = Passages(_windows(premise))
        if row.get("evidence"):
            passage = evidence_window(premise, row["evidence"])
        else:
            passage = windows[key].texts[windows[key].best(row["hypothesis"], 1)[0]]
        found.append({"key": key, "statement": row["hypothesis"], "passage": passage, "label": row["label"]})
    return found


def _windows(text: str) -> list[str]:
    made: list[str] = []
    for start, end in sentence_spans(text, 0, len(text)):
        piece = text[start:end]
        if made and len(made[-1]) + len(piece) < _WINDOW:
            made[-1] = f"{made[-1]} {piece}"
        else:
            made.append(piece)
    return made or [text]


def evidence_window(text: str, evidence: Sequence[Sequence[int]], chars: int = _WINDOW) -> str:
    """The evidence, gathered where it is scattered; where it is short and in one place, with what stands around it.

    >>> evidence_window("Ann asks. Ben pays the rent. Cy waits.", [[10, 28]], chars=18)
    'Ben pays the rent.'
    """
    start, end = min(one[0] for one in evidence), max(one[1] for one in evidence)
    if end - start > chars:
        return " ".join(text[one[0] : one[1]].strip() for one in evidence)
    around = (chars - (end - start)) // 2
    spans = [(a, b) for a, b in sentence_spans(text, max(0, start - around), min(len(text), end + around))]
    kept = [(a, b) for a, b in spans if a >= start - around and b <= end + around]
    first, last = min([start, *(a for a, _ in kept)]), max([end, *(b for _, b in kept)])
    return text[first:last].strip()


def contract_groups(file: Path) -> Iterator[PairGroup]:
    """The agreements that are trained on; a third is held out."""
    for row in contract_rows(file):
        if not is_held_out(row["key"], CONTRACT_FOLDS):
            pair = Pair(row["passage"], support=SupportLabel(row["label"]))
            yield PairGroup(TrainingTask.SUPPORT, "contractnli", row["key"][:60], row["statement"], (pair,))


def altered_groups(passages: Sequence[str], seed: int, *, count: int) -> Iterator[PairGroup]:
    """True and false statements on passages; as many true as false, a passage's together."""
    cases = make_cases(list(passages), passages=0, seed=seed)
    by_truth: Mapping[bool, list[Any]] = {
        truth: [case for case in cases if case.kind.true is truth] for truth in (True, False)
    }
    rng = random.Random(f"{seed} altered")
    for truth, kept in by_truth.items():
        for case in rng.sample(kept, min(count // 2, len(kept))):
            label = SupportLabel.ENTAILED if truth else SupportLabel.NOT_ENTAILED
            label = SupportLabel.CONTRADICTED if case.kind in _OPPOSED else label
            pair = Pair(case.passage, support=label)
            yield PairGroup(TrainingTask.SUPPORT, f"altered {case.kind}", case.passage[:60], case.statement, (pair,))
