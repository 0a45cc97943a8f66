from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.runs import service
from webapp.runs.models import Run


@pytest.fixture
def training(people: People) -> Run:
    """A run that works and has no designs yet."""
    run = service.create(people.owner, {"engine": "toy", "params": {}, "title": "Training"}, people.project)
    Run.objects.filter(pk=run.pk).update(status="running", attempt=1, message="Epoch 3 of 8: loss 0.333")
    run.refresh_from_db()
    return run
