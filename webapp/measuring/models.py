"""The stored data of measuring: devices, networks as files, measurements that are waited for, at work or done."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from engines.contract.integer_format import many
from webapp.runs.models import Run
from webapp.teams.models import Project
from webapp.teams.ordered_json import OrderedJSONField


class AgentDevice(models.Model):
    """A machine on which an agent measures.

    Attributes:
        slug: slug of its name, free in the project; its documents in the catalogue begin with it.
        machine: as the agent's probe found it when it last registered.
        kind: hash of what makes two machines the same: processor, cores, caches, memory, runtime. Measurements of another kind
            are not this device's.
        agent: version of the agent that registered it last; "" of one that did not say.
        token: number of the API token whose agent it is, 0 of the command line; None of the next agent that registers or asks.
        salt: the key that signs its jobs is made of it and of the site's `SECRET_KEY`, and stored nowhere.
        revoked: since when its agent gets nothing; null while it does.
        board: slug of the built-in board on whose page everybody of the site sees its measurements; "" where they stay in the
            project.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="agent_devices")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    name = models.CharField(max_length=80)
    slug = models.CharField(max_length=60)
    machine = OrderedJSONField(default=dict)
    kind = models.CharField(max_length=64)
    agent = models.CharField(max_length=40, blank=True, default="")
    token = models.BigIntegerField(null=True, default=None, editable=False)
    salt = models.CharField(max_length=64, editable=False)
    registered = models.DateTimeField(db_default=Now(), editable=False)
    last_seen = models.DateTimeField(db_default=Now())
    revoked = models.DateTimeField(null=True, default=None)
    board = models.CharField(max_length=100, blank=True, default="", db_default="", db_index=True)

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["project", "slug"], name="one_device_per_project_and_slug")]

    def __str__(self) -> str:
        return self.name


class RunnableFile(models.Model):
    """A network as the file that agents run. Equal networks are one file.

    Attributes:
        content_hash: SHA-256 (hex) of the network's document, the copy of its uploaded file, and the version of what writes the
            file.
        content: the document; empty of a piece of a design, whose `content_hash` is that of the file.
        piece: whether it is one: calibrations leave it out.
        onnx: the file, without weights; `about` says how they are drawn.
    """

    content_hash = models.CharField(max_length=64, unique=True)
    slug = models.CharField(max_length=200)
    title = models.CharField(max_length=200)
    content = OrderedJSONField()
    onnx = models.BinaryField()
    about = OrderedJSONField()
    piece = models.BooleanField(default=False)
    made = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.slug


class Measurement(models.Model):
    """The measurement of one network on one device with a number of threads; repeated only on request.

    Attributes:
        kind: kind of the device when it was asked for; see `AgentDevice.kind`.
        round: 0 for the first time, then 1, 2, ...: how a device drifts over days.
        lease: of the agent that is at work on it; whoever answers names it. `lease_until`: from then on it is handed out again.
        attempts: number of attempts of the job.
        result: as the agent answered, with its version (`agent`) and how many nodes it told of (`node_count`), whose times stand in
            `profile`; its units stand in its names.
        stored_bytes: stored in bytes of the result and the profile, as text.
        trouble: why there is none.
    """

    PROJECT_PATH = "device__project"

    class State(models.TextChoices):
        """The state of a measurement."""

        WAITING = "waiting", "Waiting"
        LEASED = "leased", "Measuring"
        DONE = "done", "Measured"
        FAILED = "failed", "Failed"

    device = models.ForeignKey(AgentDevice, on_delete=models.CASCADE, related_name="measurements")
    network = models.ForeignKey(RunnableFile, on_delete=models.PROTECT, related_name="measurements")
    threads = models.PositiveSmallIntegerField(default=1)
    provider = models.CharField(max_length=60, default="CPUExecutionProvider")
    kind = models.CharField(max_length=64)
    round = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    lease = models.CharField(max_length=40, blank=True, default="", editable=False)
    lease_until = models.DateTimeField(null=True, default=None, editable=False)
    attempts = models.PositiveIntegerField(default=0)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    asked = models.DateTimeField(db_default=Now(), editable=False)
    ended = models.DateTimeField(null=True, default=None)
    result = OrderedJSONField(null=True, default=None)
    trouble = models.CharField(max_length=600, blank=True, default="")
    stored_bytes = models.PositiveIntegerField(default=0, editable=False)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["device", "network", "threads", "provider", "kind", "round"], name="nothing_is_measured_twice"
            )
        ]
        indexes = [
            models.Index(fields=["device", "state"], name="measurements_of_device"),
            models.Index(fields=["device", "stored_bytes"], name="measured_room_of_device"),
            models.Index(fields=["asked_by", "stored_bytes"], name="measured_room_of_person"),
        ]

    def __str__(self) -> str:
        return f"{self.network} on {self.device}, {many(self.threads, 'thread')}"

    @property
    def profiled(self) -> dict[str, Any]:
        """The result with its `nodes`, as calibrations take it; a web process of an earlier release left them in the result."""
        profile = getattr(self, "profile", None)
        return self.result if profile is None else {**self.result, "nodes": profile.nodes}


