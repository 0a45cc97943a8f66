"""The e-mail to the owner of a run at its end, where the site's settings ask for it."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.db import transaction

from engines.contract.integer_format import many
from webapp.runs.models import Run
from webapp.teams.mail import mail_later


def mail_end(sender: Any, run_id: int, **_facts: Any) -> None:
    """Mail the owner once the end is stored, if the run computed for more than `PARETOSCOPE_MAIL_RUNS_MINUTES` (0: never).

    A run that stopped at its time limit has ended, too. Runs that a person stopped, those of studies, imported ones and those of
    accounts without an address are left out.
    """
    least_s = 60.0 * settings.PARETOSCOPE_MAIL_RUNS_MINUTES
    if not least_s or not settings.PARETOSCOPE_SENDS_MAIL:
        return
    run = Run.objects.select_related("owner").get(pk=run_id)
    if run.status == Run.Status.STOPPED and not run.time_limit_reached:
        return
    if run.study_id is not None or run.imported or run.deleted is not None or run.computed_s < least_s:
        return
    if run.owner.is_active and run.owner.email:
        transaction.on_commit(partial(_mail, run), robust=True)


def _mail(run: Run) -> None:
    ends = {Run.Status.FAILED: "has failed", Run.Status.STOPPED: "has reached its time limit"}
    end = ends.get(Run.Status(run.status), "is done")
    if run.outcome == Run.Outcome.INFEASIBLE:
        end = "is done: no design meets the limits"
    words = (
        f"Run {run.pk:04d}, {run.title}, {end}.\n"
        f"It computed for {run.computed_s / 60:.0f} min and stored {many(run.design_count, 'design')}.\n\n"
        f"{settings.PARETOSCOPE_PUBLIC_URL}/runs/{run.pk}\n"
    )
    mail_later(f"{run.title} {end} (run {run.pk:04d})", words, run.owner.email)
