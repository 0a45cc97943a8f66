"""The address of a read-only link."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from tests.support.stored_runs import finished_run, make_people
from webapp.base.actor import BROWSER, Actor, acting
from webapp.reports.service import write
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink
from webapp.sharing.service import make_link, revoke
from webapp.teams.visibility import personal_project


@pytest.fixture(autouse=True)
def _nobody_counted() -> None:
    cache.clear()


def test_it_leads_to_what_it_opens_until_it_is_over(db: Any, toys: None) -> None:
    people = make_people()
    run = finished_run(people, steps=1, designs_per_step=2)
    address = "/" + make_link(people.owner, "run", run.pk, 7).address.split("/", 3)[3]
    answer = Client(headers={"Sec-Fetch-Mode": "navigate"}).get(address)
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


def _tags(address: str) -> dict[str, str]:
    """What a fetcher without cookies and scripts reads at the address of a link."""
    answer = Client().get("/" + address.split("/", 3)[3])
    assert answer.status_code == 200 and "no-store" in answer.headers["Cache-Control"]
    tags = re.findall(r'<meta (?:property|name|http-equiv)="([^"]+)" content="([^"]*)">', answer.content.decode())
    return {name: unescape(content) for name, content in tags}


def test_its_preview_has_the_answer_of_the_run_with_its_certainty(db: Any, toys: None) -> None:
    people = make_people()
    run = finished_run(people, steps=1, designs_per_step=2)
    Run.objects.update(title='Which "board"?')
    tags = _tags(make_link(people.owner, "run", run.pk, 7).address)
    assert (tags["og:title"], tags["og:site_name"], tags["twitter:card"]) == (
        'Which "board"?',
        "Paretoscope",
        "summary",
    )
    assert re.fullmatch(r"Design \d{4} has the best latency: .+\ss\. Certainty: ○\spredicted\.", tags["og:description"])
    assert tags["refresh"] == f"0;url=/runs/{run.pk}"


def test_its_preview_has_no_run_that_the_maker_of_the_link_does_not_see(db: Any, toys: None) -> None:
    people = make_people()
    mine, theirs = finished_run(people, steps=1, designs_per_step=2), finished_run(people, steps=1, designs_per_step=2)
    texts = [f"[[front run={run.pk}]]" for run in (mine, theirs)]
    Run.objects.filter(pk=theirs.pk).update(title="A secret")
    report = write(people.owner, "Boards", "\n".join(texts), people.project)
    address = make_link(people.owner, "report", report.pk, 7).address
    both = _tags(address)["og:description"]
    assert both.startswith("Toy run: Design ") and "A secret: Design " in both
    Run.objects.filter(pk=theirs.pk).update(project=personal_project(people.stranger))
    one = _tags(address)["og:description"]
    assert "secret" not in one and one.startswith("Design ")
    revoke(people.owner, "report", report.pk, ShareLink.objects.get().pk)
    assert b"og:" not in Client().get("/" + address.split("/", 3)[3]).content
