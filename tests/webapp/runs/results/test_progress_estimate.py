"""How long a run still takes, from what is stored of it; the time is handed in."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from frontend.designs.run_words import run_seconds
from tests.support.stored_runs import finished_run, make_people
from webapp.runs.models import Run, StepRecord
from webapp.runs.results.progress_estimate import seconds_left

pytestmark = pytest.mark.usefixtures("toys")
START = datetime(2024, 5, 1, 8, tzinfo=UTC)
BACK = START + timedelta(hours=5)


@pytest.fixture
def run(db: None) -> Run:
    """Half done in ten minutes, then five hours of outage, and ten reports of a second attempt, 1 % each two seconds."""
    found = finished_run(make_people())
    found.steps.all().delete()
    rows = [(number, 1, START + timedelta(seconds=60 * number), 0.05 * number) for number in range(1, 11)]
    rows += [(number, 2, BACK + timedelta(seconds=2 * number), 0.4 + 0.01 * number) for number in range(11, 21)]
    for number, attempt, time, fraction in rows:
        step = StepRecord.objects.create(run=found, number=number, attempt=attempt, fraction=fraction, design_count=0)
        StepRecord.objects.filter(pk=step.pk).update(time=time)
    fields = {
        "status": "running",
        "attempt": 2,
        "fraction": 0.6,
        "started": START,
        "finished": None,
        "computed_s": 640.0,
    }
    Run.objects.filter(pk=found.pk).update(**fields)
    return Run.objects.get(pk=found.pk)


def test_the_speed_of_late_tells_what_is_left(run: Run) -> None:
    assert seconds_left(run, BACK + timedelta(seconds=40)) == pytest.approx(80.0)


def test_the_time_of_a_run_leaves_an_outage_out(run: Run) -> None:
    assert run_seconds(run, BACK + timedelta(seconds=40)) == 640.0
    run.computed_s = 0.0  # of a site that did not note it yet
    assert run_seconds(run, START + timedelta(seconds=40)) == 40.0
