"""The reader: a small model that reads a question or statement together with a passage, shipped with the project.

    reader = Reader.load()
    reader.relevance("Who approves travel?", passages)        # a logit a passage, for reranking
    reader.answers("Who approves travel?", sentences)         # a logit a sentence, for quoting
    reader.read("Who approves travel?", passages)             # answerability and spans
    reader.support(passages, ["The head approves travel."])   # supported, contradicted, neither

It runs on ONNX Runtime in 8-bit integers and needs neither PyTorch nor a network. `docs/models/reader.md` says what it
was trained on and how good it is.
"""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import ModelError
from policy_rag.models.onnx.batches import batches
from policy_rag.models.onnx.inference import InferenceSession
from policy_rag.models.reader_windows import Pairing, Window, best_spans, inputs

LOWEST = -20.0
"""The relevance of a passage without a word."""

_KEPT = 12_000  # windows, of about 4 KB each: a grid of answers reads the same sections again
_SHIPPED = Path(__file__).parent / "reader_weights"
_RANKED = ("relevance", "answerable")
_READ = ("read_relevance", "read_answerable", "start", "end")
_STATED = ("support",)
_REINSTALL = "install policy-rag anew"


@dataclass(frozen=True, slots=True)
class AnswerSpan:
    """A part of a passage that may answer.

    Attributes:
        start: first character in the passage.
        end: one past the last.
        score: sum of the logits that the answer begins and ends there, less that of no answer; above 0 is likelier
            than none. Compares between the passages of a question.
    """

    start: int
    end: int
    score: float


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading a passage for a question gave.

    Attributes:
        relevance: logit that the passage is about what is asked, by the layers that read whole passages: it compares
            with other readings, not with what `Reader.relevance` gives.
        answerability: probability that the passage answers the question.
        spans: the likeliest answers, best first, not overlapping; none of a passage without a word.
    """

    relevance: float
    answerability: float
    spans: tuple[AnswerSpan, ...]


@dataclass(frozen=True, slots=True)
class Support:
    """How a passage bears on a statement: three probabilities that add up to 1."""

    supported: float
    contradicted: float
    neither: float


_NOTHING_READ = Reading(LOWEST, 0.0, ())
_NOTHING_BORNE = Support(0.0, 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """What `reader.json` says beside the weights.

    Attributes:
        sha256: of `reader.onnx`.
        tokenizer_sha256: of `vocab/tokenizer.json`.
        window: most tokens that are read at once.
        asked: most tokens of a question or statement.
        overlap: tokens that windows of a long passage share.
        most_tokens: longest span.
        answerability: weights of the answerability logit, the relevance logit and the best span's score, and a bias:
            the logistic function of their sum is the probability.
        temperature: that the support logits are divided by.
        blend: share of this model's relevance, against the first stage's score, that ranks best; both scaled to 0 to 1
            among a question's candidates.
        ranked: candidates from the top that are ranked by it.
        ranked_tokens: most tokens that are read at once for that; more found no more and took longer.
        ranked_windows: most windows of a passage that are read for its relevance alone.
        read_windows: most windows of a passage that are read for anything else.
    """

    sha256: str
    tokenizer_sha256: str
    window: int
    asked: int
    overlap: int
    most_tokens: int
    answerability: tuple[float, float, float, float]
    temperature: float
    blend: float
    ranked: int
    ranked_tokens: int
    ranked_windows: int
    read_windows: int


class Reader:
    """A loaded reader. Safe for many threads."""

    def __init__(self, config: ReaderConfig, session: InferenceSession, tokenizer: Any) -> None:
        self.config = config
        self._session = session
        self._pairing = Pairing(tokenizer, config.asked, config.overlap)
        self._read: dict[tuple[tuple[str, ...], bytes], dict[str, Any]] = {}
        self._lock = threading.Lock()

    @classmethod
    def load(cls, folder: Path | None = None) -> "Reader":
        """The shipped reader, or the one in a folder of the same layout; loaded once in a process.

        Raises:
            ModelError: a file is missing or not the one that was shipped, or ONNX Runtime cannot run it.
        """
        return _load(_SHIPPED if folder is None else folder.resolve())

    @property
    def fingerprint(self) -> str:
        """The sha256 of its weights."""
        return self.config.sha256

    def relevance(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """A logit a passage, `(len(passages),)`, higher is more relevant; of a long passage its best window's.

        The mean of two: that it is about what is asked, and that it answers. What lies behind the first windows of a
        passage (`ranked_windows`, of `ranked_tokens`) is not read: many candidates are ranked at once.

        Raises:
            ModelError: the question is blank.
        """
        return self.relevance_of([(question, text) for text in passages])

    def relevance_of(self, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
        """`relevance` of pairs of a question and a passage, in order; those of many questions run together.

        Raises:
            ModelError: a question is blank.
        """
        return self._best(pairs, _RANKED, self.config.ranked_tokens)

    def answers(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """A logit a text, `(len(texts),)`, that it answers the question; `LOWEST` of one without a word.

        Made for sentences, list items and rows: of a long text the first windows are read, as for `relevance`. Logits
        compare between the texts of a question.

        Raises:
            ModelError: the question is blank.
        """
        return self._best([(question, text) for text in texts], ("answerable",), self.config.window)

    def _best(self, pairs: Sequence[tuple[str, str]], logits: Sequence[str], tokens: int) -> NDArray[np.float32]:
        """The highest mean of logits over the first windows of each pair's passage."""
        found = np.full(len(pairs), LOWEST, dtype=np.float32)
        for window, outputs in self._run(pairs, self.config.ranked_windows, tokens, _RANKED):
            found[window.pair] = max(found[window.pair], np.mean([outputs[name] for name in logits]))
        return found

    def read(self, question: str, passages: Sequence[str], *, spans: int = 3) -> tuple[Reading, ...]:
        """What each passage has to say, in order; of a long passage its best window's figures and the best spans.

        Args:
            question: not blank; what is longer than its share of the window is cut.
            passages: may be empty, or blank.
            spans: how many a passage at most.

        Raises:
            ModelError: the question is blank.
        """
        found: list[list[Reading]] = [[] for _ in passages]
        for window, outputs in self._run_whole([(question, text) for text in passages], _READ):
            found[window.pair].append(self._reading(window, outputs, spans))
        return tuple(_together(windows, spans) for windows in found)

    def support(self, passages: Sequence[str], statements: Sequence[str]) -> tuple[Support, ...]:
        """How the first passage bears on the first statement, and so on; of a long passage the window that decides.

        That is the window that supports most, unless another contradicts more than any supports.

        Raises:
            ModelError: a statement is blank.
            ValueError: there are not as many passages as statements.
        """
        found: list[list[Support]] = [[] for _ in statements]
        pairs = list(zip(statements, passages, strict=True))
        for window, outputs in self._run_whole(pairs, _STATED):
            found[window.pair].append(self._support(outputs["support"]))
        return tuple(
            max(windows, key=lambda one: max(one.supported, one.contradicted), default=_NOTHING_BORNE)
            for windows in found
        )

    @contextmanager
    def set_aside(self) -> Iterator[None]:
        """Inside, nothing counts as read before; afterwards what was read before is known again, and nothing else."""
        with self._lock:
            before, self._read = self._read, {}
        try:
            yield
        finally:
            with self._lock:
                self._read = before

    def _run(
        self, pairs: Sequence[tuple[str, str]], most: int, tokens: int, outputs: tuple[str, ...]
    ) -> list[tuple[Window, dict[str, Any]]]:
        """Every window of the pairs, `most` a passage, with what the network gives for it, in any order.

        Ranking, reading whole passages and reading statements have layers of their own, and only those that are needed
        run. What was read last is kept: ranking and quoting, and quoting and refusing, ask of the same pairs.
        """
        if any(not asked.strip() for asked, _ in pairs):
            raise ModelError("the reader was given a blank question or statement: give it some words")
        windows = self._pairing.windows(pairs, most, tokens)
        keys = [(outputs, window.key) for window in windows]
        with self._lock:
            known = {key: self._read[key] for key in keys if key in self._read}
        new = {key: window for key, window in zip(keys, windows, strict=True) if key not in known}
        new_keys, new_windows = list(new), list(new.values())
        together = batches([len(window.ids) for window in new_windows])
        branch = {"read": np.array(outputs == _READ), "stated": np.array(outputs == _STATED)}
        found = self._session.run_all(together, lambda rows: inputs([new_windows[i] for i in rows]) | branch, outputs)
        for batch, made in zip(together, found, strict=True):
            rows = dict(zip(outputs, made, strict=True))
            # Copies: a row alone would keep its whole batch.
            known |= {new_keys[i]: {name: np.array(rows[name][at]) for name in outputs} for at, i in enumerate(batch)}
        with self._lock:
            self._read |= {key: known[key] for key in new_keys}
            for key in list(self._read)[: max(0, len(self._read) - _KEPT)]:
                del self._read[key]
        return [(window, known[key]) for key, window in zip(keys, windows, strict=True)]

    def _run_whole(
        self, pairs: Sequence[tuple[str, str]], outputs: tuple[str, ...]
    ) -> list[tuple[Window, dict[str, Any]]]:
        """The same of whole passages."""
        return self._run(pairs, self.config.read_windows, self.config.window, outputs)

    def _reading(self, window: Window, outputs: dict[str, Any], count: int) -> Reading:
        inside = slice(window.first, window.first + len(window.offsets))
        none = float(outputs["start"][0] + outputs["end"][0])
        found = best_spans(
            outputs["start"][inside], outputs["end"][inside], most_tokens=self.config.most_tokens, count=count
        )
        spans = tuple(
            AnswerSpan(window.offsets[first][0], window.offsets[last][1], score - none) for first, last, score in found
        )
        relevance, answerable = float(outputs["read_relevance"]), float(outputs["read_answerable"])
        weights = self.config.answerability
        total = weights[0] * answerable + weights[1] * relevance + weights[2] * spans[0].score + weights[3]
        return Reading(relevance, float(1 / (1 + np.exp(-np.clip(total, -30, 30)))), spans)

    def _support(self, logits: NDArray[np.float32]) -> Support:
        scaled = np.exp((logits - logits.max()) / self.config.temperature)
        supported, contradicted, neither = (scaled / scaled.sum()).tolist()
        return Support(supported, contradicted, neither)


