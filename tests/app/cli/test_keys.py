"""`policy-rag keys`: a key is shown once, listed without itself, and revoked by name."""

import json

import pytest


@pytest.fixture
def keys(tmp_path, call):
    def called(*arguments, status=0):
        said = call("keys", *arguments, "--state", tmp_path / "state", status=status)
        return said.out if status == 0 else said.err

    return called


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


def test_the_keys_of_an_index_in_postgres_are_in_its_database(postgres_url, tmp_path, call, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("keys", "add", "ann", "--index", postgres_url).out.startswith("prk_")
    call("keys", "revoke", "ann", "--index", postgres_url)
    assert call("keys", "list", "--index", postgres_url).out.startswith("ann: revoked on ")
    assert call("keys", "list", "--index", postgres_url, "--state", tmp_path / "state").out == ""
    assert {path.name for path in tmp_path.iterdir()} <= {"state", "cache"}
