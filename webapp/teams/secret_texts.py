"""Secrets in links: shown once, and only their hash is stored."""

from __future__ import annotations

import hashlib
import secrets

_MOST_CHARACTERS = 200


def new_secret() -> str:
    """Return a text of 256 random bits, which can stand in an address."""
    return secrets.token_urlsafe(32)


def digest_of(secret: str) -> str:
    """Return the SHA-256 (hex) of a secret. It has 256 random bits, so the hash needs no salt."""
    return hashlib.sha256(secret[:_MOST_CHARACTERS].encode(errors="replace")).hexdigest()
