from __future__ import annotations

from typing import Any

from django.test import Client


def test_pages_carry_the_security_headers(client: Any, db: None) -> None:
    answer = client.get("/accounts/login/")
    assert answer.status_code == 200
    assert answer["X-Frame-Options"] == "DENY" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin" and answer.cookies["csrftoken"]["samesite"] == "Lax"


def test_it_sends_a_strict_policy(ann: Any) -> None:
    policy = Client().get("/accounts/login/").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src 'self';" in policy
    assert "unsafe-eval" not in policy and "frame-ancestors 'none'" in policy
