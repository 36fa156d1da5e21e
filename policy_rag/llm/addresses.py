"""Addresses of servers: what is meant, whether it is this machine, and as it may be shown."""

import ipaddress
from urllib.parse import urlsplit

from policy_rag.errors import ModelError


def without_password(url: str) -> str:
    """An address without the user and password that may stand in it: messages, traces and logs show no other.

    >>> without_password("https://me:secret@llm.example:8000/v1")
    'https://llm.example:8000/v1'
    """
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()


def ollama_url(host: str | None) -> str:
    """The address that `OLLAMA_HOST` stands for, by the rules of Ollama's own client.

    Args:
        host: None or empty, `HOST`, `:PORT`, `HOST:PORT`, an IPv6 address in brackets, with or without a scheme and
            a path. A scheme changes the default port from 11434 to its own.

    Raises:
        ModelError: the port is not a number from 0 to 65535.

    >>> ollama_url(None), ollama_url(":8080"), ollama_url("https://llm.example")
    ('http://127.0.0.1:11434', 'http://127.0.0.1:8080', 'https://llm.example:443')
    """
    given = (host or "").strip()
    scheme, mark, rest = given.partition("://")
    if not mark:
        scheme, rest = "http", given
        default_port = 11434
    else:
        default_port = 443 if scheme == "https" else 80
    try:
        split = urlsplit(f"{scheme}://{rest}")
        name, port = split.hostname or "127.0.0.1", split.port or default_port
    except ValueError as error:
        raise ModelError(f"OLLAMA_HOST={given!r} is no address ({error}): set it to HOST:PORT") from error
    path = split.path.strip("/")
    return f"{scheme}://{f'[{name}]' if ':' in name else name}:{port}{'/' + path if path else ''}"


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine's own.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("llm.example")
    (True, True, False)
    """
    if host.rstrip(".").lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host.strip("[]").partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
