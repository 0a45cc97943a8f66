"""Create, follow, stop, continue and read studies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from math import isnan
from statistics import median
from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.contract.quantities import Quantity
from engines.search.indicators import distinct_count
from webapp.api import arguments
from webapp.api.pagination import PAGE
from webapp.api.serializers import WishSerializer
from webapp.api.study_serializers import (
    NewStudySerializer,
    StudyChangeSerializer,
    StudyEstimateSerializer,
    StudySerializer,
    StudyStatisticsSerializer,
    StudyTableSerializer,
)
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED, query
from webapp.runs.exports import MEDIA_TYPES
from webapp.studies import service
from webapp.studies.checking import check
from webapp.studies.models import Study
from webapp.studies.statistics import QUARTILES, Group, StudyStatistics, study_statistics
from webapp.studies.tables import StudyTable, TableCell, study_table, table_csv

_TABLE_ARGUMENTS = [
    query("rows", OpenApiTypes.STR, "The axis that leads the rows; the first that varies by default."),
    query("columns", OpenApiTypes.STR, 'The axis across, "seed", "baselines", or "" for a single column.'),
    query("quantity", OpenApiTypes.STR, "What is shown; what the engine searches for by default."),
]


class StudyPlanView(APIView):
    """What a study would take."""

    @extend_schema(
        operation_id="studies_plan",
        request=NewStudySerializer,
        responses={200: StudyEstimateSerializer, **REFUSED},
        tags=["studies"],
    )
    def post(self, request: Request) -> Response:
        """Check every cell and estimate what all of them take; nothing is stored."""
        estimate = asdict(check(request.user, request.data).estimate)
        return Response({**estimate, "time_s": list(estimate["time_s"]), "needs": sorted(estimate["needs"])})


class StudyListView(GenericAPIView[Study]):
    """The studies that one may see."""

    serializer_class = StudySerializer

    def get_queryset(self) -> QuerySet[Study]:
        """Visible studies, filtered by the query."""
        studies = service.visible_studies(self.request.user)
        for name, field in (("engine", "engine"), ("project", "project__slug")):
            if wanted := arguments.words(self.request, name):
                studies = studies.filter(**{f"{field}__in": wanted})
        return studies.filter(owner_id=self.request.user.pk) if arguments.flag(self.request, "mine") else studies

    @extend_schema(
        operation_id="studies_list",
        parameters=[
            query("engine", OpenApiTypes.STR, "Only these engines, separated by commas.", many=True),
            query("project", OpenApiTypes.STR, "Only these projects (slugs), separated by commas.", many=True),
            query("mine", OpenApiTypes.BOOL, "Only one's own studies."),
        ],
        responses={200: StudySerializer(many=True), **REFUSED},
        tags=["studies"],
    )
    def get(self, request: Request) -> Response:
        """Studies with their progress, newest first."""
        arguments.only(request, "engine", "project", "mine", *PAGE)
        page: list[Study] = list(self.paginate_queryset(self.get_queryset()) or ())
        return self.get_paginated_response(_shown(page))

    @extend_schema(
        operation_id="studies_create",
        request=NewStudySerializer,
        responses={201: StudySerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["studies"],
    )
    def post(self, request: Request) -> Response:
        """Check every cell, then store the study and start all its runs."""
        study = service.create(request.user, request.data)
        return Response(_shown([study])[0], status=status.HTTP_201_CREATED)


class StudyDetailView(APIView):
    """One study."""

    @extend_schema(operation_id="studies_read", responses={200: StudySerializer, **NOT_FOUND}, tags=["studies"])
    def get(self, request: Request, study_id: int) -> Response:
        """One study: its document and how many of its runs stand where."""
        return Response(_shown([service.get_study(request.user, study_id)])[0])

    @extend_schema(
        operation_id="studies_stop",
        request=WishSerializer,
        responses={200: StudyChangeSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["studies"],
    )
    def patch(self, request: Request, study_id: int) -> Response:
        """Wish that every run of the study stops; those that have ended stay as they are."""
        study = service.get_study(request.user, study_id)
        body = request.data if isinstance(request.data, Mapping) else {}
        if dict(body) != {"wish": "stop"}:
            raise ProblemError("wish", body.get("wish"), '"stop" and nothing else; to go on, POST to continue/')
        return _changed(study, service.stop_all(request.user, study))

    @extend_schema(
        operation_id="studies_delete",
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND},
        tags=["studies"],
    )
    def delete(self, request: Request, study_id: int) -> Response:
        """Forget the study; its runs stay, each on its own."""
        service.delete(request.user, service.get_study(request.user, study_id))
        return Response(status=status.HTTP_204_NO_CONTENT)


class StudyContinueView(APIView):
    """Stopped and failed runs of a study go on."""

    @extend_schema(
        operation_id="studies_continue",
        request=None,
        responses={200: StudyChangeSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["studies"],
    )
    def post(self, request: Request, study_id: int) -> Response:
        """Queue every stopped or failed run again; each goes on after its last checkpoint."""
        study = service.get_study(request.user, study_id)
        return _changed(study, service.continue_all(request.user, study))


class StudyTableView(APIView):
    """The table of a study."""

    @extend_schema(
        operation_id="studies_table",
        parameters=_TABLE_ARGUMENTS,
        responses={200: StudyTableSerializer, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> Response:
        """Medians over the seeds, rows x columns, with the runs behind every cell."""
        study = service.get_study(request.user, study_id)
        return Response({"study": study.pk, **_table(_asked_table(request, study))})


class StudyTableCsvView(APIView):
    """The table of a study as CSV."""

    @extend_schema(
        operation_id="studies_table_csv",
        parameters=_TABLE_ARGUMENTS,
        responses={(200, "text/csv"): OpenApiTypes.STR, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> HttpResponse:
        """The table as CSV: one line per cell, units in the head."""
        study = service.get_study(request.user, study_id)
        text = table_csv(_asked_table(request, study))
        headers = {
            "Content-Disposition": f'attachment; filename="study-{study.pk}-table.csv"',
            "Cache-Control": "private, no-cache",
        }
        return HttpResponse(text, content_type=MEDIA_TYPES["csv"], headers=headers)


class StudyStatisticsView(APIView):
    """What the seeds of a study say."""

    @extend_schema(
        operation_id="studies_statistics",
        parameters=[
            query("by", OpenApiTypes.STR, 'The axis whose values are compared, "" for one group of all runs.'),
            query("at", OpenApiTypes.INT, "Position of the combination of all other axes, from 0."),
            query("measure", OpenApiTypes.STR, '"hypervolume", or a quantity of which each run\'s best is taken.'),
        ],
        responses={200: StudyStatisticsSerializer, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> Response:
        """Attained fronts, the value of every run that has ended, and which differences are more than chance."""
        study = service.get_study(request.user, study_id)
        asked = request.query_params
        place = arguments.integer(request, "at", 0) if "at" in asked else None
        found = study_statistics(study, asked.get("by"), place, asked.get("measure"))
        return Response({"study": study.pk, **_statistics(found)})


def _statistics(found: StudyStatistics) -> dict[str, Any]:
    same = found.all_same
    return {
        "by": found.axis,
        "place": dict(found.place),
        "measure": _quantity(found.measure),
        "objectives": [_quantity(quantity) for quantity in found.objectives],
        "reference": None if found.reference is None else found.reference.tolist(),
        "joint_hypervolume": found.joint,
        "groups": [_group(group, found) for group in found.groups],
        "pairs": [{**asdict(pair), "significant": pair.significant} for pair in found.pairs],
        "all_same_p_value": None if isnan(same) else same,
    }


def _group(group: Group, found: StudyStatistics) -> dict[str, Any]:
    middle = group.median_run
    return {
        "value": group.value,
        "left_out": group.left_out,
        "median": median(group.values) if group.values else None,
        "median_run": middle.run.pk if middle else None,
        "runs": [
            {
                "id": each.run.pk,
                "seed": each.run.cell.get("seed"),
                "value": each.value,
                "front_size": len(each.front),
                "front_points": distinct_count(each.front),
            }
            for each in group.runs
        ],
        "surfaces": {
            str(share): surface.tolist() for share, surface in zip(QUARTILES, found.all_surfaces(group), strict=False)
        },
    }


def _quantity(quantity: Quantity) -> dict[str, Any]:
    return {name: getattr(quantity, name) for name in ("name", "title", "unit", "sense", "role", "help")}


def _shown(studies: list[Study]) -> Any:
    progress = service.progress_of([study.pk for study in studies])
    return StudySerializer(studies, many=True, context={"progress": progress}).data


def _changed(study: Study, count: int) -> Response:
    return Response({"runs": count, "study": _shown([study])[0]})


def _asked_table(request: Request, study: Study) -> StudyTable:
    return study_table(study, *(request.query_params.get(name) for name in ("rows", "columns", "quantity")))


def _table(table: StudyTable) -> dict[str, Any]:
    return {
        "quantity": _quantity(table.quantity),
        "row_axes": [axis.name for axis in table.row_axes],
        "column_axis": table.column_axis,
        "columns": list(table.columns),
        "rows": [{"key": list(row.key), "cells": [_cell(cell) for cell in row.cells]} for row in table.rows],
    }


def _cell(cell: TableCell) -> dict[str, Any]:
    return {
        "median": cell.median,
        "min": cell.low,
        "max": cell.high,
        "values": cell.count,
        "runs": [
            {"id": each.run.pk, "status": each.run.status, "outcome": each.run.outcome, "value": each.value}
            for each in cell.runs
        ],
    }
