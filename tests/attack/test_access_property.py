"""Random documents for random groups, asked by random callers: no word of a document reaches who may not read it."""

import itertools
import json
import random

import index_worker
import pytest
from attack_scale import seeds

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import PolicyRagError
from policy_rag.index.loaded_models import LoadedModels

GROUPS = ["hr", "legal", "board", "audit"]
SYLLABLES = [a + b for a, b in itertools.product("bdfgklmnprtvz", "aeiou")]
SENTENCES = [
    "Each employee is paid {n} euros a year for {word}.",
    "A manager must report {word} within {n} days.",
    "{word} is not allowed without the consent of the {word2} office.",
    "The {word} allowance is at most {n} euros a month; see section 2 for the {word2} rules.",
    "Employees may take {n} days of {word} leave where the {word2} committee agrees.",
]


class Policy:
    """A document with words that no other one has."""

    def __init__(self, draw, number, words):
        self.words = [next(words) for _ in range(6)]
        self.groups = draw.choice([[], *([group] for group in GROUPS), draw.sample(GROUPS, 2)])
        self.file = f"policy{number}{draw.choice(['.md', '.txt', '.html'])}"
        self.title = f"The {self.words[0].title()} Policy"
        self.said = {"title": self.title, "version": str(draw.randint(1, 3)), "tags": [self.words[1]]}
        if self.groups:
            self.said["access"] = self.groups if draw.random() < 0.5 or len(self.groups) > 1 else self.groups[0]
        if number and draw.random() < 0.3:
            self.said["supersedes"] = f"policy{draw.randrange(number)}.md"
        if draw.random() < 0.3:
            self.said["effective_from"] = draw.choice(["2020-01-01", "2090-01-01"])
        self._draw = draw

    def _sentence(self):
        a, b = self._draw.sample(self.words[2:], 2)
        return self._draw.choice(SENTENCES).format(n=self._draw.randint(2, 90), word=a, word2=b)

    def write(self, folder):
        """The file; what has to be said beside it."""
        heads = [f"{number}. {word.title()} rules" for number, word in enumerate(self.words[1:4], 1)]
        bodies = [
            " ".join([self._sentence() for _ in range(3)] + [f"It is about {' '.join(self.words)}."]) for _ in heads
        ]
        if self.file.endswith(".html"):
            inner = "".join(f"<h2>{head}</h2><p>{body}</p>" for head, body in zip(heads, bodies, strict=True))
            (folder / self.file).write_text(f"<html><body><h1>{self.title}</h1>{inner}</body></html>")
            return {self.file: self.said}
        marks = ("# ", "## ") if self.file.endswith(".md") else ("", "")
        inner = "".join(f"{marks[1]}{head}\n\n{body}\n\n" for head, body in zip(heads, bodies, strict=True))
        beside = self._draw.random() < 0.3
        front = "" if beside else "---\n" + "".join(f"{k}: {json.dumps(v)}\n" for k, v in self.said.items()) + "---\n"
        (folder / self.file).write_text(f"{front}{marks[0]}{self.title}\n\n{inner}")
        return {self.file: self.said} if beside else {}

    def readable(self, caller):
        return not self.groups or bool(set(self.groups) & set(caller))


def unique_words(draw):
    given = set()
    while True:
        word = "".join(draw.choices(SYLLABLES, k=5))
        if not any(word[:-1] in other or other[:-1] in word for other in given):
            given.add(word)
            yield word


def asked(draw, policy):
    """What someone may ask who wants to find out about a document."""
    word = draw.choice(policy.words)
    at = draw.randrange(1, len(word) - 1)
    slip = word[:at] + word[at + 1 :]
    return draw.choice(
        [
            f"What is the rule on {word}?",
            f"How many days of {slip} leave?",
            f"{slip}",
            f"How much is an employee paid for {slip}?",
            f"What does the {slip} policy say, and who agrees?",
            "How much is each employee paid a year?",
            "Which policies are there, and what changed?",
            f"What about {slip} and {word} in version 2?",
        ]
    )


