"""People, with nobody who would take their runs."""

from __future__ import annotations

import pytest

from tests.support.stored_runs import People, make_people


@pytest.fixture
def people(db: None, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()
