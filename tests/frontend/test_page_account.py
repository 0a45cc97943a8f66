"""A page says whose it is: what it asks for under another account is refused before anything is stored."""

from __future__ import annotations

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from frontend.bridge import get_app
from tests.support.callbacks import ask
from tests.support.stored_runs import People
from webapp.api.page_account import HEADER
from webapp.catalogue.models import Document
from webapp.reports.models import Report


def client_of(person: Any, page_of: Any = None, **given: Any) -> Client:
    """A browser in which `person` is signed in, and what its page of another account sends."""
    client = Client(headers={HEADER: str(page_of.pk)} if page_of else {}, **given)
    client.force_login(person)
    return client


def save(client: Client) -> Any:
    output = next(key for key in get_app().callback_map if key.startswith("..report-location.href...report-saved"))
    values = {
        "report-save.n_clicks": 1, "report-title.value": "Mine", "report-text.value": "Text", "report-project.value": "lab",
        "report-number.data": 0, "report-seen.data": 0,
    }  # fmt: skip
    return ask(client, output, values, {}, "report-save.n_clicks")


def test_a_callback_of_another_account_is_refused_and_stores_nothing(people: People) -> None:
    answer = save(client_of(people.owner, people.viewer))
    words = f"You are signed in as {people.owner.username} now. Reload the page to continue."
    assert (answer.status_code, answer.json()["detail"]) == (409, words)
    assert not Report.objects.exists()
    assert save(client_of(people.owner, people.owner)).status_code == 200
    assert Report.objects.get().owner == people.owner


def test_so_are_its_polls_and_files(people: People, run: Any) -> None:
    client, before = client_of(people.owner, people.viewer), Document.objects.count()
    assert client.get(f"/_dash-run-state/{run.pk}").status_code == 409
    sent = {"file": SimpleUploadedFile("network.yaml", b"schema: workload/1\n")}
    assert client.post("/api/v1/documents/upload/", sent).status_code == 409
    assert Document.objects.count() == before


def test_a_page_hears_who_is_signed_in(people: People) -> None:
    assert client_of(people.owner).get("/accounts/who/").json() == {
        "account": str(people.owner.pk),
        "name": people.owner.username,
    }
    assert Client().get("/accounts/who/").json() == {"account": "nobody", "name": ""}


def test_without_cookies_a_callback_is_told_to_sign_in_and_an_old_form_who_is(people: People) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/_dash-update-component", b"{}", content_type="application/json").status_code == 401
    strict.force_login(people.owner)
    page = strict.post("/accounts/project/", {"project": "lab"})
    assert page.status_code == 403 and f"before you signed in as {people.owner.username}." in page.content.decode()
