"""Questions with single sentences: the one that answers, and its neighbours that do not."""

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import Pair, PairGroup, TrainingTask, json_rows
from training.folds import is_held_out
from training.lexical import Passages
from training.reading_sets import neighbours
from training.swaps import names_in, sentence_at, swapped_question

_OWN, _OTHER = 4, 2  # negatives of the same passage, and of others that are near
_TITLED, _SWAPPED = 0.5, 0.15
_LONGEST = 600  # characters of a sentence


def sentence_groups(
    file: Path, source: str, seed: int, *, count: int | None = None, titled: bool = False
) -> Iterator[PairGroup]:
    """A group a question: the sentence that holds its answer, against sentences around it and of near passages.

    Of some questions a changed one follows, which the sentence does not answer.

    Args:
        file: rows as the README of the training data describes them.
        source: how the groups are called.
        seed: of all choices.
        count: how many questions are taken at most.
        titled: whether a row's `group` is its document's title, which then leads half of the sentences.
    """
    rng = random.Random(f"{seed} sentences {source}")
    rows = [row for row in json_rows(file) if row["answers"]]
    rng.shuffle(rows)
    yield from groups_of(rows[:count], source, rng, titled=titled)


def policy_rows(benchmark: Path) -> list[dict[str, Any]]:
    """PolicyQA's questions on the policies that are not held out, as rows: each passage that holds an answer."""
    gold: dict[str, list[str]] = {}
    with (benchmark / "qrels.tsv").open(encoding="utf-8") as lines:
        for line in list(lines)[1:]:
            question, label, *_ = line.rstrip("\n").split("\t")
            gold.setdefault(question, []).append(label)
    passages = {row["_id"]: row["text"] for row in json_rows(benchmark / "corpus.jsonl")}
    found = []
    for row in json_rows(benchmark / "queries.jsonl"):
        if is_held_out(row["doc_id"]):
            continue
        for label in gold.get(row["_id"], ())[:2]:
            context = passages.get(label, "")
            places = [(context.find(answer), len(answer)) for answer in row["answers"] if answer in context]
            if places:
                spans = [[start, start + length] for start, length in places]
                found.append({"question": row["text"], "context": context, "answers": spans, "group": row["doc_id"]})
    return found


def groups_of(
    rows: Sequence[Mapping[str, Any]], source: str, rng: random.Random, *, titled: bool = False
) -> Iterator[PairGroup]:
    """The groups of rows; see `sentence_groups`."""
    near = neighbours(rows)
    names = [name for row in rng.sample(list(rows), min(len(rows), 500)) for name in names_in(row["context"])]
    for row, others in zip(rows, near, strict=True):
        lead = f"{row['group'].replace('_', ' ')}: " if titled and rng.random() < _TITLED else ""
        yield from _groups(row, others, source, rng, names, lead)


def _groups(
    row: Mapping[str, Any], near: Sequence[str], source: str, rng: random.Random, names: Sequence[str], lead: str
) -> Iterator[PairGroup]:
    context, question = row["context"], row["question"]
    spans = [(start, end) for start, end in row["answers"]]
    span = max(set(spans), key=lambda one: (spans.count(one), one[0] - one[1]))
    start, end = sentence_at(context, span[0])[0], sentence_at(context, max(span[0], span[1] - 1))[1]
    if not start <= span[0] < span[1] <= end <= start + _LONGEST:
        return
    answer = context[slice(*span)].casefold()
    own = [
        context[a:b]
        for a, b in sentence_spans(context, 0, len(context))
        if b <= start or a >= end
        if not any(a < last and first < b for first, last in spans)
    ]
    further = [passage[a:b] for passage in near[:3] for a, b in sentence_spans(passage, 0, len(passage))]
    further = [further[i] for i in Passages(further).best(question, _OTHER + 2)] if further else []
    own, further = (
        [text for text in texts if 15 <= len(text) <= _LONGEST and answer not in text.casefold()]
        for texts in (own, further)
    )
    taken = rng.sample(own, min(_OWN, len(own)))
    others = [*taken, *further[: _OWN + _OTHER - len(taken)]]
    if not others:
        return
    held = Pair(
        lead + context[start:end],
        answerable=True,
        span=(len(lead) + span[0] - start, len(lead) + span[1] - start),
    )
    pairs = (held, *(Pair(lead + text, answerable=False) for text in others))
    yield PairGroup(TrainingTask.READ, f"{source} sentences", row["group"], question, pairs)
    if rng.random() < _SWAPPED:
        changed = swapped_question(question, rng, [*names_in(context), *names], context[start:end])
        if changed:
            silent = (Pair(held.passage, answerable=False), Pair(lead + others[0], answerable=False))
            yield PairGroup(TrainingTask.READ, f"{source} swapped sentences", row["group"], changed, silent)
