"""What the tests of studies start from."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, make_people
from tests.webapp.studies.statistics_for_tests import GRID
from webapp.studies import service
from webapp.studies.models import Study


@pytest.fixture
def no_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is called to take runs that wait."""
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)


@pytest.fixture
def people(db: None, toys: None) -> People:
    return make_people()


@pytest.fixture
def study(people: People, no_workers: None) -> Study:
    return service.create(people.owner, GRID, project=people.project)
