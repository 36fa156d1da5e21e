"""What every keyword search keeps: BM25 as it is reckoned here in plain Python, over rows that lie anywhere, for all readers."""

import datetime as dt
import math
import shutil
from collections import Counter

import numpy as np
import pytest

from policy_rag.index.search.terms import pairs, terms
from policy_rag.index.store.snapshot_files import FOLDER, STAMP
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.retrieval.candidates.collector import listed_by_keyword
from policy_rag.retrieval.visibility import Visibility
from policy_rag.settings import SearchOptions
from policy_rag_parsers.document_metadata.declarations import Declaration

DAY = dt.date(2026, 5, 1)
K1, B, PAIR_WEIGHT = 0.6, 0.75, 0.25
OPTIONS = SearchOptions(search=Search.KEYWORD, candidates=4, pair_weight=PAIR_WEIGHT)

# Title, groups, and bodies of the sections; two documents say the same, so that scores are equal.
LIBRARY = {
    "travel.md": ("Travel", (), ["A hotel costs 120 euros.", "Trips by train; a train is a hotel to some.", "Taxis."]),
    "board.md": ("Board", ("board",), ["The hotel of the board costs 900 euros.", "Travel of the board by plane."]),
    "one.md": ("Leave", (), ["Data protection officer: hotel leave."]),
    "two.md": ("Leave", (), ["Data protection officer: hotel leave."]),
    "other.md": ("Notes", (), ["Officer of protection of data.", "Section 4.2 (b) binds all."]),
}
QUESTIONS = [
    "hotel",
    "hotels hotel hotel",
    "data protection officer",
    "officer data",
    "cost of the hotel of the board",
    "4.2(b)",
    "travel by train or taxi",
    "submarine hotel",
]


class Reckoned:
    """BM25 over words, and the idf of each pair of neighbours, by Robertson and Zaragoza's formulas."""

    def __init__(self, texts):
        self.words = [Counter(terms(text)) for text in texts]
        self.pairs = [set(pairs(terms(text))) for text in texts]

    def _idf(self, holders):
        return math.log(1 + (len(self.words) - holders + 0.5) / (holders + 0.5))

    def idf(self, term):
        return self._idf(sum(term in words for words in self.words))

    def score(self, i, question, pair_weight):
        asked = terms(question)
        mean = sum(words.total() for words in self.words) / len(self.words)
        length = K1 * (1 - B + B * self.words[i].total() / mean)
        found = sum(
            self.idf(t) * self.words[i][t] / (self.words[i][t] + length) for t in set(asked) if self.words[i][t]
        )
        neighbours = set(pairs(asked)) & self.pairs[i]
        return found + pair_weight * sum(self._idf(sum(pair in held for held in self.pairs)) for pair in neighbours)

    def scores(self, question, pair_weight=PAIR_WEIGHT):
        return [self.score(i, question, pair_weight) for i in range(len(self.words))]


def texts_of(library):
    """What each passage is found by, in the order that documents are taken in: title, heading and body."""
    return [
        f"{title}\n{k} Part {k}\n{body}" for title, _, bodies in library.values() for k, body in enumerate(bodies, 1)
    ]


@pytest.fixture(scope="module")
def documents(document):
    def made(library):
        return [
            document(
                name,
                [(str(k), f"Part {k}", body) for k, body in enumerate(bodies, 1)],
                title=title,
                declaration=Declaration(access=access),
            )
            for name, (title, access, bodies) in library.items()
        ]

    return made


@pytest.fixture
def readers(index_home):
    """Two that share what is made of an index; the first one also writes."""
    with Index(index_home, create=True) as first, Index(index_home) as second:
        yield first, second


@pytest.fixture
def library(readers, documents, manifest, embedder):
    readers[0].update(documents(LIBRARY), manifest, embedder)
    return readers


@pytest.fixture(scope="module", params=["folder", "postgres"])
def kept(request, tmp_path_factory, documents, manifest, make_embedder):
    """The library as its two readers see it, for tests that change nothing: words are the same whatever searches vectors."""
    place = (
        tmp_path_factory.mktemp("kept") / "index" if request.param == "folder" else request.getfixturevalue("address")
    )
    with Index(place, create=True) as first, Index(place) as second:
        first.update(documents(LIBRARY), manifest, make_embedder())
        yield first, second


