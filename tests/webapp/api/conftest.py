"""People, a finished run and clients for the tests of the interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from rest_framework.test import APIClient

from tests.support.shared_rows import shared_rows
from tests.support.stored_runs import People, finished_run, make_people
from webapp.runs.models import Run


@pytest.fixture(autouse=True)
def _quiet(toys: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Offers the toys, rings no bell (there is no worker), and lets no throttle count across tests."""
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    cache.clear()


@pytest.fixture(scope="module")
def people_of_module(django_db_setup: None, django_db_blocker: Any) -> Iterator[Callable[[], People]]:
    with shared_rows(django_db_blocker, make_people) as copied:
        yield copied


@pytest.fixture
def people(people_of_module: Callable[[], People], db: None) -> People:
    return people_of_module()


@pytest.fixture
def run(people: People) -> Run:
    """Twelve designs in three chunks."""
    return finished_run(people, steps=3, designs_per_step=4)


@pytest.fixture
def client(people: People) -> APIClient:
    """The owner's client."""
    return client_of(people.owner)


def client_of(user: object | None) -> APIClient:
    client = APIClient()
    if user is not None:
        client.force_login(user)
    return client
