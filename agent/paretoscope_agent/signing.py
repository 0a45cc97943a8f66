"""Whether a job comes from the site: HMAC-SHA256 with the key that the agent got when it registered."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any

from paretoscope_agent.errors import SignatureError


def signature(key: str, text: str) -> str:
    """Return the signature of the text of a manifest, in hex."""
    return hmac.new(bytes.fromhex(key), text.encode(), hashlib.sha256).hexdigest()


def check_manifest(key: str, text: str, given: str) -> None:
    """Raise unless the site signed the text of a manifest.

    Raises:
        SignatureError: it did not.
    """
    if not hmac.compare_digest(signature(key, text), given):
        raise SignatureError("A job came that the site this agent registered with did not sign: it is not run.")


def check_file(manifest: Mapping[str, Any], data: bytes) -> None:
    """Raise unless a file is the one that the manifest names.

    Raises:
        SignatureError: it is another.
    """
    if hashlib.sha256(data).hexdigest() != manifest["sha256"]:
        raise SignatureError(
            f"The network of job {manifest.get('job')} is not the file that was signed: it is not run."
        )
