"""Signatures are those of Standard Webhooks."""

from __future__ import annotations

from typing import Any

from webapp.webhooks.signing import secret_of, signature


def test_it_signs_the_published_example_as_published() -> None:
    """The test vector of https://github.com/standard-webhooks/standard-webhooks."""
    found = signature(
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}'
    )
    assert found == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="


def test_a_secret_needs_the_key_of_the_site(settings: Any) -> None:
    first = secret_of("salt")
    assert first == secret_of("salt") != secret_of("other") and first.startswith("whsec_")
    settings.SECRET_KEY = "another"
    assert secret_of("salt") != first
