"""One's own account."""

from __future__ import annotations

import pytest
from django.core.cache import cache

from tests.support.stored_runs import People
from tests.webapp.teams.views.cases import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_the_address_of_an_account_changes(people: People) -> None:
    client = signed_in(people.owner)
    assert "Saved" in client.post("/accounts/account/", {"email": "ann@example.org"}).content.decode()
    people.owner.refresh_from_db()
    assert people.owner.email == "ann@example.org"
    assert "Enter a valid" in client.post("/accounts/account/", {"email": "x"}).content.decode()
