"""Keys, sessions and proxies: who is let in as whom, and for how long; what pages of other sites can do: nothing."""

import datetime as dt
import sqlite3

import pytest
from fastapi.testclient import TestClient

from policy_rag.errors import StateError, UsageError
from policy_rag.server.service_options import ServerOptions

START = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
HOUR = dt.timedelta(hours=1)


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def app(app_of, tmp_path, clock):
    return lambda **options: app_of(ServerOptions(state=tmp_path / "state", **options), clock=clock)


@pytest.fixture
def app_anywhere(app_of, kept, clock):
    """The same wherever the state is kept."""
    return lambda **options: app_of(ServerOptions(**kept, **options), clock=clock)


def key_of(app, clock, name="ann", **more):
    return app.state.access.keys.add(name, now=clock.now, **more)


def client_of(app, key=None, **how):
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return TestClient(app, base_url="http://127.0.0.1:8765", headers=headers, follow_redirects=False, **how)


def name_of(client):
    got = client.get("/api/v1/me")
    return got.json()["name"] if got.status_code == 200 else got.status_code


def test_a_key_lets_in_with_its_groups_until_it_expires_or_is_revoked(app_anywhere, clock):
    app = app_anywhere()
    keys = app.state.access.keys
    given = keys.add("ann", now=clock.now, groups=["hr"], expires=START + HOUR)
    client = client_of(app, given)
    assert client.get("/api/v1/me").json()["groups"] == ["hr"]
    clock.now += HOUR
    assert name_of(client) == 401
    given = keys.add("ann", now=clock.now, admin=True)
    client = client_of(app, given)
    assert client.get("/api/v1/admin/questions").status_code == 200
    keys.revoke("ann", clock.now)
    assert name_of(client) == 401
    assert [(key.name, key.revoked is None) for key in keys.all()] == [("ann", True), ("ann", False)]


def contents(folder):
    """All that stands in the files of a folder; a connection that another thread closes takes its journal with it."""
    while True:
        try:
            return b"".join(path.read_bytes() for path in folder.iterdir())
        except FileNotFoundError:
            continue


def test_neither_key_nor_session_is_anywhere_in_the_state(app_anywhere, tmp_path, clock):
    made = app_anywhere()
    given = key_of(made, clock)
    sign_in(client := client_of(made), given)
    with made.state.service.state.reading() as db:
        rows = [row for table in ("keys", "sessions") for row in db.execute(f"SELECT * FROM {table}")]  # noqa: S608
    made.state.service.state.close()
    data = repr(rows).encode() + contents(tmp_path / "state")
    assert len(rows) == 2
    assert b"ann" in data
    assert given.split("_", 2)[2].encode() not in data
    assert client.cookies["policy_rag_session"].encode() not in data


@pytest.mark.parametrize("slip", ["{0}x", "xxx{1}", "prk__", "prk_{2}_", "{2}", "prk", "éééé", ""])
def test_a_key_that_is_none_lets_nobody_in(app_anywhere, clock, slip):
    made = app_anywhere()
    given = key_of(made, clock)
    headers = [(b"authorization", b"Bearer " + slip.format(given, given[3:], given.split("_")[1]).encode())]
    got = client_of(made).get("/api/v1/me", headers=headers)
    assert (got.status_code, got.headers["www-authenticate"]) == (401, "Bearer")
    assert name_of(client_of(made)) == 401


def test_who_may_not_is_told_what_nobody_is_told(app, clock):
    client = client_of(made := app(), key_of(made, clock))
    assert client.get("/api/v1/admin/questions").text == client.get("/api/v1/admin/nothing").text


@pytest.mark.parametrize(
    ("name", "groups", "expires", "said"),
    [
        ("", (), None, "characters"),
        ("a\nb", (), None, "line break"),
        ("a" * 101, (), None, "characters"),
        ("ann", (" hr",), None, "no group"),
        ("ann", ("",), None, "no group"),
        ("ann", (), START, "past"),
        ("held", (), None, "has a key already"),
    ],
)
def test_what_no_key_can_be_made_of(app, clock, name, groups, expires, said):
    keys = app().state.access.keys
    keys.add("held", now=clock.now)
    with pytest.raises(UsageError, match=said):
        keys.add(name, now=clock.now, groups=groups, expires=expires)
    with pytest.raises(UsageError, match="no valid key"):
        keys.revoke("nobody", clock.now)


