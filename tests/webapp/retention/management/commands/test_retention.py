"""The command that applies the rules."""

from __future__ import annotations

from tests.support.stored_runs import People, finished_run
from tests.webapp.retention.cases import old_failed_run, said
from webapp.runs.models import Run


def test_a_site_without_anything_old_keeps_everything(people: People) -> None:
    finished_run(people)
    old_failed_run(people)
    assert said() == ["Removed: 0, which frees 0 bytes of designs, checkpoints, files and messages."]
    assert Run.objects.filter(deleted=None).count() == 2, "failed runs stay unless a setting says otherwise"
