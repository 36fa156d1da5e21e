"""A reverse proxy that knows who is asking and says so in headers: believed only from where it was told to stand."""

import ipaddress
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from fastapi import Request

from policy_rag.errors import UsageError
from policy_rag.server.callers import Caller

Network: TypeAlias = ipaddress.IPv4Network | ipaddress.IPv6Network


def read_networks(addresses: Sequence[str]) -> tuple[Network, ...]:
    """Addresses and networks as they are typed.

    Raises:
        UsageError: one is none.

    >>> read_networks(["10.0.0.0/8"])
    (IPv4Network('10.0.0.0/8'),)
    """
    try:
        return tuple(ipaddress.ip_network(address) for address in addresses)
    except ValueError as error:
        raise UsageError(
            f"--trust-proxy: {error}: give an address such as 10.0.0.7 or a network as 10.0.0.0/8"
        ) from error


@dataclass(frozen=True, slots=True)
class TrustedProxy:
    """What a proxy is believed.

    Attributes:
        networks: where it stands.
        user_header: names who is asking.
        groups_header: names their groups, with commas between.
        admin_group: whose members are administrators, or None.
    """

    networks: tuple[Network, ...]
    user_header: str = "X-Forwarded-User"
    groups_header: str = "X-Forwarded-Groups"
    admin_group: str | None = None

    def is_sender(self, request: Request) -> bool:
        """Whether the connection of a request comes from the proxy."""
        try:
            peer = ipaddress.ip_address(request.client.host if request.client else "")
        except ValueError:
            return False
        if isinstance(peer, ipaddress.IPv6Address) and peer.ipv4_mapped is not None:
            peer = peer.ipv4_mapped
        return any(peer in network for network in self.networks)

    def find(self, request: Request) -> Caller | None:
        """Who the proxy says is asking; None where it does not say, says it twice, or it is not the proxy."""
        users = request.headers.getlist(self.user_header)
        if not self.is_sender(request) or len(users) != 1 or not users[0].strip():
            return None
        said = ",".join(request.headers.getlist(self.groups_header)).split(",")
        groups = tuple(dict.fromkeys(group.strip() for group in said if group.strip()))
        user = users[0].strip()
        return Caller(f"proxy:{user}", groups, self.admin_group in groups, user)
