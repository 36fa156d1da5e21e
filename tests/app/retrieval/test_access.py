"""Nothing of a document reaches a caller who may not read it: not its text, name or number, in no way of asking."""

import datetime as dt
import json
import random
from dataclasses import replace

import pytest
from attack_scale import FULL

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import PolicyRagError, UsageError
from policy_rag.index.store.store import Index
from policy_rag.records.choices import Search
from policy_rag.records.search import SearchRequest
from policy_rag.records.serialization import to_json
from policy_rag.retrieval.searcher import Searcher
from policy_rag.settings import SearchOptions, Settings
from policy_rag_parsers.document_metadata.declarations import Declaration

TODAY = dt.date(2026, 1, 1)
GROUPS = ("hr", "board", "finance", "audit")
WORDS = (
    "hotel", "leave", "train", "merger", "salary", "budget", "night", "employee", "approval", "limit", "euro", "report",
    "holiday", "office",
)  # fmt: skip
EVERYTHING = {
    "expand": ("parent", "references", "definitions"),
    "mmr": 0.5,
    "merge_duplicates": 0.5,
    "and_fallback": True,
}
WORLDS = 12 if FULL else 2
QUESTIONS = 9
CASES_OF_A_WORLD = 2 * len(Search) * 9 * QUESTIONS  # reranked or not, and under nine sets of groups


class ByLength:
    """A reranker that prefers long texts; it sees what the searches found and nothing else."""

    blend = 1.0
    depth = None

    def __init__(self):
        self.seen = []

    def score_many(self, questions):
        self.seen.extend(text for _, texts in questions for text in texts)
        return [[float(len(text)) for text in texts] for _, texts in questions]


class World:
    """Ten documents of random words and groups. Each holds a mark of its own in all that can be told of it."""

    def __init__(self, seed, document):
        chance = random.Random(seed)
        self.access = {}
        self.documents = []
        for i in range(10):
            mark = f"zq{seed}n{i}x"
            groups = tuple(chance.sample(GROUPS, chance.choice([0, 0, 1, 1, 2])))
            self.access[mark] = groups
            other = chance.choice(list(self.access))
            points = f" as in section {chance.randint(1, 4)} of the policy {other}, and section {chance.randint(1, 4)}"
            points = points if not set(self.access[other]) - set(groups) and self.access[other] == () else ""
            sections = []
            for k in range(1, 5):
                title, words = f"{chance.choice(WORDS)} {mark}", " ".join(chance.choices(WORDS, k=12))
                sections.append((f"{k}", title, f"{words} {mark} {mark}{k}{points}"))
            declared = Declaration(
                version=f"v{mark}",
                effective_from=chance.choice([None, dt.date(2025, 1, 1), dt.date(2027, 1, 1)]),
                supersedes=(f"{chance.choice(list(self.access))}.md",) if chance.random() < 0.3 else (),
                access=groups,
                extra=(("owner", f"of {mark}"), (f"key {mark}", mark)),
            )
            self.documents.append(
                document(f"{mark}.md", sections, title=f"{chance.choice(WORDS)} policy {mark}", declaration=declared)
            )

    def hidden(self, groups):
        return [mark for mark, needed in self.access.items() if needed and not set(needed) & set(groups)]

    def requests(self, chance):
        """Questions under all single groups, none, and two pairs; some ask for what is hidden by name or number."""
        made = []
        for groups in ((), ("nobody",), *((g,) for g in GROUPS), ("hr", "board"), ("finance", "audit"), GROUPS):
            marks = self.hidden(groups) or list(self.access)
            for q in range(QUESTIONS):
                mark = chance.choice(marks)
                question = [
                    " ".join(chance.sample(WORDS, 3)),
                    f"{mark} {mark}2",
                    f"What does section {chance.randint(1, 4)} of the {mark} policy say?",
                    f"section {chance.randint(1, 4)}",
                ][q % 4]
                day = chance.choice([None, TODAY, dt.date(2028, 1, 1)])
                made.append(SearchRequest(question, groups=groups, as_of=day))
        return made


@pytest.mark.slow
def test_no_search_tells_anything_of_a_hidden_document(tmp_path, document, manifest, embedder):
    cases = leaks = shown = 0
    for seed in range(WORLDS):
        world = World(seed, document)
        with Index(tmp_path / str(seed), create=True) as index:
            index.update(world.documents, manifest, embedder)
            requests = world.requests(random.Random(seed))
            by_groups = {}
            for request in requests:
                by_groups.setdefault(request.groups, []).append(request)
            for how in Search:
                for reranked in (False, True):
                    for groups, asked in by_groups.items():
                        reranker = ByLength() if reranked else None
                        searcher = Searcher(index, embedder, reranker)
                        options = SearchOptions(search=how, top_k=12, **(EVERYTHING if reranked else {}))
                        results = searcher.search_many(asked, options, today=TODAY)
                        told = [repr(replace(r, question="")) for r in results]
                        told += reranker.seen if reranker else []
                        cases += len(results)
                        shown += sum(len(r.hits) for r in results)
                        leaks += sum(mark in text for mark in world.hidden(groups) for text in told)
    assert leaks == 0
    assert cases == WORLDS * CASES_OF_A_WORLD, "10,000 and more with `make attack`"
    assert shown > 5 * cases, "a search that finds nothing leaks nothing either"


