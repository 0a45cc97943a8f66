"""Write, read and change reports."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.api import arguments
from webapp.api.pagination import PageNumbers
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, version_tag
from webapp.api.shapes import reports as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.views.common import (
    CONFLICT,
    NOT_ALLOWED,
    NOT_FOUND,
    PROJECTS,
    REFUSED,
    ListQuery,
    number,
    project_of,
)
from webapp.deletions import service as deletions
from webapp.reports import service
from webapp.reports.models import Report
from webapp.reports.report_dependencies import changed_since

_REPORTS = ListQuery(PROJECTS)


class ReportListView(GenericAPIView[Report]):
    """The reports that the user may see."""

    pagination_class = PageNumbers

    def get_queryset(self) -> QuerySet[Report]:
        """Return the visible reports, filtered by the query."""
        return _REPORTS.rows(self.request, service.visible_reports(self.request.user))

    @extend_schema(
        operation_id="reports_list",
        parameters=_REPORTS.parameters,
        responses={200: paginated(shapes.ReportLine), **REFUSED},
        tags=["reports"],
    )
    def get(self, request: Request) -> Response:
        """Return reports, newest first."""
        page = [shapes.line_of(each) for each in self.paginate_queryset(self.get_queryset()) or ()]
        return self.get_paginated_response(written(many(shapes.ReportLine), page))

    @extend_schema(
        operation_id="reports_create",
        request=shapes.NewReport,
        responses={201: shapes.Report, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["reports"],
    )
    def post(self, request: Request) -> Response:
        """Write a report: its version 1."""
        body = read(shapes.NewReport, request)
        made = service.write(request.user, body.title, body.text, project_of(request, body.project))
        return answer(shapes.Report, _shown(request, made.pk), status.HTTP_201_CREATED)


class ReportDetailView(APIView):
    """One report."""

    @extend_schema(
        operation_id="reports_read",
        parameters=[number("version", "One of its versions; the newest by default."), TAG],
        responses={200: shapes.Report, **REFUSED, **NOT_FOUND},
        tags=["reports"],
    )
    def get(self, request: Request, report_id: int) -> Response:
        """Return a version of a report, of which the `ETag` is, and what has changed since it was written."""
        arguments.only(request, "version")
        wanted = arguments.integer(request, "version", 0)
        found = _shown(request, report_id, wanted or None)
        return answer(shapes.Report, found, headers={"ETag": version_tag(found["version"])})

    @extend_schema(
        operation_id="reports_change",
        parameters=[SEEN],
        request=shapes.ReportChange,
        responses={200: shapes.Report, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **CHANGED},
        tags=["reports"],
    )
    def patch(self, request: Request, report_id: int) -> Response:
        """Store the next version; refused where `version` is not the newest any more (409)."""
        report = service.get_report(request.user, report_id)
        body = read(shapes.ReportChange, request)
        with _seen(request, report):
            newest = service.version_of(request.user, report)
            title = newest.title if body.title is None else body.title
            text = newest.text if body.text is None else body.text
            service.change(request.user, report, title, text, body.version)
        return answer(shapes.Report, _shown(request, report_id))

    @extend_schema(
        operation_id="reports_delete",
        parameters=[SEEN],
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["reports"],
    )
    def delete(self, request: Request, report_id: int) -> Response:
        """Delete a report; for 30 days it can be had back under `deleted/`."""
        with _seen(request, service.get_report(request.user, report_id)):
            deletions.delete(request.user, "report", report_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ReportVersionsView(APIView):
    """The versions of a report."""

    @extend_schema(
        operation_id="reports_versions",
        responses={200: many(shapes.ReportVersion), **REFUSED, **NOT_FOUND},
        tags=["reports"],
    )
    def get(self, request: Request, report_id: int) -> Response:
        """Return all versions, newest first, without their texts."""
        arguments.only(request)
        report = service.get_report(request.user, report_id)
        found = [_version(each) for each in service.versions_of(report).defer("text", "pins")]
        return answer(many(shapes.ReportVersion), found)


def _seen(request: Request, report: Report) -> AbstractContextManager[None]:
    """Return a block that changes a report as it was seen."""
    rows = Report.objects.filter(pk=report.pk)
    return as_seen(request, rows, lambda: version_tag(service.version_of(request.user, report).number))


def _version(version: Any) -> dict[str, Any]:
    author = version.created_by.get_username()
    return {"version": version.number, "title": version.title, "author": author, "written": version.created}


def _shown(request: Request, report_id: int, wanted: int | None = None) -> dict[str, Any]:
    report = service.get_report(request.user, report_id)
    version = service.version_of(request.user, report, wanted)
    since = [{"run": each.run, "words": each.words} for each in changed_since(request.user, version)]
    facts = {"text": version.text, "runs": [int(each) for each in version.pins], "changed_since": since}
    count = service.versions_of(report).count()
    return shapes.line_of(report) | _version(version) | facts | {"versions": count}
