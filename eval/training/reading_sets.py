"""Reading comprehension sets, with unanswerable questions made beside the answerable ones."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from training.examples import Pair, PairGroup, TrainingTask, json_rows
from training.lexical import Passages
from training.swaps import names_in, swapped_passage, swapped_question, without_answer

UNANSWERED = Path(__file__).with_name("unanswered.jsonl")
_BLOCK = 60  # contexts that negatives are sought among, where a set's groups are too large to be documents


def reading_groups(
    file: Path, source: str, seed: int, *, count: int | None = None, changed: float = 0.0
) -> Iterator[PairGroup]:
    """A group a question: its context and one that does not answer it, and now and then a changed question.

    Half of the unanswerable ones are the next best context of the same document by BM25; the others are swaps in
    question or context, and the context without the sentence that answers.

    Args:
        file: rows as the README of the training data describes them.
        source: how the groups are called.
        seed: of all choices.
        count: how many questions are taken at most.
        changed: of how many of the questions with two contexts a changed one follows too, a share.
    """
    rng = random.Random(f"{seed} {source}")
    rows = [row for row in json_rows(file) if row["answers"]]
    rng.shuffle(rows)
    rows = rows[:count]
    near = neighbours(rows)
    names = [name for row in rng.sample(rows, min(len(rows), 500)) for name in names_in(row["context"])]
    for turn, row in enumerate(rows):
        yield from _groups_of(row, source, near[turn], rng, names, changed)


def written_unanswered(file: Path) -> Iterator[PairGroup]:
    """Questions that were written for this, on contexts of a set that look as if they answered them.

    `unanswered.jsonl` beside this has them: the beginning of a context's SHA-256 and the questions.
    """
    contexts = {context_key(row["context"]): row for row in json_rows(file)}
    for written in json_rows(UNANSWERED):
        row = contexts.get(written["context"], {})
        for question in written["questions"] if row else ():
            pair = Pair(row["context"], answerable=False)
            yield PairGroup(TrainingTask.READ, "unanswered", row["group"], question, (pair,))


def context_key(context: str) -> str:
    """How a context is called where its text is not told."""
    return sha256(context.encode()).hexdigest()[:12]


def negated_groups(file: Path, source: str) -> Iterator[PairGroup]:
    """Questions that people wrote on negated sentences and on the same changed a little; some have no answer there."""
    for row in json_rows(file):
        pair = Pair(row["context"], answerable=row["verdict"] != "DON'T KNOW")
        yield PairGroup(TrainingTask.READ, source, row["group"], row["question"], (pair,))


def neighbours(rows: Sequence[Mapping[str, Any]]) -> list[list[str]]:
    """For each row the other contexts of its document that are nearest to its question."""
    by_group: dict[str, list[int]] = defaultdict(list)
    for place, row in enumerate(rows):
        by_group[row["group"]].append(place)
    blocks = [places[i : i + _BLOCK * 4] for places in by_group.values() for i in range(0, len(places), _BLOCK * 4)]
    blocks.sort(key=len)
    whole: list[list[int]] = []
    for block in blocks:  # groups of one or two contexts are put together
        if whole and len(whole[-1]) < 8:
            whole[-1].extend(block)
        else:
            whole.append(list(block))
    found: list[list[str]] = [[] for _ in rows]
    for block in whole:
        contexts = list(dict.fromkeys(rows[place]["context"] for place in block))
        if len(contexts) < 2:
            continue
        search = Passages(contexts)
        for place in block:
            answers = [rows[place]["context"][start:end].lower() for start, end in rows[place]["answers"]]
            found[place] = [
                contexts[i]
                for i in search.best(rows[place]["question"], 5)
                if contexts[i] != rows[place]["context"]
                and not any(answer in contexts[i].lower() for answer in answers)
            ]
    return found


def _groups_of(
    row: Mapping[str, Any],
    source: str,
    near: Sequence[str],
    rng: random.Random,
    names: Sequence[str],
    share: float,
) -> Iterator[PairGroup]:
    context, question = row["context"], row["question"]
    spans = [(start, end) for start, end in row["answers"]]
    span = max(set(spans), key=lambda one: (spans.count(one), one[0] - one[1]))
    pairs = [Pair(context, relevant=True, answerable=True, span=span)]
    chance = rng.random()
    if chance < 0.4 and near:
        pairs.append(Pair(near[0], relevant=False, answerable=False))
    elif chance < 0.65:
        left = without_answer(context, span)
        if left:
            pairs.append(Pair(left, answerable=False))
    elif chance < 0.85:
        swapped = swapped_passage(question, context, span, rng, names)
        if swapped:
            pairs.append(Pair(swapped, answerable=False))
    yield PairGroup(TrainingTask.READ, source, row["group"], question, tuple(pairs))
    if len(pairs) == 1 or rng.random() < share:
        own = [name for name in names_in(context) if name not in question]
        changed = swapped_question(question, rng, own if own and rng.random() < 0.5 else names, context)
        if changed:
            yield PairGroup(
                TrainingTask.READ, f"{source} swapped", row["group"], changed, (Pair(context, answerable=False),)
            )
