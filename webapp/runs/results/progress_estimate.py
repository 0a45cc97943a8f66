"""How long a run still takes, by the reports of its newest attempt."""

from __future__ import annotations

from datetime import datetime

from engines.running.progress_estimate import left_s
from webapp.runs.models import Run, StepRecord

# Of a run that reports often its last few tell its speed: every viewer asks for them.
_MOST_MARKS = 40


def seconds_left(run: Run, now: datetime) -> float | None:
    """Return the seconds until the run is done at its recent speed; None where it is unknown."""
    steps = StepRecord.objects.filter(run_id=run.pk, attempt=run.attempt).order_by("-number")
    marks = [(time.timestamp(), fraction) for time, fraction in steps.values_list("time", "fraction")[:_MOST_MARKS]]
    return left_s(marks[::-1], run.computed_s, now.timestamp())
