"""Devices with their measurements and the predictions of their calibrations, for pages."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from hardware.calibration.loader import load_calibration
from webapp.catalogue.models import DocumentVersion
from webapp.measuring.calibrations import NetworkError, network_errors
from webapp.measuring.device_documents import document_slug
from webapp.measuring.devices import devices_of
from webapp.measuring.models import AgentDevice, Measurement
from webapp.teams.permissions import Principal


@dataclass(frozen=True)
class MeasuredNetwork:
    """A network on a device with some threads.

    Attributes:
        latency_ms: median, and ends of the 95 % interval, of the newest round that is done; None before.
        rounds: number of measurements.
        drift: drift of the newest median from the first, as a share; None with one round.
        estimate: by a fit that did not see the network; None where no calibration has it.
        conditions: clock, and load by other programs, while it was measured; "" before.
    """

    network: str
    title: str
    threads: int
    state: str
    trouble: str
    latency_ms: tuple[float, float | None, float | None] | None
    settled: bool
    rounds: int
    drift: float | None
    ended: datetime | None
    estimate: NetworkError | None
    conditions: str


@dataclass(frozen=True)
class DeviceOverview:
    """A device.

    Attributes:
        networks: pieces of designs are left out; they stand on the pages of their runs.
        counts: state of measurements -> how many there are, pieces of designs among them.
        pieces: number of measured pieces of designs.
        calibrations: number of threads -> name of the document.
    """

    device: AgentDevice
    networks: tuple[MeasuredNetwork, ...]
    counts: Mapping[str, int]
    pieces: int
    calibrations: Mapping[int, str]


def device_overviews(person: Principal) -> list[DeviceOverview]:
    """Return the devices that `person` sees, the one seen last first; some queries in all."""
    return _overviews(list(devices_of(person).order_by("-last_seen")))


def shared_overviews(board: str) -> list[DeviceOverview]:
    """Return the devices that are shared on the page of a built-in board, whoever asks."""
    return _overviews(list(AgentDevice.objects.filter(board=board).select_related("project"))) if board else []


def _overviews(devices: Sequence[AgentDevice]) -> list[DeviceOverview]:
    rows: dict[int, list[Measurement]] = defaultdict(list)
    found = Measurement.objects.filter(device__in=devices).select_related("network")
    for row in found.defer("network__onnx", "network__content", "network__about").order_by("round"):
        rows[row.device_id].append(row)
    documents = _calibrations(devices)
    return [_overview(device, rows[device.pk], documents) for device in devices]


def _calibrations(devices: Sequence[AgentDevice]) -> dict[tuple[int, str], DocumentVersion]:
    """Return (project, slug) -> the newest calibration of that name in the devices' projects."""
    slugs = {document_slug(device.slug, peak["threads"]) for device in devices for peak in device.machine["peaks"]}
    versions = DocumentVersion.objects.filter(
        document__kind="calibration",
        document__deleted=None,
        document__project__in={device.project_id for device in devices},
        document__slug__in=slugs,
    )
    ordered = versions.select_related("document").order_by("number")
    return {(version.document.project_id, version.document.slug): version for version in ordered}


def _overview(
    device: AgentDevice, rows: Sequence[Measurement], documents: Mapping[tuple[int, str], DocumentVersion]
) -> DeviceOverview:
    mine = [row for row in rows if row.kind == device.kind]
    groups: dict[tuple[str, int, int], list[Measurement]] = defaultdict(list)
    for row in (each for each in mine if not each.network.piece):
        groups[row.network.slug, row.network_id, row.threads].append(row)
    calibrations: dict[int, str] = {}
    errors: dict[tuple[str, int], NetworkError] = {}
    for peak in device.machine["peaks"]:
        slug = document_slug(device.slug, peak["threads"])
        version = documents.get((device.project_id, slug))
        if version is not None:
            calibrations[peak["threads"]] = f"{device.project.slug}/{slug}"
            found = network_errors(load_calibration(version.content))
            errors |= {(each.network, peak["threads"]): each for each in found}
    networks = tuple(_network(groups[key], errors.get((key[0], key[2]))) for key in sorted(groups))
    pieces = sum(row.network.piece and row.state == Measurement.State.DONE for row in mine)
    return DeviceOverview(device, networks, Counter(row.state for row in mine), pieces, calibrations)


def _network(rows: Sequence[Measurement], estimate: NetworkError | None) -> MeasuredNetwork:
    """Return one network's rounds, oldest first."""
    done = [row for row in rows if row.state == Measurement.State.DONE]
    newest, first = (done[-1], done[0]) if done else (rows[-1], rows[-1])
    latency: Mapping[str, Any] = (newest.result or {}).get("latency_s", {})
    drift = None
    if len(done) > 1:
        drift = latency["median"] / first.result["latency_s"]["median"] - 1
    low, high = latency.get("low"), latency.get("high")
    return MeasuredNetwork(
        network=newest.network.slug,
        title=newest.network.title,
        threads=newest.threads,
        state=rows[-1].state,
        trouble=rows[-1].trouble,
        latency_ms=_in_ms(latency["median"], low, high) if latency else None,
        settled=bool(latency.get("settled")),
        rounds=len(done),
        drift=drift,
        ended=newest.ended,
        estimate=estimate,
        conditions=_conditions(newest.result) if newest.result else "",
    )


def _conditions(result: Mapping[str, Any]) -> str:
    """Return the clock, and the load by other programs; agents of earlier releases state neither."""
    clocks = " to ".join(f"{clock:.0f}" for clock in dict.fromkeys(result.get("clock_mhz", ())))
    others = result.get("others_cores")
    load = "" if others is None else f"other programs used {others:.2f} cores"
    return "; ".join(filter(None, (clocks and f"clock {clocks} MHz", load)))


def _in_ms(median_s: float, low_s: float | None, high_s: float | None) -> tuple[float, float | None, float | None]:
    return 1e3 * median_s, None if low_s is None else 1e3 * low_s, None if high_s is None else 1e3 * high_s
