"""Whether the site can work: for `make up`, load balancers and monitoring. Tells nothing about anybody's work."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from webapp.runs.workers import worker_summary


@never_cache
@require_safe
def health(request: HttpRequest) -> JsonResponse:
    """200 where the database answers, 503 where it does not; workers are counted but not required."""
    try:
        workers = worker_summary()
    except DatabaseError as error:
        return JsonResponse({"status": "down", "database": type(error).__name__, "workers": None}, status=503)
    return JsonResponse({"status": "ok", "database": connection.vendor, "workers": workers.alive, "busy": workers.busy})
