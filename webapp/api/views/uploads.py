"""Files that become documents, and the schemas that they are checked against."""

from __future__ import annotations

from typing import Any, cast

from django.http import HttpResponse, QueryDict
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.counts import counted
from engines.contract.document_text import to_yaml
from engines.contract.errors import ProblemError
from engines.documents import families
from engines.workloads.importing.limits import MAX_FILE_BYTES
from hardware.family import DocumentFamily
from webapp.api.parsers import FormParser
from webapp.api.upload_serializers import ImportedSerializer, UploadSerializer
from webapp.api.views.common import BUSY, NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.api.whole_files import whole
from webapp.catalogue.command_line import sizes
from webapp.catalogue.imports import Upload, import_upload
from webapp.catalogue.models import KINDS
from webapp.teams.models import Project
from webapp.teams.visibility import personal_project, require_visible

_FIELDS = ("file", "name", "dim", "exclude", "kind", "project")


class UploadView(APIView):
    """A file that becomes a document."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="documents_upload",
        request={"multipart/form-data": UploadSerializer},
        responses={201: ImportedSerializer, 200: ImportedSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **BUSY},
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Read a file in a limited process and store it as a document's next version; stored content gives 200."""
        file = request.FILES.get("file")
        if file is None:
            raise ProblemError("file", None, "a file of a form (multipart/form-data)")
        form = cast(QueryDict, request.data)  # as the one parser gives it
        for key in form:
            if key not in _FIELDS:
                raise ProblemError(key, form[key], f"one of the fields {', '.join(_FIELDS)}")
        kind = form.get("kind") or None
        if kind not in (None, *KINDS):
            raise ProblemError("kind", kind, f"one of {', '.join(KINDS)}")
        if (file.size or 0) > MAX_FILE_BYTES:
            raise ProblemError("file", f"{file.size} bytes", f"a file of at most {counted(MAX_FILE_BYTES)} bytes")
        project = project_of(request, form.get("project"))
        dims = sizes(form_list(form, "dim"))
        with whole(file) as data:
            upload = Upload(
                name=str(file.name),
                data=data,
                title=form.get("name", "").strip(),
                dims=dims,
                exclude=tuple(form_list(form, "exclude")),
            )
            imported = import_upload(request.user, project, upload, kind)
        state = status.HTTP_201_CREATED if imported.created else status.HTTP_200_OK
        return Response(ImportedSerializer(imported).data, status=state)


class SchemaListView(APIView):
    """The families of documents."""

    @extend_schema(
        operation_id="schemas_list", responses={200: {"type": "array", "items": {"type": "string"}}}, tags=["catalogue"]
    )
    def get(self, request: Request) -> Response:
        """Families of documents that have a JSON Schema."""
        return Response([family.name for family in families.published()])


class SchemaView(APIView):
    """The JSON Schema of a family."""

    @extend_schema(operation_id="schemas_read", responses={200: OpenApiTypes.OBJECT, **NOT_FOUND}, tags=["catalogue"])
    def get(self, request: Request, family: str) -> Response:
        """The JSON Schema (draft 2020-12) of a family of documents, as a file."""
        headers = {"Content-Disposition": f'attachment; filename="{family}.schema.json"'}
        return Response(_family(family).json_schema(), headers=headers)


class SchemaExampleView(APIView):
    """An example of a family."""

    @extend_schema(
        operation_id="schemas_example",
        responses={(200, "application/yaml"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, family: str) -> HttpResponse:
        """A document that the schema accepts, as YAML to start from."""
        content = families.example(_family(family))
        headers = {"Content-Disposition": f'attachment; filename="{content["slug"]}.yaml"'}
        return HttpResponse(to_yaml(content), content_type="application/yaml; charset=utf-8", headers=headers)


def _family(name: str) -> DocumentFamily[Any]:
    try:
        return families.family_called(name)
    except ProblemError as error:
        raise NotFound(str(error)) from error


def form_list(form: QueryDict, name: str) -> list[str]:
    """All values of a field that are not empty."""
    return [text.strip() for text in form.getlist(name) if text.strip()]


def project_of(request: Request, name: str | None) -> Project:
    """The named project that the user may see, or the personal one."""
    if name:
        return require_visible(request.user, Project.objects.all(), slug=name)
    return personal_project(request.user)
