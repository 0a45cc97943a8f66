"""What tests of this folder share."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

from django.core.management import call_command
from django.utils import timezone

from tests.support.stored_runs import People, finished_run
from webapp.runs.models import Run
from webapp.sharing.service import make_link


def ago(days: float) -> Any:
    return timezone.now() - timedelta(days=days)


def said(*arguments: str) -> list[str]:
    out = StringIO()
    call_command("retention", *arguments, stdout=out)
    return out.getvalue().splitlines()


def old_failed_run(people: People, status: str = "failed", days: float = 61) -> Run:
    run = finished_run(people, steps=1, designs_per_step=2)
    Run.objects.filter(pk=run.pk).update(status=status, outcome="error", finished=ago(days))
    run.refresh_from_db()
    return run


def link(people: People, run: Run) -> None:
    make_link(people.owner, "run", run.pk, 7)
