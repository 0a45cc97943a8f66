"""The limits of wrong passwords: for one account, and from one address for all names together."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

LOGIN = "/accounts/login/"
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def people(django_user_model: Any, settings: Any) -> None:
    settings.PARETOSCOPE_SIGN_IN_FAILURES = 6
    cache.clear()
    for name in ("ann", "bob"):
        django_user_model.objects.create_user(name, password="right")


def sign_in(name: str, password: str, address: str = "192.0.2.1", page: str = LOGIN) -> Any:
    return Client().post(page, {"username": name, "password": password}, REMOTE_ADDR=address)


def test_an_address_with_too_many_failures_waits_whatever_the_name() -> None:
    assert [sign_in(f"guess{number}", "x").status_code for number in range(6)] == [200] * 6
    for page in (LOGIN, "/admin/login/"):
        answer = sign_in("ann", "right", page=page)
        assert answer.status_code == 429 and 290 <= int(answer.headers["Retry-After"]) <= 300
        assert "in 5 minutes" in answer.content.decode() and "all names" in answer.content.decode()
    assert sign_in("ann", "right", "192.0.2.2").status_code == 302, "other addresses are counted for themselves"
    AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=5, seconds=1))
    assert sign_in("ann", "right").status_code == 302


def test_who_gets_in_takes_the_own_mistakes_out() -> None:
    for _ in range(4):
        for name in ("ann", "bob"):
            assert sign_in(name, "wrong").status_code == 200
            assert sign_in(name, "right").status_code == 302


def test_a_network_of_ipv6_is_one_address() -> None:
    for number in range(6):
        sign_in("ann", "x", f"2001:db8::{number}")
    found = [
        sign_in("bob", "right", each).status_code for each in ("2001:db8::ff", "2001:db8:0:1::1", "::ffff:192.0.2.7")
    ]
    assert found == [429, 302, 302]


def test_visitors_without_an_address_do_not_lock_each_other_out() -> None:
    for number in range(7):
        assert sign_in(f"guess{number}", "x", "").status_code == 200
    assert sign_in("ann", "right", "").status_code == 302


@pytest.mark.parametrize("name", ["ann", "my-password"])
def test_ten_failures_of_a_name_are_answered_alike_with_and_without_account(settings: Any, name: str) -> None:
    settings.PARETOSCOPE_SIGN_IN_FAILURES = 0
    assert [sign_in(name, "x").status_code for _ in range(11)] == [200] * 9 + [429] * 2
    answer = sign_in(name, "right")
    assert f"“{name}” was wrong 10 times" in answer.content.decode() and int(answer.headers["Retry-After"]) > 800
    (row,) = AccessAttempt.objects.values()
    assert row["username"] == "ann" if name == "ann" else name not in repr(row), "it may be one"
