"""Designs of a run as devices measured them, beside what waits: for pages, comparisons and REST."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from webapp.measuring.device_documents import document_slug
from webapp.measuring.devices import devices_of
from webapp.measuring.models import AgentDevice, DesignPiece, Measurement, RunnableDesign
from webapp.measuring.sums import Latency, summed
from webapp.runs.models import Run
from webapp.teams.permissions import Principal

State = Literal["measured", "waiting", "failed"]


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
        number: of the design.
        latency: of the design; None unless all of its pieces are measured.
        settled: whether every piece's interval was narrow enough.
        rest_s, rest_words: what of the latency is not measured but predicted.
        trouble: why a piece cannot be measured, or what its agent waits for.
        same_device: whether the run's figures are of that device with that many threads.
    """

    number: int
    device: AgentDevice
    threads: int
    state: State
    latency: Latency | None
    settled: bool
    pieces: tuple[MeasuredPiece, ...]
    rest_s: float
    rest_words: str
    trouble: str
    same_device: bool

    @property
    def where(self) -> str:
        """The device and its threads, in words."""
        return place_words(self.device, self.threads)


def place_words(device: AgentDevice, threads: int) -> str:
    """A device and its threads, in words."""
    return f"{device.name}, {'1 thread' if threads == 1 else f'{threads} threads'}"


def measured_designs(person: Principal, run: Run) -> list[MeasuredDesign]:
    """What was asked of devices that `person` sees, by device, threads and number; four queries at most."""
    found = RunnableDesign.objects.filter(run=run, attempt=run.attempt, refused="").prefetch_related("pieces")
    pieces = {design: tuple(design.pieces.all()) for design in found}
    wanted = {piece.file_id for each in pieces.values() for piece in each}
    if not wanted:
        return []
    devices = {device.pk: device for device in devices_of(person)}
    places: dict[tuple[int, int], dict[int, _Row]] = defaultdict(dict)
    rows = Measurement.objects.filter(network__in=wanted, device__in=devices).order_by("round")
    for row in map(_Row._make, rows.values_list(*_COLUMNS)):  # of a result its latency alone: nodes are hundreds
        if row.kind == devices[row.device].kind:
            _take(places[row.device, row.threads], row)
    return [
        _design(design, own, devices[device], threads, known, predicts(run, devices[device], threads))
        for (device, threads), known in sorted(places.items())
        for design, own in pieces.items()
        if any(piece.file_id in known for piece in own)
    ]


def best_known(found: Sequence[MeasuredDesign]) -> dict[int, MeasuredDesign]:
    """Number -> the measured one that stands beside the prediction: of the run's own device where there is one, else the first."""
    known: dict[int, MeasuredDesign] = {}
    for each in found:
        before = known.get(each.number)
        if each.latency is not None and (before is None or (each.same_device and not before.same_device)):
            known[each.number] = each
    return known


class _Row(NamedTuple):
    """What is read of a measurement; `latency` is as the agent answered."""

    device: int
    threads: int
    kind: str
    file: int
    state: str
    trouble: str
    latency: Mapping[str, Any] | None


_COLUMNS = ("device_id", "threads", "kind", "network_id", "state", "trouble", "result__latency_s")


def _take(known: dict[int, _Row], row: _Row) -> None:
    """The newest of a file that is done counts; before one is, the newest of any state."""
    before = known.get(row.file)
    if before is None or row.state == Measurement.State.DONE or before.state != Measurement.State.DONE:
        known[row.file] = row


def predicts(run: Run, device: AgentDevice, threads: int) -> bool:
    """Whether the run's figures are of that device with that many threads."""
    name = document_slug(device.slug, threads)
    return any(item.slug.rpartition("/")[2] == name for item in run.listed_inputs)


def _design(
    design: RunnableDesign,
    own: Sequence[DesignPiece],
    device: AgentDevice,
    threads: int,
    known: Mapping[int, _Row],
    same: bool,
) -> MeasuredDesign:
    rows = [known.get(piece.file_id) for piece in own]
    pieces = tuple(_piece(piece, row) for piece, row in zip(own, rows, strict=True))
    measured = [(piece.share, piece.latency) for piece in pieces if piece.latency is not None]
    whole = len(measured) == len(pieces)
    failed = [row for row in rows if row is not None and row.state == Measurement.State.FAILED]
    troubles = [row.trouble for row in (failed or rows) if row is not None and row.trouble]
    return MeasuredDesign(
        number=design.number,
        device=device,
        threads=threads,
        state="measured" if whole else "failed" if failed else "waiting",
        latency=summed(measured, design.rest_s) if whole else None,
        settled=all(row is not None and row.latency is not None and row.latency["settled"] for row in rows),
        pieces=pieces,
        rest_s=design.rest_s,
        rest_words=design.rest_words,
        trouble="" if whole else next(iter(troubles), ""),
        same_device=same,
    )


def _piece(piece: DesignPiece, row: _Row | None) -> MeasuredPiece:
    known = row is not None and row.state == Measurement.State.DONE and row.latency is not None
    return MeasuredPiece(piece.title, piece.share, Latency.of(row.latency) if known and row and row.latency else None)
