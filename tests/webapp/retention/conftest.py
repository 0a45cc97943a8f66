"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, make_people


@pytest.fixture
def people(db: Any, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


@pytest.fixture
def months(settings: Any) -> None:
    """Failed runs are kept for two months, and everything of now is older than that."""
    settings.PARETOSCOPE_KEEP_FAILED_DAYS = 60
