"""Designs of a run as devices measured them, beside what waits: for pages, comparisons, bundles and REST."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from django.db.models import Q, QuerySet

from webapp.measuring.devices import devices_of
from webapp.measuring.latency_sums import Latency, summed
from webapp.measuring.models import AgentDevice, DesignPiece, MeasuredElsewhere, Measurement, RunDevice, RunnableDesign
from webapp.measuring.places import Place
from webapp.runs.models import Run
from webapp.teams.permissions import Principal
from webapp.teams.visibility import visible

State = Literal["measured", "waiting", "failed"]
SORTS = ("number", "latency", "-latency")


@dataclass(frozen=True)
class MeasuredPiece:
    """A piece of a design on a device; `latency` is None before it is measured."""

    title: str
    share: float
    latency: Latency | None


@dataclass(frozen=True)
class MeasuredDesign:
    """A design on a device with some threads.

    Attributes:
        number: number of the design.
        place: position.
        latency: latency of the design; None unless all of its pieces are measured.
        settled: whether every piece's interval was narrow enough.
        rest_s, rest_words: predicted part of the latency, and its description.
        trouble: why a piece cannot be measured, or what its agent waits for.
        same_device: whether the run's figures are of that device with that many threads.
        agent: version of the agent that measured; "" of one that did not say, or before.
        measured: the day of the last piece, as "2026-11-23"; "" before.
    """

    number: int
    place: Place
    state: State
    latency: Latency | None
    settled: bool
    pieces: tuple[MeasuredPiece, ...]
    rest_s: float
    rest_words: str
    trouble: str
    same_device: bool
    agent: str
    measured: str

    @property
    def where(self) -> str:
        """The device and its threads, in words."""
        return self.place.words


def measured_designs(person: Principal, run: Run) -> list[MeasuredDesign]:
    """Return the measurements by device, threads and design, followed by those of other installations.

    Who sees the run sees what was measured of it on the devices that were asked for it; of other devices, which know the same
    files of other runs, only who sees these. Five queries at most.
    """
    asked = visible(person, RunDevice.objects.filter(run=run)).values("device")
    devices = AgentDevice.objects.filter(Q(pk__in=devices_of(person).values("pk")) | Q(pk__in=asked))
    elsewhere = visible(person, MeasuredElsewhere.objects.filter(run=run))
    return [*_here(run, devices), *(_elsewhere(row, run) for row in elsewhere)]


def measured_of_run(run: Run) -> list[MeasuredDesign]:
    """Return the measured designs of a run for any reader: from devices of this site and from other installations."""
    devices = AgentDevice.objects.filter(pk__in=RunDevice.objects.filter(run=run).values("device"))
    return [*_here(run, devices), *(_elsewhere(row, run) for row in MeasuredElsewhere.objects.filter(run=run))]


def narrowed(
    found: Sequence[MeasuredDesign],
    *,
    states: Collection[str] = (),
    threads: int = 0,
    at_least_s: float | None = None,
    at_most_s: float | None = None,
    sort: str = "",
) -> list[MeasuredDesign]:
    """Filter and order measured designs.

    Args:
        found: from `measured_designs`.
        states: only these; all where there are none.
        threads: only with as many; 0 for any.
        at_least_s: lower limit of the measured latency; designs without a measurement do not pass.
        at_most_s: as `at_least_s`.
        sort: one of `SORTS`, or "" as they are; what is not measured comes last.
    """
    low, high = (-math.inf if at_least_s is None else at_least_s), (math.inf if at_most_s is None else at_most_s)
    bounded = at_least_s is not None or at_most_s is not None
    left = [
        each
        for each in found
        if (not states or each.state in states)
        and threads in (0, each.place.threads)
        and (low <= each.latency.median_s <= high if each.latency is not None else not bounded)
    ]
    if sort == "number":
        return sorted(left, key=lambda each: each.number)
    sign = -1.0 if sort.startswith("-") else 1.0
    last = [each for each in left if each.latency is None]
    known = [(sign * each.latency.median_s, each) for each in left if each.latency is not None]
    return [*(each for _, each in sorted(known, key=lambda pair: pair[0])), *last] if sort else left


class _Row(NamedTuple):
    """The columns that are read of a measurement; `latency` is as the agent answered."""

    device: int
    threads: int
    provider: str
    kind: str
    file: int
    state: str
    trouble: str
    ended: datetime | None
    latency: Mapping[str, Any] | None
    agent: str | None


_COLUMNS = (
    "device_id", "threads", "provider", "kind", "network_id", "state", "trouble", "ended", "result__latency_s", "result__agent",
)  # fmt: skip


def _here(run: Run, wanted_devices: QuerySet[AgentDevice]) -> list[MeasuredDesign]:
    found = RunnableDesign.objects.filter(run=run, attempt=run.attempt, refused="").prefetch_related("pieces")
    pieces = {design: tuple(design.pieces.all()) for design in found}
    wanted = {piece.file_id for each in pieces.values() for piece in each}
    if not wanted:
        return []
    devices = {device.pk: device for device in wanted_devices}
    places: dict[tuple[int, int, str], dict[int, _Row]] = defaultdict(dict)
    rows = Measurement.objects.filter(network__in=wanted, device__in=devices).order_by("round")
    for row in map(_Row._make, rows.values_list(*_COLUMNS)):  # of a result its latency alone: nodes are hundreds
        if row.kind == devices[row.device].kind:
            _take(places[row.device, row.threads, row.provider], row)
    return [
        _design(design, own, place, known, predicts(place, run))
        for (device, threads, provider), known in sorted(places.items())
        for place in [Place.of(devices[device], threads, provider)]
        for design, own in pieces.items()
        if any(piece.file_id in known for piece in own)
    ]


def _take(known: dict[int, _Row], row: _Row) -> None:
    """Keep in `known` the newest finished job of each file, or the newest of any state until one is finished."""
    before = known.get(row.file)
    if before is None or row.state == Measurement.State.DONE or before.state != Measurement.State.DONE:
        known[row.file] = row


def predicts(place: Place, run: Run) -> bool:
    """Return whether the figures of the run are of that place: processors with as many threads are documents of their own."""
    names = {item.slug.rpartition("/")[2] for item in run.listed_inputs}
    return place.on_processor and place.document in names


def _design(
    design: RunnableDesign, own: Sequence[DesignPiece], place: Place, known: Mapping[int, _Row], same: bool
) -> MeasuredDesign:
    rows = [known.get(piece.file_id) for piece in own]
    there = [row for row in rows if row is not None]
    pieces = tuple(_piece(piece, row) for piece, row in zip(own, rows, strict=True))
    measured = [(piece.share, piece.latency) for piece in pieces if piece.latency is not None]
    whole = len(measured) == len(pieces)
    failed = [row for row in there if row.state == Measurement.State.FAILED]
    troubles = [row.trouble for row in (failed or there) if row.trouble]
    days = [row.ended.date().isoformat() for row in there if row.ended is not None]
    return MeasuredDesign(
        number=design.number,
        place=place,
        state="measured" if whole else "failed" if failed else "waiting",
        latency=summed(measured, design.rest_s) if whole else None,
        settled=all(row is not None and row.latency is not None and row.latency["settled"] for row in rows),
        pieces=pieces,
        rest_s=design.rest_s,
        rest_words=design.rest_words,
        trouble="" if whole else next(iter(troubles), ""),
        same_device=same,
        agent=max((row.agent for row in there if row.agent), default=""),
        measured=max(days) if whole and days else "",
    )


def _piece(piece: DesignPiece, row: _Row | None) -> MeasuredPiece:
    known = row is not None and row.state == Measurement.State.DONE and row.latency is not None
    return MeasuredPiece(piece.title, piece.share, Latency.of(row.latency) if known and row and row.latency else None)


def _elsewhere(row: MeasuredElsewhere, run: Run) -> MeasuredDesign:
    place = Place(None, row.device_name, row.device_slug, row.machine, row.threads, row.provider)
    pieces = tuple(
        MeasuredPiece(each["title"], each["share"], Latency(each["median_s"], each["low_s"], each["high_s"]))
        for each in row.pieces
    )
    return MeasuredDesign(
        number=row.number,
        place=place,
        state="measured",
        latency=summed([(each.share, each.latency) for each in pieces if each.latency is not None], row.rest_s),
        settled=row.settled,
        pieces=pieces,
        rest_s=row.rest_s,
        rest_words=row.rest_words,
        trouble="",
        same_device=predicts(place, run),
        agent=row.agent,
        measured=row.measured,
    )
