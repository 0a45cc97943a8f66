"""The one message: "look". It names no run, so that lost, late and doubled messages are all harmless."""

from __future__ import annotations

from celery import shared_task

from webapp.runs.worker.worker import current_worker


@shared_task(name="runs.look", ignore_result=True)  # type: ignore[untyped-decorator]  # celery has no types
def look() -> None:
    """Claim and execute runs one after the other until the queue is empty for this worker."""
    current_worker().look()