@pytest.fixture
def world(index, document, manifest, embedder):
    made = World(1, document)
    index.update(made.documents, manifest, embedder)
    return made


@pytest.fixture
def assistant(index):
    return PolicyAssistant(index, Settings(), today=TODAY)


def outcome(call):
    """What a call answers, or its error: everything that a caller gets to see."""
    try:
        return json.dumps(to_json(call()))
    except PolicyRagError as error:
        return f"{type(error).__name__} {error}"


@pytest.mark.parametrize("groups", [(), ("hr",), ("board", "audit"), ("nobody",)])
def test_a_hidden_document_is_told_of_like_one_that_is_not_there(assistant, world, groups):
    hidden = world.hidden(groups)
    assert hidden
    readable = next(mark for mark in world.access if mark not in hidden) + ".md"
    for mark in hidden:
        for ask in (
            lambda name: assistant.show(name, groups=groups),
            lambda name: assistant.show(name, section="1", groups=groups),
            lambda name: assistant.show(name, section="99", groups=groups),
            lambda name: assistant.show(name, span=(0, 5), groups=groups),
            lambda name: assistant.show(name, span=(0, 10**9), groups=groups),
            lambda name: assistant.changes(name, readable, groups=groups),
            lambda name: assistant.changes(readable, name, groups=groups),
            lambda name: assistant.changes(name, name, groups=groups),
            lambda name: assistant.remove([name], groups=groups),
            lambda name: assistant.remove([readable, name], groups=groups),
        ):
            assert outcome(lambda: ask(f"{mark}.md")) == outcome(lambda: ask("absent.md")).replace("absent", mark)  # noqa: B023
    assert len(assistant.index.documents()) == 10, "nothing was removed"


@pytest.mark.parametrize("groups", [(), ("hr",), ("board", "audit")])
def test_lists_and_counts_tell_of_readable_documents_only(assistant, world, groups):
    told = outcome(lambda: assistant.documents(groups=groups))
    assert len(json.loads(told)) == 10 - len(world.hidden(groups))
    assert not [mark for mark in world.hidden(groups) if mark in told]
    checked = assistant.verify(groups=groups)
    assert checked.documents == 10 - len(world.hidden(groups))
    everything = assistant.verify().vectors
    assert 0 < checked.vectors < everything
    assert assistant.verify(groups=("hr", "board", "audit", "legal")).vectors <= everything


def test_a_key_that_only_a_hidden_document_has_is_unknown(index, embedder, world):
    mark = world.hidden(())[0]
    searcher = Searcher(index, embedder)
    said = []
    for key in (f"key {mark}", "key absent"):
        request = SearchRequest("hotel", where=(f"{key}=x",))
        with pytest.raises(UsageError) as error:
            searcher.search_many([request], SearchOptions(), today=TODAY)
        said.append(str(error.value).replace(key, "KEY"))
    assert said[0] == said[1]
    assert mark not in said[0]
    values = [SearchRequest("hotel", where=(f"doc_id={name}.md",)) for name in (mark, "absent")]
    results = searcher.search_many(values, SearchOptions(), today=TODAY)
    assert results[0].notices == results[1].notices
    assert results[0].hits == results[1].hits == ()


def test_what_a_readable_document_supersedes_does_not_name_a_hidden_one(index, document, manifest, embedder, assistant):
    text = [("1", "One", "Words.")]
    heir = [("1", "One", "This paper replaces the Secret   plan of 2022.")]
    index.update(
        [
            document("secret.md", text, title="Secret Plan", declaration=Declaration(access=("board",))),
            document("other.md", text),
            document("heir.md", heir, declaration=Declaration(supersedes=("Secret Plan of 2022", "secret plan", "nothing"))),
            document("open.md", text, declaration=Declaration(
                supersedes=("secret.md", "Secret Plan of 2023", "secret plan, version 2", "paper.md", "version 1", "other.md"))),
        ],
        manifest,
        embedder,
    )  # fmt: skip
    told = {document.doc_id: document.supersedes for document in assistant.documents()}
    # A name of a hidden document is told of like one of none, unless it stands in what the caller may read.
    assert told["open.md"] == ("version 1", "other.md")
    assert told["heir.md"] == ("Secret Plan of 2022", "secret plan")
    told = {document.doc_id: document.supersedes for document in assistant.documents(groups=("board",))}
    assert told["open.md"] == ("secret.md", "Secret Plan of 2023", "secret plan, version 2", "version 1", "other.md")


def test_the_commands_obey_it(index, world, capsys):
    folder = str(index.folder)
    hidden = world.hidden(())
    for command in (["documents"], ["documents", "--json"], ["verify", "--json"]):
        assert run([*command, "--index", folder]) == 0
        said = capsys.readouterr()
        assert not [mark for mark in hidden if mark in said.out + said.err]
    name = f"{hidden[0]}.md"
    for command in (["show", name], ["show", name, "--section", "1"], ["changes", name, name], ["remove", name]):
        assert run([*command, "--index", folder]) == 2
        refused = capsys.readouterr()
        assert run([*(part.replace(name, "absent.md") for part in command), "--index", folder]) == 2
        absent = capsys.readouterr()
        assert refused.err.replace(name, "absent.md") == absent.err
        assert refused.out == absent.out == ""
