"""The stored data of runs. The database is the truth: everything that a page shows or a resume needs is in here.

Binary content lies in parts of at most 4 MiB, so that no row is too large for either database and nothing depends on a
shared disk. Rows that a run produces carry the number of the step that brought them; a resume deletes those whose step
came after the last checkpoint.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.functional import cached_property

from engines.running.time_limits import seconds_of
from webapp.teams.deletable import Deletable
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField

MAX_PART_BYTES = 4 * 1024 * 1024


class Run(Deletable):
    """A run: its pinned problem, requested state, status and worker.

    Attributes:
        problem: the canonical problem document; `problem_hash` is its hash.
        plan: the plan made before the start, as JSON; `needs` its needs, sorted and joined by commas;
            `estimated_s` how long it is likely to compute.
        status: queued, running, stopped, done, failed, or importing until an imported run is whole. Only `service`, `claim`,
            `store` and `importing` change it.
        wish: what people want: run or stop. The keeper and the sweep make it so.
        outcome: "" until the end; then feasible or infeasible (done), or error (failed). `outcome_detail` has the facts.
        attempt: how many times a keeper took the run. Every write of a keeper is fenced by it.
        attempts_without_checkpoint: claims since the last checkpoint; three end the run.
        lease_owner, lease_expires: who works on it, and until when on the database's clock nobody else may take it.
        hypervolume_reference: the fixed reference point, one value per objective; null until the first designs.
        stop_after_minutes: minutes of computing after which it stops, all attempts together; null for no limit. No part of the
            problem: what it finds until then does not depend on it.
        measure: what of its designs a device measures while it searches, read by `webapp.runs.inputs.measurement_hooks`; {} for
            nothing. No part of the problem either, though what is found depends on what is measured.
        computed_s: seconds that it has computed, all attempts together and without the queue. A resume does not give back those of
            the work that it does again.
        stored_bytes: size in the database, as `webapp.runs.storage.stored_bytes` counts it.
        parent: the run that this one was started from.
        study: the study whose cell this run is; null for a run on its own, and once its study is deleted.
        cell: axis -> value, the place within the study; {} for a run on its own.
        imported: of a run that another installation exported: its number, project, owner and times there, when it came here
            and the SHA-256 of the file; {} for a run of this one.
    """

    OFFICIAL_PATH = "project__official"  # the gallery

    class Status(models.TextChoices):
        """Where a run stands."""

        QUEUED = "queued"
        RUNNING = "running"
        STOPPED = "stopped"
        DONE = "done"
        FAILED = "failed"
        IMPORTING = "importing"

    class Wish(models.TextChoices):
        """The state that people request for a run."""

        RUN = "run"
        STOP = "stop"

    class Outcome(models.TextChoices):
        """How a run ended; "" while it has not."""

        NONE = ""
        FEASIBLE = "feasible"
        INFEASIBLE = "infeasible"
        ERROR = "error"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="runs")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="runs")
    title = models.CharField(max_length=200)
    parent = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children")
    study = models.ForeignKey("studies.Study", null=True, blank=True, on_delete=models.SET_NULL, related_name="runs")
    cell = OrderedJSONField(default=dict, blank=True)
    imported = OrderedJSONField(default=dict, blank=True)

    engine = models.CharField(max_length=80)
    engine_version = models.PositiveIntegerField()
    params = OrderedJSONField(default=dict)
    seed = models.BigIntegerField(default=0)
    problem = OrderedJSONField(default=dict)
    problem_hash = models.CharField(max_length=64, db_index=True)
    platform = OrderedJSONField(default=dict)
    plan = OrderedJSONField(default=dict)
    needs = models.CharField(max_length=80, blank=True, default="")
    estimated_s = models.FloatField(default=0.0)

    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    wish = models.CharField(max_length=10, choices=Wish, default=Wish.RUN)
    outcome = models.CharField(max_length=10, choices=Outcome, default=Outcome.NONE, blank=True)
    outcome_detail = OrderedJSONField(default=dict)

    fraction = models.FloatField(default=0.0)
    message = models.CharField(max_length=500, blank=True, default="")
    metrics = OrderedJSONField(default=dict)
    evaluations = models.BigIntegerField(default=0)
    design_count = models.BigIntegerField(default=0)
    step_number = models.PositiveIntegerField(default=0)
    hypervolume_reference: OrderedJSONField = OrderedJSONField(null=True, default=None)

    attempt = models.PositiveIntegerField(default=0)
    attempts_without_checkpoint = models.PositiveIntegerField(default=0)
    attempt_reasons = OrderedJSONField(default=list)
    lease_owner = models.CharField(max_length=200, blank=True, default="")
    lease_expires = models.DateTimeField(null=True, default=None)
    priority = models.IntegerField(default=0)
    stop_after_minutes = models.FloatField(null=True, blank=True, default=None)
    measure = OrderedJSONField(default=dict, blank=True)
    computed_s = models.FloatField(default=0.0)
    stored_bytes = models.BigIntegerField(default=0)

    created = models.DateTimeField(db_default=Now(), editable=False)
    queued_at = models.DateTimeField(db_default=Now())
    started = models.DateTimeField(null=True, default=None)
    finished = models.DateTimeField(null=True, default=None)

    class Meta:
        ordering = ["-created", "-pk"]
        indexes = [
            # All that decides whose turn it is, so that ten thousand that wait are looked through without their rows, and
            # which of somebody's is first, so that those of a study, queued in one moment, are not sorted.
            models.Index(
                fields=[
                    *("status", "wish", "priority", "project", "owner", "queued_at", "id", "needs"),
                    "attempts_without_checkpoint",
                ],
                name="runs_in_turn",
            ),
            models.Index(fields=["project", "-created"], name="runs_of_project"),
            models.Index(fields=["project", "-started"], name="runs_served_of_project"),
            models.Index(fields=["owner", "-started"], name="runs_served_of_owner"),
            # What limits ask for, answered by the index alone.
            models.Index(fields=["project", "deleted", "study", "stored_bytes"], name="runs_room_of_project"),
            models.Index(fields=["owner", "deleted", "study", "stored_bytes"], name="runs_room_of_owner"),
            models.Index(fields=["project", "status", "lease_expires"], name="runs_active_of_project"),
            models.Index(fields=["owner", "status", "lease_expires"], name="runs_active_of_owner"),
            # Home's list in its order, and its counts.
            models.Index(fields=["deleted", "study", "-created", "-id", "project"], name="runs_newest_first"),
            models.Index(
                fields=["project", "deleted", "engine", "status", "created", "evaluations"], name="runs_counted"
            ),
            models.Index(
                fields=["lease_expires"], name="runs_by_lease", condition=Q(status__in=("running", "importing"))
            ),
        ]

    def __str__(self) -> str:
        return f"Run {self.pk}: {self.title}"

    @cached_property
    def listed_inputs(self) -> list[RunInput]:
        """The pinned documents by input; their contents are loaded on first access, as they never change."""
        return list(self.inputs.defer("content").order_by("slot"))

    @property
    def active(self) -> bool:
        """Whether it waits for a worker or is being worked on."""
        return self.status in (self.Status.QUEUED, self.Status.RUNNING)

    @property
    def time_limit_reached(self) -> bool:
        """Whether it stopped because its time limit was reached."""
        limit_s = seconds_of(self.stop_after_minutes)
        return self.status == self.Status.STOPPED and limit_s is not None and self.computed_s >= limit_s


class RunPart(models.Model):
    """Base of everything that belongs to a run; visible to whom the run is visible."""

    PROJECT_PATH = "run__project"
    OFFICIAL_PATH = "run__project__official"

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk} of run {getattr(self, 'run_id', None)}"


class RunInput(RunPart):
    """The document version in one slot, with its content pinned: no later edit or deletion changes the run."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="inputs")
    slot = models.CharField(max_length=80)
    kind = models.CharField(max_length=20)
    slug = models.CharField(max_length=120)
    version = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64)
    content = OrderedJSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "slot"], name="one_input_per_slot")]
        ordering = ["slot"]


