"""Whole runs as files: out of this installation and into it."""

from __future__ import annotations

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.exchange.bundle import MAX_BUNDLE_BYTES
from webapp.api.parsers import FormParser
from webapp.api.shapes.base import answer, read_form
from webapp.api.shapes.documents import BundleUpload
from webapp.api.shapes.runs import RunDetail
from webapp.api.views.common import BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, REFUSED, RunView, project_of, small_enough
from webapp.api.whole_files import whole
from webapp.runs.bundles.bundle_export import MEDIA_TYPE, filename, write_bundle
from webapp.runs.bundles.bundle_import import import_bundle
from webapp.runs.service import get_run


class RunBundleView(RunView):
    """A whole run as a file."""

    @extend_schema(
        operation_id="run_bundle",
        responses={(200, MEDIA_TYPE): OpenApiTypes.BINARY, **REFUSED, **NOT_FOUND, **CONFLICT},
        tags=["exports"],
    )
    def get(self, request: Request, run_id: int) -> FileResponse:
        """Return problem, pinned documents, designs, results, files, steps and log of a run that has ended, as one zip file."""
        run = self.run_of(request, run_id)
        return FileResponse(write_bundle(run), as_attachment=True, filename=filename(run), content_type=MEDIA_TYPE)


class RunImportView(APIView):
    """A run that another installation exported."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="run_import",
        request={"multipart/form-data": BundleUpload},
        responses={201: RunDetail, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **BUSY},
        tags=["runs"],
    )
    def post(self, request: Request) -> Response:
        """Compare a bundle with itself and the installed engine, and store its run; nothing is stored where anything differs."""
        form = read_form(BundleUpload, request)
        small_enough("file", form.file, MAX_BUNDLE_BYTES)
        project = project_of(request, form.project)
        with whole(form.file) as data:
            run = import_bundle(request.user, project, data, str(form.file.name))
        return answer(RunDetail, get_run(request.user, run.pk), status.HTTP_201_CREATED)
