"""Keys of devices."""

from __future__ import annotations

import pytest

from webapp.measuring.signing import key_of, signature


def test_a_key_is_of_its_salt_and_of_the_site(settings: pytest.FixtureRequest) -> None:
    first = key_of("salt")
    assert first == key_of("salt") != key_of("other") and len(bytes.fromhex(first)) == 32
    settings.SECRET_KEY = "another site"  # type: ignore[attr-defined]
    assert key_of("salt") != first
    assert signature(first, "text") != signature(key_of("salt"), "text")