class StepRecord(RunPart):
    """One step as reported, without its designs: the curve over time and the numbering that makes stores idempotent.

    `hypervolume` is null while there is no reference point.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="steps")
    number = models.PositiveIntegerField()
    attempt = models.PositiveIntegerField()
    fraction = models.FloatField()
    message = models.CharField(max_length=500, blank=True)
    metrics = OrderedJSONField(default=dict)
    evaluations = models.BigIntegerField(default=0)
    design_count = models.BigIntegerField(default=0)
    hypervolume = models.FloatField(null=True)
    time = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_record_per_step")]
        ordering = ["number"]


class Checkpoint(RunPart):
    """The newest checkpoint of a run: with the designs and files of steps up to `step_number`, enough to continue."""

    run = models.OneToOneField(Run, on_delete=models.CASCADE, related_name="checkpoint")
    step_number = models.PositiveIntegerField()
    design_count = models.BigIntegerField()
    attempt = models.PositiveIntegerField()
    data = models.BinaryField()
    time = models.DateTimeField(db_default=Now())


class DesignChunk(RunPart):
    """Some designs in a row, as two Arrow streams: scalar columns, and nested decisions apart from them.

    Attributes:
        number: designs stored up to and including this chunk; so "newer than what I have" is one comparison, also after
            small chunks were merged.
        first_index: number within the run of the first design; `count` how many there are.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="chunks")
    number = models.BigIntegerField()
    first_index = models.BigIntegerField()
    count = models.PositiveIntegerField()
    step_number = models.PositiveIntegerField()
    scalars = models.BinaryField()
    decisions = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_chunk_per_number")]
        ordering = ["number"]


