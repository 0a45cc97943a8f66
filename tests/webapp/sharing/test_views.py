"""The address of a read-only link."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.support.stored_runs import finished_run, make_people
from webapp.base.actor import BROWSER, Actor, acting
from webapp.sharing.models import ShareLink
from webapp.sharing.service import make_link, revoke


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_it_leads_to_what_it_opens_until_it_is_over(db: Any, toys: None) -> None:
    people = make_people()
    run = finished_run(people, steps=1, designs_per_step=2)
    address = "/" + make_link(people.owner, "run", run.pk, 7).address.split("/", 3)[3]
    answer = Client().get(address)
    assert (answer.status_code, answer.headers["Location"]) == (302, f"/runs/{run.pk}")
    assert "no-store" in answer.headers["Cache-Control"]
    ShareLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    over, never = Client().get(address), Client().get("/shared/" + "x" * 43 + "/")
    assert (over.status_code, never.status_code) == (410, 404)
    assert "This link has ended" in over.content.decode() and "opens nothing" in never.content.decode()
    ShareLink.objects.update(expires=timezone.now() + timedelta(days=1))
    client = Client()
    client.force_login(people.editor)
    with acting(Actor(means=lambda: BROWSER, person=lambda: people.owner)):
        revoke(people.owner, "run", run.pk, ShareLink.objects.get().pk)
    strange, own = Client().get(address).content.decode(), client.get(address).content.decode()
    assert "was revoked on" in strange and people.owner.username not in strange and "/runs/" not in strange
    assert f"was revoked by {people.owner.username} on" in own and f'href="/runs/{run.pk}' in own
