"""Sign-in with an OpenID Connect issuer: the authorization code flow with state, nonce and PKCE.

The flow is that of OpenID Connect Core 1.0, section 3.1, with RFC 7636 (PKCE) and RFC 9207 (the issuer's name in its
response). Authlib speaks it; what is here is what must hold before anybody is let in.
"""

import datetime as dt
import threading
from collections.abc import Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from authlib.common.errors import AuthlibBaseError
from authlib.integrations.httpx_client import OAuth2Client
from authlib.oidc.core import CodeIDToken
from httpx2 import HTTPError
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from policy_rag.llm.addresses import is_loopback
from policy_rag.server.callers import Caller
from policy_rag.server.identity.secrets import hashed, new_secret, same
from policy_rag.server.problems import RequestProblem
from policy_rag.server.service_options import OidcOptions
from policy_rag.server.state import ServiceState

if TYPE_CHECKING:
    from joserfc.jwk import KeySetSerialization

# Signatures by a key of the issuer's alone: none with a secret that both sides share, and never `none`.
_ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA", "Ed25519"]
_SCOPE = "openid profile email"
_PATIENCE = dt.timedelta(minutes=10)
_SECONDS = 10.0
_LEEWAY = 60

_SCHEMA = """
CREATE TABLE IF NOT EXISTS sign_ins (
    state TEXT PRIMARY KEY,
    browser TEXT NOT NULL,
    nonce TEXT NOT NULL,
    verifier TEXT NOT NULL,
    place TEXT NOT NULL,
    expires TEXT NOT NULL
) WITHOUT ROWID;
"""