def sign_in(client, key, **headers):
    return client.post("/sign-in/key", data={"key": key, "next": "/documents"}, headers=headers)


def test_a_session_begins_anew_at_each_sign_in_and_ends_with_its_key(app_anywhere, clock):
    app = app_anywhere()
    keys = app.state.access.keys
    ann, bob = (keys.add(name, now=clock.now, groups=["hr"]) for name in ("ann", "bob"))
    client = client_of(app)
    got = sign_in(client, ann)
    assert (got.status_code, got.headers["location"]) == (303, "/documents")
    cookie = got.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie  # it is plain http on this machine
    assert name_of(client) == "key:ann"
    before = client.cookies["policy_rag_session"]
    sign_in(client, bob, **{"sec-fetch-site": "same-origin"})
    assert client.cookies["policy_rag_session"] != before
    assert name_of(client) == "key:bob"
    stale = client_of(app)
    stale.cookies.set("policy_rag_session", before)
    assert name_of(stale) == 401
    keys.revoke("bob", clock.now)
    assert name_of(client) == 401


def test_a_session_ends_by_itself_and_when_it_is_ended(app_anywhere, clock):
    app = app_anywhere()
    given = key_of(app, clock)
    client = client_of(app)
    sign_in(client, given)
    held = client.cookies["policy_rag_session"]
    assert client.post("/sign-out", headers={"origin": "http://127.0.0.1:8765"}).status_code == 303
    assert "policy_rag_session" not in client.cookies
    client.cookies.set("policy_rag_session", held)
    assert name_of(client) == 401
    client.cookies.clear()
    sign_in(client, given)
    clock.now += 10 * HOUR
    assert name_of(client) == 401


def test_a_wrong_key_begins_no_session_and_tries_are_limited(app_anywhere, clock):
    client = client_of(app_anywhere(rate=3))
    for _ in range(3):
        assert sign_in(client, "prk_x_y").headers["location"] == "/sign-in?refused=1&next=%2Fdocuments"
    assert not client.cookies
    assert sign_in(client, "prk_x_y").status_code == 429


def test_the_cookie_is_for_https_alone_where_that_is_the_address(app, clock):
    made = app(public_url="https://policies.example")
    client = TestClient(made, base_url="https://policies.example", follow_redirects=False)
    cookie = sign_in(client, key_of(made, clock)).headers["set-cookie"]
    assert cookie.startswith("__Host-policy_rag_session=")
    assert "; secure" in cookie.lower()
    assert name_of(client) == "key:ann"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "same-origin"}, 200),
        ({"sec-fetch-site": "none"}, 200),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-site"}, 403),
        ({"origin": "http://127.0.0.1:8765"}, 200),
        ({"origin": "http://127.0.0.1:9999"}, 403),
        ({"origin": "https://elsewhere.example"}, 403),
        ({"origin": "null"}, 403),
        ({}, 403),
    ],
    ids=str,
)
def test_pages_of_other_sites_cannot_act_with_a_session(app, clock, headers, status):
    app = app()
    client = client_of(app)
    sign_in(client, key_of(app, clock))
    got = client.post("/api/v1/search", json={"question": "leave"}, headers=headers)
    assert got.status_code == status
    if headers and status == 403:
        assert sign_in(client_of(app), "x", **headers).status_code == 403


def test_without_authentication_only_this_machines_own_pages_and_programs_are_answered(app):
    client = client_of(app(no_auth=True))
    body = {"question": "leave"}
    assert client.post("/api/v1/search", json=body).status_code == 200
    assert client.post("/api/v1/search", json=body, headers={"origin": "http://localhost:3000"}).status_code == 403
    for host in ("attacker.example", "127.0.0.1.attacker.example", ""):
        assert client.get("/api/v1/documents", headers={"host": host}).status_code == 421
    for host in ("localhost:8765", "[::1]:8765", "127.0.0.1"):
        assert client.get("/api/v1/documents", headers={"host": host}).status_code == 200


