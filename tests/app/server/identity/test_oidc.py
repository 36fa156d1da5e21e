"""Sign-in with an issuer over a real socket: who it says is let in, and nobody whom it does not say so of, to us, now."""

from dataclasses import replace
from functools import partial
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from fastapi.testclient import TestClient
from oidc_issuer import CLIENT, SECRET, OidcIssuer

from policy_rag.errors import UsageError
from policy_rag.server.identity.access import local_path
from policy_rag.server.service_options import OidcOptions, ServerOptions, read_group_names

SITE = "https://policies.example"


@pytest.fixture
def issuer():
    with OidcIssuer() as issuer:
        yield issuer


@pytest.fixture
def opened(app_of, issuer):
    """Makes a service whose state is kept so, and opens it in a browser."""

    def made(kept, **changes):
        options = OidcOptions(issuer=issuer.url, client_id=CLIENT, client_secret=SECRET, admin_group="board")
        server = ServerOptions(**kept, public_url=SITE, oidc=replace(options, **changes))
        return TestClient(app_of(server), base_url=SITE, follow_redirects=False)

    return made


@pytest.fixture
def browser(opened, tmp_path):
    return partial(opened, {"state": tmp_path / "state"})


@pytest.fixture
def browser_anywhere(opened, kept):
    """The same wherever the state is kept."""
    return partial(opened, kept)


def begun(client, place="/documents"):
    """The address at the service to which the issuer sends the browser back."""
    sent = client.get("/sign-in/oidc", params={"next": place})
    assert sent.status_code == 303
    back = httpx.get(sent.headers["location"]).headers["location"]
    assert back.startswith(f"{SITE}/sign-in/oidc/callback?")
    return back.removeprefix(SITE)


def signed_in(client, place="/documents"):
    return client.get(begun(client, place))


def test_who_the_issuer_names_is_let_in_with_their_groups(browser, issuer):
    client = browser()
    back = signed_in(client)
    assert (back.status_code, back.headers["location"]) == (303, "/documents")
    me = client.get("/api/v1/me").json()
    assert (me["name"], me["label"], me["groups"], me["admin"]) == ("oidc:u-17", "Ann Example", ["hr"], False)
    assert [row["doc_id"] for row in client.get("/api/v1/documents").json()] == ["leave.md", "pay.md"]
    asked, token = issuer.seen
    assert asked["code_challenge_method"] == "S256"
    assert asked["scope"] == "openid profile email"
    assert token["redirect_uri"] == f"{SITE}/sign-in/oidc/callback"
    cookie = next(line for line in back.headers.get_list("set-cookie") if line.startswith("__Host-policy_rag_session="))
    said = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "secure", "samesite=lax", "path=/"} <= said


def test_groups_are_mapped_and_found_where_the_issuer_puts_them(browser, issuer):
    issuer.claims = {"sub": "u-1", "realm_access": {"roles": ["/HR", "/Board", "hr"]}}
    client = browser(groups_claim="realm_access.roles", groups=read_group_names(["/HR=hr", "/Board=board"]))
    signed_in(client)
    me = client.get("/api/v1/me").json()
    assert (me["groups"], me["admin"], me["label"]) == (["hr", "board"], True, "u-1")


def test_groups_that_only_userinfo_tells(browser, issuer):
    issuer.claims = {"sub": "u-1"}
    issuer.userinfo = {"sub": "u-1", "groups": ["hr"]}
    client = browser()
    signed_in(client)
    assert client.get("/api/v1/me").json()["groups"] == ["hr"]
    issuer.userinfo = {"sub": "u-2", "groups": ["hr", "board"]}
    assert signed_in(browser()).status_code == 403


@pytest.mark.parametrize("groups", [None, 7, {"hr": True}, [["hr"]], [" "]])
def test_groups_that_are_none_open_nothing(browser, issuer, groups):
    issuer.claims["groups"] = groups
    client = browser()
    signed_in(client)
    assert client.get("/api/v1/me").json()["groups"] == []


@pytest.mark.parametrize(
    "lies",
    [
        {"nonce": "another"},
        {"nonce": None},
        {"aud": "another client"},
        {"aud": ["policies", "another"]},
        {"azp": "another client"},
        {"iss": "http://127.0.0.1:9/"},
        {"exp": 1_000_000_000},
        {"exp": None},
        {"iat": 9_999_999_999},
        {"sub": None},
        {"sub": ""},
        {"sub": 17},
    ],
    ids=str,
)
def test_an_id_token_that_does_not_hold_lets_nobody_in(browser, issuer, lies):
    issuer.lies = lies
    client = browser()
    back = signed_in(client)
    assert back.status_code == 403
    assert client.get("/api/v1/me").status_code == 401


@pytest.mark.parametrize("signed_with", ["none", "other", "client-secret"])
def test_a_signature_of_anybody_else_lets_nobody_in(browser, issuer, signed_with):
    issuer.signed_with = signed_with
    assert signed_in(browser()).status_code == 403


def test_the_issuers_new_keys_are_asked_for(browser, issuer):
    client = browser()
    assert signed_in(client).status_code == 303
    issuer.new_key()
    assert signed_in(client).status_code == 303


def test_a_sign_in_ends_once_in_the_browser_that_began_it(browser_anywhere):
    client, other = browser_anywhere(), browser_anywhere()
    back = begun(client)
    assert other.get(back).status_code == 403  # no cookie; and it is used up
    assert client.get(back).status_code == 403
    back = begun(client)
    assert client.get(back).status_code == 303
    assert client.get(back).status_code == 403
    state = parse_qs(urlsplit(begun(client)).query)["state"][0]
    assert client.get("/sign-in/oidc/callback", params={"state": state[:-1], "code": "x"}).status_code == 403


def test_another_issuers_answer_and_a_refusal_let_nobody_in(browser, issuer):
    client = browser()
    back = begun(client)
    assert client.get(back.replace(urlsplit(issuer.url).netloc.replace(":", "%3A"), "elsewhere")).status_code == 403
    issuer.denies = "access_denied"
    back = signed_in(client)
    assert back.status_code == 403
    assert "access_denied" in back.text
    assert back.headers["content-type"].startswith("text/html")


def test_an_issuer_that_does_not_answer_is_a_bad_gateway(browser, issuer):
    client = browser(issuer="http://127.0.0.1:9")
    got = client.get("/sign-in/oidc")
    assert got.status_code == 502
    assert browser(issuer=issuer.url + "/").get("/sign-in/oidc").status_code == 502  # it calls itself otherwise


@pytest.mark.parametrize("place", ["https://elsewhere.example", "//elsewhere.example", "/\\elsewhere.example", "/\t/x"])
def test_nobody_is_sent_elsewhere_afterwards(browser, place):
    assert local_path(place) == "/"
    assert signed_in(browser(), place).headers["location"] == "/"


def test_an_issuer_without_https_is_refused(tmp_path):
    with pytest.raises(UsageError, match="https"):
        OidcOptions(issuer="http://issuer.example", client_id="x")
    with pytest.raises(UsageError, match="ISSUER_GROUP"):
        read_group_names(["hr"])
    assert SECRET not in repr(OidcOptions(issuer="https://i.example", client_id="x", client_secret=SECRET))
