"""What the tests of studies start from."""

from __future__ import annotations

import pytest

from engines.contract.bounded_cache import BoundedCache
from tests.frontend.pages.study.seeds_for_tests import GRID
from tests.support.stored_runs import People
from webapp.studies import service, values
from webapp.studies.models import Study


@pytest.fixture(autouse=True)
def _nothing_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """No value of a cell is remembered, and no worker is called."""
    monkeypatch.setattr(values, "_known", BoundedCache(10))
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)


@pytest.fixture
def study(people: People) -> Study:
    grid = {"engine": "toy", "params": {"steps": {"each": [1, 2]}}, "seeds": [1, 2], "title": "Four"}
    return service.create(people.owner, grid, project=people.project)


@pytest.fixture
def seeded(people: People) -> Study:
    return service.create(people.owner, {**GRID, "title": "Seeds"}, project=people.project)
