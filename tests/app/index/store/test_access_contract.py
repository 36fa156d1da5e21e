"""Who finds what, in every store: callers, documents and days drawn by chance, under names of groups as an attacker writes them.

The oracle is plain sets. `POLICY_RAG_ACCESS_CASES` says how many cases each store is asked: 100 unless set.
"""

import datetime as dt
import os
import random
import re
from dataclasses import dataclass, replace

import numpy as np
import pytest

from policy_rag.assistant import PolicyAssistant
from policy_rag.errors import PolicyRagError
from policy_rag.index.loaded_models import LoadedModels
from policy_rag.index.store.postgres.milvus_engine import MilvusEngine
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.settings import load_settings
from policy_rag_parsers.document_metadata.declarations import Declaration

CASES = int(os.environ.get("POLICY_RAG_ACCESS_CASES", "100"))
DOCUMENTS = 30
SECTIONS = 3
FIRST_DAY = dt.date(2026, 3, 1)
DAYS = 120
WORDS = [
    "leave", "travel", "hotel", "gift", "bonus", "manager", "notice", "board", "salary", "train", "report", "approval", "euro", "day", "week", "year",
]  # fmt: skip

HOSTILE = (
    "x' OR '1'='1", "hr'; DROP TABLE policy_rag.documents; --", "') OR TRUE --", '"; DROP TABLE documents; --', '{"hr"}',
    "{hr,board}", "hr,board", "{}", '"', "'", "\\", "\\'", "%", "_", "h%", "%s", "%(groups)s", "?", "$1", "$$", "*", ".*",
    "NULL", "null", "true", "[]", '["hr"]', "1] or row in [0", "document in [1]", "row >= 0", " ", "", "\n", "'::text[]",
)  # fmt: skip
"""Names of groups that a document may carry too."""

LOOK_ALIKES = (
    "HR", "hr ", " hr", "h\u200br", "hr\u200b", "\uff48\uff52", "\u04bbr", "h\u0440", "hr\u0301", "Gro\u0308\u00dfe", "GR\u00d6SSE",
    "nul\0", "hr\0", "\0hr", "\ud800", "\u2019 OR 1=1", "public", "policy_rag_keeper", "postgres",
)  # fmt: skip
"""What only a caller says: none of it is a group of a document, however near."""

GROUPS = ("hr", "board", "Gr\u00f6\u00dfe", *HOSTILE)


@dataclass(frozen=True)
class Policy:
    """One document of the library. Its mark stands in all that can be told of it, and nowhere else."""

    mark: str
    access: frozenset[str]
    first: dt.date | None
    last: dt.date | None

    def readable(self, groups):
        return not self.access or bool(self.access & set(groups))

    def visible(self, groups, day):
        return self.readable(groups) and (self.first or day) <= day <= (self.last or day)


def day_of(chance):
    return FIRST_DAY + dt.timedelta(days=chance.randrange(DAYS))


def made_policies(chance):
    policies = []
    for i in range(DOCUMENTS):
        first = day_of(chance) if chance.random() < 0.4 else None
        last = (first or FIRST_DAY) + dt.timedelta(days=chance.randrange(60)) if chance.random() < 0.3 else None
        access = frozenset(chance.sample(GROUPS, chance.choice([0, 1, 1, 2, 3])))
        policies.append(Policy(f"zq{i}x", access, first, last))
    return policies


def prepared(policy, chance, document):
    said = Declaration(
        version=f"v {policy.mark}",
        effective_from=policy.first,
        effective_to=policy.last,
        access=tuple(sorted(policy.access)),
        extra=(("owner", f"of {policy.mark}"),),
    )
    sections = [
        (str(k), f"Part {policy.mark}", f"{' '.join(chance.choices(WORDS, k=8))} {policy.mark}")
        for k in range(1, SECTIONS + 1)
    ]
    return document(f"{policy.mark}.md", sections, title=f"Policy {policy.mark}", declaration=said)


@pytest.fixture(params=["folder", "postgres", "pgvector", "pgvector-hnsw", "milvus"])
def store(request, tmp_path):
    """The name of a store, and the place of an empty index in it."""
    if request.param == "folder":
        return "folder", tmp_path / "index"
    return request.param, request.getfixturevalue(f"{request.param.replace('-', '_')}_url")


