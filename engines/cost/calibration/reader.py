"""The reader of measurements: files in, a fitted calibration out. It runs in a limited child process, as the files are not trusted.

The documents that the files speak of come along as options: the device, the networks, a calibration to start from. Where a file
names networks that did not come along, the answer is their names alone (`needs`), and it is read again with them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from engines.contract.designs import canonical_json
from engines.contract.encoding.document_text import MAX_CONTENT_BYTES, ReadDocument
from engines.contract.errors import ProblemError
from engines.contract.integer_format import many
from engines.cost.calibration.checks import check_figures, check_lines
from engines.cost.calibration.estimates import prepare_rows
from engines.cost.calibration.files import LayerMeasurement, PowerLog, read_csv, read_tegrastats
from engines.cost.calibration.matching import match_rows
from engines.cost.calibration.own import About, own_calibration, scaled_calibration
from engines.cost.calibration.profiles import is_profile, read_profile
from engines.cost.soc.clocks import MEMORY, clock_names, clock_settings
from engines.workloads.loader import load_network
from engines.workloads.network import Network
from hardware.calibration.loader import calibration_content, load_calibration
from hardware.soc.loader import load_soc
from hardware.soc.model import Soc

MOST_NETWORKS = 20
# Means of a log that differ more from the clocks that were said are told.
_CLOCK_DEVIATION = 0.05


def read_calibration(data: bytes, name: str, options: Mapping[str, Any]) -> ReadDocument:
    """Return the calibration that measurements give.

    Args:
        data: the file of measurements, then the log of the power, without anything between.
        name: name of the file of measurements, for the places of rows.
        options: `measurement_bytes` (length of the first file), `soc` and `networks` (name -> content) as documents, `about`
            (fields of `About`), and what `MeasurementFiles` of the catalogue has besides; `prior` and `scales` as documents.

    Returns:
        content: the calibration, or `{"needs": [names of networks]}`.
        report: `lines` read, `unmatched` lines, `notes`, `rails_w` and `clocks_mhz` of the log.

    Raises:
        ProblemError: names line and column, what was got and what is accepted.
    """
    length = int(options["measurement_bytes"])
    measured = _measured(_text(data[:length], name))
    networks: Mapping[str, Mapping[str, Any]] = options["networks"]
    needs = list(dict.fromkeys(line.workload for line in measured if line.workload and line.workload not in networks))
    if len(needs) > MOST_NETWORKS:
        raise ProblemError("workload", many(len(needs), "network"), f"a file with at most {MOST_NETWORKS} networks")
    if needs:
        return ReadDocument({"needs": needs})
    log = read_tegrastats(_text(data[length:], "the log of tegrastats")) if len(data) > length else None
    return _fitted(measured, log, load_soc(options["soc"]), name, options)


def _fitted(
    measured: Sequence[LayerMeasurement], log: PowerLog | None, soc: Soc, name: str, options: Mapping[str, Any]
) -> ReadDocument:
    about, said = About(**options["about"]), options["clocks_mhz"]
    network = _Networks(options["networks"])
    check_lines(measured, soc, unit=options["unit"], clocks_mhz=said)
    power_w = _power_w(log, options["rails"])
    units = {line.unit or options["unit"] for line in measured}
    clocks = {**(_log_clocks(log, soc, units, measured, said) if log else {}), **said}
    matched = match_rows(
        measured, network, workload=options["workload"], unit=options["unit"], clocks_mhz=clocks, where=name,
        power_w=power_w,
    )  # fmt: skip
    notes = [
        *check_figures(prepare_rows(matched.rows, soc, network), soc, about.precision),
        *_log_notes(log, soc, measured, clocks, said),
    ]
    if options.get("scales"):
        calibration = scaled_calibration(load_calibration(options["scales"]), matched.rows, soc, network, about)
    else:
        prior = load_calibration(options["prior"]) if options.get("prior") else None
        calibration = own_calibration(matched.rows, soc, network, about, prior)
    content = calibration_content(replace(calibration, author=about.author))
    size = len(canonical_json(content))
    if size > MAX_CONTENT_BYTES:
        most = len(calibration.rows) * MAX_CONTENT_BYTES // size
        raise ProblemError(
            "file",
            many(len(calibration.rows), "row"),
            f"at most about {most} rows",
            reason="A document cannot hold more.",
            remedies=["Split the file by network."],
        )
    report = {
        "lines": len(measured),
        "unmatched": [asdict(line) for line in matched.unmatched],
        "notes": notes,
        "rails_w": dict(log.rails_w) if log else {},
        "clocks_mhz": dict(log.clocks_mhz) if log else {},
    }
    return ReadDocument(content, report=report)


class _Networks:
    """Networks by the name that a file uses, and by their slug, which rows use."""

    def __init__(self, contents: Mapping[str, Mapping[str, Any]]) -> None:
        self._contents, self._loaded = contents, dict[str, Network]()

    def __call__(self, name: str) -> Network:
        if name not in self._loaded:
            if name not in self._contents:
                raise ProblemError("workload", name, "the name of a network of the catalogue")
            found = self._loaded[name] = load_network(self._contents[name])
            # Rows name it by its slug, which may be that of a document of another project, too.
            if self._loaded.setdefault(found.slug, found) != found:
                raise ProblemError("workload", name, f"one network of the name {found.slug} in a file")
        return self._loaded[name]


def _text(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ProblemError(f"line {line}", f"byte {data[error.start]:#04x}", f"text in UTF-8 ({name})") from error


def _measured(text: str) -> list[LayerMeasurement]:
    return read_profile(text) if is_profile(text) else read_csv(text)


def _power_w(log: PowerLog | None, rails: Sequence[str]) -> float | None:
    if log is None:
        if rails:
            raise ProblemError("rails", ", ".join(rails), "given with a log of tegrastats")
        return None
    if not rails:
        got = {name: round(power, 3) for name, power in log.rails_w.items()}
        raise ProblemError("rails", got, f"some of the rails: {', '.join(log.rails_w)}")
    return log.power_w(rails)


def _log_clocks(
    log: PowerLog, soc: Soc, units: Collection[str], measured: Sequence[LayerMeasurement], said: Mapping[str, float]
) -> dict[str, float]:
    """Return the clocks of the log that the rows do not say, of the units that they ran on and of the memory.

    Raises:
        ProblemError: the mean is no step of the device: the clock changed while it was measured.
    """
    found: dict[str, float] = {}
    for name, mhz in log.clocks_mhz.items():
        silent = name not in said and any(name not in line.clocks_mhz for line in measured)
        if name not in clock_names(soc) or not silent or (name != MEMORY and name not in units):
            continue
        try:
            found[name] = float(clock_settings(soc, [{name: mhz}]).at(0)[name]) / 1e6
        except ProblemError as error:
            reason = f"The mean clock frequency of the log is {mhz:.0f} MHz, between two steps."
            ways = [f"Give the clock of {name}."]
            got = f"{mhz:.0f} MHz"
            raise ProblemError(f"clocks.{name}", got, error.accepted, reason=reason, remedies=ways) from error
    return found


def _log_notes(
    log: PowerLog | None,
    soc: Soc,
    measured: Sequence[LayerMeasurement],
    clocks_mhz: Mapping[str, float],
    said: Mapping[str, float],
) -> list[str]:
    """Return the clocks of the log: those below the highest that the rows count at, and those that are not what was said."""
    notes = []
    highest = clock_settings(soc, [{}]).at(0)
    for name, mhz in (log.clocks_mhz if log else {}).items():
        if name in clocks_mhz and name not in said and clocks_mhz[name] * 1e6 < highest[name]:
            taken = f"the rows count at the nearest step, {clocks_mhz[name]:g} MHz"
            notes.append(f"The log has {name} at {mhz:.0f} MHz on average by load; {taken}.")
        others = {line.clocks_mhz[name] for line in measured if name in line.clocks_mhz}
        others |= {said[name]} if name in said else set()
        far = [other for other in sorted(others) if abs(mhz / other - 1) > _CLOCK_DEVIATION]
        if far:
            notes.append(
                f"The log has {name} at {mhz:.0f} MHz on average; the rows say {', '.join(f'{one:g}' for one in far)} MHz."
            )
    return notes
