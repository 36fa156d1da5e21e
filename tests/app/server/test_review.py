"""The review page in the service: for administrators alone, under the names that they are signed in by."""

import json
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient

from policy_rag.errors import UsageError
from policy_rag.server.callers import Caller

CASE = "case,question,answer,contexts,reference,token_f1,rouge_l,majority\n"


@pytest.fixture
def disputed(tmp_path):
    path = tmp_path / "disputed.csv"
    path.write_text(f'{CASE}c1,How many days?,Thirty days.,"[""Thirty days a year.""]",,right: yes,wrong: no,\n')
    return path


@pytest.fixture
def signed_in(app_of, options, disputed):
    """A client of somebody, in a service that has the page."""

    def client(name, *, admin=True):
        app = app_of(replace(options, review=disputed))
        app.state.service = replace(app.state.service, authenticators=(lambda _: Caller(name, admin=admin),))
        return TestClient(app, base_url="http://127.0.0.1:8765")

    return client


def decide(client, by, decision="right", **headers):
    given = {"item": "c1", "by": by, "decision": decision, "note": ""}
    return client.post("/review/decisions", json=given, headers=headers)


def test_each_decides_under_their_own_name(signed_in, disputed):
    ada = signed_in("Ada")
    assert ada.get("/review").status_code == 200  # by way of /review/
    assert "review.js" in ada.get("/review/").text
    assert ada.get("/review/items?by=Ben").json()["reviewer"] == "Ada"
    assert decide(ada, "Ben").status_code == 200
    assert decide(signed_in("Cy"), "Ada", "wrong").status_code == 200
    lines = disputed.with_name("disputed.reviews.jsonl").read_text().splitlines()
    assert [(one["by"], one["decision"]) for one in map(json.loads, lines)] == [("Ada", "right"), ("Cy", "wrong")]


def test_what_is_settled_is_written_back_beside_the_table(signed_in, disputed):
    ada = signed_in("Ada")
    decide(ada, "Ada")
    assert ada.post("/review/apply", json={}).status_code == 200
    assert "Thirty days." in "".join(path.read_text() for path in (disputed.parent / "labelled").iterdir())


@pytest.mark.parametrize("path", ["/review/", "/review/items", "/review/review.js"])
def test_it_is_not_there_for_others(signed_in, path):
    client = signed_in("Dot", admin=False)
    got, unknown = client.get(path), client.get("/nothing")
    assert got.status_code == unknown.status_code == 404
    assert got.json()["detail"] == "there is nothing here"


def test_a_page_of_another_site_decides_nothing(signed_in, disputed):
    assert decide(signed_in("Ada"), "Ada", **{"sec-fetch-site": "cross-site"}).status_code == 403
    assert not disputed.with_name("disputed.reviews.jsonl").exists()


def test_administrators_are_led_there(signed_in, app_of, options):
    assert 'href="/review/"' in signed_in("Ada").get("/administration", headers={"accept": "text/html"}).text
    without = TestClient(app_of(options), base_url="http://127.0.0.1:8765")
    assert "/review/" not in without.get("/administration", headers={"accept": "text/html"}).text
    assert without.get("/review/").status_code == 404


def test_what_cannot_be_reviewed_is_told_at_once(app_of, options, tmp_path):
    with pytest.raises(UsageError, match="there is no"):
        app_of(replace(options, review=tmp_path / "absent"))
