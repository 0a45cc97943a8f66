"""Few passwords are hashed at a time, and few wait: the threads of the web server are for others as well."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from engines.contract.errors import BusyError
from webapp.teams import hashing
from webapp.teams.hashing import Hashings


def test_no_more_wait_than_twice_as_many() -> None:
    places = Hashings(1, wait_s=60.0)
    assert all(places._inside.acquire(blocking=False) for _ in range(3))
    with pytest.raises(BusyError), places.place():
        pass


@pytest.mark.django_db
def test_who_waits_in_vain_gets_a_page_with_the_time_to_come_back(
    settings: Any, monkeypatch: pytest.MonkeyPatch, django_user_model: Any
) -> None:
    monkeypatch.setattr(hashing.BoundedPasswordHasher, "iterations", 1)
    settings.PASSWORD_HASHERS = ["webapp.teams.hashing.BoundedPasswordHasher"]
    places = Hashings(1, wait_s=0.01)
    monkeypatch.setattr(hashing, "_hashings", lambda: places)
    assert django_user_model.objects.create_user("ann", password="right").password.startswith("pbkdf2_sha256$1$")
    form = {"username": "ann", "password": "right"}
    with places.place():
        answer = Client().post("/accounts/login/", form)
    assert answer.status_code == 503 and answer.headers["Retry-After"] == "5"
    assert "Try again in 5 s" in answer.content.decode()
    assert Client().post("/accounts/login/", form).status_code == 302
