"""Networks to measure next on a device: those with the least certain estimates, and those with unstable measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engines.contract.bounded_cache import BoundedCache
from engines.running.runner.limited_process import ChildLimits
from engines.running.runner.questions import ask_child
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import resolve
from webapp.measuring.calibration_networks import CANDIDATES, NEVER_FITTED
from webapp.measuring.calibrations import newest_results
from webapp.measuring.device_documents import document_slug
from webapp.measuring.devices import devices_of
from webapp.measuring.models import AgentDevice, Measurement
from webapp.teams.permissions import Action, Principal, may

MOST_SHOWN = 8
_LIMITS = ChildLimits(memory_mb=2048.0, cpu_s=60, time_s=90.0)


@dataclass(frozen=True)
class Candidate:
    """A network whose measurement would improve the calibration.

    Attributes:
        off: what its estimate would be off by if no errors cancelled, as a share; None where a kind of operation is unknown.
        unknown: kinds of operations that no fitted network has.
        kind: the kind of operation with most of it, what the fit is off by there, and its share of the network's time.
        half_width: of the interval that did not settle, as a share of the median; None of a network that is not measured.
    """

    network: str
    title: str
    off: float | None
    unknown: tuple[str, ...] = ()
    kind: tuple[str, float, float] | None = None
    half_width: float | None = None


@dataclass(frozen=True)
class MeasuredPlace:
    """A device with as many threads as a calibration is of."""

    device: AgentDevice
    threads: int


_found: BoundedCache[tuple[Any, ...], tuple[Candidate, ...]] = BoundedCache(32)


def place_of(person: Principal, version: DocumentVersion) -> MeasuredPlace | None:
    """Return the device of a calibration if `person` may measure on it; None otherwise."""
    for device in devices_of(person).filter(project=version.document.project_id, revoked=None):
        for peak in device.machine["peaks"]:
            if document_slug(device.slug, peak["threads"]) == version.document.slug:
                return MeasuredPlace(device, peak["threads"]) if may(person, Action.RUN, device) else None
    return None


def next_networks(person: Principal, place: MeasuredPlace, version: DocumentVersion) -> Sequence[Candidate]:
    """Return the least sure first, at most `MOST_SHOWN`; what waits already is left out.

    Raises:
        BusyError, ProblemError, UnansweredError: the process that asks the cost model could not answer.
    """
    measured = newest_results(place.device, place.threads)
    waiting = place.device.measurements.filter(
        threads=place.threads, kind=place.device.kind, state__in=(Measurement.State.WAITING, Measurement.State.LEASED)
    )
    asked = set(waiting.values_list("network__slug", flat=True))
    key = (version.pk, place.device.kind, tuple((each.pk, each.round) for each in measured))
    sure = _found.made(key, lambda: _unsure(person, place, version, measured))
    unsettled = [one for each in measured if (one := _unsettled(each)) is not None]
    found = [each for each in (*sure, *unsettled) if each.network not in asked]
    return sorted(found, key=_how_unsure, reverse=True)[:MOST_SHOWN]


def _how_unsure(each: Candidate) -> float:
    """Return the sort key of uncertainty: unknown networks first, then by the possible error."""
    if each.half_width is not None:
        return each.half_width
    return float("inf") if each.off is None else each.off


def _unsure(
    person: Principal, place: MeasuredPlace, version: DocumentVersion, measured: Sequence[Measurement]
) -> tuple[Candidate, ...]:
    known = {each.network.slug for each in measured}
    name = f"{place.device.project.slug}/{document_slug(place.device.slug, place.threads)}"
    fitted = [each for each in measured if each.network.slug not in NEVER_FITTED]
    content = {
        "soc": resolve(person, "hardware", name, field="soc").content,
        "calibration": version.content,
        "profiles": [{"network": each.network.slug, "result": each.profiled} for each in fitted],
        "networks": {each.network.slug: each.network.content for each in fitted},
        "candidates": [slug for slug in CANDIDATES if slug not in known],
    }
    told = ask_child("unsure", content, "Selecting the next measurements", _LIMITS)["networks"]
    return tuple(_candidate(each) for each in told)


def _candidate(told: Mapping[str, Any]) -> Candidate:
    kind = None if told["off"] is None else (told["kind"], told["kind_off"], told["kind_share"])
    return Candidate(told["network"], told["title"], told["off"], tuple(told["unknown"]), kind)


def _unsettled(each: Measurement) -> Candidate | None:
    latency: Mapping[str, Any] = (each.result or {}).get("latency_s", {})
    if not latency or latency["settled"] or latency["low"] is None:
        return None
    median = latency["median"]
    width = max(latency["high"] - median, median - latency["low"]) / median
    return Candidate(each.network.slug, each.network.title, None, half_width=width)
