"""The dialog that shares, used as a browser uses it."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from tests.support.callbacks import ask, key_of
from tests.support.stored_runs import People, make_people
from webapp.runs.models import Run
from webapp.sharing.models import ShareLink

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db: Any) -> People:
    cache.clear()
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    values = {"project": people.project, "owner": people.owner, "title": "x", "engine": "toy", "engine_version": 1}
    return Run.objects.create(**values, problem_hash="0" * 64)


def press(person: Any, run: Run, name: str, number: int = 0, **fields: str) -> Any:
    from frontend.bridge import get_app

    client = Client()
    client.force_login(person)
    button = {"type": "share-action", "name": name, "number": number}
    given = [({"type": "share-field", "name": field}, value) for field, value in fields.items()]
    patterns = {
        "share-action.n_clicks": [(button, 1)],
        "share-field.value": given,
        "share-field.id": [(field, field) for field, _ in given],
    }
    output = next(key for key in get_app().callback_map if key.startswith("share-body.children@"))
    thing = {"share-thing.data": {"kind": "run", "number": run.pk}}
    return ask(client, output, thing, patterns, key_of(button, "n_clicks"))


def opened(person: Any, run: Run) -> Any:
    client = Client()
    client.force_login(person)
    thing = {"share-open.n_clicks": 1, "share-thing.data": {"kind": "run", "number": run.pk}}
    return ask(client, "share-body.children", thing, {}, "share-open.n_clicks")


def opens_at(address: str) -> str:
    """Where a browser that opens the link is led; what fetches a preview gets a page."""
    return str(Client().get(address, headers={"Sec-Fetch-Mode": "navigate"}).url)  # type: ignore[attr-defined]


def words(answer: Any) -> str:
    return json.dumps(answer.json(), ensure_ascii=False)


def test_an_editor_makes_a_link_that_opens_and_revokes_it(people: People, run: Run) -> None:
    made = words(press(people.editor, run, "make", note="for the review", days="7"))
    assert "not shown again" in made and "for the review" in made and "never" in made
    found = re.search(r"/shared/[^/\"]+/", made)
    assert found is not None
    assert opens_at(found[0]) == f"/runs/{run.pk}"
    assert "/shared/" not in words(opened(people.editor, run)), "the link is shown once"
    ended = words(press(people.owner, run, "revoke", ShareLink.objects.get().pk))
    open_links, _, revoked = ended.partition("Revoked links")
    assert "for the review" not in open_links and "for the review" in revoked and people.owner.username in revoked
    assert Client().get(found[0]).status_code == 410
    again = words(press(people.editor, run, "again", ShareLink.objects.get().pk))
    made_again = re.search(r"/shared/[^/\"]+/", again)
    assert made_again is not None and opens_at(made_again[0]) == f"/runs/{run.pk}"
    first, second = ShareLink.objects.order_by("pk")
    assert second.note == first.note and round((second.expires - second.created) / timedelta(days=1)) == 7


def test_a_viewer_sees_who_has_access_and_makes_no_link(people: People, run: Run) -> None:
    shown = words(opened(people.viewer, run))
    assert (
        all(name in shown for name in ("ann", "eve", "vic"))
        and "Only editors and maintainers of the project can make links." in shown
    )
    assert "Make a link" not in shown
    press(people.viewer, run, "make", days="7")
    assert not ShareLink.objects.exists()


def test_strangers_are_told_that_there_is_none(people: People, run: Run) -> None:
    gone = Run(pk=99_999)
    for answer in (opened, lambda person, run: press(person, run, "make", days="7")):
        told = [answer(people.stranger, each) for each in (run, gone)]
        assert [each.status_code for each in told] == [404, 404]
        texts = {
            each.json()["detail"].replace(str(number), "N")
            for each, number in zip(told, (run.pk, gone.pk), strict=True)
        }
        assert len(texts) == 1


def test_a_link_needs_an_end(people: People, run: Run) -> None:
    for days in ("", "x", "400"):
        assert "is valid for one of" in words(press(people.editor, run, "make", days=days))
    assert not ShareLink.objects.exists()