def test_a_proxy_is_believed_only_where_it_was_told_to_stand(app):
    named = {"x-forwarded-user": "ann", "x-forwarded-groups": "hr, board"}
    proxied = app(trusted_proxies=("10.1.0.0/16",), admin_group="board")
    client = client_of(proxied, client=("10.1.2.3", 50000))
    me = client.get("/api/v1/me", headers=named).json()
    assert (me["name"], me["groups"], me["admin"]) == ("proxy:ann", ["hr", "board"], True)
    assert client_of(proxied, client=("::ffff:10.1.2.3", 1)).get("/api/v1/me", headers=named).status_code == 200
    assert client.get("/api/v1/me", headers={"x-forwarded-groups": "hr"}).status_code == 401
    twice = [("x-forwarded-user", "ann"), ("x-forwarded-user", "bob")]
    assert client.get("/api/v1/me", headers=twice).status_code == 401
    for peer in ("10.2.0.1", "127.0.0.1", "testclient", "::1"):
        assert client_of(proxied, client=(peer, 1)).get("/api/v1/me", headers=named).status_code == 401
    assert client_of(app(), client=("10.1.2.3", 1)).get("/api/v1/me", headers=named).status_code == 401


def test_callers_of_different_ways_in_are_never_the_same(app, clock):
    """A key called `proxy:ann`, or like an issuer's subject, is nobody's but its own."""
    made = app(trusted_proxies=("10.1.0.0/16",))
    assert name_of(client_of(made, key_of(made, clock, "proxy:ann"))) == "key:proxy:ann"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"no_auth": True, "trusted_proxies": ("10.0.0.1",)}, "--no-auth"),
        ({"no_auth": True, "host": "192.0.2.1"}, "--no-auth"),
        ({"public_url": "policies.example"}, "--public-url"),
        ({"public_url": "https://x.example/a"}, "--public-url"),
        ({"trusted_proxies": ("proxy.example",)}, "--trust-proxy"),
    ],
)
def test_options_that_contradict_or_are_none_are_refused(app, given, said):
    with pytest.raises(UsageError, match=said):
        app(**given)


def test_so_many_requests_a_minute_and_no_more(app_anywhere, clock):
    made = app_anywhere(rate=4)
    ann, bob = (client_of(made, key_of(made, clock, name)) for name in ("ann", "bob"))
    assert [ann.get("/api/v1/me").status_code for _ in range(5)] == [200] * 4 + [429]
    refused = ann.get("/api/v1/me")
    assert refused.headers["retry-after"] == "15"
    assert refused.json()["status"] == 429
    assert name_of(bob) == "key:bob"
    clock.now += dt.timedelta(seconds=15)
    assert [ann.get("/api/v1/me").status_code for _ in range(2)] == [200, 429]
    clock.now += dt.timedelta(minutes=5)
    assert [ann.get("/api/v1/me").status_code for _ in range(5)] == [200] * 4 + [429]


def test_another_process_counts_too(app_anywhere, clock):
    one, two = (app_anywhere(rate=2) for _ in range(2))
    given = key_of(one, clock)
    assert [name_of(client_of(app, given)) for app in (one, two, one)] == ["key:ann", "key:ann", 429]


def test_a_browser_is_told_on_a_page_that_a_request_is_too_large(app, clock):
    made = app()
    client = client_of(made, key_of(made, clock))
    sent = {"content": b"question=" + b"x" * (1024 * 1024), "headers": {"accept": "text/html,*/*"}}
    got = client.post("/ask", **sent)
    assert (got.status_code, got.headers["content-type"]) == (413, "text/html; charset=utf-8")
    assert "That is too large" in got.text
    assert "larger than 1 MB: send less at once" in got.text
    assert got.headers["content-security-policy"].startswith("default-src 'none'")
    assert client.post("/api/v1/ask", **sent).headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("declared", [True, False])
def test_a_request_that_is_too_large_is_not_read(app, clock, declared):
    made = app()
    client = client_of(made, key_of(made, clock))
    body = b'{"question": "' + b"x" * (1024 * 1024) + b'"}'
    content = body if declared else iter([body[:500_000], body[500_000:]])
    got = client.post("/api/v1/search", content=content, headers={"content-type": "application/json"})
    assert (got.status_code, got.headers["content-type"]) == (413, "application/problem+json")
    assert client.post("/api/v1/search", headers={"content-length": "-3"}, content=b"{}").status_code in {400, 413}


def test_the_state_of_another_version_of_a_table_is_one_error(tmp_path, app_of):
    with sqlite3.connect(tmp_path / "service.sqlite") as db:
        db.execute("CREATE TABLE keys (id TEXT)")
    db.close()
    with pytest.raises(StateError, match="--state"):
        app_of(ServerOptions(state=tmp_path))
