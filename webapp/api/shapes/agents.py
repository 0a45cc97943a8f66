"""Requests and answers of agents, and devices as people see them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from webapp.api.shapes.base import Body, Shape
from webapp.measuring.profiles import MOST_LETTERS, MOST_NODES

_Count = Annotated[int, Field(ge=1, le=4096)]
_Positive = Annotated[float, Field(gt=0, le=1e18)]
_Seconds = Annotated[float, Field(gt=0, le=1e6)]
_Text = Annotated[str, Field(max_length=300)]


class PeakBody(Body):
    """The joint peak of some threads."""

    threads: _Count
    operations_per_s: _Positive = Field(description="In fp32; a multiply-accumulate is two.")
    bandwidth_bytes_per_s: _Positive


class MachineBody(Body):
    """The machine that an agent's probe found."""

    architecture: _Text
    processor: _Text
    cores: _Count
    clock_mhz: Annotated[float, Field(ge=0, le=1e5)] = Field(description="0: the kernel names none.")
    memory_gib: Annotated[float, Field(gt=0, le=1e6)]
    governor: _Text
    throttled: Annotated[int, Field(ge=0)] | None
    virtual: bool
    caches_kib: Annotated[
        dict[Annotated[str, Field(max_length=10)], Annotated[float, Field(gt=0, le=1e9)]], Field(max_length=20)
    ]
    runtime: _Text
    providers: Annotated[list[Annotated[str, Field(pattern="^[A-Za-z0-9]{1,60}$")]], Field(max_length=20)] = Field(
        ["CPUExecutionProvider"], description="Providers of the runtime, by their names there."
    )
    peaks: Annotated[list[PeakBody], Field(min_length=1, max_length=8)]
    kind: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class NewDevice(Body):
    """A device that registers."""

    name: Annotated[str, Field(min_length=1, max_length=80)]
    machine: MachineBody
    agent: _Text = Field(description="Version of the agent.")


class RegisteredDevice(Shape):
    """A device, and the key that its jobs are signed with."""

    device: int
    slug: str
    key: str = Field(description="HMAC-SHA256, in hex. Only the agent that registers gets it.")


class Job(Shape):
    """The measurement next."""

    manifest: str = Field(description="JSON: the network, its file's SHA-256, threads, limits.")
    signature: str = Field(description="HMAC-SHA256 of that text with the device's key, in hex.")


class LatencyBody(Body):
    """A median with its 95 % interval; null where there were too few repetitions for one."""

    median: _Seconds
    low: _Seconds | None
    high: _Seconds | None
    count: Annotated[int, Field(ge=1, le=1_000_000)]
    settled: bool = Field(description="Whether the interval is within 3 %.")


class NodeBody(Body):
    """A node as the runtime executed it."""

    name: Annotated[str, Field(max_length=400)]
    operator: _Text
    provider: _Text
    time_us: Annotated[float, Field(ge=0, le=1e12)]


class ResultBody(Body):
    """The result of a measurement."""

    latency_s: LatencyBody
    nodes: Annotated[list[NodeBody], Field(min_length=1, max_length=20_000)] = Field(
        description=f"Nodes in the order of execution. Beyond {MOST_NODES} the shortest are merged into the next; names "
        f"are cut after {MOST_LETTERS} letters."
    )
    energy_j: Annotated[float, Field(ge=0, le=1e9)] | None
    energy_source: _Text = Field(description="Or why there is none.")
    others_cores: Annotated[float, Field(ge=0, le=4096)]
    clock_mhz: Annotated[list[Annotated[float, Field(ge=0, le=1e5)]], Field(min_length=2, max_length=2)]
    notes: Annotated[list[_Text], Field(max_length=20)]


class JobAnswer(Body):
    """The outcome of a job: one of `result`, `refused` and `loaded`."""

    lease: Annotated[str, Field(max_length=40)]
    result: ResultBody | None = None
    load_before_cores: Annotated[float, Field(ge=0, le=4096)] = 0.0
    refused: Annotated[str, Field(max_length=2000)] = ""
    loaded: Annotated[str, Field(max_length=2000)] = ""