def scored(index, question, pair_weight=PAIR_WEIGHT):
    with index.snapshot() as snapshot:
        return snapshot.keywords.scores(terms(question), pair_weight=pair_weight)


def listed(index, question, *groups):
    with index.snapshot() as snapshot:
        view = Visibility.of(snapshot, SearchRequest("q", groups=groups), DAY)
        scores, _, rows = listed_by_keyword(view, question, OPTIONS)
        return rows.tolist(), scores


def best(scores, allowed):
    """Rows by falling score, equal ones in their order."""
    return sorted((i for i in allowed if scores[i] > 0), key=lambda i: (-round(scores[i], 5), i))[: OPTIONS.candidates]


def test_scores_are_those_of_bm25(kept):
    reckoned = Reckoned(texts_of(LIBRARY))
    for question in QUESTIONS:
        for pair_weight in (0.0, PAIR_WEIGHT):
            expected = reckoned.scores(question, pair_weight)
            assert max(expected) > 0
            for reader in kept:
                assert np.allclose(scored(reader, question, pair_weight), expected, rtol=1e-5, atol=1e-7)


def test_what_a_question_could_score_at_best_is_the_idf_of_its_known_terms(kept):
    reckoned = Reckoned(texts_of(LIBRARY))
    asked = terms("hotel hotel train submarine")
    for reader in kept:
        with reader.snapshot() as snapshot:
            assert np.allclose(snapshot.keywords.idf(asked), [reckoned.idf(term) for term in asked], rtol=1e-5)
            at_best = reckoned.idf("hotel") + reckoned.idf("train")
            assert snapshot.keywords.weight(asked) == pytest.approx(at_best, rel=1e-5)


def test_only_what_may_be_read_is_listed_best_first_and_equal_scores_in_order_of_the_row(kept):
    reckoned = Reckoned(texts_of(LIBRARY))
    hidden = {3, 4}  # the board's
    for question in QUESTIONS:
        scores = reckoned.scores(question)
        for reader in kept:
            every, _ = listed(reader, question, "board")
            assert every == best(scores, range(len(scores)))
            rows, shown = listed(reader, question)
            assert rows == best(scores, [i for i in range(len(scores)) if i not in hidden])
            assert not shown[[*hidden]].any()


def test_unknown_words_score_nothing(kept):
    for reader in kept:
        assert not scored(reader, "submarine periscope").any()
        assert listed(reader, "submarine periscope")[0] == []
        with reader.snapshot() as snapshot:
            assert snapshot.keywords.weight(["submarin"]) == 0


def test_an_index_without_documents_has_no_scores(readers, documents, manifest, embedder):
    readers[0].update(documents(LIBRARY), manifest, embedder)
    readers[0].update([], manifest, embedder, remove=list(LIBRARY))
    for reader in readers:
        assert scored(reader, "hotel").shape == (0,)
        assert listed(reader, "hotel")[0] == []


def test_each_transaction_has_its_own_and_who_reads_an_older_one_keeps_it(library, documents, manifest, embedder):
    first, second = library
    changed = {**LIBRARY, "zoo.md": ("Zoo", (), ["Hotel for submarines."])}
    before = Reckoned(texts_of(LIBRARY)).scores("hotel")
    with second.snapshot() as older:
        first.update(documents(changed), manifest, embedder)
        assert np.allclose(older.keywords.scores(["hotel"], pair_weight=0.0), before, rtol=1e-5)
        number = older.derived.transaction
    for reader in library:
        with reader.snapshot() as snapshot:
            assert snapshot.derived.transaction == number + 1
        assert np.allclose(scored(reader, "hotel"), Reckoned(texts_of(changed)).scores("hotel"), rtol=1e-5)
        assert [path.name for path in (reader.folder / FOLDER).iterdir()] == [str(number + 1)]


def test_readers_share_one_and_make_it_again_when_it_is_lost(library):
    first, second = library
    expected = scored(first, "hotel")
    with first.snapshot() as snapshot:
        stamp = first.folder / FOLDER / str(snapshot.derived.transaction) / STAMP
    made = stamp.stat().st_ino, stamp.stat().st_mtime_ns
    assert np.array_equal(scored(second, "hotel"), expected)
    assert (stamp.stat().st_ino, stamp.stat().st_mtime_ns) == made
    shutil.rmtree(stamp.parent)
    with Index(first.name if "://" in first.name else first.folder) as third:
        assert np.array_equal(scored(third, "hotel"), expected)
    assert stamp.is_file()
