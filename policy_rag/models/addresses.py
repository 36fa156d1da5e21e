"""Addresses of servers as they may be shown."""

from urllib.parse import urlsplit


def without_password(url: str) -> str:
    """An address without the user and password that may stand in it: messages, traces and logs show no other.

    >>> without_password("https://me:secret@llm.example:8000/v1")
    'https://llm.example:8000/v1'
    """
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
