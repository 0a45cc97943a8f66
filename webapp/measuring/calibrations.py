"""Calibrations of a device from its agent's measurements: fitted to some networks, checked on others that they never saw."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.calibration.own import About
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits
from hardware.calibration.loader import load_calibration
from hardware.calibration.model import CalibrationRow, SocCalibration
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import resolve, store_version
from webapp.measuring.device_documents import document_slug
from webapp.measuring.models import AgentDevice, Measurement
from webapp.measuring.places import CPU_PROVIDER
from webapp.teams.permissions import Principal
from webapp.teams.visibility import require_edit

# Each network is left out once: a dozen takes some seconds on a quiet machine.
FIT_LIMITS = ChildLimits(memory_mb=2560.0, cpu_s=300, time_s=400.0)


@dataclass(frozen=True)
class NetworkError:
    """A whole network, measured and estimated by a fit that did not see it.

    Attributes:
        never_fitted: whether no fit saw it; else it was left out of a fit of all others.
        off: off of the estimate, signed, as a share of what was measured.
    """

    network: str
    measured_ms: float
    estimated_ms: float
    never_fitted: bool

    @property
    def off(self) -> float:
        """Relative deviation, signed."""
        return self.estimated_ms / self.measured_ms - 1


@dataclass(frozen=True)
class DeviceCalibration:
    """A calibration of a device with some threads.

    Attributes:
        operators: as `engines.cost.profiles.measured_operators.operator_report` gives them.
        skipped: network that was to be predicted -> kinds of operations that no fitted network has.
    """

    version: DocumentVersion
    operators: tuple[Mapping[str, Any], ...]
    skipped: Mapping[str, Sequence[str]]

    @property
    def calibration(self) -> SocCalibration:
        """Return the calibration as engines take it."""
        return load_calibration(self.version.content)


def calibrate_device(
    person: Principal, device: AgentDevice, threads: int, predicted: Collection[str] = ()
) -> DeviceCalibration:
    """Fit the device's cost model to its newest measurements, and store it in the device's project.

    Args:
        person: an editor of the project.
        device: whose measurements.
        threads: with which they were made.
        predicted: slugs of networks that are not fitted, but predicted.

    Raises:
        NotVisible, NotAllowed: `person` is no editor.
        ProblemError: too few networks were measured.
    """
    require_edit(person, device.project)
    measured = newest_results(device, threads)
    if not measured:
        raise ProblemError(
            "networks", "none measured", f"networks measured on {device.name} with {many(threads, 'thread')}"
        )
    content, report = fit(person, device, threads, measured, predicted)
    version = store_version(person, device.project, "calibration", dict(content))
    return DeviceCalibration(version, tuple(report["operators"]), report["skipped"])


def newest_results(device: AgentDevice, threads: int) -> list[Measurement]:
    """Return the newest measurement of each network on the device's present processor, by slug.

    Pieces of designs are left out, and networks with weights of fewer than 32 bits: their own files do not compute in fp32.
    """
    done = device.measurements.filter(
        state=Measurement.State.DONE, threads=threads, kind=device.kind, provider=CPU_PROVIDER, network__piece=False
    )
    rows = done.select_related("network", "profile")
    newest = {each.network_id: each for each in rows.defer("network__onnx").order_by("round")}
    exact = [each for each in newest.values() if each.network.content.get("weight_bits") is None]
    return sorted(exact, key=lambda each: each.network.slug)


def fit(
    person: Principal,
    device: AgentDevice,
    threads: int,
    measured: Collection[Measurement],
    predicted: Collection[str],
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the document of a calibration, and `operators` and `skipped` of `DeviceCalibration`; nothing is stored.

    Raises:
        ProblemError: as `calibrate_device`.
    """
    slug = document_slug(device.slug, threads)
    profiles = [
        {
            "network": each.network.slug,
            "role": "predicted" if each.network.slug in predicted else "fitted",
            "result": each.profiled,
        }
        for each in measured
    ]
    words = many(threads, "thread")
    about = About(
        slug=slug,
        title=f"{device.name}, {words}, as its agent measured",
        author=str(getattr(person, "username", "")) or device.name,
        source=f"measured by paretoscope-agent, {device.machine['runtime']}, {many(len(profiles), 'network')}",
        precision="fp32",
    )
    options = {
        "soc": resolve(person, "hardware", f"{device.project.slug}/{slug}", field="soc").content,
        "networks": {each.network.slug: each.network.content for each in measured},
        "about": asdict(about),
    }
    found = read_in_child("profiles", json.dumps(profiles).encode(), "agent's profile", options, FIT_LIMITS)
    return found.content, found.report


def network_errors(calibration: SocCalibration) -> list[NetworkError]:
    """Return the errors on whole networks that the fit did not see, largest first."""
    found = [_error(row) for row in calibration.rows if row.of_network and row.quantity == "latency"]
    return sorted((each for each in found if each is not None), key=lambda each: -abs(each.off))


def _error(row: CalibrationRow) -> NetworkError | None:
    never = row.role == "predicted"
    estimated = row.estimated if never else row.left_out
    return None if estimated is None else NetworkError(row.workload, row.measured, estimated, never)
