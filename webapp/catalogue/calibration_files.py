"""Calibrations from people's own measurements: files in, a document of the catalogue out.

Browser, REST and command line all come here. The files are read and fitted in a limited child process.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import counted
from engines.cost.calibration.files import MAX_BYTES
from engines.cost.calibration.own import About
from engines.running.runner.file_reader import read_in_child
from engines.running.runner.limited_process import ChildLimits
from hardware.calibration.loader import load_calibration
from hardware.calibration.model import SocCalibration
from hardware.slugs import slug_of
from hardware.soc.model import PRECISIONS
from webapp.catalogue.models import DocumentVersion
from webapp.catalogue.service import resolve, store
from webapp.teams.models import Project
from webapp.teams.visibility import Principal

# A profile of some hundred layers at a few clocks takes a second; each network of a file is left out once.
FIT_LIMITS = ChildLimits(memory_mb=2560.0, cpu_s=60, time_s=90.0)
_DIGEST_DIGITS = 12


@dataclass(frozen=True)
class MeasurementFiles:
    """The files of measurements, and the conditions of measurement.

    Attributes:
        soc: name of the device in the catalogue.
        data: a CSV of layers, or a TensorRT profile (it begins with a bracket).
        file: its name, for the rows' places.
        workload, unit: network and compute unit of lines that name none.
        clocks_mhz: unit or "memory" -> clock that was set throughout.
        tegrastats: log of the same run; with `rails`, energy of every line without one is its latency times their power.
        rails: names of supply rails that count.
        prior: name of a calibration to start from.
        scales: name of a calibration that is only scaled, by totals of whole networks.
    """

    soc: str
    data: bytes
    file: str = "measurement"
    workload: str = ""
    unit: str = ""
    clocks_mhz: Mapping[str, float] = field(default_factory=dict)
    tegrastats: bytes = b""
    rails: tuple[str, ...] = ()
    prior: str = ""
    scales: str = ""


@dataclass(frozen=True)
class OwnCalibration:
    """A calibration, and how its files were read.

    Attributes:
        content: the calibration as a document.
        report: as `engines.cost.calibration.reader` gives it.
    """

    content: Mapping[str, Any]
    report: Mapping[str, Any]

    @property
    def calibration(self) -> SocCalibration:
        """The calibration as engines take it."""
        return load_calibration(self.content)


def calibrate(principal: Principal, files: MeasurementFiles, about: About) -> OwnCalibration:
    """Fit, or scale, a calibration; nothing is stored.

    Raises:
        ProblemError: names what was got and what is accepted.
    """
    _check(files, about)
    networks = {files.workload: _network(principal, files.workload)} if files.workload else {}
    options: dict[str, Any] = {
        "measurement_bytes": len(files.data),
        "soc": _content(principal, "hardware", files.soc, "soc", "soc/", "a system on a chip"),
        "about": asdict(replace(about, source=f"{about.source}, sha256 {_digest(files)}")),
        "workload": files.workload,
        "unit": files.unit,
        "clocks_mhz": dict(files.clocks_mhz),
        "rails": list(files.rails),
        "prior": _calibration(principal, files.prior, "prior"),
        "scales": _calibration(principal, files.scales, "scales"),
    }
    read = _read(files, options, networks)
    if needs := cast(list[str], read.content.get("needs", [])):
        networks |= {name: _network(principal, name) for name in needs}
        read = _read(files, options, networks)
    return OwnCalibration(read.content, read.report)


def about_of(
    files: MeasurementFiles, *, author: str, title: str = "", slug: str = "", precision: str = "fp16"
) -> About:
    """Return the default name of a calibration from files."""
    device = files.soc.rpartition("/")[2].partition("@")[0]
    return About(
        slug=slug or slug_of(title or f"{device} {Path(files.file).stem}", device),
        title=title or f"{device} as measured in {files.file}",
        author=author,
        source=f"own measurement, {files.file}",
        precision=precision,
    )


def store_calibration(
    principal: Principal, project: Project, content: Mapping[str, Any], next_version: bool
) -> DocumentVersion:
    """Return a version of the calibration's document.

    Raises:
        NameTakenError: as `store`.
        ProblemError: its slug is not one, or that of a built-in.
        NotAllowed: `principal` may not edit the project.
    """
    return store(principal, project, "calibration", dict(content), unasked=next_version)[0]


def _check(files: MeasurementFiles, about: About) -> None:
    for name, data in (("file", files.data), ("tegrastats", files.tegrastats)):
        if len(data) > MAX_BYTES:
            raise ProblemError(name, f"{len(data)} bytes", f"a file of at most {counted(MAX_BYTES)} bytes")
    if files.prior and files.scales:
        raise ProblemError("scales", files.scales, "left out where a calibration to start from is named")
    if about.precision not in PRECISIONS:
        raise ProblemError("precision", about.precision, f"one of {', '.join(PRECISIONS)}")


def _read(files: MeasurementFiles, options: Mapping[str, Any], networks: Mapping[str, Any]) -> ReadDocument:
    given = {**options, "networks": dict(networks)}
    return read_in_child("measurements", files.data + files.tegrastats, files.file, given, FIT_LIMITS)


def _digest(files: MeasurementFiles) -> str:
    """Return the hash, so that a document names its data, whatever the file is called later."""
    return hashlib.sha256(files.data + files.tegrastats).hexdigest()[:_DIGEST_DIGITS]


def _network(principal: Principal, name: str) -> Mapping[str, Any]:
    return _content(principal, "workload", name, "workload", "network/", "a network, not a scenario")


def _calibration(principal: Principal, name: str, field_name: str) -> Mapping[str, Any] | None:
    return _content(principal, "calibration", name, field_name, "soc-calibration/", "a calibration") if name else None


def _content(
    principal: Principal, kind: Any, name: str, field_name: str, family: str, accepted: str
) -> Mapping[str, Any]:
    content = resolve(principal, kind, name, field=field_name).content
    if not str(content.get("schema", "")).startswith(family):
        raise ProblemError(field_name, name, accepted)
    # Built-in networks are made when they are read; a child takes plain values.
    plain: Mapping[str, Any] = json.loads(canonical_json(content))
    return plain
