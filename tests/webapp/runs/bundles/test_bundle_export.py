from __future__ import annotations

import pytest

from tests.support.stored_runs import People
from webapp.runs.bundles.bundle_export import write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.errors import RunStateError
from webapp.runs.models import Run, StepRecord
from webapp.teams.visibility import NotAllowed

pytestmark = pytest.mark.django_db


def test_a_viewer_cannot_import_and_a_live_run_cannot_leave(people: People, run: Run, bundle: bytes) -> None:
    with pytest.raises(NotAllowed):
        import_bundle(people.viewer, people.project, bundle)
    Run.objects.filter(pk=run.pk).update(status="running")
    run.refresh_from_db()
    with pytest.raises(RunStateError, match="export"):
        write_bundle(run)


def test_a_metric_without_a_value_leaves_and_comes_back(people: People, run: Run) -> None:
    run.metrics = {**run.metrics, "gap": None}
    run.save(update_fields=["metrics"])
    step = StepRecord.objects.filter(run=run).latest("number")
    step.metrics = {**step.metrics, "gap": None}
    step.save(update_fields=["metrics"])
    with write_bundle(run) as stream:
        copy = import_bundle(people.owner, people.project, stream.read())
    assert copy.metrics == run.metrics and copy.metrics["gap"] is None
    assert StepRecord.objects.filter(run=copy).latest("number").metrics == step.metrics
