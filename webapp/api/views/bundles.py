"""Whole runs as files: out of this installation and into it."""

from __future__ import annotations

from typing import cast

from django.http import FileResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.counts import counted
from engines.contract.errors import ProblemError
from engines.exchange.bundle import MAX_BUNDLE_BYTES
from webapp.api.parsers import FormParser
from webapp.api.serializers import RunDetailSerializer
from webapp.api.views.common import BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, REFUSED, RunView
from webapp.api.whole_files import whole
from webapp.runs.bundle_export import MEDIA_TYPE, filename, write_bundle
from webapp.runs.bundle_import import import_bundle
from webapp.runs.service import get_run
from webapp.teams.models import Project
from webapp.teams.visibility import personal_project, require_visible

_FIELDS = ("file", "project")


class RunBundleView(RunView):
    """A whole run as a file."""

    @extend_schema(
        operation_id="run_bundle",
        responses={(200, MEDIA_TYPE): OpenApiTypes.BINARY, **REFUSED, **NOT_FOUND, **CONFLICT},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> FileResponse:
        """Problem, pinned documents, designs, results, files, steps and log of a run that has ended, as one zip file."""
        run = self.run_of(request, run_id)
        return FileResponse(write_bundle(run), as_attachment=True, filename=filename(run), content_type=MEDIA_TYPE)


class RunImportView(APIView):
    """A run that another installation exported."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="run_import",
        request={
            "multipart/form-data": {
                "type": "object",
                "required": ["file"],
                "properties": {
                    "file": {"type": "string", "format": "binary"},
                    "project": {"type": "string", "description": "Slug of the project; one's own by default."},
                },
            }
        },
        responses={201: RunDetailSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **BUSY},
        tags=["runs"],
    )
    def post(self, request: Request) -> Response:
        """Compare a bundle with itself and the installed engine, and store its run; nothing is stored where anything differs."""
        file = request.FILES.get("file")
        if file is None:
            raise ProblemError("file", None, "a file of a form (multipart/form-data)")
        form = cast(QueryDict, request.data)  # as the one parser gives it
        for key in form:
            if key not in _FIELDS:
                raise ProblemError(key, form[key], f"one of the fields {', '.join(_FIELDS)}")
        if (file.size or 0) > MAX_BUNDLE_BYTES:
            raise ProblemError("file", f"{file.size} bytes", f"a file of at most {counted(MAX_BUNDLE_BYTES)} bytes")
        slug = form.get("project")
        project = (
            require_visible(request.user, Project.objects.all(), slug=slug) if slug else personal_project(request.user)
        )
        with whole(file) as data:
            run = import_bundle(request.user, project, data, str(file.name))
        return Response(RunDetailSerializer(get_run(request.user, run.pk)).data, status=status.HTTP_201_CREATED)
