"""The keyword search: BM25 over stemmed words and, apart, over neighbouring pairs of them.

BM25 as bm25s computes it (Lucene's variant: `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`, Robertson and Zaragoza 2009).
A pair of neighbouring words that both texts hold says more than the two apart; it has its own weight because pairs
are rare and their idf is high.
"""

import hashlib
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from policy_rag.errors import IndexingError
from policy_rag.index.search.arrays import load_array
from policy_rag.index.search.terms import pairs

_ARRAYS = ("hashes", "idf", "data", "indices", "indptr")


@lru_cache(maxsize=100_000)
def _hash(term: str) -> int:
    return int.from_bytes(hashlib.blake2b(term.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def _bm25(**options: Any) -> Any:
    with warnings.catch_warnings():
        # In a notebook without ipywidgets, tqdm complains of bars that are never shown here.
        warnings.filterwarnings("ignore", message="IProgress not found")
        from bm25s import BM25
    return BM25(**options)


class TermIndex:
    """BM25 weights of one family of terms, as the columns of a sparse matrix; terms are known by a 64-bit hash.

    Args:
        arrays: `hashes` `(terms,)` rising, `idf` `(terms,)`, and the CSC arrays `data`, `indices`, `indptr`.
        rows: number of texts.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], rows: int) -> None:
        self._arrays = arrays
        self._rows = rows
        self._bm25 = _bm25(method="lucene")
        self._bm25.scores = {name: arrays[name] for name in ("data", "indices", "indptr")} | {"num_docs": rows}
        self._bm25.nonoccurrence_array = None

    @classmethod
    def build(cls, texts: Sequence[Sequence[str]], *, k1: float, b: float) -> "TermIndex":
        """From the terms of each text."""
        known = {term: i for i, term in enumerate(dict.fromkeys(chain.from_iterable(texts)))}
        hashes = np.fromiter((_hash(term) for term in known), dtype=np.uint64, count=len(known))
        order = np.argsort(hashes, kind="stable")
        ids = np.empty(len(known), dtype=np.int64)
        ids[order] = np.arange(len(known))
        rows = [[int(ids[known[term]]) for term in terms] for terms in texts]
        if known:
            scores = _bm25(method="lucene", k1=k1, b=b).build_index_from_ids(
                list(range(len(known))), rows, show_progress=False
            )
        else:
            scores = {
                "data": np.zeros(0, np.float32),
                "indices": np.zeros(0, np.int32),
                "indptr": np.zeros(1, np.int32),
            }
        arrays = {name: np.asarray(scores[name]) for name in ("data", "indices", "indptr")}
        holders = np.diff(arrays["indptr"]).astype(np.float64)
        arrays["idf"] = np.log(1 + (len(rows) - holders + 0.5) / (holders + 0.5)).astype(np.float32)
        arrays["hashes"] = hashes[order]
        return cls(arrays, len(rows))

    @classmethod
    def load(cls, folder: Path, family: str, rows: int) -> "TermIndex":
        """Memory-mapped from `folder`."""
        return cls({name: load_array(folder / f"{family}.{name}.npy") for name in _ARRAYS}, rows)

    def save(self, folder: Path, family: str) -> None:
        """Writes one `.npy` file an array."""
        for name in _ARRAYS:
            np.save(folder / f"{family}.{name}.npy", self._arrays[name], allow_pickle=False)

    def same_as(self, other: "TermIndex") -> bool:
        """Whether both hold the same weights; floats may differ in their last digits."""
        return self._rows == other._rows and all(  # noqa: SLF001 - of the same class
            a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-5) if a.dtype.kind == "f" else np.array_equal(a, b))
            for a, b in ((self._arrays[name], other._arrays[name]) for name in _ARRAYS)  # noqa: SLF001
        )

    def _ids(self, terms: Sequence[str]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        hashes = self._arrays["hashes"]
        wanted = np.fromiter((_hash(term) for term in terms), dtype=np.uint64, count=len(terms))
        if not len(hashes):
            return np.zeros(len(terms), np.int64), np.zeros(len(terms), np.bool_)
        ids = np.minimum(np.searchsorted(hashes, wanted), len(hashes) - 1)
        return ids.astype(np.int64), np.asarray(hashes[ids] == wanted)

    def known(self, terms: Sequence[str]) -> NDArray[np.bool_]:
        """Whether each term is in any text."""
        return self._ids(terms)[1]

    def scores(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """BM25 of every text for `terms`, `(texts,)`; a term given twice counts twice."""
        ids, known = self._ids(terms)
        if not known.any():
            return np.zeros(self._rows, dtype=np.float32)
        try:
            return np.asarray(self._bm25.get_scores_from_ids(ids[known].tolist()), dtype=np.float32)
        except IndexError as error:
            raise IndexingError(
                "the keyword files of the index are damaged: run `policy-rag verify --repair`"
            ) from error

    def idf(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Inverse document frequency of each term; that of a term in no text where it is unknown."""
        ids, known = self._ids(terms)
        unseen = np.float32(np.log(1 + (self._rows + 0.5) / 0.5))
        if not known.any():
            return np.full(len(terms), unseen, dtype=np.float32)
        return np.where(known, self._arrays["idf"][ids], unseen).astype(np.float32)


@dataclass(frozen=True, slots=True)
class KeywordSettings:
    """BM25's parameters for words: term saturation, and how much length counts (0 to 1); kinds of metadata it sees.

    Chosen by cross-validation over the questions of two public data sets, as docs/research/retrieval-defaults.md tells.
    """

    k1: float = 0.6
    b: float = 0.75
    metadata: str = ""


class KeywordIndex:
    """BM25 over words plus `pair_weight` times BM25 over pairs; text `i` is passage `i` of the derived files.

    All passages are weighed, whoever may read them: who asks only decides which of them are listed.
    """

    def __init__(self, single: TermIndex, paired: TermIndex) -> None:
        self._words = single
        self._pairs = paired

    @classmethod
    def build(cls, texts: Sequence[Sequence[str]], settings: KeywordSettings) -> "KeywordIndex":
        """From the terms of each text, in the text's order."""
        return cls(
            TermIndex.build(texts, k1=settings.k1, b=settings.b),
            # With both at 0 a pair counts its idf where it occurs, however often and however long the text.
            TermIndex.build([pairs(list(terms)) for terms in texts], k1=0.0, b=0.0),
        )

    @classmethod
    def load(cls, folder: Path, rows: int) -> "KeywordIndex":
        """Memory-mapped from `folder`."""
        return cls(TermIndex.load(folder, "words", rows), TermIndex.load(folder, "pairs", rows))

    def save(self, folder: Path) -> None:
        """Writes the arrays of both families into `folder`."""
        self._words.save(folder, "words")
        self._pairs.save(folder, "pairs")

    def same_as(self, other: "KeywordIndex") -> bool:
        """Whether both hold the same weights; floats may differ in their last digits."""
        return self._words.same_as(other._words) and self._pairs.same_as(other._pairs)  # noqa: SLF001

    def scores(self, terms: Sequence[str], *, pair_weight: float) -> NDArray[np.float32]:
        """The score of every text for a question's terms in their order, `(texts,)`; 0 where no term is found.

        A term that the question repeats counts once.

        Args:
            terms: stems, as `terms.terms` gives them.
            pair_weight: how much neighbouring terms count that a passage has side by side too; 0 for not at all.
        """
        scores = self._words.scores(list(dict.fromkeys(terms)))
        if pair_weight and len(terms) > 1:
            asked = list(dict.fromkeys(pairs(list(terms))))
            scores += np.float32(pair_weight) * self._pairs.scores(asked)
        return scores

    def weight(self, terms: Sequence[str]) -> float:
        """The sum of the idf of the distinct terms that are in any text: what a question could score at best."""
        distinct = list(dict.fromkeys(terms))
        return float(self._words.idf(distinct)[self._words.known(distinct)].sum())

    def idf(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """Inverse document frequency of each word, `(len(terms),)`; an unknown one has that of a word in no text."""
        return self._words.idf(terms)


def best_rows(scores: NDArray[np.float32], n: int) -> NDArray[np.int64]:
    """The rows of the `n` highest scores above 0, falling; equal scores in order of the row.

    >>> best_rows(np.array([0.0, 2.0, 1.0, 2.0], dtype=np.float32), 3).tolist()
    [1, 3, 2]
    """
    positive = np.flatnonzero(scores > 0)
    if len(positive) > n:
        least = np.partition(scores[positive], len(positive) - n)[len(positive) - n]
        above = positive[scores[positive] > least]
        level = positive[scores[positive] == least][: n - len(above)]
        positive = np.concatenate([above, level])
    order = np.lexsort((positive, -scores[positive]))
    return positive[order].astype(np.int64)
