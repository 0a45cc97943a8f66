from __future__ import annotations

import hashlib

from webapp.teams.secret_texts import digest_of, new_secret


def test_secrets_differ_and_can_stand_in_an_address() -> None:
    found = {new_secret() for _ in range(50)}
    assert len(found) == 50 and all(
        len(each) >= 43 and each.replace("-", "").replace("_", "").isalnum() for each in found
    )


def test_only_a_hash_is_stored_and_what_is_far_too_long_costs_no_more() -> None:
    assert digest_of("abc") == hashlib.sha256(b"abc").hexdigest()
    assert digest_of("x" * 200) == digest_of("x" * 10_000) != digest_of("x" * 199)
