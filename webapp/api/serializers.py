"""The shapes of requests and responses; the OpenAPI document is made from them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from engines.running.runner.evaluating import MOST_DECISIONS
from engines.running.time_limits import MAX_MINUTES
from webapp.catalogue.models import KINDS, DocumentVersion
from webapp.runs.import_mark import checked_words
from webapp.runs.models import LogLine, Run


class RefusalSerializer(serializers.Serializer[Any]):
    """A 400: which field, what was got, what is accepted, and the same as a sentence."""

    field = serializers.CharField()
    got = serializers.JSONField()
    accepted = serializers.CharField()
    message = serializers.CharField()


class MessageSerializer(serializers.Serializer[Any]):
    """Any other error."""

    message = serializers.CharField()


# -- engines ----------------------------------------------------------------------------------------------------------


class EngineSerializer(serializers.Serializer[Any]):
    """An engine in a list."""

    name = serializers.CharField()
    title = serializers.CharField()
    summary = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    version = serializers.IntegerField()
    tags = serializers.ListField(child=serializers.CharField())


class InputSlotSerializer(serializers.Serializer[Any]):
    """A named input of an engine."""

    slot = serializers.CharField()
    kind = serializers.ChoiceField(KINDS)
    title = serializers.CharField()
    help = serializers.CharField()
    schemas = serializers.ListField(child=serializers.CharField())
    required = serializers.BooleanField()  # type: ignore[assignment]
    preferred = serializers.CharField(
        allow_blank=True,
        help_text="Built-in document that forms and the command line take where none is named; may be empty.",
    )


class QuantitySerializer(serializers.Serializer[Any]):
    """What a column of designs means."""

    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField(allow_blank=True)
    sense = serializers.ChoiceField(["minimise", "maximise", "none"])
    role = serializers.ChoiceField(["objective", "constraint", "metric", "decision"])
    help = serializers.CharField(allow_blank=True)


class EngineDetailSerializer(EngineSerializer):
    """An engine with everything that a form needs."""

    inputs = InputSlotSerializer(many=True)
    quantities = QuantitySerializer(many=True)
    params_schema = serializers.DictField(help_text="JSON Schema of `params`.")


# -- catalogue --------------------------------------------------------------------------------------------------------


class DocumentSerializer(serializers.Serializer[Any]):
    """The newest version of a document in a list."""

    kind = serializers.ChoiceField(KINDS)
    slug = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    summary = serializers.CharField()
    schema = serializers.CharField()
    builtin = serializers.BooleanField()
    project = serializers.CharField(allow_null=True, help_text="Slug of its project; null for a built-in.")


class DocumentDetailSerializer(DocumentSerializer):
    """One version of a document with its content."""

    content = serializers.DictField()
    content_hash = serializers.CharField(help_text="SHA-256 of the canonical JSON of the content.")


class DocumentVersionSerializer(serializers.ModelSerializer[DocumentVersion]):
    """A stored version without its content."""

    version = serializers.IntegerField(source="number")
    created_by = serializers.CharField(source="created_by.username", default=None)

    class Meta:
        model = DocumentVersion
        fields = ("version", "title", "summary", "schema", "content_hash", "created_by", "created")


class NewDocumentSerializer(serializers.Serializer[Any]):
    """Content to store. Its `slug` names the document; an existing one gets a new version."""

    content = serializers.DictField()
    project = serializers.CharField(required=False, help_text="Slug of the project; your personal one by default.")


class ProjectSerializer(serializers.Serializer[Any]):
    """A project that one belongs to."""

    slug = serializers.CharField()
    title = serializers.CharField()
    role = serializers.ChoiceField(["viewer", "editor", "maintainer"])
    personal = serializers.BooleanField()


# -- problems and runs ------------------------------------------------------------------------------------------------


class ProblemSerializer(serializers.Serializer[Any]):
    """The problem document that browser, command line, notebook and this interface exchange."""

    engine = serializers.CharField()
    inputs = serializers.DictField(
        required=False, help_text='Slot -> slug, "slug@2", "project/slug", or {"slug": ..., "version": ...}.'
    )
    params = serializers.DictField(required=False, help_text="Parameters; what is left out takes its default.")
    seed = serializers.IntegerField(required=False, min_value=0)
    stop_after_minutes = serializers.FloatField(
        required=False,
        allow_null=True,
        max_value=MAX_MINUTES,
        help_text="Minutes of computing (above 0; without the time in the queue) after which the run stops, with what it has found "
        "until then. No part of the problem and of its hash. Null or left out: it runs to its end.",
    )


class NewRunSerializer(ProblemSerializer):
    """A problem document and where its run belongs."""

    title = serializers.CharField(required=False)
    project = serializers.CharField(required=False, help_text="Slug of the project; your personal one by default.")
    parent = serializers.IntegerField(required=False, help_text="Number of the run that this one is started from.")  # type: ignore[assignment]


class PlanCheckSerializer(serializers.Serializer[Any]):
    """One line of "Will it fit?"."""

    ok = serializers.BooleanField()
    text = serializers.CharField()
    hopeless = serializers.BooleanField(help_text="Whether no design can be found, as the plan knows already.")


class BoundSerializer(serializers.Serializer[Any]):
    """A value that is known before anything runs."""

    column = serializers.CharField(
        allow_null=True, help_text="The quantity that no design passes it in; null: of none."
    )
    title = serializers.CharField()
    value = serializers.FloatField()
    unit = serializers.CharField()


class PlanSerializer(serializers.Serializer[Any]):
    """What running a problem will take."""

    problem_hash = serializers.CharField()
    evaluations = serializers.IntegerField()
    memory_mb = serializers.FloatField()
    time_s = serializers.ListField(child=serializers.FloatField(), min_length=2, max_length=2, help_text="Low, high.")
    needs = serializers.ListField(child=serializers.CharField())
    determinism = serializers.ChoiceField(["exact", "pinned"])
    checks = PlanCheckSerializer(many=True)
    bounds = BoundSerializer(many=True)
    notes = serializers.ListField(child=serializers.CharField())


class RunSerializer(serializers.ModelSerializer[Run]):
    """A run in a list."""

    project = serializers.CharField(source="project.slug")
    owner = serializers.CharField(source="owner.username")
    inputs = serializers.SerializerMethodField()
    imported = serializers.SerializerMethodField()
    computed_s = serializers.FloatField(help_text="Seconds of computing, all attempts together, without the queue.")
    time_limit_reached = serializers.BooleanField(help_text="Whether it stopped because of `stop_after_minutes`.")

    class Meta:
        model = Run
        fields: tuple[str, ...] = (
            "id", "title", "project", "owner", "engine", "engine_version", "inputs", "seed", "status", "wish", "outcome",
            "fraction", "message", "metrics", "evaluations", "design_count", "created", "queued_at", "started", "finished",
            "parent", "study", "cell", "problem_hash", "stop_after_minutes", "computed_s", "time_limit_reached",
            "imported",
        )  # fmt: skip
        read_only_fields = fields

    def get_imported(self, run: Run) -> str:
        """Empty for a run of this installation, else exactly what of it was checked when it came."""
        return checked_words(run)

    def get_inputs(self, run: Run) -> dict[str, str]:
        """Slot -> "slug@version"."""
        return {item.slot: f"{item.slug}@{item.version}" for item in run.inputs.all()}


class RunDetailSerializer(RunSerializer):
    """A run with its problem, its plan and how it ended."""

    class Meta(RunSerializer.Meta):
        fields = (
            *RunSerializer.Meta.fields,
            "params", "problem", "plan", "platform", "outcome_detail", "step_number", "attempt", "attempt_reasons", "priority",
        )  # fmt: skip
        read_only_fields = fields


class WishSerializer(serializers.Serializer[Any]):
    """What people want of a run."""

    wish = serializers.ChoiceField(["stop"])


class MoreTimeSerializer(serializers.Serializer[Any]):
    """How long a run may go on. Without a body a run that reached its time limit goes on for as long again."""

    more_minutes = serializers.FloatField(
        required=False,
        allow_null=True,
        max_value=MAX_MINUTES,
        help_text="Minutes of computing from now on, above 0; null: without a time limit.",
    )


class ContinuationSerializer(serializers.Serializer[Any]):
    """How a continued run goes on."""

    run = RunSerializer()
    from_step = serializers.IntegerField(help_text="The step after which it goes on; 0 is the beginning.")
    design_count = serializers.IntegerField(help_text="Designs that are kept.")
    text = serializers.CharField()


# -- what a run found -------------------------------------------------------------------------------------------------


class ColumnSerializer(serializers.Serializer[Any]):
    """A column of designs; a value that is not defined is null."""

    name = serializers.CharField()
    title = serializers.CharField()
    unit = serializers.CharField(allow_blank=True)
    sense = serializers.CharField()
    role = serializers.CharField()
    values = serializers.ListField(child=serializers.FloatField(allow_null=True))


class DesignsSerializer(serializers.Serializer[Any]):
    """Designs as columns; all lists have `count` entries."""

    run = serializers.IntegerField()
    status = serializers.ChoiceField(Run.Status.choices)
    total = serializers.IntegerField(help_text="Designs stored by now.")
    count = serializers.IntegerField()
    last_chunk = serializers.IntegerField(help_text="Give this as `after` to get only what is newer.")
    design = serializers.ListField(child=serializers.IntegerField(), help_text="Numbers of the designs within the run.")
    found_at_evaluation = serializers.ListField(child=serializers.IntegerField())
    origin = serializers.ListField(child=serializers.ChoiceField(["search", "baseline", "user"]))
    label = serializers.ListField(child=serializers.CharField(allow_blank=True))  # type: ignore[assignment]
    columns = ColumnSerializer(many=True)


class FrontSerializer(DesignsSerializer):
    """As `Designs`, of the front alone."""

    front_count = serializers.IntegerField(help_text="Designs of the whole front; `count` of them are here.")


class DesignSerializer(serializers.Serializer[Any]):
    """One design with the decision that rebuilds it."""

    run = serializers.IntegerField()
    design = serializers.IntegerField()
    values = serializers.DictField(child=serializers.FloatField(allow_null=True))
    found_at_evaluation = serializers.IntegerField()
    origin = serializers.CharField()
    label = serializers.CharField(allow_blank=True)  # type: ignore[assignment]
    decision = serializers.DictField()


class DecisionsSerializer(serializers.Serializer[Any]):
    """Designs of one's own, each by its decision, as `design/<n>/` gives it."""

    decisions = serializers.ListField(child=serializers.DictField(), max_length=MOST_DECISIONS)


