"""What policy texts teach: questions with their passages, headings over their sections, questions made by rule."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from policy_rag_parsers.loaders import load
from policy_rag_parsers.structure.sections import parse_sections
from policy_rag_parsers.text.sentences import sentence_spans
from training.examples import Pair, PairGroup, TrainingTask, json_rows
from training.folds import is_held_out, linked
from training.lexical import Passages
from training.sentence_questions import english_questions
from training.swaps import names_in, swapped_question, without_answer

# Documents of the handbook benchmark, under other names: its figures must not be those of texts that were learnt.
_OF_THE_HANDBOOK = ("18f-", "github-")
_GENERAL = re.compile(
    r"(?:introduction|general|overview|purpose|scope|definitions?|background|annex.*|appendix.*|contents|preamble|"
    r"article \d+|section \d+|chapter \d+|references?|notes?|other|miscellaneous)",
    re.IGNORECASE,
)
_NEGATIVES = 4


def obliqa_keys(rows: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """The fold key of each question: questions that share a passage share it."""
    return linked({row["id"]: row["gold"] for row in rows if row["gold"]})


def obliqa_groups(rows: Sequence[dict[str, Any]], texts: Mapping[str, str], seed: int) -> Iterator[PairGroup]:
    """A group for each gold passage of each question that is trained on, with first-stage negatives."""
    rng = random.Random(f"{seed} obliqa")
    keys = obliqa_keys(rows)
    for row in rows:
        if row["id"] not in keys or is_held_out(keys[row["id"]]):
            continue
        gold = set(row["gold"])
        others = [hit["text"] for hit in row["hits"] if hit["key"] not in gold]
        single = True if len(gold) == 1 else None
        for label in [one for one in row["gold"] if one in texts][:2]:
            pairs = (Pair(texts[label], relevant=True, answerable=single), *_negatives(others, rng))
            yield PairGroup(TrainingTask.RANK, "obliqa", keys[row["id"]], row["text"], pairs)


def _negatives(others: Sequence[str], rng: random.Random, count: int = _NEGATIVES) -> tuple[Pair, ...]:
    """Some of the first ten, where the hard ones are, and one from further down."""
    near, far = list(others[:12]), list(others[12:])
    chosen = rng.sample(near, min(count - 1, len(near))) + rng.sample(far, min(1, len(far)))
    return tuple(Pair(text, relevant=False) for text in chosen)


def policyqa_groups(rows: Sequence[dict[str, Any]], texts: Mapping[str, str], seed: int) -> Iterator[PairGroup]:
    """Ranking groups of the policies that are trained on, and reading groups where an accepted span is found."""
    rng = random.Random(f"{seed} policyqa")
    for row in rows:
        if is_held_out(row["doc_id"]) or not row["gold"]:
            continue
        gold = set(row["gold"])
        others = [hit["text"] for hit in row["hits"] if hit["key"] not in gold]
        own = [texts[label] for label in row["gold"] if texts.get(label)]
        if not own:
            continue
        passage = rng.choice(own)
        yield PairGroup(
            TrainingTask.RANK,
            "policyqa",
            row["doc_id"],
            row["text"],
            (Pair(passage, relevant=True), *_negatives(others, rng, 3)),
        )
        for answer in row["answers"]:
            place = passage.find(answer)
            if place >= 0 and others:
                pairs = (
                    Pair(passage, relevant=True, answerable=True, span=(place, place + len(answer))),
                    Pair(rng.choice(others[:4]), relevant=False, answerable=False),
                )
                yield PairGroup(TrainingTask.READ, "policyqa", row["doc_id"], row["text"], pairs)
                break


def heading_groups(folder: Path, seed: int) -> Iterator[PairGroup]:
    """A title as the question and its section as the passage, against the other sections of the document."""
    rng = random.Random(f"{seed} headings")
    for file in sorted(folder.iterdir()):
        if file.name.startswith(_OF_THE_HANDBOOK):
            continue
        sections = sections_of(file)
        bodies = [body for _, body in sections]
        if len(bodies) < 6:
            continue
        search = Passages(bodies)
        for place, (title, body) in enumerate(sections):
            if len(title.split()) < 2 or _GENERAL.fullmatch(title.strip()):
                continue
            near = [bodies[i] for i in search.best(title, 8) if i != place and bodies[i] != body]
            chosen = rng.sample(near, min(2, len(near))) + rng.sample(bodies, 1)
            pairs = (Pair(body, relevant=True), *(Pair(text, relevant=False) for text in chosen if text != body))
            yield PairGroup(TrainingTask.RANK, "headings", file.name, title, pairs)


def sections_of(file: Path) -> list[tuple[str, str]]:
    """Titles and bodies of a document's sections that hold some text."""
    source = load(file)
    found = []
    for section in parse_sections(source, title=file.stem):
        body = source.text[section.body : section.end].strip()
        if 120 <= len(body) <= 4000:
            found.append((section.title, body))
    return found


