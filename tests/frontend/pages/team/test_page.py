from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from tests.support.stored_runs import make_people

pytestmark = pytest.mark.django_db


def client_of(person: Any) -> Client:
    client = Client()
    client.force_login(person)
    return client


def test_a_page_tells_strangers_of_no_project() -> None:
    people = make_people()
    client = client_of(people.stranger)
    assert [client.get(path).status_code for path in ("/team", "/team/lab", "/team/none")] == [200, 404, 404]
    assert client_of(people.viewer).get("/team/lab").status_code == 200
