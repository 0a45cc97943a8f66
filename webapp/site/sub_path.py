"""Requests below the path of the site: the path is taken off where the proxy left it, and put before redirects."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from webapp.base.sub_path import at, within


class SubPathMiddleware:
    """Answers a site below a path; without such a path it changes nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer the request as if the site were at the root."""
        if not settings.PARETOSCOPE_PREFIX:
            return self._get_response(request)
        request.path_info = within(request.path_info)
        request.path = at(request.path_info)
        request.META["PATH_INFO"] = request.path_info
        response = self._get_response(request)
        place = response.headers.get("Location", "")
        if place.startswith("/") and not place.startswith("//"):
            response.headers["Location"] = at(place)
        return response
