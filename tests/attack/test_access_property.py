"""Random documents for random groups, asked by random callers: no word of a document reaches who may not read it."""

import json
import random

import index_worker
import pytest
from attack_scale import seeds
from hidden_policies import GROUPS, Policy, asked, leaked, stated, unique_words

from policy_rag.assistant import PolicyAssistant
from policy_rag.cli import run
from policy_rag.errors import PolicyRagError
from policy_rag.index.loaded_models import LoadedModels


def answered(call, *arguments, **options):
    """All that a call gives, as text: every field of it, or the message of the error."""
    try:
        return repr(call(*arguments, **options))
    except PolicyRagError as error:
        return str(error)


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
