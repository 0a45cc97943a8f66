"""The shapes of requests and responses about studies; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from webapp.api.serializers import QuantitySerializer
from webapp.runs.models import Run
from webapp.studies.models import Study


class NewStudySerializer(serializers.Serializer[Any]):
    """A study document: one engine over a grid of inputs, parameters and seeds."""

    engine = serializers.CharField()
    inputs = serializers.DictField(required=False, help_text="Slot -> slug, or a list of slugs: one more axis.")
    params = serializers.DictField(required=False, help_text='Name -> value, or {"each": [values]}: one more axis.')
    seeds = serializers.ListField(
        child=serializers.IntegerField(min_value=0), required=False, help_text="[0] by default."
    )
    title = serializers.CharField(required=False)
    project = serializers.CharField(required=False, help_text="Slug of the project; your personal one by default.")
    version = serializers.IntegerField(required=False, help_text="Of the engine; refused if another is installed.")


class StudyEstimateSerializer(serializers.Serializer[Any]):
    """What a study will take."""

    cells = serializers.IntegerField()
    evaluations = serializers.IntegerField()
    time_s = serializers.ListField(
        child=serializers.FloatField(), min_length=2, max_length=2, help_text="Low, high: of all runs on one worker."
    )
    longest_s = serializers.FloatField(help_text="Upper end of the longest run.")
    memory_mb = serializers.FloatField(help_text="Of the largest run.")
    needs = serializers.ListField(child=serializers.CharField())
    misfits = serializers.ListField(child=serializers.CharField(), help_text="Cells with a check that is not met.")
    notes = serializers.ListField(child=serializers.CharField())


class StudyProgressSerializer(serializers.Serializer[Any]):
    """How many runs stand where; those infeasible are among those done."""

    total = serializers.IntegerField()
    queued = serializers.IntegerField()
    running = serializers.IntegerField()
    stopped = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()
    infeasible = serializers.IntegerField()
    fraction = serializers.FloatField(help_text="Mean share of the work done.")


class StudySerializer(serializers.ModelSerializer[Study]):
    """A study and its progress."""

    project = serializers.CharField(source="project.slug")
    owner = serializers.CharField(source="owner.username")
    progress = serializers.SerializerMethodField()

    class Meta:
        model = Study
        fields = ("id", "title", "project", "owner", "engine", "engine_version", "document", "created", "progress")
        read_only_fields = fields

    @extend_schema_field(StudyProgressSerializer)
    def get_progress(self, study: Study) -> dict[str, Any]:
        """Counts by status."""
        found: dict[str, Any] = self.context["progress"][study.pk].to_json()
        return found


class StudyChangeSerializer(serializers.Serializer[Any]):
    """How many runs a wish concerned, and the study afterwards."""

    runs = serializers.IntegerField()
    study = StudySerializer()


class StudyRunSerializer(serializers.Serializer[Any]):
    """A run behind a cell; `value` is null while nothing was found."""

    id = serializers.IntegerField()
    status = serializers.ChoiceField(Run.Status.choices)
    outcome = serializers.CharField(allow_blank=True)
    value = serializers.FloatField(allow_null=True)


class StudyCellSerializer(serializers.Serializer[Any]):
    """The median over a cell's runs that have a value, and those runs in the order of their seeds."""

    median = serializers.FloatField(allow_null=True)
    min = serializers.FloatField(allow_null=True)
    max = serializers.FloatField(allow_null=True)
    values = serializers.IntegerField(help_text="How many runs have a value.")
    runs = StudyRunSerializer(many=True)


class StudyRowSerializer(serializers.Serializer[Any]):
    """A row: its place on the row axes, and a cell per column."""

    key = serializers.ListField(child=serializers.JSONField())
    cells = StudyCellSerializer(many=True)


class StudyTableSerializer(serializers.Serializer[Any]):
    """Rows x columns of medians."""

    study = serializers.IntegerField()
    quantity = QuantitySerializer()
    row_axes = serializers.ListField(child=serializers.CharField())
    column_axis = serializers.CharField(allow_blank=True)
    columns = serializers.ListField(child=serializers.JSONField())
    rows = StudyRowSerializer(many=True)
