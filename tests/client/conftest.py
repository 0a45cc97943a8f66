"""The client on the real site, in this process: its requests go through the whole web server program, but through no socket."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from django.core.cache import cache
from django.core.wsgi import get_wsgi_application

from paretoscope_client import Paretoscope, Run
from tests.support.stored_runs import People, finished_run, make_people
from webapp.api.tokens import make_token


@pytest.fixture
def people(toys: None, db: None, monkeypatch: pytest.MonkeyPatch) -> People:
    """Around the project "lab"; no bell is rung, as there is no worker, and no throttle counts across tests."""
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    cache.clear()
    return make_people()


def connected(person: Any, **said: Any) -> Paretoscope:
    """A client of the site in this process, with a new token."""
    transport = httpx.WSGITransport(get_wsgi_application(), raise_app_exceptions=False)
    return Paretoscope("http://testserver", make_token(person, "Notebook", **said)[1], transport=transport)


@pytest.fixture
def site(people: People) -> Paretoscope:
    """Return a site opened by the owner of the project."""
    return connected(people.owner)


@pytest.fixture
def stored_run(site: Paretoscope, people: People) -> Callable[..., Run]:
    """Stores a run that is done, with twelve designs unless told otherwise."""

    def store(**params: Any) -> Run:
        return site.run(finished_run(people, **{"steps": 3, "designs_per_step": 4, **params}).pk)

    return store