def _together(windows: Sequence[Reading], count: int) -> Reading:
    """The reading of a passage from its windows'."""
    if not windows:
        return _NOTHING_READ
    spans: list[AnswerSpan] = []
    for span in sorted((span for one in windows for span in one.spans), key=lambda span: -span.score):
        if all(span.end <= other.start or span.start >= other.end for other in spans):
            spans.append(span)
    return Reading(
        max(one.relevance for one in windows), max(one.answerability for one in windows), tuple(spans[:count])
    )


@lru_cache(maxsize=4)
def _load(folder: Path) -> Reader:
    config = _config(folder)
    graph = _checked(folder / "reader.onnx", config.sha256)
    vocabulary = _checked(folder / "vocab" / "tokenizer.json", config.tokenizer_sha256)
    from tokenizers import Tokenizer

    tokenizer: Any = Tokenizer.from_str(vocabulary.decode("utf-8"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Reader(config, _session(graph, folder), tokenizer)


def _config(folder: Path) -> ReaderConfig:
    file = folder / "reader.json"
    try:
        said = json.loads(file.read_text(encoding="utf-8"))
        a, b, c, d = said.pop("answerability")
        known = {name: said[name] for name in ReaderConfig.__dataclass_fields__ if name != "answerability"}
        return ReaderConfig(**known, answerability=(a, b, c, d))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ModelError(f"the reader's description {file} cannot be read ({error!r}): {_REINSTALL}") from error


def _checked(file: Path, digest: str) -> bytes:
    try:
        data = file.read_bytes()
    except OSError as error:
        raise ModelError(f"the reader's file {file} cannot be read ({error}): {_REINSTALL}") from error
    if sha256(data).hexdigest() != digest:
        raise ModelError(f"the reader's file {file} is not the one that its reader.json names: {_REINSTALL}")
    return data


def _session(graph: bytes, folder: Path) -> InferenceSession:
    try:
        return InferenceSession(graph)
    except ImportError as error:
        raise ModelError("the reader needs ONNX Runtime: run `pip install onnxruntime`") from error
    except Exception as error:  # the runtime's errors have no common base
        reason = " ".join(str(error).split())[:200]
        raise ModelError(
            f"ONNX Runtime cannot run the reader in {folder} in 8-bit integers ({reason}): "
            "run `pip install --upgrade onnxruntime`, or set reranker to none"
        ) from error
