"""`policy-rag keys`: a key is shown once, listed without itself, and revoked by name."""

import json

import pytest

from policy_rag.cli import run


@pytest.fixture
def keys(tmp_path, capsys):
    def call(*arguments, status=0):
        assert run(["keys", *arguments, "--state", str(tmp_path / "state")]) == status
        said = capsys.readouterr()
        return said.out if status == 0 else said.err

    return call


def test_a_key_is_made_listed_and_revoked(keys):
    key = keys("add", "ann", "--group", "hr", "--group", "legal", "--admin", "--expires", "2999-01-31").strip()
    assert key.startswith("prk_")
    assert keys("list") == "ann: valid until 2999-01-31; hr, legal; administrator\n"
    assert key not in keys("list", "--json")
    keys("revoke", "ann")
    assert keys("list").startswith("ann: revoked on ")
    assert json.loads(keys("list", "--json"))[0]["groups"] == ["hr", "legal"]
    assert json.loads(keys("add", "ann", "--json"))["key"] != key


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "ann", "--expires", "tomorrow"), "YYYY-MM-DD"),
        (("add", "ann", "--expires", "2001-01-01"), "is past"),
        (("add", " "), "characters"),
        (("revoke", "ann"), "no valid key"),
    ],
)
def test_what_is_wrong_is_one_line(keys, arguments, said):
    error = keys(*arguments, status=2)
    assert said in error
    assert error.count("\n") == 1


def test_where_the_state_of_an_index_in_postgres_is_kept_is_said(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    where = tmp_path / ".policy_rag_service"
    assert run(["keys", "add", "ann", "--index", "postgresql://app@db.example/policies"]) == 0
    said = capsys.readouterr().err
    assert (
        f"kept on this machine, in {where}: start `policy-rag serve` in this folder, or with --state {where}\n" in said
    )
    assert where.is_dir()
    assert run(["keys", "add", "bob", "--index", str(tmp_path / "folder")]) == 0
    assert "kept on this machine" not in capsys.readouterr().err
