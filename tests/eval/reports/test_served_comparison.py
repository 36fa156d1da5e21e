"""Variants that a service served, compared user by user, by the command that compares runs."""

import datetime as dt
import json
from contextlib import closing

import pytest

from policy_rag.cli import run
from policy_rag.errors import UsageError
from policy_rag.index.store.place import index_place
from policy_rag.records.answer import Answer, Status
from policy_rag.server.callers import Caller
from policy_rag.server.question_log import QuestionLog
from policy_rag.server.state import open_state
from policy_rag_eval.reports.served_comparison import compare_served
from policy_rag_eval.tracking import reading_store
from policy_rag_eval.tracking.stores import open_client

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:mlflow.*")


def served(log, variant, outcomes_by_user, helpful=None):
    for user, outcomes in outcomes_by_user.items():
        for status in outcomes:
            answer = Answer(question="Q?", status=status, answer="", citations=(), confidence=0.5, llm="extractive")
            uid = log.add(
                Caller(user),
                "Q?",
                at=dt.datetime(2025, 3, 1, tzinfo=dt.UTC),
                took_ms=500,
                conversation="c",
                groups_in_use=(),
                outcome=answer,
                experiment="strict",
                variant=variant,
            )
            if helpful is not None:
                log.rate(uid, user, helpful=helpful, comment=None)


YES, NO = Status.ANSWERED, Status.REFUSED


def filled(place):
    # One user who asks much counts no more than another: each is 1 or 0 throughout but the last.
    with closing(open_state(place)) as state:
        log = QuestionLog(state)
        served(log, "now", {"ann": [YES] * 50, "bob": [YES], "cyd": [YES], "dan": [YES, NO]}, helpful=True)
        served(log, "new", {"eva": [NO] * 3, "fay": [NO], "gil": [NO], "hal": [NO]})
    return place


@pytest.fixture
def state(tmp_path):
    return filled(tmp_path / "state")


@pytest.fixture(params=["folder", "postgres"])
def state_anywhere(request, tmp_path):
    folder = request.param == "folder"
    return filled(tmp_path / "state" if folder else index_place(request.getfixturevalue("postgres_url")))


def test_users_count_once_and_the_test_is_over_users(state_anywhere):
    found = compare_served(state_anywhere, "now", "new")
    assert (found.experiment, found.first.questions, found.second.questions) == ("strict", 54, 6)
    assert found.first.mean("answered") == pytest.approx((1 + 1 + 1 + 0.5) / 4)
    assert found.second.mean("answered") == 0
    # Of the 70 ways to choose four of eight users, this one and its mirror image lie as far apart.
    assert found.corrected["answered"] == pytest.approx(2 / 70)
    assert found.verdict == "now answers 87.5% of questions more than new (p = 0.029)"
    assert found.differences["helpful"] is None
    assert found.first.mean("helpful") == 1.0


def test_the_command_tells_it_and_keeps_it_in_mlflow(state, stored, capsys):
    arguments = ["eval", "compare", "now", "new", "--served", str(state), "--index", str(stored)]
    assert run(arguments) == 0
    out = capsys.readouterr().out
    assert "now: 54 questions of 4 users" in out
    assert "now answers 87.5% of questions more than new" in out
    assert run([*arguments, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["corrected"]["answered"] == pytest.approx(2 / 70)
    assert "ann" not in json.dumps(told)
    client = open_client(reading_store(stored)[0])
    experiment = client.get_experiment_by_name("served strict")
    runs = {one.info.run_name: one.data.metrics for one in client.search_runs([experiment.experiment_id])}
    assert runs["now"]["answered"] == pytest.approx(0.875)
    assert runs["new"]["users"] == 4
    assert runs["now against new"]["answered_p"] == pytest.approx(2 / 70)


def test_what_was_not_served_cannot_be_compared(state, tmp_path):
    with pytest.raises(UsageError, match="no question was served by old: there are new, now"):
        compare_served(state, "now", "old")
    with pytest.raises(UsageError, match="is no folder"):
        compare_served(tmp_path / "absent", "now", "new")
