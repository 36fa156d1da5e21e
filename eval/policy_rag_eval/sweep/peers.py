"""Anybody's retriever beside ours: a LlamaIndex retriever, a Python callable, a run file of trec_eval, or an index.

What it gives is turned into places in the data set's files, so that the same gold, measures and tests serve. It is
asked the question's words alone: filters, groups and days of a question are ours, and an index's.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np

from policy_rag.errors import UsageError
from policy_rag.index.store.postgres.address import PostgresAddress
from policy_rag_eval.data.dataset import Corpus, Dataset, Question
from policy_rag_eval.data.quote_locations import Locator
from policy_rag_eval.measures.gold_matching import QuestionGold, Range
from policy_rag_eval.measures.measures import Measure, char_measures
from policy_rag_eval.measures.trec import read_run, trec_id
from policy_rag_eval.sweep.existing_index import ExistingIndex
from policy_rag_eval.sweep.runner import TOTAL, Retrieval
from policy_rag_parsers.llm.tokens import estimate_tokens
from policy_rag_parsers.text.near_names import did_you_mean

OWN = "its own"
"""What stands for a setting of which we know nothing."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a retriever found: a place in a file, or a text that is looked for there.

    Attributes:
        file: named as in the data set, or as the last part of that; None: any file is searched for the text.
        start: first character in the text that our loader makes of the file; None: the text is looked for.
        end: one past the last.
        text: the words; blanks, markup and case may differ.
        score: the higher, the better; None where there is none.
    """

    file: str | None = None
    start: int | None = None
    end: int | None = None
    text: str = ""
    score: float | None = None


Result: TypeAlias = Found | str | Any
"""What a retriever may give: `Found`, a hit of ours, a LlamaIndex node with its score, or a label: the id of a gold
passage, or `file:start-end`."""


@runtime_checkable
class Retrieves(Protocol):
    """A LlamaIndex retriever is one."""

    def retrieve(self, query: str, /) -> Sequence[Any]:
        """What is found for a question, best first."""
        ...


Retriever: TypeAlias = Retrieves | Callable[[str], Iterable[Any]] | Path | ExistingIndex
"""A retriever with `retrieve`, a callable that takes a question, a run file of trec_eval, or an index as it stands."""


def named_retriever(text: str) -> tuple[str, Retriever]:
    """Reads `NAME=FILE.run`, `NAME=INDEX`, or `NAME=MODULE:ATTRIBUTE`; a module is looked for in this folder too.

    Raises:
        UsageError: it is not of that form, or there is no such file or attribute.
    """
    name, _, what = text.partition("=")
    path = Path(what)
    if name.strip() and what and (PostgresAddress.means(what) or path.is_dir()):
        return name.strip(), ExistingIndex(what)
    if name.strip() and path.is_file():
        return name.strip(), path
    module, colon, attribute = what.partition(":")
    if name.strip() and what and not colon:
        raise UsageError(
            f"--beside {text}: there is no file or index {what}: name one that is there, or MODULE:RETRIEVER"
        )
    if not name.strip() or not colon or not attribute:
        raise UsageError(f"--beside {text}: write NAME=FILE.run, NAME=INDEX, or NAME=MODULE:RETRIEVER")
    import sys

    sys.path.insert(0, str(Path.cwd()))
    try:
        found: Retriever = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"--beside {text}: {error}") from error
    finally:
        sys.path.remove(str(Path.cwd()))
    return name.strip(), found


def settings_of(retriever: Retriever, corpus: Corpus) -> dict[str, Any]:
    """What is known of a retriever, as settings of ours are told: how it cuts files is its own matter."""
    kind = "run file" if isinstance(retriever, Path) else getattr(retriever, "__name__", type(retriever).__name__)
    return {"retriever": kind, **({"chunker": OWN} if corpus is Corpus.FILES else {})}


def retrieved_by(
    name: str, retriever: Retriever, dataset: Dataset, *, gold: QuestionGold, measures: Sequence[Measure] = ()
) -> tuple[Retrieval, tuple[str, ...]]:
    """What a retriever finds for all questions of a data set, each asked alone.

    Args:
        name: what it is called.
        retriever: what is asked.
        dataset: as `Dataset.for_corpus` gives it.
        gold: of the same data set.
        measures: what will be scored; those with a cut-off in characters are counted here.

    Returns:
        What it found, and what a reader of the figures should know.

    Raises:
        UsageError: it gives something that is none of `Result`, or it fails.
        DatasetError: a file of the data set cannot be read.
    """
    questions = (*dataset.scored, *dataset.unanswerable)
    places = _Places(dataset, gold, name)
    hits: dict[str, list[Range]] = {}
    shown: dict[str, list[Range]] = {}
    best: dict[str, float | None] = {}
    took: list[float] = []
    with _asking(name, retriever, dataset) as (ask, returned, known):
        for question in questions:
            started = time.perf_counter()
            results = ask(question)
            took.append((time.perf_counter() - started) * 1000)
            found = [places.of(result) for result in results]
            hits[question.question_id] = [place for place, _ in found]
            shown[question.question_id] = hits[question.question_id][:returned]
            best[question.question_id] = max((score for _, score in found if score is not None), default=None)
    scored = [question.question_id for question in dataset.scored]
    rankings = {key: gold.labels(key, hits[key]) for key in scored}
    timed = not isinstance(retriever, Path | ExistingIndex)
    whole = {TOTAL: (float(np.mean(took)), *np.quantile(took, (0.5, 0.95)))} if timed else {}
    retrieval = Retrieval(
        rankings=rankings,
        returned={key: gold.labels(key, shown[key]) for key in scored},
        hits={key: len(places) for key, places in shown.items()},
        best=best,
        characters={key: gold.characters(key, shown[key]) for key in scored},
        tokens=float(np.mean([sum(map(places.tokens, of)) for of in shown.values()])),
        read={key: gold.read_at(key, hits[key], char_measures(measures)) for key in scored},
        timings_ms={step: mean for step, (mean, *_) in whole.items()},
        latencies_ms={step: ends for step, (_, *ends) in whole.items()},
    )
    told = isinstance(retriever, ExistingIndex)
    lacking = _lacking(retriever, scored, hits) if isinstance(retriever, Path) else ()
    return retrieval, (*known, *lacking, *_notes(name, questions, hits, places.lost, told=told))


def _lacking(run: Path, scored: Sequence[str], hits: Mapping[str, Sequence[Range]]) -> tuple[str, ...]:
    """What is said of a run file that leaves questions out: a run over another sample looks like a bad one."""
    count = sum(not hits[key] for key in scored)
    return (f"{run} has no lines for {count} of {len(scored)} questions: they count 0",) if count else ()


def _notes(
    name: str, questions: Sequence[Question], hits: Mapping[str, Sequence[Range]], lost: int, *, told: bool
) -> tuple[str, ...]:
    most = max(map(len, hits.values()), default=0)
    notes = []
    if lost:
        notes.append(f"{lost} hits of {name} stand in no file of the data set: they count as hits that answer nothing")
    if not told:
        notes += untold(name, questions)
    if most < 10 and not told:
        notes.append(f"{name} gives {most} hits at most: its measures at 10 are over these")
    return tuple(notes)


def untold(name: str, questions: Sequence[Question]) -> tuple[str, ...]:
    """What is said of somebody who is asked the words of questions alone, where these have more than words."""
    narrowed = sum(bool(one.doc_id or one.where or one.groups or one.as_of) for one in questions)
    return (f"{name} is not told the filters, groups and days that {narrowed} questions have",) if narrowed else ()


@contextmanager
def _asking(
    name: str, retriever: Retriever, dataset: Dataset
) -> Iterator[tuple[Callable[[Question], Sequence[Result]], int | None, tuple[str, ...]]]:
    """How a question is put to a retriever, how many of its hits it returns (None: all), and what is known of it."""
    if isinstance(retriever, ExistingIndex):
        with retriever.opened(dataset) as opened:
            yield opened.ask, opened.top_k, opened.notes
    else:
        yield _giving(name, retriever, dataset), None, ()


def _giving(
    name: str, retriever: Retrieves | Callable[[str], Iterable[Any]] | Path, dataset: Dataset
) -> Callable[[Question], Sequence[Result]]:
    if isinstance(retriever, Path):
        runs = _runs_of(retriever, dataset)
        known = {trec_id(passage.gold_id): passage.gold_id for passage in dataset.passages}
        return lambda question: [known.get(label, label) for label in runs.get(trec_id(question.question_id), ())]
    call = retriever.retrieve if isinstance(retriever, Retrieves) else retriever

    def ask(question: Question) -> Sequence[Result]:
        try:
            found = call(question.text)
            return [found] if isinstance(found, str) else list(found)  # a text is no list of its characters
        except Exception as error:
            raise UsageError(f"{name} fails on the question {question.question_id}: {error!r}") from error

    return ask


def _runs_of(file: Path, dataset: Dataset) -> Mapping[str, Sequence[str]]:
    """A run file's labels by question, of which it has some of the data set's."""
    runs = read_run(file)
    if runs.keys().isdisjoint(trec_id(question.question_id) for question in dataset.questions):
        raise UsageError(f"{file} has none of the questions of {dataset.name}: it is a run on other questions")
    return runs


def check_peers(peers: Mapping[str, object], dataset: Dataset) -> None:
    """Reads run files and opens indexes, so that one that cannot be used is told before anything is measured.

    Raises:
        UsageError: a run file has none of the questions, or an index none of the documents.
        PolicyRagError: one is not there, or cannot be read.
    """
    for peer in peers.values():
        if isinstance(peer, Path):
            _runs_of(peer, dataset)
        elif isinstance(peer, ExistingIndex):
            with peer.opened(dataset):
                pass


class _Places:
    """Where what a retriever gives stands in a data set's files."""

    def __init__(self, dataset: Dataset, gold: QuestionGold, name: str) -> None:
        self.lost = 0
        self._gold = gold
        self._name = name
        self._locator = Locator(dataset.documents_folder)
        self._files = [document.file for document in dataset.documents]
        self._by_end = {end: file for file in self._files for end in _ends(file)}
        self._by_id = {document.doc_id: document.file for document in dataset.documents}
        self._looked_for = cache(self._look)

    def of(self, result: Result) -> tuple[Range, float | None]:
        """The place and the score of a result; what stands nowhere is a place in no file, as long as its text."""
        if isinstance(result, str):
            place = self._gold.place_of(result)
            if place is None:
                raise UsageError(
                    f"{self._name} gives {result!r}, which is neither the id of a gold passage nor FILE:START-END: "
                    "give texts as policy_rag_eval.Found(text=...)"
                )
            return place, None
        found = _as_found(result)
        file = self._file(found.file)
        if file and found.start is not None and found.end is not None:
            text = self._locator.text(file)[found.start : found.end]
            if not found.text or " ".join(text.split()) == " ".join(found.text.split()):
                return Range(file, found.start, found.end), found.score
        if not file and self._gold.place_of(str(found.file or "")) is not None:
            return self._gold.place_of(str(found.file)) or Range("", 0, 0), found.score
        place = self._looked_for(file, found.text)
        if place is None:
            self.lost += 1
            place = Range(f"?{self.lost}", 0, max(1, len(found.text)))
        return place, found.score

    def tokens(self, place: Range) -> int:
        """What an LLM is given of a place, by our estimate; of one in no file by its length."""
        known = self._locator.text(place.file) if place.file in self._files else "x" * place.end
        return estimate_tokens(known[place.start : place.end])

    def _file(self, name: str | None) -> str | None:
        if name is None:
            return None
        given = name.replace("\\", "/")
        if given in self._by_id:
            return self._by_id[given]
        return next((self._by_end[end] for end in _ends(given) if end in self._by_end), None)

    def _look(self, file: str | None, text: str) -> Range | None:
        if not text.strip():
            return None
        for one in [file] if file else self._files:
            try:
                start, end = self._locator.first(one, text.strip())
            except LookupError:
                continue
            return Range(one, start, end)
        return self._gold.passage_with(text)


