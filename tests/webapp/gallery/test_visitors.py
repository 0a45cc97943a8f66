"""Guests: the gallery, networks of their own for less than a day, limits that leave the site to others."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import F
from django.test import Client

from tests.engines.workloads.importing.onnx.onnx_models import convolutional
from tests.support.callbacks import ask, page_at
from tests.support.stored_runs import People, finished_run, make_people
from webapp.catalogue.models import Document
from webapp.catalogue.official_documents import official_project
from webapp.gallery import networks, visitors
from webapp.gallery.models import VisitorNetwork
from webapp.runs.models import Run

pytestmark = pytest.mark.django_db
SURVEY = "..survey-found.children...survey-found.aria-busy.."


@pytest.fixture
def people(settings: Any, db: Any, toys: None) -> People:
    cache.clear()
    settings.PARETOSCOPE_GUESTS = True
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    found = finished_run(people, steps=1, designs_per_step=4)
    Run.objects.filter(pk=found.pk).update(project=official_project())
    return found


def guest() -> Client:
    client = Client()
    assert client.get("/gallery").status_code == 200
    return client


def upload(client: Client) -> Any:
    return client.post("/gallery/network/", {"file": SimpleUploadedFile("mine.onnx", convolutional())})


def survey(client: Client, name: str) -> Any:
    values = {"survey-asked.data": {"workload": name}, "scheme.data": "light", "viewport.data": {"width": 1280}}
    return ask(client, SURVEY, values, {}, "survey-asked.data")


def test_a_site_shows_itself_only_where_it_is_told_to(people: People, run: Run, settings: Any) -> None:
    client = guest()
    assert client.get("/").headers["Location"] == "/gallery" and client.get("/new").status_code == 302
    assert "Toy run" in json.dumps(page_at(client, f"/runs/{run.pk}").json())
    frame = json.dumps(client.get("/_dash-layout").json())
    assert "Gallery" in frame and "Sign in" in frame and "Read-only link" not in frame
    settings.PARETOSCOPE_GUESTS = False
    for path in ("/gallery", f"/runs/{run.pk}"):
        assert client.get(path).headers["Location"].startswith("/accounts/login/")
    assert upload(client).status_code == 404


def test_rest_reads_the_gallery_alone(people: People, run: Run, settings: Any) -> None:
    other, client = finished_run(people, steps=1, designs_per_step=2), Client()
    assert [each["id"] for each in client.get("/api/v1/runs/").json()["results"]] == [run.pk]
    assert client.get(f"/api/v1/runs/{run.pk}/designs/").status_code == 200
    assert client.get(f"/api/v1/runs/{other.pk}/").status_code == 404
    for path in ("/api/v1/documents/", "/api/v1/studies/", f"/api/v1/runs/{run.pk}/log/"):
        assert client.get(path).status_code == 401, path
    assert client.delete(f"/api/v1/runs/{run.pk}/").status_code == 401
    settings.PARETOSCOPE_GUESTS = False
    assert client.get("/api/v1/runs/").status_code == 401


def test_a_network_is_seen_by_its_guest_alone_and_not_for_a_day(people: People) -> None:
    client, other = guest(), guest()
    answer = upload(client)
    assert answer.status_code == 201 and not Document.objects.exists()
    name = f"{answer.json()['project']}/{answer.json()['slug']}"
    assert "Jetson" in survey(client, name).content.decode()
    assert "that you uploaded" in survey(other, name).content.decode()
    VisitorNetwork.objects.update(created=F("created") - networks.KEPT)
    assert "that you uploaded" in survey(client, name).content.decode()
    networks.sweep()
    assert not VisitorNetwork.objects.exists() and timedelta(minutes=10) + networks.KEPT < timedelta(days=1)


def test_an_account_keeps_what_the_guest_made(people: People, settings: Any) -> None:
    settings.PARETOSCOPE_SIGN_UP = "OPEN"
    client = guest()
    upload(client)
    form = {"username": "gail", "email": "gail@example.org", "password1": "a-long-word-9", "password2": "a-long-word-9"}
    assert client.post("/accounts/sign_up/", form).status_code == 302
    (document,) = Document.objects.filter(kind="workload")
    assert document.project.personal_of.username == "gail" and not VisitorNetwork.objects.exists()


def test_guests_who_ask_for_more_are_told_when_to_come_back(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(networks, "MOST_NETWORKS", 1)
    client = guest()
    assert [upload(client).status_code for _ in range(2)] == [201, 429]
    monkeypatch.setattr("frontend.bridge.COMPUTING", ("1/minute", "2/minute"))
    answers = [survey(each, "none") for each in (client, client, guest(), guest())]
    assert [each.status_code for each in answers] == [200, 429, 200, 429], "of one guest, and behind one address"
    assert 0 < int(answers[1].headers["Retry-After"]) <= 60 and "Try again in" in answers[1].json()["message"]


def test_a_name_is_signed_and_ends_after_a_day(people: People, monkeypatch: pytest.MonkeyPatch) -> None:
    client = guest()
    name = client.cookies[visitors.COOKIE].value
    assert visitors.COOKIE not in client.get("/gallery").cookies
    client.cookies[visitors.COOKIE] = "other" + name
    assert visitors.COOKIE in client.get("/gallery").cookies
    client.cookies[visitors.COOKIE] = name
    monkeypatch.setattr(visitors, "DAY_S", -1)
    assert visitors.COOKIE in client.get("/gallery").cookies
