"""Keys of devices and signatures of jobs: an agent runs what the site signed for it, and nothing else."""

from __future__ import annotations

import hashlib
import hmac

from django.conf import settings

_PURPOSE = b"paretoscope.measuring:"


def key_of(salt: str) -> str:
    """Return the key of the device with that salt, in hex."""
    return hmac.new(settings.SECRET_KEY.encode(), _PURPOSE + salt.encode(), hashlib.sha256).hexdigest()


def signature(key: str, text: str) -> str:
    """Return the HMAC-SHA256 of a manifest's text with a device's key, in hex."""
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()