class OidcIssuer:
    """An issuer, as one service signs people in with it.

    Args:
        options: which one.
        state: where sign-ins under way are kept.
        redirect_uri: where the issuer sends people back to.
    """

    def __init__(self, options: OidcOptions, state: ServiceState, redirect_uri: str) -> None:
        self.options = options
        self._state = state
        self._redirect_uri = redirect_uri
        self._lock = threading.Lock()
        self._metadata: Mapping[str, Any] | None = None
        self._keys: KeySet | None = None
        state.add_tables(_SCHEMA)

    def begin(self, place: str, now: dt.datetime) -> tuple[str, str]:
        """Begins a sign-in, which goes to the path `place` afterwards.

        Returns:
            Where to send the browser, and the secret that it has to bring back in a cookie.

        Raises:
            Problem: 502, the issuer does not answer as one.
        """
        state, browser, nonce, verifier = (new_secret() for _ in range(4))
        with self._client() as client:  # pyright: ignore[reportGeneralTypeIssues] - authlib states no base
            endpoint = self._endpoint(client, "authorization_endpoint")
            url, _ = client.create_authorization_url(endpoint, state=state, code_verifier=verifier, nonce=nonce)
        row = (hashed(state), hashed(browser), nonce, verifier, place, (now + _PATIENCE).isoformat())
        with self._state.changing() as db:
            db.execute("DELETE FROM sign_ins WHERE expires <= ?", (now.isoformat(),))
            db.execute("INSERT INTO sign_ins VALUES (?, ?, ?, ?, ?, ?)", row)
        return str(url), browser

    def finish(self, query: Mapping[str, str], browser: str | None, now: dt.datetime) -> tuple[Caller, str]:
        """Ends a sign-in by what the issuer sent back and the browser's cookie: who signed in, and the path to go to.

        Raises:
            Problem: 403, this browser began no such sign-in, or the issuer lets nobody in; 502, it does not answer.
        """
        begun = self._begun(query.get("state", ""), browser or "", now)
        if query.get("iss", self.options.issuer) != self.options.issuer:
            raise _refused("another issuer answered")
        if "code" not in query:
            raise _refused(f"the issuer says {query.get('error', 'nothing')!r}")
        with self._client() as client:  # pyright: ignore[reportGeneralTypeIssues] - authlib states no base
            token = self._token(client, query["code"], begun["verifier"])
            claims = self._claims(client, token, begun["nonce"], now)
            caller = self._caller(claims)
        return caller, str(begun["place"])

    def _begun(self, state: str, browser: str, now: dt.datetime) -> Mapping[str, Any]:
        """What is kept of a sign-in, which can be ended once."""
        with self._state.changing() as db:
            row = db.execute(
                "DELETE FROM sign_ins WHERE state = ? AND expires > ? RETURNING *", (hashed(state), now.isoformat())
            ).fetchone()
        if row is None or not same(row["browser"], hashed(browser)):
            raise _refused("it was begun too long ago, or in another browser")
        return dict(row)

    def _token(self, client: OAuth2Client, code: str, verifier: str) -> Mapping[str, Any]:
        try:
            token: Mapping[str, Any] = client.fetch_token(
                self._endpoint(client, "token_endpoint"),
                grant_type="authorization_code",
                code=code,
                code_verifier=verifier,
            )
        except AuthlibBaseError as error:
            raise _refused(f"the issuer says {error.error!r}") from error
        except (HTTPError, ValueError) as error:
            raise _unreachable(error) from error
        if not isinstance(token.get("id_token"), str):
            raise _refused("the issuer gave no ID token")
        return token

    def _claims(
        self, client: OAuth2Client, token: Mapping[str, Any], nonce: str, now: dt.datetime
    ) -> Mapping[str, Any]:
        """What the issuer says of who signed in, once it is known to be the issuer that says so, to us, now."""
        try:
            decoded = self._decoded(client, token["id_token"])
            claims = CodeIDToken(
                decoded.claims,
                decoded.header,
                options={
                    "iss": {"essential": True, "value": self.options.issuer},
                    "aud": {"essential": True, "value": self.options.client_id},
                    "sub": {"essential": True},
                },
                params={
                    "nonce": nonce,
                    "client_id": self.options.client_id,
                    "access_token": token.get("access_token"),
                },
            )
            claims.validate(now=int(now.timestamp()), leeway=_LEEWAY)
        except (JoseError, AuthlibBaseError, ValueError, TypeError) as error:
            raise _refused(f"its ID token does not hold ({' '.join(str(error).split())})") from error
        said = dict(claims)
        if not isinstance(said["sub"], str) or not said["sub"]:
            raise _refused("its ID token names nobody")
        if _at(said, self.options.groups_claim) is None and "userinfo_endpoint" in self._described(client):
            more = self._get(client, self._endpoint(client, "userinfo_endpoint"), token=token)
            if more.get("sub") != said["sub"]:
                raise _refused("it describes somebody else")
            said = {**more, **said}
        return said

    def _decoded(self, client: OAuth2Client, id_token: str) -> jwt.Token:
        with self._lock:
            keys = self._keys
        if keys is not None:
            try:
                return jwt.decode(id_token, keys, algorithms=_ALGORITHMS)
            except (JoseError, ValueError):  # the issuer may have new keys by now
                pass
        found = KeySet.import_key_set(
            cast("KeySetSerialization", self._get(client, self._endpoint(client, "jwks_uri")))
        )
        with self._lock:
            self._keys = found
        return jwt.decode(id_token, found, algorithms=_ALGORITHMS)

    def _caller(self, claims: Mapping[str, Any]) -> Caller:
        said = _at(claims, self.options.groups_claim)
        listed = [said] if isinstance(said, str) else said if isinstance(said, list) else []
        named = [name for name in listed if isinstance(name, str) and name.strip()]
        if self.options.groups:
            named = [self.options.groups[name] for name in named if name in self.options.groups]
        groups = tuple(dict.fromkeys(named))
        labels = (claims.get(name) for name in ("name", "preferred_username", "email"))
        label = next((text for text in labels if isinstance(text, str) and text.strip()), claims["sub"])
        return Caller(f"oidc:{claims['sub']}", groups, self.options.admin_group in groups, label)

    def _client(self) -> OAuth2Client:
        return OAuth2Client(
            self.options.client_id,
            self.options.client_secret,
            scope=_SCOPE,
            redirect_uri=self._redirect_uri,
            code_challenge_method="S256",
            token_endpoint_auth_method=None if self.options.client_secret else "none",
            timeout=_SECONDS,
        )

    def _described(self, client: OAuth2Client) -> Mapping[str, Any]:
        """What the issuer says of itself; asked once."""
        with self._lock:
            if self._metadata is None:
                found = self._get(client, self.options.issuer.rstrip("/") + "/.well-known/openid-configuration")
                if found.get("issuer") != self.options.issuer:
                    raise _unreachable(ValueError(f"it calls itself {found.get('issuer')!r}"))
                self._metadata = found
            return self._metadata

    def _endpoint(self, client: OAuth2Client, name: str) -> str:
        address = self._described(client).get(name)
        parts = urlsplit(address) if isinstance(address, str) else None
        if parts is None or (parts.scheme != "https" and not is_loopback(parts.hostname or "")):
            raise _unreachable(ValueError(f"it names no {name}"))
        return str(address)

    def _get(self, client: OAuth2Client, address: str, *, token: Mapping[str, Any] | None = None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token['access_token']}"} if token and "access_token" in token else {}
        try:
            reply = client.request("GET", address, withhold_token=True, auth=None, headers=headers)
            reply.raise_for_status()
            found = reply.json()
        except (HTTPError, ValueError) as error:
            raise _unreachable(error) from error
        if not isinstance(found, dict):
            raise _unreachable(ValueError(f"{address} gives no object"))
        return found


def _at(claims: Mapping[str, Any], path: str) -> Any:
    """A claim by its name, or by a path of names."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _refused(why: str) -> RequestProblem:
    return RequestProblem(HTTPStatus.FORBIDDEN, f"signing in failed: {why}; try again, or ask who runs this service")


def _unreachable(error: Exception) -> RequestProblem:
    said = " ".join(str(error).split()) or type(error).__name__
    return RequestProblem(HTTPStatus.BAD_GATEWAY, f"the issuer does not answer as one ({said}): try again later")
