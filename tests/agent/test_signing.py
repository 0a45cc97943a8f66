"""What is not signed is not run."""

from __future__ import annotations

import hashlib

import pytest

from paretoscope_agent.errors import SignatureError
from paretoscope_agent.signing import check_file, check_manifest, signature
from webapp.measuring import signing as of_the_site

KEY = "ab" * 32


def test_agent_and_site_sign_alike() -> None:
    assert signature(KEY, '{"job": 1}') == of_the_site.signature(KEY, '{"job": 1}')
    check_manifest(KEY, '{"job": 1}', of_the_site.signature(KEY, '{"job": 1}'))


@pytest.mark.parametrize(("key", "text"), [(KEY, '{"job": 2}'), ("cd" * 32, '{"job": 1}')])
def test_another_text_or_key_is_refused(key: str, text: str) -> None:
    with pytest.raises(SignatureError, match="not run"):
        check_manifest(key, text, signature(KEY, '{"job": 1}'))


def test_another_file_is_refused() -> None:
    manifest = {"job": 1, "sha256": hashlib.sha256(b"network").hexdigest()}
    check_file(manifest, b"network")
    with pytest.raises(SignatureError, match="job 1 is not the file"):
        check_file(manifest, b"another")
