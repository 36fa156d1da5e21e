"""An OpenID Connect issuer on loopback: it signs in whoever it is told to, and can be told to lie."""

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, OctKey

CLIENT, SECRET = "policies", "the client's secret"


class OidcIssuer:
    """The issuer.

    Attributes:
        claims: what it says of who signs in, besides what every ID token says.
        userinfo: what it says only when it is asked with the access token.
        lies: claims that stand in the ID token instead of the true ones; None leaves one out.
        signed_with: another key or algorithm than its own: `other`, `none` or `client-secret`.
        denies: the error with which it sends people back, or None.
        seen: the queries of authorization requests, and the forms of token requests.
    """

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {"sub": "u-17", "name": "Ann Example", "groups": ["hr"]}
        self.userinfo: dict[str, Any] | None = None
        self.lies: dict[str, Any] = {}
        self.signed_with = ""
        self.denies: str | None = None
        self.seen: list[dict[str, str]] = []
        self.codes: dict[str, dict[str, str]] = {}
        self.new_key()

    def new_key(self) -> None:
        """Signs with another key from now on, which its key set then holds."""
        self.key = ECKey.generate_key("P-256", parameters={"kid": secrets.token_hex(4), "use": "sig", "alg": "ES256"})

    def __enter__(self) -> Self:
        issuer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                issuer.answer(self, urlsplit(self.path).path, _flat(urlsplit(self.path).query))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                issuer.answer(self, self.path, _flat(body))

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def answer(self, request: BaseHTTPRequestHandler, path: str, given: dict[str, str]) -> None:
        """One request."""
        match path:
            case "/.well-known/openid-configuration":
                self._reply(request, self._described())
            case "/jwks":
                self._reply(request, KeySet([self.key]).as_dict(private=False))
            case "/authorize":
                self.seen.append(given)
                request.send_response(302)
                request.send_header("Location", f"{given['redirect_uri']}?{urlencode(self._sent_back(given))}")
                request.end_headers()
            case "/token":
                self.seen.append(given)
                self._token(request, given)
            case "/userinfo":
                known = request.headers["Authorization"] == "Bearer access"
                self._reply(request, self.userinfo or {}, 200 if known else 401)
            case _:
                self._reply(request, {}, 404)

    def _described(self) -> dict[str, Any]:
        paths = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "jwks"}
        described = {"issuer": self.url} | {name: f"{self.url}/{path}" for name, path in paths.items()}
        return described | ({"userinfo_endpoint": f"{self.url}/userinfo"} if self.userinfo else {})

    def _sent_back(self, asked: dict[str, str]) -> dict[str, str]:
        if self.denies:
            return {"error": self.denies, "state": asked["state"]}
        code = secrets.token_hex(8)
        self.codes[code] = asked
        return {"code": code, "state": asked["state"], "iss": self.url}

    def _token(self, request: BaseHTTPRequestHandler, given: dict[str, str]) -> None:
        asked = self.codes.pop(given["code"], None)
        told = base64.b64decode(request.headers["Authorization"].removeprefix("Basic ")).decode()
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        proven = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or told != f"{CLIENT}:{SECRET}" or asked["code_challenge"] != proven:
            self._reply(request, {"error": "invalid_grant"}, 400)
            return
        now = int(time.time())
        claims = {"iss": self.url, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": asked["nonce"], **self.claims}
        claims = {name: value for name, value in (claims | self.lies).items() if value is not None}
        self._reply(
            request,
            {"access_token": "access", "token_type": "Bearer", "expires_in": 300, "id_token": self._signed(claims)},
        )

    def _signed(self, claims: dict[str, Any]) -> str:
        if self.signed_with == "none":
            parts = ({"alg": "none"}, claims)
            return ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts) + "."
        if self.signed_with == "client-secret":
            return jwt.encode({"alg": "HS256"}, claims, OctKey.import_key(SECRET), algorithms=["HS256"])
        if self.signed_with == "other":
            other = ECKey.generate_key("P-256")
            return jwt.encode({"alg": "ES256", "kid": self.key.kid}, claims, other)
        return jwt.encode({"alg": "ES256", "kid": self.key.kid}, claims, self.key)

    @staticmethod
    def _reply(request: BaseHTTPRequestHandler, body: dict[str, Any], status: int = 200) -> None:
        data = json.dumps(body).encode()
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)


def _flat(query: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(query).items()}
