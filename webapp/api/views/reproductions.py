"""Published results beside ours, as computed on this site, else at release."""

from __future__ import annotations

from dataclasses import asdict
from math import isfinite
from typing import Any

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from engines.contract.errors import ProblemError
from engines.registry import get_engine
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import not_compared_of, reproducible_engines, reproduction_of
from engines.reproduction.verdicts import VERDICTS, verdict_of
from webapp.api.serializers import RunDetailSerializer
from webapp.api.views.common import NOT_ALLOWED, NOT_FOUND, REFUSED
from webapp.reproductions import runs as reproduction_runs
from webapp.reproductions.exports import csv_of
from webapp.reproductions.service import Made, shown, to_json
from webapp.teams.models import Project
from webapp.teams.visibility import require_visible


class ComparisonSerializer(serializers.Serializer[Any]):
    """One published value beside ours; `ours` is null where the reading cannot give one, `published` where none is printed."""

    name = serializers.CharField()
    reading = serializers.CharField()
    published = serializers.FloatField(allow_null=True)
    published_high = serializers.FloatField(allow_null=True, default=None)  # the upper end where a range is published
    ours = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    kind = serializers.ChoiceField(["exact", "arithmetic", "fitted", "predicted"])
    anchor = serializers.CharField()
    where = serializers.CharField()
    ordering = serializers.BooleanField(allow_null=True)
    why = serializers.CharField()
    group = serializers.CharField(default="")  # those stored before groups existed have none
    sources = serializers.ListField(child=serializers.CharField(), default=list)  # published values that it shows
    inputs = serializers.ListField(child=serializers.CharField(), default=list)  # those that went into ours


class ShownComparisonSerializer(ComparisonSerializer):
    """The same with what it amounts to, and where it was computed; `ours` is null as well where it is not computed yet."""

    ratio = serializers.FloatField(allow_null=True)
    verdict = serializers.ChoiceField(list(VERDICTS))
    computed_at = serializers.ChoiceField(["release", "site"], allow_null=True)


class PrintedSerializer(serializers.Serializer[Any]):
    """One printed value; a text where a text is printed."""

    anchor = serializers.CharField()
    name = serializers.CharField()
    value = serializers.JSONField()
    unit = serializers.CharField()
    where = serializers.CharField()


class NotComparedSerializer(serializers.Serializer[Any]):
    """Printed values beside which ours does not stand, and why."""

    because = serializers.CharField()
    values = PrintedSerializer(many=True)


class MadeSerializer(serializers.Serializer[Any]):
    """Where values of ours are from: the release of the software, or this site."""

    at = serializers.ChoiceField(["release", "site"])
    computed = serializers.SerializerMethodField()
    versions = serializers.DictField(child=serializers.IntegerField())
    quick = serializers.BooleanField()
    duration_s = serializers.FloatField(allow_null=True)
    outdated = serializers.BooleanField()
    words = serializers.CharField()

    def get_computed(self, made: Made) -> str:
        """When, in ISO 8601; of a release, the day."""
        return made.computed.isoformat()


class ShownSerializer(serializers.Serializer[Any]):
    """Every published value of one method, with ours as computed here, else at release."""

    method = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    outdated = serializers.BooleanField()
    computed = MadeSerializer(many=True)
    expected_s = serializers.DictField(child=serializers.FloatField())
    verdicts = serializers.DictField(child=serializers.CharField())
    comparisons = ShownComparisonSerializer(many=True)
    not_compared = NotComparedSerializer(many=True)


class NewReproductionSerializer(serializers.Serializer[Any]):
    """What to compute, and where the run goes."""

    quick = serializers.BooleanField(default=False)
    project = serializers.SlugField(required=False)


class ReproductionListView(APIView):
    """Every method that has a reproduction."""

    @extend_schema(
        operation_id="reproductions_list", responses={200: ShownSerializer(many=True)}, tags=["reproductions"]
    )
    def get(self, request: Request) -> Response:
        """Published values beside ours, per reading."""
        return Response([_answer(name) for name in reproducible_engines()])


class ReproductionView(APIView):
    """One method."""

    @extend_schema(
        operation_id="reproductions_read", responses={200: ShownSerializer, **NOT_FOUND}, tags=["reproductions"]
    )
    def get(self, request: Request, method: str) -> Response:
        """Every published value, with ours as computed here, else at release."""
        return Response(_answer(_method(method)))

    @extend_schema(
        operation_id="reproductions_start",
        request=NewReproductionSerializer,
        responses={201: RunDetailSerializer, **REFUSED, **NOT_ALLOWED, **NOT_FOUND},
        tags=["reproductions"],
    )
    def post(self, request: Request, method: str) -> Response:
        """Compute it: a run like any other, which everybody sees the figures of when it is done."""
        name = _method(method)
        given = NewReproductionSerializer(data=request.data)
        if not given.is_valid():
            field = next(iter(given.errors))
            got = request.data.get(field) if isinstance(request.data, dict) else request.data
            raise ProblemError(field, got, "quick: true or false; project: slug of a project")
        project = None
        if slug := given.validated_data.get("project"):
            project = require_visible(request.user, Project.objects.all(), slug=slug)
        run = reproduction_runs.start(request.user, name, given.validated_data["quick"], project)
        return Response(RunDetailSerializer(run).data, status=status.HTTP_201_CREATED)


class ReproductionCsvView(APIView):
    """One method as a table."""

    @extend_schema(
        operation_id="reproductions_csv",
        responses={(200, "text/csv"): OpenApiTypes.STR, **NOT_FOUND},
        tags=["reproductions"],
    )
    def get(self, request: Request, method: str) -> HttpResponse:
        """Every published value, ours, ratio and verdict, one row per reading."""
        name = _method(method)
        answer = HttpResponse(csv_of(shown(name)), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = content_disposition_header(True, f"reproduction-{name}.csv") or ""
        return answer


def _method(name: str) -> str:
    """The engine whose reproduction it is; 404 where there is none."""
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
        "computed": [MadeSerializer(made).data for made in found.origins],
        "expected_s": {
            "quick": reproduction_runs.expected_s(method, True),
            "full": reproduction_runs.expected_s(method, False),
        },
        "verdicts": VERDICTS,
        "comparisons": [_row(row, found.made.get(row.key)) for row in found.rows],
        "not_compared": [
            {"because": entry.because, "values": [asdict(value) for value in entry.values]}
            for entry in not_compared_of(method)
        ],
    }


def _row(row: Comparison, made: Made | None) -> dict[str, object]:
    ratio = row.ratio if isfinite(row.ratio) else None
    told = {"ratio": ratio, "verdict": verdict_of(row, made is not None), "computed_at": made.at if made else None}
    return to_json(row) | told
