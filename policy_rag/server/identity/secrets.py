"""Secrets that are given out once and kept as hashes: whoever reads the state can pretend to be nobody.

A secret has 256 random bits, so that one round of SHA-256 is enough: there is nothing to guess.
"""

import hashlib
import hmac
import secrets


def new_secret() -> str:
    """43 characters that may stand in an address, a cookie or a header."""
    return secrets.token_urlsafe(32)


def hashed(secret: str) -> str:
    """What is kept of a secret.

    >>> len(hashed("secret"))
    64
    """
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def same(one: str, other: str) -> bool:
    """Whether two texts are the same, in a time that does not tell where they differ."""
    return hmac.compare_digest(one.encode("utf-8", "surrogateescape"), other.encode("utf-8", "surrogateescape"))
