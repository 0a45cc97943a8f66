"""The change log over REST, in pages or as one CSV file."""

from __future__ import annotations

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.shapes import changes as shapes
from webapp.api.shapes.base import answer
from webapp.api.views.common import REFUSED, number, query
from webapp.changes.exports import csv_lines
from webapp.changes.models import Change
from webapp.changes.service import lines, page_of, read_asked, visible_changes
from webapp.items.registry import items

PAGE_SIZE = 100
_FILTERS = ("kind", "number", "project", "person", "means", "verb", "since", "until")
_PARAMETERS = [
    query("kind", OpenApiTypes.STR, "Only changes of things of this kind.", choices=list(items("logged"))),
    number("number", "Only changes of the one thing of that kind with this number."),
    query("project", OpenApiTypes.STR, "Only this project (slug)."),
    query("person", OpenApiTypes.STR, "Only what this account did (name)."),
    query("means", OpenApiTypes.STR, "Only by this means.", choices=Change.Means.values),
    query("verb", OpenApiTypes.STR, "Only changes by this means.", choices=Change.Verb.values),
    query("since", OpenApiTypes.DATE, "From this day on (UTC)."),
    query("until", OpenApiTypes.DATE, "Up to and with this day (UTC)."),
]


class ChangesView(APIView):
    """The change log of the user's projects."""

    @extend_schema(
        operation_id="changes",
        parameters=[*_PARAMETERS, number("before", "Continue with changes older than this number.")],
        responses={200: shapes.Changes, **REFUSED},
        tags=["changes"],
    )
    def get(self, request: Request) -> Response:
        """Return the change log of the projects that you see, newest first, a hundred entries per page."""
        arguments.only(request, *_FILTERS, "before")
        before = arguments.integer(request, "before", 0) if "before" in request.query_params else None
        found = visible_changes(request.user, read_asked(request.query_params.dict()))
        page, go_on = page_of(found, PAGE_SIZE, before)
        return answer(shapes.Changes, {"before": go_on, "changes": list(lines(page))})


class ChangesCsvView(APIView):
    """The change log of the user's projects as a CSV file."""

    @extend_schema(
        operation_id="changes_csv",
        parameters=_PARAMETERS,
        responses={(200, "text/csv"): OpenApiTypes.STR, **REFUSED},
        tags=["changes"],
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Return all entries within the filters as CSV, one line per changed field."""
        arguments.only(request, *_FILTERS)
        found = visible_changes(request.user, read_asked(request.query_params.dict()))
        headers = {"Content-Disposition": 'attachment; filename="changes.csv"'}
        return StreamingHttpResponse(csv_lines(lines(found)), content_type="text/csv; charset=utf-8", headers=headers)