def joined_passages(passages: Sequence[str], chars: int = 700) -> list[str]:
    r"""Passages that follow one another put together until they have about so many characters.

    >>> joined_passages(["a b", "c d", "e f"], chars=7)
    ['a b\nc d', 'e f']
    """
    made: list[str] = []
    for passage in passages:
        if made and len(made[-1]) + len(passage) < chars:
            made[-1] = f"{made[-1]}\n{passage}"
        else:
            made.append(passage)
    return made


def rule_groups(passages: Sequence[str], source: str, count: int, seed: int) -> Iterator[PairGroup]:
    """Questions that a rule makes of a passage's sentence, with passages that do not answer them.

    Unanswerable ones are the passage without that sentence, the next best passage, and the question with one thing
    changed, in turn.
    """
    rng = random.Random(f"{seed} rules {source}")
    search = Passages(passages)
    order = list(range(len(passages)))
    rng.shuffle(order)
    made = 0
    for place in order:
        passage = passages[place]
        if made >= count or not 200 <= len(passage) <= 2500:
            continue
        asked = [
            (one, span)
            for span in sentence_spans(passage, 0, len(passage))
            for one in english_questions(" ".join(passage[slice(*span)].split()))
        ]
        if not asked:
            continue
        with_answer = [one for one in asked if one[0].answer] or asked
        question, sentence = rng.choice(with_answer if rng.random() < 0.6 else asked)
        near = [passages[i] for i in search.best(question.text, 4) if i != place]
        group = _rule_group(question.answer, passage, sentence, near, made)
        if group:
            made += 1
            yield PairGroup(TrainingTask.READ, f"rules {source}", str(place), question.text, group)


def _rule_group(
    answer: str,
    passage: str,
    sentence: tuple[int, int],
    near: Sequence[str],
    turn: int,
) -> tuple[Pair, ...] | None:
    place = passage.find(answer, *sentence) if answer else -1
    span = (place, place + len(answer)) if place >= 0 else sentence
    pairs = [Pair(passage, relevant=True, answerable=True, span=span)]
    left = without_answer(passage, sentence)
    if left and turn % 2 == 0:
        pairs.append(Pair(left, answerable=False))
    elif near:
        pairs.append(Pair(near[0], relevant=False, answerable=False))
    return tuple(pairs) if len(pairs) > 1 else None


def swapped_rule_group(group: PairGroup, rng: random.Random, names: Sequence[str] = ()) -> PairGroup | None:
    """The group's question with one thing changed, which its passage then does not answer."""
    passage = group.pairs[0].passage
    changed = swapped_question(group.text, rng, [*names, *names_in(passage)], passage)
    if changed is None:
        return None
    return PairGroup(
        TrainingTask.READ, f"{group.source} swapped", group.fold_key, changed, (Pair(passage, answerable=False),)
    )


def passages_of(folder: Path) -> dict[str, str]:
    """Gold id to text of a benchmark; the first text of a repeated id."""
    found: dict[str, str] = {}
    for row in json_rows(folder / "corpus.jsonl"):
        if row["text"].strip():
            found.setdefault(row["_id"], row["text"])
    return found
