from __future__ import annotations

import pytest

from frontend.bridge import get_app
from tests.support.stored_runs import People, make_people


@pytest.fixture
def people(db: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    get_app()  # pages can only be imported once it is there
    found = make_people()
    for module in ("reproduction.page", "reproduction.listing", "reproduction.callbacks", "home.reproductions"):
        monkeypatch.setattr(f"frontend.pages.{module}.current_user", lambda: found.owner)
    return found
