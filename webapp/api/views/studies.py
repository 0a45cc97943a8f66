"""Create, follow, stop, continue and read studies."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
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

from engines.contract.arrays import FloatArray
from engines.search.indicators import distinct_count
from webapp.api import arguments
from webapp.api.idempotency import once
from webapp.api.pagination import Pages
from webapp.api.preconditions import CHANGED, SEEN, TAG, as_seen, tag_of, tagged
from webapp.api.shapes import studies as shapes
from webapp.api.shapes.base import answer, many, paginated, read, written
from webapp.api.shapes.runs import Wish
from webapp.api.views.common import (
    CONFLICT,
    ENGINES,
    KEY_USED,
    NOT_ALLOWED,
    NOT_FOUND,
    ONCE,
    PROJECTS,
    REFUSED,
    ListQuery,
    query,
)
from webapp.deletions import service as deletions
from webapp.runs.exports import MEDIA_TYPES
from webapp.studies import service
from webapp.studies.cell_checks import check
from webapp.studies.growth import growth_surfaces
from webapp.studies.models import Study
from webapp.studies.statistics import QUARTILES, Group, StudyStatistics, study_statistics
from webapp.studies.tables import StudyTable, study_table, table_csv

_STUDIES = ListQuery(ENGINES, PROJECTS, kind="study", plural="studies")
_TABLE_ARGUMENTS = [
    query("rows", OpenApiTypes.STR, "The axis that leads the rows; the first that varies by default."),
    query("columns", OpenApiTypes.STR, 'The axis across, "seed", "baselines", or "" for a single column.'),
    query("quantity", OpenApiTypes.STR, "Shown metric; the objective of the engine by default."),
]


class StudyPlanView(APIView):
    """The plan of a study."""

    @extend_schema(
        operation_id="studies_plan",
        request=shapes.NewStudy,
        responses={200: shapes.StudyEstimate, **REFUSED},
        tags=["studies"],
    )
    def post(self, request: Request) -> Response:
        """Check every cell and estimate what all of them take; nothing is stored."""
        return answer(shapes.StudyEstimate, check(request.user, request.data).estimate)


class StudyListView(GenericAPIView[Study]):
    """The studies that the user may see."""

    pagination_class = Pages

    def get_queryset(self) -> QuerySet[Study]:
        """Return the visible studies, filtered by the query."""
        return _STUDIES.rows(self.request, service.visible_studies(self.request.user))

    @extend_schema(
        operation_id="studies_list",
        parameters=_STUDIES.parameters,
        responses={200: paginated(shapes.Study), **REFUSED},
        tags=["studies"],
    )
    def get(self, request: Request) -> Response:
        """Return the studies with their progress, newest first."""
        page: list[Study] = list(self.paginate_queryset(self.get_queryset()) or ())
        return self.get_paginated_response(written(many(shapes.Study), _followed(page)))

    @extend_schema(
        operation_id="studies_create",
        parameters=[ONCE],
        request=shapes.NewStudy,
        responses={201: shapes.Study, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CONFLICT, **KEY_USED},
        tags=["studies"],
    )
    def post(self, request: Request) -> Response:
        """Check every cell, then store the study and start all its runs."""
        study, headers = once(
            request,
            lambda stored: service.create(request.user, request.data, stored=stored),
            lambda number: service.get_study(request.user, number),
        )
        return answer(shapes.Study, _followed([study])[0], status.HTTP_201_CREATED, headers)


class StudyDetailView(APIView):
    """One study."""

    @extend_schema(
        operation_id="studies_read", parameters=[TAG], responses={200: shapes.Study, **NOT_FOUND}, tags=["studies"]
    )
    def get(self, request: Request, study_id: int) -> Response:
        """Return one study: its document and the number of its runs by status."""
        return tagged(request, answer(shapes.Study, _followed([service.get_study(request.user, study_id)])[0]))

    @extend_schema(
        operation_id="studies_stop",
        parameters=[SEEN],
        request=Wish,
        responses={200: shapes.StudyChange, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["studies"],
    )
    def patch(self, request: Request, study_id: int) -> Response:
        """Wish that every run of the study stops; those that have ended stay as they are."""
        study = service.get_study(request.user, study_id)
        read(Wish, request)
        with _seen(request, study):
            count = service.stop_all(request.user, study)
        return _changed(study, count)

    @extend_schema(
        operation_id="studies_delete",
        parameters=[SEEN],
        responses={204: None, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["studies"],
    )
    def delete(self, request: Request, study_id: int) -> Response:
        """Delete the study; its runs stay. It can be brought back for 30 days."""
        with _seen(request, service.get_study(request.user, study_id)):
            deletions.delete(request.user, "study", study_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class StudyContinueView(APIView):
    """Stopped and failed runs of a study continue."""

    @extend_schema(
        operation_id="studies_continue",
        parameters=[SEEN],
        request=None,
        responses={200: shapes.StudyChange, **REFUSED, **NOT_ALLOWED, **NOT_FOUND, **CHANGED},
        tags=["studies"],
    )
    def post(self, request: Request, study_id: int) -> Response:
        """Queue every stopped or failed run again; each continues after its last checkpoint."""
        study = service.get_study(request.user, study_id)
        with _seen(request, study):
            count = service.continue_all(request.user, study)
        return _changed(study, count)


class StudyTableView(APIView):
    """The table of a study."""

    @extend_schema(
        operation_id="studies_table",
        parameters=_TABLE_ARGUMENTS,
        responses={200: shapes.StudyTable, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> Response:
        """Return the medians over the seeds, rows x columns, with the runs behind every cell."""
        study = service.get_study(request.user, study_id)
        return answer(shapes.StudyTable, {"study": study.pk, **vars(_asked_table(request, study))})


class StudyTableCsvView(APIView):
    """The table of a study as CSV."""

    @extend_schema(
        operation_id="studies_table_csv",
        parameters=_TABLE_ARGUMENTS,
        responses={(200, "text/csv"): OpenApiTypes.STR, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> HttpResponse:
        """Return the table as CSV: one line per cell, units in the head."""
        study = service.get_study(request.user, study_id)
        text = table_csv(_asked_table(request, study))
        headers = {
            "Content-Disposition": f'attachment; filename="study-{study.pk}-table.csv"',
            "Cache-Control": "private, no-cache",
        }
        return HttpResponse(text, content_type=MEDIA_TYPES["csv"], headers=headers)


class StudyStatisticsView(APIView):
    """Statistics over the seeds of a study."""

    @extend_schema(
        operation_id="studies_statistics",
        parameters=[
            query("by", OpenApiTypes.STR, 'The axis whose values are compared, "" for one group of all runs.'),
            query("at", OpenApiTypes.INT, "Position of the combination of all other axes, from 0."),
            query("measure", OpenApiTypes.STR, '"hypervolume", or a metric of which each run\'s best value is used.'),
        ],
        responses={200: shapes.StudyStatistics, **REFUSED, **NOT_FOUND},
        tags=["studies"],
    )
    def get(self, request: Request, study_id: int) -> Response:
        """Return the attained fronts, the value of every run that has ended, and which differences are more than chance."""
        study = service.get_study(request.user, study_id)
        asked = request.query_params
        place = arguments.integer(request, "at", 0) if "at" in asked else None
        found = study_statistics(study, asked.get("by"), place, asked.get("measure"))
        return answer(shapes.StudyStatistics, {"study": study.pk, **_statistics(found)})


def _statistics(found: StudyStatistics) -> dict[str, Any]:
    same, growths = found.all_same, growth_surfaces(found) or [()] * len(found.groups)
    return {
        "by": found.axis,
        "place": dict(found.place),
        "measure": found.measure,
        "objectives": found.objectives,
        "reference": None if found.reference is None else found.reference.tolist(),
        "joint_hypervolume": found.joint,
        "groups": [_group(group, found, grown) for group, grown in zip(found.groups, growths, strict=True)],
        "pairs": found.pairs,
        "all_same_p_value": None if isnan(same) else same,
        "all_same_error": None if isnan(same) else found.all_same_error,
        "equal_fronts": found.equal_fronts,
    }


def _group(group: Group, found: StudyStatistics, grown: Sequence[FloatArray]) -> dict[str, Any]:
    middle = group.median_run
    return {
        "value": group.value,
        "left_out": group.left_out,
        "left_out_runs": [{"id": run.pk, "status": run.status} for run in group.others],
        "found_nothing": [run.pk for run in group.found_nothing],
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
        "growth": {str(share): surface.tolist() for share, surface in zip(QUARTILES, grown, strict=False)},
    }


def _seen(request: Request, study: Study) -> AbstractContextManager[None]:
    """Return a block that changes a study as it was seen."""
    rows = Study.objects.filter(pk=study.pk)
    return as_seen(request, rows, lambda: tag_of(written(shapes.Study, _followed([study])[0])))


def _followed(studies: list[Study]) -> list[dict[str, Any]]:
    """Return the studies with their progress."""
    progress = service.progress_of([study.pk for study in studies])
    return [
        {**vars(each), "project": each.project.slug, "owner": each.owner.username, "progress": progress[each.pk]}
        for each in studies
    ]


def _changed(study: Study, count: int) -> Response:
    return answer(shapes.StudyChange, {"runs": count, "study": _followed([study])[0]})


def _asked_table(request: Request, study: Study) -> StudyTable:
    return study_table(study, *(request.query_params.get(name) for name in ("rows", "columns", "quantity")))