def _slug(project: Any) -> Any:
    return getattr(project, "slug", project)


class Device(Shape):
    """A machine on which an agent measures."""

    id: int
    name: str
    slug: str
    project: Annotated[str, BeforeValidator(_slug)]
    machine: dict[str, Any]
    registered: datetime
    last_seen: datetime
    revoked: datetime | None


class MeasurementWish(Body):
    """The measurement on a device."""

    networks: Annotated[list[Annotated[str, Field(max_length=200)]], Field(min_length=1, max_length=200)] = Field(
        description="Names of networks in the catalogue."
    )
    threads: Annotated[list[_Count], Field(min_length=1, max_length=8)] = Field(
        [1], description="Each for every network."
    )
    again: bool = Field(False, description="Measure what was measured before once more.")


class NetworkMeasurement(Shape):
    """One network on one device."""

    id: int
    network: Annotated[str, BeforeValidator(lambda value: getattr(value, "slug", value))]
    threads: int
    round: int
    state: str
    asked: datetime
    ended: datetime | None
    result: dict[str, Any] | None = Field(description="Measurements of the whole network.")
    trouble: str


class MeasurementWishAnswer(Shape):
    """The outcome of a wish."""

    waiting: list[NetworkMeasurement]
    known: list[NetworkMeasurement] = Field(description="Asked for or measured before: nothing is measured twice.")


class DeviceChange(Body):
    """A change of a device."""

    revoked: bool = Field(description="true: its agent gets nothing more; false: it does again.")


class DesignsWish(Body):
    """Designs of a run that are to be measured."""

    designs: Annotated[list[Annotated[int, Field(ge=0)]], Field(min_length=1, max_length=60)] = Field(
        description="Their numbers."
    )
    device: int = Field(description="Number of the device.")
    threads: _Count | Annotated[list[_Count], Field(min_length=1, max_length=8)] = Field(
        1, description="One number, or several: each is a measurement of every design."
    )
    provider: Annotated[str, Field(max_length=60)] = Field(
        "CPUExecutionProvider", description="Provider of the device's runtime: one of its `machine.providers`."
    )
    again: bool = Field(False, description="Measure what was measured before once more.")


class DesignsWishAnswer(Shape):
    """The outcome of a wish to measure designs."""

    waiting: int = Field(description="Files that wait for the device's agent because of it.")
    known: int = Field(description="Files that were asked for or measured before: nothing is measured twice.")
    refused: dict[int, str] = Field(description="Number of a design -> why nothing of it can be run.")


class LatencyOfDesign(Shape):
    """A latency with its 95 % interval; null where a piece had too few repetitions for one."""

    median_s: float
    low_s: float | None
    high_s: float | None


class PieceOfDesign(Shape):
    """A piece of a design; its latency is null before it is measured."""

    title: str
    share: float = Field(description="Factor of its latency in the sum.")
    latency: LatencyOfDesign | None


class PlaceOfDesign(Shape):
    """Where a design is measured."""

    device: int | None = Field(description="Number of the device; null of one of another installation.")
    name: str
    machine: str = Field(description="Processor, cores and runtime, in words.")
    threads: int
    provider: str


class DesignOnDevice(Shape):
    """A design of a run on a device."""

    number: int
    place: PlaceOfDesign
    state: str = Field(description="measured, waiting or failed.")
    latency: LatencyOfDesign | None = Field(description="The sum of share x latency over the pieces, and rest_s.")
    settled: bool
    pieces: list[PieceOfDesign]
    rest_s: float = Field(description="Predicted time that is added.")
    rest_words: str
    trouble: str
    same_device: bool = Field(description="Whether the run's figures are of this device with as many threads.")
    agent: str = Field(description="Version of the agent that measured; empty of one that did not say.")
    measured: str = Field(description='The day, as "2026-11-23"; empty before.')
