from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run


@pytest.fixture
def runs(people: People) -> list[Run]:
    return [finished_run(people, steps=2, designs_per_step=6) for _ in range(2)]


@pytest.fixture
def as_owner(people: People, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The pages' callbacks, asked by the owner of the project."""
    from frontend.bridge import get_app

    get_app()
    from frontend.pages.report import callbacks

    monkeypatch.setattr(callbacks, "current_user", lambda: people.owner)
    monkeypatch.setattr(callbacks, "chosen_project", lambda _user: people.project)
    return callbacks
