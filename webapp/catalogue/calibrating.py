"""Calibrations from people's own measurements: files in, a document of the catalogue out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.cost.calibration_files import PowerLog, read_csv, read_tegrastats, read_tensorrt
from engines.cost.calibration_own import About, MatchedRows, match_rows, own_calibration, scaled_calibration
from engines.errors import ProblemError
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from hardware.soc import Soc
from hardware.soc_calibration import SocCalibration
from hardware.soc_calibration_loader import calibration_content, load_calibration
from hardware.soc_loader import load_soc
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import resolve, store_version
from webapp.teams.models import Project
from webapp.teams.visibility import Principal


@dataclass(frozen=True)
class MeasurementFiles:
    """What was measured and how.

    Attributes:
        soc: name of the device in the catalogue.
        text: a CSV of layers, or a TensorRT profile (it begins with a bracket).
        file: its name, for the rows' places.
        workload, unit: of lines that name none.
        clocks_mhz: unit or "memory" -> clock that was set throughout.
        tegrastats: log of the same run; with `rails`, energy of every line without one is its latency times their power.
        rails: names of supply rails that count.
        prior: name of a calibration to start from.
        scales: name of a calibration that is only scaled, by totals of whole networks.
    """

    soc: str
    text: str
    file: str = "measurement"
    workload: str = ""
    unit: str = ""
    clocks_mhz: Mapping[str, float] = field(default_factory=dict)
    tegrastats: str = ""
    rails: tuple[str, ...] = ()
    prior: str = ""
    scales: str = ""


@dataclass(frozen=True)
class OwnCalibration:
    """A calibration, and what of the file it could not use."""

    calibration: SocCalibration
    matched: MatchedRows


def calibrate(principal: Principal, files: MeasurementFiles, about: About) -> OwnCalibration:
    """Fit, or scale, a calibration.

    Raises:
        ProblemError: names what was got and what is accepted.
    """
    soc = _soc(principal, files.soc)
    networks: dict[str, Network] = {}

    def network(name: str) -> Network:
        if name not in networks:
            found = _network(principal, name)
            # Rows name it by its slug, which may be that of a document of another project, too.
            if networks.setdefault(found.slug, found) != found:
                raise ProblemError("workload", name, f"one network of the name {found.slug} in a file")
            networks[name] = found
        return networks[name]

    measured = read_tensorrt(files.text) if files.text.lstrip().startswith("[") else read_csv(files.text)
    matched = match_rows(
        measured, network, workload=files.workload, unit=files.unit, clocks_mhz=files.clocks_mhz,
        where=files.file, power_w=_power_w(files),
    )  # fmt: skip
    if files.scales:
        base = _calibration(principal, files.scales, "scales")
        return OwnCalibration(scaled_calibration(base, matched.rows, soc, network, about), matched)
    prior = _calibration(principal, files.prior, "prior") if files.prior else None
    return OwnCalibration(own_calibration(matched.rows, soc, network, about, prior), matched)


def store_calibration(principal: Principal, project: Project, calibration: SocCalibration) -> DocumentVersion:
    """The next version of the calibration's document.

    Raises:
        ProblemError: its slug is not one, or that of a built-in.
        NotAllowed: `principal` may not edit the project.
    """
    return store_version(principal, project, "calibration", calibration_content(calibration))


def _power_w(files: MeasurementFiles) -> float | None:
    if not files.tegrastats:
        return None
    log: PowerLog = read_tegrastats(files.tegrastats)
    if not files.rails:
        raise ProblemError("rails", "", f"which rails of the log count: {', '.join(log.rails_w)}")
    return log.power_w(files.rails)


def _soc(principal: Principal, name: str) -> Soc:
    document = resolve(principal, "hardware", name, field="soc")
    if document.content.get("schema") != "soc/1":
        raise ProblemError("soc", name, "a system on a chip (schema soc/1)")
    return load_soc(document.content)


def _network(principal: Principal, name: str) -> Network:
    document = resolve(principal, "workload", name, field="workload")
    if not str(document.content.get("schema", "")).startswith("network/"):
        raise ProblemError("workload", name, "a network, not a scenario")
    return load_network(document.content)


def _calibration(principal: Principal, name: str, field_name: str) -> SocCalibration:
    return load_calibration(resolve(principal, "calibration", name, field=field_name).content)