class ScoredSerializer(serializers.Serializer[Any]):
    """The numbers of decisions, one entry per decision in every list."""

    run = serializers.IntegerField()
    count = serializers.IntegerField()
    columns = ColumnSerializer(many=True)
    feasible = serializers.ListField(child=serializers.BooleanField(), help_text="Whether all constraints are met.")
    broken = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Names of the constraints that are not met.",
    )
    decision = serializers.ListField(child=serializers.DictField(), help_text="As the engine reads them.")


class ResultsSerializer(serializers.Serializer[Any]):
    """Results as `engines.contract.result_json.to_json` writes them; `type` says which kind each is."""

    run = serializers.IntegerField()
    results = serializers.ListField(child=serializers.DictField())


class RunResultsSerializer(ResultsSerializer):
    """Results of a run as a whole, by name."""

    count = serializers.IntegerField(help_text="How many there are in all.")


class ConvergenceSerializer(serializers.Serializer[Any]):
    """How the run went, one entry per stored step."""

    run = serializers.IntegerField()
    count = serializers.IntegerField(help_text="How many steps there are in all.")
    step = serializers.ListField(child=serializers.IntegerField())
    evaluations = serializers.ListField(child=serializers.IntegerField())
    design_count = serializers.ListField(child=serializers.IntegerField())
    time_s = serializers.ListField(child=serializers.FloatField(), help_text="Seconds since the first step's report.")
    fraction = serializers.ListField(child=serializers.FloatField())
    hypervolume = serializers.ListField(child=serializers.FloatField(allow_null=True))
    metrics = serializers.DictField(child=serializers.ListField(child=serializers.FloatField(allow_null=True)))
    reference = serializers.ListField(
        child=serializers.FloatField(), help_text="Reference point of the hypervolume, one value per objective."
    )


class RunFileSerializer(serializers.Serializer[Any]):
    """A file that a run produced."""

    name = serializers.CharField()
    media_type = serializers.CharField()
    size_bytes = serializers.IntegerField()
    sha256 = serializers.CharField()


class LogLineSerializer(serializers.ModelSerializer[LogLine]):
    """A line of the log."""

    class Meta:
        model = LogLine
        fields = ("number", "attempt", "level", "text", "time")


class LogSerializer(serializers.Serializer[Any]):
    """Lines of the log; give `last` as `after` to get only what is newer."""

    run = serializers.IntegerField()
    last = serializers.IntegerField()
    lines = LogLineSerializer(many=True)
