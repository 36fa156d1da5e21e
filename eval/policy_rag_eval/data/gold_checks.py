"""Checks that gold places hold what the data set says they hold, and that who asks may find them."""

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, partial

from policy_rag.errors import UsageError
from policy_rag.index.store.stored_documents import DocumentInfo
from policy_rag.retrieval.filters import known_keys, matching, parse_filter
from policy_rag_eval.data.dataset import Dataset, GoldPassage, some_of
from policy_rag_eval.errors import DatasetError

LEAST_SHARED = 0.9
"""Of a passage's words, the share that its place must hold: published passages are often cleaned a little."""

MOST_BEFORE = 100
"""Letters and digits that may stand in a place before its passage begins: a number, a heading."""

MUCH_LONGER = 3
"""A place with more than this many times its passage's letters and digits is told."""

_NOISE = re.compile(r"[\W_]+")
_SHOWN = 40


def check_places(dataset: Dataset, texts: Mapping[str, str]) -> tuple[str, ...]:
    """Checks every placed passage against the documents' texts.

    A place holds its passage when the passage's letters and digits stand there in order, case ignored, not more than
    `MOST_BEFORE` of others before them; or, where the passage stands nowhere word for word, when at least nine in ten
    of its words are there.

    `texts` has each file's, as the loader under test produced it.

    Returns:
        What a reader of the figures should know, one line each: places that go on long after their passage, and those
        that hold it but for some words, as where a document was changed since.

    Raises:
        DatasetError: a place lies outside its file, or holds something else than the passage.
    """
    longer, changed = [], []
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
        place = text[passage.start : passage.end]
        if not _fits(place, passage.text, text):
            raise DatasetError(_message(passage, _what_is_there(passage, text, place)))
        if len(_plain(place)) > MUCH_LONGER * len(_plain(passage.text)) > 0:
            longer.append(passage.gold_id)
        lacking = [] if _plain(passage.text) in _plain(place) else _lacking(place, passage.text)
        if lacking:
            changed.append(f"{passage.gold_id} without {_begin(' '.join(lacking))}")
    notes = []
    if longer:
        told = f"{len(longer)} gold places hold more than {MUCH_LONGER} times their passage, for example {longer[0]}"
        notes.append(f"{told}: a hit wins such a place only if it covers half of it")
    if changed:
        told = f"{len(changed)} gold places hold their passage but for some words, for example {changed[0]}"
        notes.append(f"{told}: where the document was changed since, the answer may be another")
    return tuple(notes)


def check_reach(dataset: Dataset, documents: Sequence[DocumentInfo], today: dt.date) -> tuple[str, ...]:
    """Checks that each question can be asked under its filters, and that its groups, filters and day let gold through.

    Gold that they do not let through counts as not found, which may be a slip or what is to be shown: it is told.
    `documents` are all that is searched, `today` the day of questions without one. Of gold in several places one will
    do.

    Returns:
        What a reader of the figures should know: which questions can never find gold, and why.

    Raises:
        DatasetError: a filter is none or names an unknown key.
    """
    places: dict[str, set[str]] = {}
    for passage in dataset.passages:
        if passage.file is not None:
            places.setdefault(passage.gold_id, set()).add(passage.file)
    seen = cache(partial(_seen, tuple(documents)))
    out_of_reach: dict[str, list[str]] = {}
    for question in dataset.questions:
        request = question.request()
        try:
            may_read, matched = seen(request.where, request.groups)
        except UsageError as error:
            raise DatasetError(f"question {question.question_id}: {error}") from error
        in_force = {file for file, one in matched.items() if one.in_force(question.as_of or today)}
        of_day = 'is not in force today: give "as_of"' if question.as_of is None else "is not in force on its as_of"
        for files in filter(None, (places.get(gold_id) for gold_id in dataset.qrels.get(question.question_id, ()))):
            for reached, why in (
                (may_read.keys(), 'its groups may not read: mend its "as"'),
                (matched.keys(), "its filter leaves out: mend its doc_id or where"),
                (in_force, of_day),
            ):
                if files.isdisjoint(reached):
                    where = f"{question.question_id} ({some_of(sorted(files))})"
                    out_of_reach.setdefault(why, []).append(where)
                    break
    return tuple(f"gold that {why}: {some_of(questions)}" for why, questions in out_of_reach.items())


def _seen(
    documents: Sequence[DocumentInfo], where: Sequence[str], groups: Sequence[str]
) -> tuple[dict[str, DocumentInfo], dict[str, DocumentInfo]]:
    """By file, the documents that groups may read, and those of them that filters let through."""
    readable = [document for document in documents if document.open_to(groups)]
    found = matching(readable, [parse_filter(one) for one in where], known=known_keys(readable))
    return {one.file: one for one in readable}, {one.file: one for one in found}


def holds(place: str, passage: str) -> bool:
    """Whether the text at a place holds a passage; a blank passage is held by any place.

    >>> holds("4.2 Expenses: **Keep** receipts.", "Expenses: keep receipts")
    True
    >>> holds("Keep receipts for", "Keep receipts for seven years")
    False
    """
    if passage in place or _plain(passage) in _plain(place):
        return True
    words = len(_words(passage))
    return words - len(_lacking(place, passage)) >= LEAST_SHARED * words


def _lacking(place: str, passage: str) -> list[str]:
    """The words of a passage that its place does not have, each as often as it lacks there, in order."""
    return list((Counter(_words(passage)) - Counter(_words(place))).elements())


def _fits(place: str, passage: str, text: str) -> bool:
    """Whether a place is its passage's: a passage that stands in the file word for word must stand in its place."""
    before = _plain(place).find(_plain(passage))
    return before <= MOST_BEFORE if before >= 0 else passage not in text and holds(place, passage)


def _plain(text: str) -> str:
    """Letters and digits alone."""
    return _NOISE.sub("", text).casefold()


def _words(text: str) -> list[str]:
    return _NOISE.sub(" ", text).casefold().split()


def _what_is_there(passage: GoldPassage, text: str, place: str) -> str:
    """What stands at a place that does not hold its passage, and where the passage is."""
    return f"there stands {_begin(place)}, not {_begin(passage.text)}; {_hint(passage, text)}"


def _hint(passage: GoldPassage, text: str) -> str:
    as_bytes = text.encode("utf-8", "surrogatepass")[passage.start : passage.end].decode("utf-8", "ignore")
    if as_bytes == passage.text:
        return "its place counts bytes, and it must count characters"
    if text.replace("\n", "\r\n")[passage.start : passage.end].replace("\r\n", "\n") == passage.text:
        return "its place counts the end of a line as two characters, and it must count one"
    start = text.find(passage.text)
    return f"it stands at {start}-{start + len(passage.text)}" if start >= 0 else "it stands nowhere in that file"


def _begin(text: str) -> str:
    """How a text begins, on one line."""
    line = " ".join(text.split())
    return repr(line if len(line) <= _SHOWN else f"{line[:_SHOWN]}...")


def _message(passage: GoldPassage, problem: str) -> str:
    place = f"{passage.file} {passage.start}-{passage.end}"
    return f"gold {passage.gold_id!r} is said to be at {place}, but {problem}: mend its start and end"