def _ends(path: str) -> list[str]:
    """The path and what it ends in, the longest first.

    >>> _ends("a/b.md")
    ['a/b.md', 'b.md']
    """
    parts = path.split("/")
    return ["/".join(parts[i:]) for i in range(len(parts))]


def _as_found(result: Any) -> Found:
    """A result of another kind as ours."""
    if isinstance(result, Found):
        return result
    node = getattr(result, "node", result)
    metadata = getattr(node, "metadata", None) or {}
    if hasattr(node, "get_content"):
        keys = ("file", "file_path", "file_name", "source", "doc_id")
        named = next((str(metadata[key]) for key in keys if metadata.get(key)), None) or getattr(node, "node_id", None)
        start, end = getattr(node, "start_char_idx", None), getattr(node, "end_char_idx", None)
        return Found(named, start, end, node.get_content(), getattr(result, "score", None))
    if hasattr(result, "file") and hasattr(result, "start") and hasattr(result, "end"):
        return Found(result.file, result.start, result.end, getattr(result, "text", ""), getattr(result, "score", None))
    raise UsageError(f"{type(result).__name__} is nothing that can be scored: give policy_rag_eval.Found, or a label")


def check_names(names: Sequence[str], *, against: str | None = None) -> None:
    """No two configurations of one name, and the baseline among them, where one is named.

    Raises:
        UsageError: there are, or it is not.
    """
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise UsageError(f"two configurations are called {twice}: give each a name of its own")
    check_baseline(names, against)


def check_baseline(names: Sequence[str], against: str | None) -> None:
    """The baseline is among the configurations, where one is named.

    Raises:
        UsageError: it is not.
    """
    if against is not None and against not in names:
        hint = did_you_mean(against, names, otherwise=f"there are {', '.join(names)}")
        raise UsageError(f"there is no configuration {against} to compare against: {hint}")
