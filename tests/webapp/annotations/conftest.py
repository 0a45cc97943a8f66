"""People and a run that they talk about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run, make_people
from webapp.runs.models import Run


@pytest.fixture
def people(db: Any, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    return finished_run(people, steps=2, designs_per_step=3)
