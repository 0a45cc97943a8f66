"""Published results, computed again on this site, else at release."""

from __future__ import annotations

from math import isfinite

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.registry import get_engine
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import not_compared_of, reproducible_engines, reproduction_of
from engines.reproduction.verdicts import VERDICTS, verdict_of
from webapp.api.shapes import reproductions as shapes
from webapp.api.shapes.base import answer, many, read
from webapp.api.shapes.runs import RunDetail
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED, project_of
from webapp.reproductions import runs as reproduction_runs
from webapp.reproductions.exports import csv_of
from webapp.reproductions.service import ValueOrigin, shown, to_json


class ReproductionListView(APIView):
    """Every method that has a reproduction."""

    @extend_schema(
        operation_id="reproductions_list", responses={200: many(shapes.ReproductionSummary)}, tags=["reproductions"]
    )
    def get(self, request: Request) -> Response:
        """Return the published and the computed values, per reading."""
        return answer(many(shapes.ReproductionSummary), [_answer(name) for name in reproducible_engines()])


class ReproductionView(APIView):
    """One method."""

    @extend_schema(
        operation_id="reproductions_read",
        responses={200: shapes.ReproductionSummary, **NOT_FOUND},
        tags=["reproductions"],
    )
    def get(self, request: Request, method: str) -> Response:
        """Return every published value, with ours as computed here, else at release."""
        return answer(shapes.ReproductionSummary, _answer(_method(method)))

    @extend_schema(
        operation_id="reproductions_start",
        request=shapes.NewReproduction,
        responses={201: RunDetail, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["reproductions"],
    )
    def post(self, request: Request, method: str) -> Response:
        """Compute it: a run like any other, which everybody sees the figures of when it is done."""
        name = _method(method)
        body = read(shapes.NewReproduction, request)
        project = project_of(request, body.project) if body.project else None
        run = reproduction_runs.start(request.user, name, body.quick, project)
        return answer(RunDetail, run, status.HTTP_201_CREATED)


class ReproductionCsvView(APIView):
    """One method as a table."""

    @extend_schema(
        operation_id="reproductions_csv",
        responses={(200, "text/csv"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["reproductions"],
    )
    def get(self, request: Request, method: str) -> HttpResponse:
        """Return every published value, ours, ratio and verdict, one row per reading."""
        name = _method(method)
        answer = HttpResponse(csv_of(shown(name)), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = content_disposition_header(True, f"reproduction-{name}.csv") or ""
        return answer


def _method(name: str) -> str:
    """Return the engine name of a reproduction; raise NotFound if there is none."""
    found = reproduction_of(name)
    if found is None:
        raise NotFound(f"There is no reproduction of {name!r}. Reproductions: {', '.join(reproducible_engines())}.")
    return found


def _answer(method: str) -> dict[str, object]:
    found = shown(method)
    return {
        "method": method,
        "source": get_engine(method).source,
        "outdated": found.outdated,
        "computed": found.origins,
        "expected_s": {
            "quick": reproduction_runs.expected_s(method, True),
            "full": reproduction_runs.expected_s(method, False),
        },
        "verdicts": VERDICTS,
        "comparisons": [_row(row, found.made.get(row.key)) for row in found.rows],
        "not_compared": not_compared_of(method),
    }


def _row(row: Comparison, made: ValueOrigin | None) -> dict[str, object]:
    ratio = row.ratio if isfinite(row.ratio) else None
    told = {"ratio": ratio, "verdict": verdict_of(row, made is not None), "computed_at": made.at if made else None}
    return to_json(row) | told