def stated(draw, policy):
    """What someone may have checked who wants to find out about a document: some of its words, and a guess."""
    word, other = draw.sample(policy.words, 2)
    guess = draw.choice(SENTENCES).format(n=draw.randint(2, 90), word=word, word2=other[:-1])
    return draw.choice([guess, f"{guess} {guess}", f"It is about {word}."])


def answered(call, *arguments, **options):
    """All that a call gives, as text: every field of it, or the message of the error."""
    try:
        return repr(call(*arguments, **options))
    except PolicyRagError as error:
        return str(error)


def leaked(text, question, hidden):
    """Words of the hidden documents in a text that were not in the question already."""
    text, question = text.lower(), question.lower()
    return [word for policy in hidden for word in policy.words if word in text and word not in question]


@pytest.fixture
def embedder(monkeypatch):
    made = index_worker._conftest.BagOfWords()
    monkeypatch.setattr(LoadedModels, "embedder", lambda *_: made)


@pytest.mark.usefixtures("embedder")
@pytest.mark.parametrize("seed", seeds(100))
def test_no_word_reaches_who_may_not_read_it(tmp_path, capsys, monkeypatch, seed):
    draw = random.Random(seed)
    if seed % 3:  # the reader takes most of the time of a case: two of three do without, as every part of them can
        monkeypatch.setenv("POLICY_RAG_RERANKER", "none")
        monkeypatch.setattr(LoadedModels, "reader", lambda _: None)
    words = unique_words(draw)
    policies = [Policy(draw, number, words) for number in range(draw.randint(3, 8))]
    folder, index = tmp_path / "policies", str(tmp_path / "index")
    folder.mkdir()
    beside = {name: said for policy in policies for name, said in policy.write(folder).items()}
    (folder / "policies.yaml").write_text(json.dumps(beside))
    with PolicyAssistant.open(index, create=True, llm="extractive") as assistant:
        report = assistant.ingest([folder])
        assert len(assistant.documents(groups=GROUPS)) == len(policies), report
        for _ in range(4):
            caller = draw.sample(GROUPS, draw.randint(0, 2))
            hidden = [policy for policy in policies if not policy.readable(caller)]
            shown = [policy for policy in policies if policy.readable(caller)]
            listed = answered(assistant.documents, groups=caller)
            assert not leaked(listed, "", hidden)
            assert all(policy.title in listed for policy in shown)
            for _ in range(3):
                policy = draw.choice(policies)
                question = asked(draw, policy)
                for call, options in ((assistant.search, {}), (assistant.ask, {"trace": True})):
                    said = answered(call, question, groups=caller, **options)
                    assert not leaked(said, question, hidden), (call, caller, question)
            policy = draw.choice(policies)
            statement = stated(draw, policy)
            for against in ({}, {"file": policy.file}, {"file": policy.file, "span": (0, 60)}):
                said = answered(assistant.check, statement, groups=caller, **against)
                assert not leaked(said, statement, hidden), (against, caller, statement)
            for policy in policies:
                name = draw.choice([policy.file, policy.title, f"{policy.title}, section 1"])
                said = answered(assistant.show, name, groups=caller)
                assert not leaked(said, name, hidden), name
                assert (policy.words[5] in said) == (policy in shown)
                other = draw.choice(policies)
                said = answered(assistant.changes, policy.file, other.file, groups=caller)
                assert not leaked(said, "", hidden), (policy.file, other.file)
            for call in (assistant.verify, assistant.conflicts):
                assert not leaked(answered(call, groups=caller), "", hidden), call
    as_caller = [argument for group in caller for argument in ("--as", group)]
    policy = draw.choice(hidden or policies)
    question = asked(draw, policy)
    for command in (
        ["documents"],
        ["documents", "--json"],
        ["show", policies[0].file],
        ["changes", policies[0].file, policies[-1].file],
        ["search", question],
        ["ask", question, "--llm", "extractive"],
        ["check", question],
        ["conflicts"],
    ):
        run([*command, *as_caller, "--index", index])
        said = "".join(capsys.readouterr())
        assert said
        assert not leaked(said, question, hidden), command
