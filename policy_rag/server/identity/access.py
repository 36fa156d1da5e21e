"""The ways in which one service knows who is asking, put together from its options, and where who is let in goes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastapi import Request

from policy_rag.server.callers import EVERYBODY, Authenticator, Caller
from policy_rag.server.identity.keys import ApiKeys
from policy_rag.server.identity.proxy import TrustedProxy, read_networks
from policy_rag.server.identity.sessions import Sessions
from policy_rag.server.service_options import ServerOptions
from policy_rag.server.state import ServiceState

if TYPE_CHECKING:
    from policy_rag.server.identity.oidc import OidcIssuer

CALLBACK = "/sign-in/oidc/callback"


@dataclass(frozen=True, slots=True)
class Access:
    """Who is let in.

    Attributes:
        keys: API keys.
        sessions: of browsers.
        issuer: with which people sign in, or None.
        proxy: that says who is asking, or None.
    """

    keys: ApiKeys
    sessions: Sessions
    issuer: "OidcIssuer | None"
    proxy: TrustedProxy | None

    @classmethod
    def of(cls, options: ServerOptions, state: ServiceState) -> "Access":
        """What the options say.

        Raises:
            UsageError: a proxy's address is none.
        """
        keys, networks, issuer = ApiKeys(state), read_networks(options.trusted_proxies), None
        if options.oidc:
            from policy_rag.server.identity.oidc import OidcIssuer  # its library takes 0.4 s to import

            issuer = OidcIssuer(options.oidc, state, options.public_url + CALLBACK)
        return cls(
            keys,
            Sessions(state, keys, secure=options.public_url.startswith("https://")),
            issuer,
            TrustedProxy(networks, options.user_header, options.groups_header, options.admin_group)
            if networks
            else None,
        )

    def authenticators(self, options: ServerOptions) -> tuple[Authenticator, ...]:
        """Who may tell who is asking, in the order in which they are asked."""
        if options.no_auth:
            return (lambda _: EVERYBODY,)
        proxy = (self.proxy.find,) if self.proxy else ()
        return (self._by_key, *proxy, self._by_session)

    def _by_key(self, request: Request) -> Caller | None:
        scheme, _, given = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        key = self.keys.find(given.strip(), request.app.state.service.clock())
        return key.caller if key is not None else None

    def _by_session(self, request: Request) -> Caller | None:
        if "Authorization" in request.headers:  # a key that is not taken lets nobody in by another way
            return None
        return self.sessions.find(request, request.app.state.service.clock())


def access_of(request: Request) -> Access:
    """The ways into the service that a request came to."""
    access: Access = request.app.state.access
    return access


def local_path(place: str) -> str:
    """A path of this service, or `/` where an address leads elsewhere.

    >>> local_path("/documents?x=1"), local_path("//elsewhere.example")
    ('/documents?x=1', '/')
    """
    unseen = any(char <= " " or char == "\\" for char in place)
    return place if place.startswith("/") and not place.startswith("//") and not unseen else "/"
