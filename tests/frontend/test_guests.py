"""Somebody who comes by a read-only link: the live page, nothing else, and no control that does nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from frontend.guests import READERS, called_by
from tests.support.callbacks import ask, page_at
from tests.support.stored_runs import People, finished_run, make_people
from webapp.comparisons.models import Comparison
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink
from webapp.sharing.service import make_link
from webapp.studies import service as studies

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: Any, toys: None) -> People:
    cache.clear()
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    return finished_run(people, steps=2, designs_per_step=4)


def guest_of(people: People, kind: str, number: int) -> Client:
    client = Client(headers={"Sec-Fetch-Mode": "navigate"})
    address = make_link(people.owner, kind, number, 7).address
    answer = client.get("/" + address.split("/", 3)[3])
    assert answer.status_code == 302
    return client


def nodes(part: Any) -> Iterator[dict[str, Any]]:
    if isinstance(part, list):
        for each in part:
            yield from nodes(each)
    elif isinstance(part, dict):
        if isinstance(part.get("props"), dict) and "type" in part:
            yield part
        for value in part.values():
            yield from nodes(value)


def test_a_link_opens_the_live_page_of_a_run(people: People, run: Run) -> None:
    client = guest_of(people, "run", run.pk)
    assert client.get(f"/runs/{run.pk}").status_code == 200
    shown = page_at(client, f"/runs/{run.pk}")
    assert shown.status_code == 200 and "Toy run" in json.dumps(shown.json())
    state = client.get(f"/_dash-run-state/{run.pk}")
    assert state.status_code == 200 and state.json()
    assert client.get(f"/_dash-run-pick/{run.pk}?design=1").status_code == 200
    frame = json.dumps(client.get("/_dash-layout").json(), ensure_ascii=False)
    assert "Read-only link" in frame and "ann shares “Toy run”" in frame and "search-results" not in frame


def test_it_reaches_nothing_else(people: People, run: Run) -> None:
    other = finished_run(people, steps=1, designs_per_step=2)
    client = guest_of(people, "run", run.pk)
    elsewhere = (
        "/",
        "/new",
        "/catalogue",
        "/catalogue/hardware/simba-3x3-nvdla",
        "/studies",
        "/compare",
        "/team",
        "/admin/",
    )
    asking = (f"/runs/{other.pk}", f"/compare?runs={run.pk}", f"/compare/page.html?runs={run.pk}")
    for path in (*elsewhere, *asking):
        assert client.get(path).status_code == 302, path
    for path in (f"/_dash-run-state/{other.pk}", f"/_dash-run-pick/{other.pk}", f"/_paper-figure/{other.pk}/run/x"):
        assert client.get(path).status_code == 404, path
    for path in (
        "/api/v1/runs/",
        f"/api/v1/runs/{run.pk}/",
        f"/api/v1/runs/{run.pk}/designs.csv",
        "/api/v1/documents/",
    ):
        assert client.get(path).status_code == 401, path
    for path in ("/", f"/runs/{other.pk}", "/catalogue", None, 7):
        assert page_at(client, path).status_code == 403, path


def test_a_callback_with_another_id_is_told_that_there_is_none(people: People, run: Run) -> None:
    other = finished_run(people, steps=1, designs_per_step=2)
    client = guest_of(people, "run", run.pk)
    output = "..run-actions.children...run-state-card.children.."
    numbers = (run.pk, other.pk, 99_999)
    told = {number: ask(client, output, {"run-id.data": number}, {}, "run-stage.data") for number in numbers}
    assert [told[number].status_code for number in told] == [200, 404, 404]
    assert told[other.pk].json()["detail"].replace(str(other.pk), "") == told[99_999].json()["detail"].replace(
        "99999", ""
    )


def test_what_changes_something_is_refused(people: People, run: Run) -> None:
    from frontend.bridge import get_app

    client, app = guest_of(people, "run", run.pk), get_app()
    refused = [
        output for output in app.callback_map if called_by(app, output) and called_by(app, output) not in READERS
    ]
    assert len(refused) > 30
    for output in refused:
        assert ask(client, output, {}, {}, "x.y").status_code == 403, output


@pytest.mark.parametrize("kind", ["run", "study", "comparison"])
def test_a_page_has_no_dead_controls(people: People, run: Run, kind: str) -> None:
    """Every link that is left leads somewhere, and every button that is left has a callback that answers."""
    paths = {"run": f"/runs/{run.pk}"}
    if kind == "study":
        study = studies.create(people.owner, {"engine": "toy", "seeds": [1, 2]}, project=people.project)
        paths["study"] = f"/studies/{study.pk}"
    if kind == "comparison":
        again = finished_run(people, steps=1, designs_per_step=2)
        entries = [{"run": each.pk, "design": None} for each in (run, again)]
        kept = Comparison.objects.create(project=people.project, owner=people.owner, title="q", entries=entries)
        paths["comparison"] = f"/compare/{kept.pk}"
    client = guest_of(people, kind, int(paths[kind].rpartition("/")[2]))
    shown = list(nodes([page_at(client, paths[kind]).json(), client.get("/_dash-layout").json()]))
    alive = [each for each in shown if not each["props"].get("hidden")]
    addresses = [str(each["props"]["href"]) for each in alive if "href" in each["props"]]
    assert len(shown) > 30 and addresses
    for address in addresses:
        assert not address.startswith("/") or client.get(address).status_code == 200, address
    words = json.dumps(alive, ensure_ascii=False)
    assert "Start from this" not in json.dumps(
        [n["props"].get("children") for n in alive if n["type"] in ("Link", "A", "Button")]
    )
    assert "/api/v1" not in json.dumps(addresses) and words


def end(link: str) -> None:
    if link == "over":
        ShareLink.objects.update(expires=timezone.now() - timedelta(seconds=1))
    else:
        ShareLink.objects.update(revoked=timezone.now() - timedelta(seconds=1))


@pytest.mark.parametrize("how", ["over", "revoked"])
def test_an_open_page_ends_with_its_link(people: People, run: Run, how: str) -> None:
    client = guest_of(people, "run", run.pk)
    end(how)
    assert client.get(f"/runs/{run.pk}").status_code == 302
    assert client.get(f"/_dash-run-state/{run.pk}").status_code == 401
    assert page_at(client, f"/runs/{run.pk}").status_code == 401


@pytest.mark.parametrize(("how", "words"), [("over", "This link has ended"), ("revoked", "This link was revoked")])
def test_whoever_has_a_link_reads_that_it_is_over_and_nothing_about_what_it_opened(
    people: People, run: Run, how: str, words: str
) -> None:
    address = make_link(people.owner, "run", run.pk, 7).address
    end(how)
    ended, never = (Client().get(path) for path in ("/" + address.split("/", 3)[3], "/shared/never/"))
    assert (ended.status_code, never.status_code) == (410, 404)
    shown = ended.content.decode()
    assert words in shown and run.title not in shown and people.owner.username not in shown and "/runs/" not in shown


def test_somebody_with_an_account_uses_a_link_beside_it(people: People, run: Run) -> None:
    client = Client()
    client.force_login(people.stranger)
    assert client.get(f"/runs/{run.pk}").status_code == 404
    client.get("/" + make_link(people.owner, "run", run.pk, 7).address.split("/", 3)[3])
    assert client.get(f"/runs/{run.pk}").status_code == 200 and client.get("/").status_code == 200
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 404


def test_every_reader_is_a_callback() -> None:
    from frontend.bridge import get_app

    app = get_app()
    assert {called_by(app, output) for output in app.callback_map} >= READERS