class Cases:
    """Asks one index in one way after the other; each answer is compared with the sets, and searched for hidden marks."""

    def __init__(self, name, assistant, policies, embedder):
        self.assistant, self.policies, self.embedder = assistant, policies, embedder
        self.shown = 0
        self.ways = [*(lambda *one, how=how: self.search(how, *one) for how in Search), self.documents, self.show]
        if name not in {"folder", "postgres"}:
            self.ways.append(self.engine_alone)
        self.by_rows = name != "folder"

    def ask(self, chance):
        groups = tuple(chance.sample([*GROUPS, *LOOK_ALIKES], chance.choice([0, 1, 1, 2, 3, 6])))
        day = day_of(chance)
        visible = {p.mark for p in self.policies if p.visible(groups, day)}
        if self.by_rows:
            self.rows_alone(groups, day, visible)
        told, found, expected = chance.choice(self.ways)(chance, groups, day, visible)
        readable = {p.mark for p in self.policies if p.readable(groups)}
        leaked = [p.mark for p in self.policies if p.mark not in readable and p.mark in told]
        assert not leaked, (groups, day, leaked)
        assert found == expected, (groups, day)
        self.shown += len(found)

    def search(self, how, chance, groups, day, visible):
        """All passages are candidates, so that what is not found is hidden."""
        asked = chance.choice(self.policies).mark
        question = " ".join([*chance.sample(WORDS, 3), *([f"{asked} Part {asked}"] if chance.random() < 0.3 else [])])
        only = chance.choice([*HOSTILE[:6], f"{asked}.md", f"{asked}.md,{self.policies[0].mark}.md"])
        where = [f"doc_id={only}"] if chance.random() < 0.25 else []
        every = DOCUMENTS * SECTIONS
        result = self.assistant.search(
            question, groups=groups, as_of=day, where=where, search=how, candidates=every, top_k=every
        )
        found = {hit.doc_id.removesuffix(".md") for hit in result.hits}
        if where:
            visible = visible & {one.removesuffix(".md") for one in only.split(",")}
        expected = found & visible if how in {Search.KEYWORD, Search.AND} else visible  # which find words alone
        told = repr(replace(result, question="", asked=result.asked.replace(question, "")))
        return told, found, expected

    def documents(self, chance, groups, day, visible):
        """Of all days."""
        rows = self.assistant.documents(groups=groups)
        return repr(rows), {d.doc_id.removesuffix(".md") for d in rows}, {p.mark for p in self.policies if p.readable(groups)}  # fmt: skip

    def show(self, chance, groups, day, visible):
        policy = chance.choice(self.policies)
        try:
            told, found = repr(self.assistant.show(f"{policy.mark}.md", section="1", groups=groups)), {policy.mark}
        except PolicyRagError:
            told, found = "", set()
        return told, found, {policy.mark} if policy.readable(groups) else set()

    def rows_alone(self, groups, day, visible):
        """What row-level security shows, whatever the program would choose."""
        with self.assistant.index.truth.reading() as db:
            mine = self.assistant.index.truth.as_reader(db, groups, day)
            found = {doc_id.removesuffix(".md") for (doc_id,) in mine.execute("SELECT doc_id FROM documents")}
        assert found == visible, (groups, day)

    def engine_alone(self, chance, groups, day, visible):
        """The search by vectors without the bitmap that the program gives it: the database alone decides."""
        query = self.embedder.embed_queries([" ".join(chance.sample(WORDS, 3))])
        with self.assistant.index.snapshot() as snapshot:
            of_chunk = snapshot.derived.passages[snapshot.derived.chunks[:, 0], 1]
            _, rows = snapshot.of_reader(groups, day).vectors.search(query, len(of_chunk), None)
            keys = set(of_chunk[np.unique(rows[rows >= 0])].tolist())
            found = {d.doc_id.removesuffix(".md") for d in snapshot.documents if d.doc_key in keys}
        return "", found, visible


@pytest.mark.timeout(120 + CASES)
def test_a_caller_finds_what_is_open_to_him_on_his_day_and_nothing_else(
    store, document, manifest, embedder, monkeypatch
):
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: embedder)
    name, place = store
    asked, search = [], MilvusEngine.search
    monkeypatch.setattr(MilvusEngine, "search", lambda self, *given: (asked.append(given[-1]), search(self, *given))[1])
    chance = random.Random(21)
    policies = made_policies(chance)
    with Index(place, create=True) as index:
        index.update([prepared(one, chance, document) for one in policies], manifest, embedder)
        cases = Cases(name, PolicyAssistant(index, load_settings(), today=FIRST_DAY), policies, embedder)
        for _ in range(CASES):
            cases.ask(chance)
        if cases.by_rows:
            for one in (*GROUPS, *LOOK_ALIKES):
                cases.rows_alone((one,), FIRST_DAY, {p.mark for p in policies if p.visible((one,), FIRST_DAY)})
    assert cases.shown > CASES, "what shows nothing leaks nothing either"
    assert bool(asked) is (name == "milvus")
    numbers = r"document in \[\d+(,\d+)*\]"
    assert all(re.fullmatch(rf"{numbers}|not \({numbers}\)|", text) for text in asked), (
        "nothing but numbers is asked for"
    )
