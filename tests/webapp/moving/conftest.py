"""What tests of this folder share."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.stored_runs import People, finished_run, make_people
from webapp.runs.models import Run
from webapp.teams.models import Membership, Project
from webapp.teams.projects import create_project


@pytest.fixture
def people(db: Any, toys: None, monkeypatch: pytest.MonkeyPatch) -> People:
    monkeypatch.setattr("webapp.runs.wakeup.notify_workers", lambda: None)
    return make_people()


@pytest.fixture
def run(people: People) -> Run:
    return finished_run(people, steps=2, designs_per_step=3)


@pytest.fixture
def elsewhere(people: People) -> Project:
    """Where the owner maintains, the editor edits and the viewer edits."""
    made = create_project(people.owner, "Elsewhere")
    for user in (people.editor, people.viewer):
        Membership.objects.create(project=made, user=user, role="editor")
    return made
