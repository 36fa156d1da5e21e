"""Checks that gold places hold what the data set says they hold."""

import re
from collections import Counter
from collections.abc import Mapping

from policy_rag_eval.datasets import Dataset, GoldPassage
from policy_rag_eval.errors import DatasetError

LEAST_SHARED = 0.9
"""Of a passage's words, the share that its place must hold: published passages are often cleaned a little."""

_NOISE = re.compile(r"[\W_]+")


def check_places(dataset: Dataset, texts: Mapping[str, str]) -> None:
    """Checks every placed passage against the documents' texts.

    A place holds its passage when the passage's letters and digits stand there in order, case ignored, or when at
    least nine in ten of its words do.

    Args:
        dataset: the data set.
        texts: file to its text, as the loader under test produced it.

    Raises:
        DatasetError: a place lies outside its file, or holds something else than the passage.
    """
    for passage in dataset.passages:
        if passage.file is None or passage.start is None or passage.end is None:
            continue
        text = texts.get(passage.file)
        if text is None:
            raise DatasetError(
                f"gold {passage.gold_id!r} lies in {passage.file}, which could not be read: mend that file"
            )
        if passage.end > len(text):
            raise DatasetError(_message(passage, f"the file ends at character {len(text)}"))
        if not holds(text[passage.start : passage.end], passage.text):
            elsewhere = text.find(passage.text)
            hint = f"it stands at {elsewhere}" if elsewhere >= 0 else "it stands nowhere in that file"
            raise DatasetError(_message(passage, f"its text is not there; {hint}"))


def holds(place: str, passage: str) -> bool:
    """Whether the text at a place holds a passage; a blank passage is held by any place.

    >>> holds("4.2 Expenses: **Keep** receipts.", "Expenses: keep receipts")
    True
    >>> holds("Keep receipts for", "Keep receipts for seven years")
    False
    """
    if passage in place or _NOISE.sub("", passage).casefold() in _NOISE.sub("", place).casefold():
        return True
    words, there = Counter(_words(passage)), Counter(_words(place))
    return (words & there).total() >= LEAST_SHARED * words.total()


def _words(text: str) -> list[str]:
    return _NOISE.sub(" ", text).casefold().split()


def _message(passage: GoldPassage, problem: str) -> str:
    place = f"{passage.file} {passage.start}-{passage.end}"
    return f"gold {passage.gold_id!r} is said to be at {place}, but {problem}: mend corpus.jsonl"
