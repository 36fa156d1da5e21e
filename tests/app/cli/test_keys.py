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


def test_the_keys_of_an_index_in_postgres_are_in_its_database(postgres_url, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(["keys", "add", "ann", "--index", postgres_url]) == 0
    assert capsys.readouterr().out.startswith("prk_")
    assert run(["keys", "revoke", "ann", "--index", postgres_url]) == 0
    capsys.readouterr()
    assert run(["keys", "list", "--index", postgres_url]) == 0
    assert capsys.readouterr().out.startswith("ann: revoked on ")
    assert run(["keys", "list", "--index", postgres_url, "--state", str(tmp_path / "state")]) == 0
    assert capsys.readouterr().out == ""
    assert {path.name for path in tmp_path.iterdir()} <= {"state", "cache"}
