"""Runs, their queue and their workers, counted in the database whenever Prometheus asks."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import DatabaseError
from django.db.models import Count
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from webapp.runs.models import Run
from webapp.runs.queue.workers import worker_summary


class RunsCollector(Collector):
    """Four questions to the database; where it is away, only `paretoscope_database_up` is told."""

    def collect(self) -> Iterator[Metric]:
        """Yield every gauge of the site's runs."""
        try:
            found = [*_runs(), *_workers()]
        except DatabaseError:
            found = []
        yield GaugeMetricFamily("paretoscope_database_up", "1 where the database answers.", float(bool(found)))
        yield from found


def _runs() -> Iterator[Metric]:
    there = Run.objects.filter(deleted__isnull=True)
    counts = dict(there.order_by().values_list("status").annotate(Count("pk")))
    by_status = GaugeMetricFamily("paretoscope_runs", "Runs that are not deleted, by status.", labels=["status"])
    for status in Run.Status.values:
        by_status.add_metric([status], counts.get(status, 0))
    yield by_status
    waiting = Run.objects.filter(status=Run.Status.QUEUED, wish=Run.Wish.RUN).count()
    yield GaugeMetricFamily("paretoscope_runs_waiting", "Length of the queue: runs that wait for a worker.", waiting)


def _workers() -> Iterator[Metric]:
    found = worker_summary()
    yield GaugeMetricFamily("paretoscope_workers_alive", "Workers seen in the last five seconds.", found.alive)
    yield GaugeMetricFamily(
        "paretoscope_worker_slots", "Largest number of runs that these workers execute at once.", found.slots
    )
    yield GaugeMetricFamily("paretoscope_worker_slots_busy", "Runs that these workers execute now.", found.busy)
