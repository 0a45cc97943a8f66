"""The queue on the page of a waiting run: time so far, runs before it, or that no worker can take it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from dash import html
from dash.development.base_component import Component
from django.utils import timezone

from engines.contract.bounded_cache import BoundedCache
from frontend.components.icon import icon
from frontend.components.moment import since
from frontend.figures.numbers import duration, many
from webapp.runs.models import Run
from webapp.runs.queue.start_estimate import Wait, expected_wait
from webapp.runs.queue.workers import live_workers, missing_for, waits_beside_idle
from webapp.runs.results.live_changes import FollowedRun

# For all who look at the same run: what the estimate asks of the database is asked once a second.
KEPT_S = 1.0
# An idle worker takes a run whose turn it is within a second or two.
LATE_S = 3.0


@dataclass(frozen=True)
class Queue:
    """The words about the queue, without the time that passes; `warn` where no worker takes the run."""

    words: str
    warn: bool = False


_queues: BoundedCache[int, tuple[float, Queue]] = BoundedCache(64)


def queue_of(run: FollowedRun) -> dict[str, str]:
    """Return the queue state of a run for polling; empty for a run that is not queued."""
    if run.status != Run.Status.QUEUED:
        return {}
    kept = _queues.get(run.pk)
    if kept is None or time.monotonic() - kept[0] > KEPT_S:
        kept = _queues.put(run.pk, (time.monotonic(), _queue(Run.objects.get(pk=run.pk))))
    return {"queue": kept[1].words}


def queue_strip(run: Run) -> Component:
    """Return the strip of a run that waits."""
    found = _queue(run)
    if found.warn:
        return html.Div([icon("alert-triangle", "s"), html.Span(found.words)], className="strip warn run-strip")
    waited = since(run.queued_at, timezone.now())
    words = html.Span(["Queued for ", waited, f". {found.words}"], className="el", title=found.words)
    return html.Div([icon("clock", "s"), words], className="strip run-strip plain")


def _queue(run: Run) -> Queue:
    workers = live_workers()
    missing = missing_for(run, workers)
    if not workers or missing:
        nobody = f"No running worker {missing}" if missing else "No worker is running"
        return Queue(f"{nobody}. The run stays queued and starts when a worker is available.", warn=True)
    expected = expected_wait(run, workers)
    late = (timezone.now() - run.queued_at).total_seconds() > LATE_S
    if late and expected is not None and not expected.before and expected.seconds < 1:
        return Queue(
            "No worker has taken the run, though its turn is now. It starts by itself as soon as one does.", warn=True
        )
    wait = _wait_words(expected)
    if waits_beside_idle(run, workers):
        kept = "when a worker for such runs is free: an idle one is kept for runs of less than a minute"
        return Queue(f"It starts by itself {kept}. {wait}".strip())
    return Queue(wait or "It starts by itself.")


def _wait_words(wait: Wait | None) -> str:
    """Return the estimated start in words; "" if unknown."""
    if wait is None:
        return ""
    before = f"{many(wait.before, 'run')} before it" if wait.before else "No run before it"
    when = f"in about {duration(wait.seconds)}" if wait.seconds >= 1 else "at once"
    return f"{before}, estimated to start {when}."
