"""The shapes of requests and responses about studies; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from engines.running.time_limits import MAX_MINUTES
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
    stop_after_minutes = serializers.FloatField(
        required=False,
        allow_null=True,
        max_value=MAX_MINUTES,
        help_text="Time limit of every run in minutes of computing, as of a single run.",
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


class StudyGroupRunSerializer(serializers.Serializer[Any]):
    """A run that has ended; `value` is null where no design meets the constraints."""

    id = serializers.IntegerField()
    seed = serializers.IntegerField()
    value = serializers.FloatField(allow_null=True)
    front_size = serializers.IntegerField(help_text="Designs on the front.")
    front_points = serializers.IntegerField(help_text="Points of the front: designs with equal objectives are one.")


class StudyGroupSerializer(serializers.Serializer[Any]):
    """The runs of one value of the compared axis."""

    value = serializers.JSONField(allow_null=True)
    left_out = serializers.IntegerField(help_text="Runs that wait, work, were stopped or failed: they take no part.")
    median = serializers.FloatField(allow_null=True)
    median_run = serializers.IntegerField(allow_null=True)
    runs = StudyGroupRunSerializer(many=True)
    surfaces = serializers.DictField(
        child=serializers.ListField(child=serializers.ListField(child=serializers.FloatField())),
        help_text="Share of the runs -> corners of the surface that they attain; for two and three objectives.",
    )


class StudyPairSerializer(serializers.Serializer[Any]):
    """Two groups by position: Mann and Whitney's test, Holm's correction over all pairs, Vargha and Delaney's A."""

    first = serializers.IntegerField()
    second = serializers.IntegerField()
    effect = serializers.FloatField(help_text="Chance that a run of the first is better than one of the second, 0..1.")
    p_value = serializers.FloatField()
    adjusted = serializers.FloatField(help_text="p_value after Holm's correction.")
    least_possible = serializers.FloatField(help_text="The least `adjusted` that so few runs could have.")
    significant = serializers.BooleanField(help_text="Whether `adjusted` is at most 0.05.")


class StudyStatisticsSerializer(serializers.Serializer[Any]):
    """What the seeds say about the groups of one place."""

    study = serializers.IntegerField()
    by = serializers.CharField(allow_blank=True)
    place = serializers.DictField()
    measure = QuantitySerializer()
    objectives = QuantitySerializer(many=True)
    reference = serializers.ListField(child=serializers.FloatField(), allow_null=True)
    joint_hypervolume = serializers.FloatField(help_text="Of all runs' joint front, in the product of the units.")
    groups = StudyGroupSerializer(many=True)
    pairs = StudyPairSerializer(many=True)
    all_same_p_value = serializers.FloatField(allow_null=True, help_text="Kruskal and Wallis; null for one group.")
