"""Addresses that belong to the site and not to the explorer, and that lead nowhere."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse


def missing(request: HttpRequest) -> HttpResponse:
    """Answer with the site's own page 404; the explorer's pages would send people to the login first."""
    raise Http404(f"There is no address {request.path}.")
