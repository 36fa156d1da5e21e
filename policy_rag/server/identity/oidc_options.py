"""With which OpenID Connect issuer people sign in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from policy_rag.errors import UsageError
from policy_rag.llm.addresses import is_loopback


@dataclass(frozen=True, slots=True, kw_only=True)
class OidcOptions:
    """With which issuer people sign in, and what becomes of what it says.

    Attributes:
        issuer: its address, as it names itself.
        client_id: what it knows this service as.
        client_secret: the secret that goes with it, or None for a public client; never shown.
        groups_claim: the claim that lists somebody's groups; dots lead into objects.
        groups: the issuer's name of a group to ours; others are then ignored. With none, names are taken as they are.
        admin_group: whose members are administrators, by our name, or None.
        scope: what is asked for.

    Raises:
        UsageError: the issuer's address is none, or not https.
    """

    issuer: str
    client_id: str
    client_secret: str | None = field(default=None, repr=False)
    groups_claim: str = "groups"
    groups: Mapping[str, str] = field(default_factory=dict)
    admin_group: str | None = None
    scope: str = "openid profile email"

    def __post_init__(self) -> None:
        parts = urlsplit(self.issuer)
        if not parts.hostname or (parts.scheme != "https" and not is_loopback(parts.hostname)):
            raise UsageError(f"--oidc-issuer {self.issuer}: give an address that begins with https://")


def read_group_names(given: Sequence[str]) -> dict[str, str]:
    """Pairs `ISSUER_GROUP=GROUP` as they are typed.

    Raises:
        UsageError: one is none.

    >>> read_group_names(["/Staff/HR=hr"])
    {'/Staff/HR': 'hr'}
    """
    pairs = [text.rpartition("=") for text in given]
    for text, (theirs, _, ours) in zip(given, pairs, strict=True):
        if not theirs.strip() or not ours.strip():
            raise UsageError(f"--oidc-group {text}: write ISSUER_GROUP=GROUP")
    return {theirs.strip(): ours.strip() for theirs, _, ours in pairs}
