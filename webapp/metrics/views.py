"""`/metrics`, for whoever knows the token of the setting."""

from __future__ import annotations

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from webapp.api.problem_details import problem_response
from webapp.metrics.requests import request_registry
from webapp.metrics.runs import RunsCollector


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all figures in Prometheus' text format; 404 while no token is set, 401 without it."""
    token = settings.PARETOSCOPE_METRICS_TOKEN
    if not token:
        raise Http404(f"There is no address {request.path}.")  # as any address that leads nowhere
    if not constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}"):
        words = "Send the token of PARETOSCOPE_METRICS_TOKEN as `Authorization: Bearer TOKEN`."
        return problem_response(401, words, headers={"WWW-Authenticate": "Bearer"})
    registry = request_registry()
    registry.register(RunsCollector())
    return HttpResponse(generate_latest(registry), content_type=CONTENT_TYPE_PLAIN_0_0_4)
