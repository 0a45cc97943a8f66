"""Files that become documents, and the schemas that they are checked against."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.encoding.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents import families
from engines.workloads.importing.limits import MAX_FILE_BYTES
from hardware.family import DocumentFamily
from webapp.api.parsers import FormParser
from webapp.api.shapes.base import answer, read_form
from webapp.api.shapes.documents import ImportOutcome
from webapp.api.shapes.documents import Upload as UploadForm
from webapp.api.views.common import BUSY, CONFLICT, NOT_ALLOWED, NOT_FOUND, REFUSED, project_of, small_enough
from webapp.api.whole_files import whole
from webapp.catalogue.command_line import sizes
from webapp.catalogue.imports import Upload
from webapp.runs.storage.document_files import import_file


class UploadView(APIView):
    """A file that becomes a document."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="documents_upload",
        request={"multipart/form-data": UploadForm},
        responses={201: ImportOutcome, 200: ImportOutcome, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **BUSY},
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Read a file in a limited process and store it as a document; stored content gives 200.

        Other content under the name of a document gives 409, unless `next_version` says that it is the next version.
        """
        form = read_form(UploadForm, request)
        small_enough("file", form.file, MAX_FILE_BYTES)
        project = project_of(request, form.project)
        dims = sizes(list(form.dim))
        with whole(form.file) as data:
            upload = Upload(str(form.file.name), data, form.name, dims, form.exclude, form.next_version)
            imported = import_file(request.user, project, upload, form.kind)
        state = status.HTTP_201_CREATED if imported.created else status.HTTP_200_OK
        return answer(ImportOutcome, imported, state)


class SchemaListView(APIView):
    """The families of documents."""

    @extend_schema(
        operation_id="schemas_list", responses={200: {"type": "array", "items": {"type": "string"}}}, tags=["catalogue"]
    )
    def get(self, request: Request) -> Response:
        """Return the families of documents that have a JSON Schema."""
        return Response([family.name for family in families.published()])


class SchemaView(APIView):
    """The JSON Schema of a family."""

    @extend_schema(operation_id="schemas_read", responses={200: OpenApiTypes.OBJECT, **NOT_FOUND}, tags=["catalogue"])
    def get(self, request: Request, family: str) -> Response:
        """Return the JSON Schema (draft 2020-12) of a family of documents, as a file."""
        headers = {"Content-Disposition": f'attachment; filename="{family}.schema.json"'}
        return Response(_family(family).json_schema(), headers=headers)


class SchemaExampleView(APIView):
    """An example of a family."""

    @extend_schema(
        operation_id="schemas_example",
        responses={(200, "application/yaml"): OpenApiTypes.OBJECT, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, family: str) -> HttpResponse:
        """Return a document that the schema accepts, as YAML to start from."""
        content = families.example(_family(family))
        headers = {"Content-Disposition": f'attachment; filename="{content["slug"]}.yaml"'}
        return HttpResponse(to_yaml(content), content_type="application/yaml; charset=utf-8", headers=headers)


def _family(name: str) -> DocumentFamily[Any]:
    try:
        return families.family_called(name)
    except ProblemError as error:
        raise NotFound(str(error)) from error
