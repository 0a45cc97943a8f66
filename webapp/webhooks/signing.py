"""Secrets of webhooks, and signatures as https://www.standardwebhooks.com describes them: receivers find libraries that check them.

A secret is made of a random salt and the site's `SECRET_KEY`: neither the database nor a backup of it is enough to sign.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

from django.conf import settings

PREFIX = "whsec_"
_PURPOSE = b"paretoscope.webhooks:"


def secret_of(salt: str) -> str:
    """Return the secret that belongs to a salt: "whsec_" and 32 bytes in base64."""
    key = hmac.new(settings.SECRET_KEY.encode(), _PURPOSE + salt.encode(), hashlib.sha256).digest()
    return PREFIX + base64.b64encode(key).decode()


def signature(secret: str, identifier: str, timestamp: int, body: bytes) -> str:
    """Return the value of the header `webhook-signature`: "v1," and HMAC-SHA256 of "identifier.timestamp.body" in base64.

    Args:
        secret: as `secret_of` gives it.
        identifier: identifier of the delivery.
        timestamp: seconds since 1970, when it is sent.
        body: exactly as it is sent.
    """
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = f"{identifier}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
