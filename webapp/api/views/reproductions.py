"""Published results beside ours, as last computed on this site."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from webapp.reproductions.models import Reproduction
from webapp.reproductions.service import is_outdated, latest


class ComparisonSerializer(serializers.Serializer[Any]):
    """One published value beside ours; `ours` is null where the reading cannot give one, `published` where none is printed."""

    name = serializers.CharField()
    reading = serializers.CharField()
    published = serializers.FloatField(allow_null=True)
    ours = serializers.FloatField(allow_null=True)
    unit = serializers.CharField()
    kind = serializers.ChoiceField(["exact", "fitted", "predicted"])
    anchor = serializers.CharField()
    where = serializers.CharField()
    ordering = serializers.BooleanField(allow_null=True)
    why = serializers.CharField()
    group = serializers.CharField(default="")  # those stored before groups existed have none


class ReproductionSerializer(serializers.ModelSerializer[Reproduction]):
    """The newest reproduction of one engine."""

    outdated = serializers.SerializerMethodField()
    comparisons = ComparisonSerializer(many=True)

    class Meta:
        model = Reproduction
        fields = ("engine", "engine_version", "quick", "outdated", "created", "duration_s", "platform", "comparisons")

    def get_outdated(self, found: Reproduction) -> bool:
        """Whether the installed engine is another version."""
        return is_outdated(found)


class ReproductionListView(APIView):
    """The newest reproduction of every engine that was reproduced here."""

    @extend_schema(
        operation_id="reproductions_list", responses={200: ReproductionSerializer(many=True)}, tags=["reproductions"]
    )
    def get(self, request: Request) -> Response:
        """Published values beside ours, per reading."""
        return Response(ReproductionSerializer([found for found in latest().values() if found], many=True).data)
