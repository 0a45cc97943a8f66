"""Counts requests and their time by view and status, over all processes of a web server.

Each process writes its counts to a file of its own in one folder, and whichever is asked adds them up (the several-process mode of
prometheus-client, which is told by a variable of the environment where the folder is).
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import cache

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponseBase
from prometheus_client import CollectorRegistry, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"


class RequestsMiddleware:
    """Measures each request until its answer begins; not there at all while metrics are off."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        """Raise `MiddlewareNotUsed` without a token."""
        if not settings.PARETOSCOPE_METRICS_TOKEN:
            raise MiddlewareNotUsed
        self._get_response = get_response
        self._seconds = _request_seconds()  # before the web server forks, so that its processes share the folder

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer the request."""
        began = time.perf_counter()
        response = self._get_response(request)
        self._seconds.labels(_view(request), str(response.status_code)).observe(time.perf_counter() - began)
        return response


def request_registry() -> CollectorRegistry:
    """Return the metrics of all processes, including those that have ended."""
    registry = CollectorRegistry()
    MultiProcessCollector(registry, _folder())  # type: ignore[no-untyped-call]  # published with types in part
    return registry


def _view(request: HttpRequest) -> str:
    """Return the name of the view, of which there are a bounded number; "none" where a middleware answered."""
    match = request.resolver_match
    if match is None:
        return "none"
    # Pages and their callbacks are one view to Django, and differ in what may be expected of them.
    return "callback" if request.path_info.startswith("/_dash-update-component") else match.view_name


@cache
def _request_seconds() -> Histogram:
    _folder()
    # The library has chosen when it was imported, and there was no folder yet.
    values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
    words = "Seconds until the answer of a request began, by view and status."
    return Histogram("paretoscope_request_seconds", words, ("view", "status"), registry=CollectorRegistry())


@cache
def _folder() -> str:
    """Return a new folder, so that no counts of an earlier start are added; it goes when the process ends that made it."""
    folder, owner = tempfile.mkdtemp(prefix="paretoscope-metrics-"), os.getpid()
    os.environ[_FOLDER] = folder
    atexit.register(lambda: shutil.rmtree(folder, ignore_errors=True) if os.getpid() == owner else None)
    return folder
