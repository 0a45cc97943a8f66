"""Imported measured values of whole networks, for comparison with predictions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.cost.measured_files.reader import MAX_BYTES
from engines.cost.measured_files.value import STATED
from webapp.api import arguments
from webapp.api.parsers import FormParser
from webapp.api.shapes import measured_values as shapes
from webapp.api.shapes.base import answer, many, read_form
from webapp.api.views.common import BUSY, NOT_ALLOWED, NOT_FOUND, REFUSED, project_of, query, small_enough
from webapp.api.views.documents import OF_VERSION, entry_of
from webapp.measuring.board_points import board_points, points_csv
from webapp.measuring.value_imports import ValueFile, import_values, imported_values, preview_values

_MOST_SHOWN = 200
_ERRORS = {**REFUSED, **NOT_ALLOWED, **NOT_FOUND}


class MeasuredValuesView(APIView):
    """Imported values of a device; more of them by a file."""

    parser_classes = [FormParser]

    @extend_schema(
        operation_id="measured_values_list",
        parameters=[query("device", OpenApiTypes.STR, "Name of the device.")],
        responses={200: many(shapes.ImportedValue), **_ERRORS},
        tags=["catalogue"],
    )
    def get(self, request: Request) -> Response:
        """Return the imported values of a device that you may see, newest first."""
        arguments.only(request, "device")
        rows = imported_values(request.user, request.query_params.get("device", ""))
        return answer(many(shapes.ImportedValue), rows)

    @extend_schema(
        operation_id="measured_values_import",
        request={"multipart/form-data": shapes.ValueFileForm},
        responses={200: shapes.ValuesRead, 201: shapes.ValuesRead, **_ERRORS, **BUSY},
        tags=["catalogue"],
    )
    def post(self, request: Request) -> Response:
        """Read a file of measured values; `store=true` stores it (201), otherwise it is only shown."""
        form = read_form(shapes.ValueFileForm, request)
        small_enough("file", form.file, MAX_BYTES)
        project = project_of(request, form.project)
        stated = {name: getattr(form, name) for name in (*STATED, "unit_of_value")}
        file = ValueFile(
            str(form.file.name)[:200], form.file.read(), form.source, form.licence, stated, _mapping(form.column)
        )
        preview = preview_values(request.user, project, file)
        if form.store:
            import_values(request.user, project, file, form.leave_out, preview)
        shown = {each.name: getattr(preview, each.name) for each in fields(preview)} | {
            "stored": form.store,
            "count": len(preview.values),
            "unbounded": preview.bounded.count(False),
            "values": preview.values[:_MOST_SHOWN],
            "refused_count": len(preview.refused),
            "refused": preview.refused[:_MOST_SHOWN],
        }
        return answer(shapes.ValuesRead, shown, status.HTTP_201_CREATED if form.store else status.HTTP_200_OK)


class DocumentMeasuredView(APIView):
    """The measured values of a device as a table."""

    @extend_schema(
        operation_id="documents_measured",
        parameters=OF_VERSION[1:],
        responses={(200, "text/csv"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["catalogue"],
    )
    def get(self, request: Request, slug: str) -> HttpResponse:
        """Return published and imported values of a device with their predictions and sources, one row each."""
        entry = entry_of(request, "hardware", slug)
        headers = {"Content-Disposition": f'attachment; filename="{entry.slug}-measured.csv"'}
        text = points_csv(board_points(request.user, entry))
        return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


def _mapping(columns: Iterable[str]) -> Mapping[str, str] | None:
    found: dict[str, Any] = {}
    for text in columns:
        field, sign, head = text.partition("=")
        if not sign:
            raise ProblemError("column", text, "FIELD=HEAD, for example network=Model")
        found[field.strip()] = head.strip()
    return found or None
