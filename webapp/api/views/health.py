"""Whether the site can work: for `make up`, load balancers and monitoring. Tells nothing about anybody's work."""

from __future__ import annotations

import time

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.functions import Now
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from webapp.api.models import LastWrite
from webapp.runs.queue.workers import worker_summary
from webapp.runs.worker.disk_space import full_folders

# Everybody may ask; one process writes no more often than this.
WRITE_EVERY_S = 5.0
_ROW = 1
_written: list[float] = []


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """Return 200 where the database answers, 503 where it does not; workers are counted but not required."""
    try:
        workers = worker_summary()
    except DatabaseError as error:
        return JsonResponse({"status": "down", "database": type(error).__name__, "workers": None}, status=503)
    return JsonResponse({"status": "ok", "database": connection.vendor, "workers": workers.alive, "busy": workers.busy})


@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """Return 200 as long as this process answers at all.

    Asks nothing else, so that a slow database gets no web server restarted.
    """
    return JsonResponse({"status": "ok"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> JsonResponse:
    """Return 200 where requests may be sent here: there is room, and the database has every migration and takes a write.

    Else 503.
    """
    reason = _not_ready()
    return JsonResponse({"status": "down", "reason": reason}, status=503) if reason else JsonResponse({"status": "ok"})


def _not_ready() -> str:
    """Return why no requests should be sent here; "" where they may be."""
    try:
        executor = MigrationExecutor(connection)
        missing = len(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    except DatabaseError as error:
        return f"the database: {type(error).__name__}"
    if missing:
        return f"{missing} migrations are missing: paretoscope migrate"
    if full_folders():
        return "the disk of run-time data or of temporary files is full: workers take no run"
    try:
        _write()
    except DatabaseError as error:
        return f"the database takes no writes: {type(error).__name__}"
    return ""


def _write() -> None:
    """Write the row, unless this process did so a moment ago. A full disk and a database that only reads are found so."""
    now = time.monotonic()
    if _written and now - _written[0] < WRITE_EVERY_S:
        return
    _written.clear()
    LastWrite.objects.update_or_create(pk=_ROW, defaults={"at": Now()})
    _written.append(now)
