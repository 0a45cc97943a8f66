from __future__ import annotations

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.support.stored_runs import People
from webapp.runs.models import Run


def test_a_run_that_one_may_not_see_or_that_goes_on_is_not_written(people: People, run: Run, tmp_path: Path) -> None:
    target = tmp_path / "run.zip"
    with pytest.raises(CommandError):
        call_command("export_run", run.pk, target, user=people.stranger.username)
    Run.objects.filter(pk=run.pk).update(status="running")
    with pytest.raises(CommandError):
        call_command("export_run", run.pk, target, user=people.owner.username)
    assert not target.exists()
