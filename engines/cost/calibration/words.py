"""Texts about a calibration: name, precision, the measurements behind its error band, and values inherited by a copy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.contract.results import Note
from engines.cost.calibration.notes import datasheet_note, unmeasured_notes
from engines.cost.soc.calibration_lineage import Inheritance, inheritance_of
from hardware.calibration.model import CalibrationRow, Quantity, SocCalibration
from hardware.soc.model import Soc
from hardware.soc.summary import unit_title

ROOFLINE = "roofline of systems on a chip"  # which model an estimate is by, before where its parameters are from
_MOST_NAMED = 4
_QUANTITIES: tuple[Quantity, ...] = ("latency", "energy", "power")


def calibration_words(
    calibration: SocCalibration, soc: Soc, datasheet_units: Sequence[str] = (), precision: str = ""
) -> str:
    """Return the precision of costs and their source: "fp16, calibration xavier-magnas".

    Args:
        calibration: calibration as converted for the device.
        soc: the device.
        datasheet_units: units that nobody measured.
        precision: precision of the estimate; the calibration's by default.
    """
    computed = precision or calibration.precision
    units = ", ".join(map(unit_title, datasheet_units))
    if datasheet_units and set(calibration.covered) <= set(datasheet_units):
        return f"{computed}, {units} by the data sheet, not measured"
    extrapolated = "" if computed == calibration.precision else f" extrapolated from {calibration.precision}"
    words = f"{computed}{extrapolated}, calibration {calibration.slug}"
    found = inheritance_of(calibration, soc)
    if found is not None and found.parent == soc.slug:
        words += ", scaled to its present figures"
    elif found is not None:
        changed = "" if found.same else f", scaled to {soc.slug}"
        words += f" of {found.parent}{changed}"
    return f"{words}; {units} by the data sheet, not measured" if datasheet_units else words


def error_words(calibration: SocCalibration) -> str:
    """Return the error bands with rows, source, networks and precision that they hold for; "" without held-out rows.

    The band does not cover networks, runtimes or precisions that the source did not measure.
    """
    parts, used = [], []
    for quantity in _QUANTITIES:
        factor, rows = calibration.error_factor(quantity), calibration.independent_rows(quantity)
        if factor is not None:
            parts.append(f"{quantity} ×/÷ {factor:.2f} ({len(rows)} row{'s' if len(rows) > 1 else ''})")
            used += rows
    if not used:
        return ""
    return (
        f"Error band, which holds 90 % of held-out measurements: {', '.join(parts)}. The rows are of one source "
        f"({calibration.source}), in {calibration.precision}, of the networks {_networks(used)}; {_how(used)}. The error for other "
        "networks, precisions and runtimes is unknown."
    )


def inheritance_words(found: Inheritance, soc: Soc) -> str:
    """Return a sentence on the values that a copied device inherits from the measured device."""
    text = (
        f"{soc.slug} had other figures when it was measured. "
        if found.parent == soc.slug
        else f"{soc.slug} itself was not measured: its costs are inherited from {found.parent}, which it was copied from. "
    )
    if not found.certain:
        return text + "The state of that device during the measurement is unknown, so nothing could be scaled."
    if found.scaled:
        text += f"Scaled by what differs: {'; '.join(found.scaled)}. "
        text += (
            "Shares of peak and bandwidth, times per launch and transfer, energies and powers stay as measured "
            "there; beyond "
        )
        text += "its clocks they are extrapolated. "
    if found.unread:
        text += f"Changed without effect, as no calibration reads it: {', '.join(found.unread)}. "
    if found.unknown:
        text += f"Not inherited, because no measurements are available there: {', '.join(found.unknown)}. "
    return text + (
        "All figures that costs depend on are the same." if found.same else "The error of these estimates is unknown."
    )


def inheritance_note(calibration: SocCalibration, soc: Soc) -> list[Note]:
    """Return the note on a copy of a measured device; none for the device itself."""
    found = inheritance_of(calibration, soc)
    if found is None:
        return []
    level = "info" if found.same else "warning"
    return [Note("inherited", "Calibration of another device", inheritance_words(found, soc), level)]


def costs_notes(
    calibration: SocCalibration,
    soc: Soc,
    *,
    chosen: bool,
    assumed: Mapping[str, tuple[str, ...]],
    datasheet_units: Sequence[str],
    precision: str = "",
) -> list[Note]:
    """Return notes on the costs: calibration, precision, origin of the error band, and units without measurements.

    Args:
        calibration: calibration as converted for the device.
        soc: the device.
        chosen: whether the calibration was chosen by the device.
        assumed: measured unit -> kinds of operations that are estimated there like others.
        datasheet_units: units that nobody measured, estimated from the device's document.
        precision: precision of the estimate; the calibration's by default.
    """
    if datasheet_units and set(calibration.covered) <= set(datasheet_units):
        return [datasheet_note(datasheet_units, precision or calibration.precision)]
    text = f"Costs: {calibration_words(calibration, soc, (), precision)}" + (
        ", chosen by the device. " if chosen else ". "
    )
    text += error_words(calibration)
    unmeasured = sorted({"latency", "energy"} - calibration.quantities)
    if unmeasured:
        text += f" Its source measured no {' and no '.join(unmeasured)}."
    return [
        Note("calibration", "Costs", text.strip()),
        *inheritance_note(calibration, soc),
        *unmeasured_notes(assumed, datasheet_units, precision or calibration.precision),
    ]


def _networks(rows: Sequence[CalibrationRow]) -> str:
    names = list(dict.fromkeys(row.workload for row in rows))
    more = len(names) - _MOST_NAMED
    return ", ".join(names[:_MOST_NAMED]) + (f" and {more} more" if more > 0 else "")


def _how(rows: Sequence[CalibrationRow]) -> str:
    left_out = sum(row.role == "fitted" for row in rows)
    several = len({row.workload for row in rows if row.role == "fitted"}) > 1
    part = "network" if several else "part of the network"
    fitted = f"{left_out} were estimated by the same fit without the rows of their {part}" if left_out else ""
    predicted = f"{len(rows) - left_out} were not fitted" if left_out < len(rows) else ""
    return ", ".join(words for words in (fitted, predicted) if words)