class MeasuredProfile(models.Model):
    """The time of each node of a measured network. Calibrations alone read it, so that nothing else loads it.

    Pieces of designs have none: calibrations leave them out.

    Attributes:
        nodes: as `webapp.measuring.profiles.kept_nodes` keeps them.
    """

    PROJECT_PATH = "measurement__device__project"

    measurement = models.OneToOneField(Measurement, on_delete=models.CASCADE, related_name="profile")
    nodes = OrderedJSONField()

    def __str__(self) -> str:
        return f"profile of {self.measurement_id}"


class RunnableDesign(models.Model):
    """A design of a run as files that agents run.

    Attributes:
        attempt: attempt of the run: another one may have other designs under the same numbers.
        rest_s, rest_words: what is added as predicted; see `engines.contract.runnable.Runnable`.
        refused: why nothing of it can be run; it has no pieces then.
    """

    PROJECT_PATH = "run__project"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="runnable_designs")
    attempt = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    rest_s = models.FloatField(default=0.0)
    rest_words = models.CharField(max_length=300, blank=True, default="")
    refused = models.CharField(max_length=600, blank=True, default="")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["run", "attempt", "number"], name="one_runnable_per_design")]

    def __str__(self) -> str:
        return f"design {self.number} of run {self.run_id}"


class DesignPiece(models.Model):
    """One file of a design; `share` is what its latency is multiplied by in the design's."""

    PROJECT_PATH = "design__run__project"

    design = models.ForeignKey(RunnableDesign, on_delete=models.CASCADE, related_name="pieces")
    file = models.ForeignKey(RunnableFile, on_delete=models.PROTECT, related_name="+")
    title = models.CharField(max_length=200)
    share = models.FloatField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.title


class RunDevice(models.Model):
    """Request of designs of a run to a device: its measurements are shown to all who see the run."""

    PROJECT_PATH = "run__project"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="+")
    device = models.ForeignKey(AgentDevice, on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["run", "device"], name="one_row_per_run_and_device")]

    def __str__(self) -> str:
        return f"designs of run {self.run_id} on {self.device}"


class MeasuredElsewhere(models.Model):
    """A design of an imported run as a device of another installation measured it.

    Attributes:
        number: number of the design.
        device_name, device_slug, machine: of the device; its processor, cores and runtime in words.
        agent: version of the agent that measured.
        measured: the day, as "2026-11-23".
        pieces: as `engines.exchange.bundle_measurements.PieceFacts`.
        rest_s, rest_words: as in `RunnableDesign`.
    """

    PROJECT_PATH = "run__project"

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="measured_elsewhere")
    number = models.PositiveIntegerField()
    device_name = models.CharField(max_length=80)
    device_slug = models.CharField(max_length=60)
    machine = models.CharField(max_length=800)
    threads = models.PositiveSmallIntegerField()
    provider = models.CharField(max_length=60)
    agent = models.CharField(max_length=40, blank=True)
    measured = models.CharField(max_length=10)
    settled = models.BooleanField()
    pieces = OrderedJSONField()
    rest_s = models.FloatField()
    rest_words = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"design {self.number} of run {self.run_id} on {self.device_name}"


class ValueImport(models.Model):
    """A file of measured values that somebody imported.

    Attributes:
        file: name of the file.
        format: name of its format.
        sha256: sha256 of the file.
        source, licence: source and licence of its values, as the person stated them.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="value_imports")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    file = models.CharField(max_length=200)
    format = models.CharField(max_length=80)
    sha256 = models.CharField(max_length=64)
    source = models.CharField(max_length=500)
    licence = models.CharField(max_length=200)
    created = models.DateTimeField(db_default=Now(), editable=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.file


class ImportedValue(models.Model):
    """A value of a whole network on a device of the catalogue; no calibration is fitted to it.

    Attributes:
        place: in the file.
        device, network: names in the catalogue ("rk3588", "lab/my-network").
        metric, value: as of `engines.cost.measured_files.value.MeasuredValue`, and so are the texts below.
        bounded: whether it was compared with a published roofline.
    """

    PROJECT_PATH = "origin__project"

    origin = models.ForeignKey(ValueImport, on_delete=models.CASCADE, related_name="values")
    place = models.CharField(max_length=300)
    device = models.CharField(max_length=200)
    network = models.CharField(max_length=200)
    unit = models.CharField(max_length=80, blank=True)
    runtime = models.CharField(max_length=80, blank=True)
    runtime_version = models.CharField(max_length=120, blank=True)
    precision = models.CharField(max_length=40)
    batch = models.PositiveIntegerField()
    metric = models.CharField(max_length=20)
    value = models.FloatField()
    statistic = models.CharField(max_length=200, blank=True)
    measured_on = models.CharField(max_length=10, blank=True)
    bounded = models.BooleanField()

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["device", "network"], name="imported_values_of_device")]

    def __str__(self) -> str:
        return f"{self.metric} of {self.network} on {self.device}"
