"""Files that a run produced: weights, code, models."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from engines.contract.engine import FILE_MEDIA_TYPES
from webapp.api.shapes.base import answer, many
from webapp.api.shapes.runs import RunFile
from webapp.api.views.common import NOT_FOUND, RunView
from webapp.runs.storage.files import list_files, read_content


class FileListView(RunView):
    """The files of a run."""

    @extend_schema(operation_id="files_list", responses={200: many(RunFile), **NOT_FOUND}, tags=["runs"])
    def get(self, request: Request, run_id: int) -> Response:
        """Return the newest file of each name, with size and SHA-256."""
        return answer(many(RunFile), list(list_files(self.run_of(request, run_id))))


class FileView(RunView):
    """One file of a run."""

    @extend_schema(
        operation_id="files_read",
        responses={(200, "*/*"): OpenApiTypes.BINARY, **NOT_FOUND},
        tags=["runs"],
    )
    def get(self, request: Request, run_id: int, file: str) -> HttpResponse:
        """Return the content of one file, as a download."""
        run = self.run_of(request, run_id)
        found = next((each for each in list_files(run) if each.name == file), None)
        if found is None:
            raise NotFound(f"Run {run.pk} has no file {file!r}.")
        name = content_disposition_header(True, f"run-{run.pk}-{found.name.rpartition('/')[2]}")
        headers = {"Content-Disposition": str(name), "Cache-Control": "private, no-cache"}
        # Files of before the list of media types was one are bytes.
        kind = found.media_type if found.media_type in FILE_MEDIA_TYPES else "application/octet-stream"
        return HttpResponse(read_content(found.blob_id), content_type=kind, headers=headers)