class RunResult(RunPart):
    """A result by name. The newest step's wins; an older one stays until a checkpoint makes it superfluous."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="stored_results")
    name = models.CharField(max_length=120)
    type = models.CharField(max_length=40)
    step_number = models.PositiveIntegerField()
    content = OrderedJSONField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "name", "step_number"], name="one_result_per_step")]
        ordering = ["name", "step_number"]


class FileBlob(models.Model):
    """Content of a file, named by its hash and stored once however many runs have it."""

    sha256 = models.CharField(max_length=64, primary_key=True)
    size = models.BigIntegerField()

    def __str__(self) -> str:
        return f"{self.sha256[:12]} ({self.size} bytes)"


class FilePart(models.Model):
    """At most 4 MiB of a file's content; parts in the order of `number` give the whole."""

    blob = models.ForeignKey(FileBlob, on_delete=models.CASCADE, related_name="parts")
    number = models.PositiveIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["blob", "number"], name="one_part_per_number")]
        ordering = ["number"]

    def __str__(self) -> str:
        return f"part {self.number} of {self.blob_id[:12]}"


class RunFile(RunPart):
    """A file of a run by name; like results, the newest step's wins.

    `working` marks what the engine keeps for itself (`context.files`), and stored explanations: it has no step, and pages do not
    offer it.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="files")
    name = models.CharField(max_length=200)
    media_type = models.CharField(max_length=120)
    step_number = models.PositiveIntegerField()
    working = models.BooleanField(default=False)
    blob = models.ForeignKey(FileBlob, on_delete=models.PROTECT, related_name="uses")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "working", "name", "step_number"], name="one_file_per_step")
        ]
        ordering = ["name", "step_number"]


class DocumentFile(models.Model):
    """A file of a version of a document: weights or examples that it names by their hash, the copy of an uploaded network."""

    version = models.ForeignKey("catalogue.DocumentVersion", on_delete=models.CASCADE, related_name="files")
    blob = models.ForeignKey(FileBlob, on_delete=models.PROTECT, related_name="documents")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["version", "blob"], name="one_link_per_document_file")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.blob_id[:12]}"


class LogLine(RunPart):
    """One line of a run's log, from the engine or from its keeper; the oldest are dropped beyond a limit."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="log")
    number = models.BigIntegerField()
    attempt = models.PositiveIntegerField()
    level = models.CharField(max_length=10)
    text = models.CharField(max_length=2000)
    time = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "number"], name="one_log_line_per_number")]
        ordering = ["number"]


class WorkerBeat(models.Model):
    """A worker's sign of life, once a second: its slots, how many are busy, what it offers.

    Attributes:
        draining: an administrator wants it to finish its runs and to take no other; the worker never writes this.
    """

    name = models.CharField(max_length=200, primary_key=True)
    seen = models.DateTimeField(db_default=Now())
    started = models.DateTimeField(db_default=Now())
    slots = models.PositiveIntegerField()
    busy = models.PositiveIntegerField(default=0)
    short_only = models.BooleanField(default=False)
    offers = models.CharField(max_length=80, blank=True, default="")
    draining = models.BooleanField(default=False)

    def __str__(self) -> str:
        return self.name
