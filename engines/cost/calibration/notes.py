"""Notes for a reader of figures on missing measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.contract.integer_format import many
from engines.contract.results import Note
from engines.cost.calibration.datasheet import checked_rows, datasheet_error_factor
from engines.cost.calibration.measurements import published_measurements
from hardware.soc.summary import unit_title


def unmeasured_notes(
    assumed: Mapping[str, tuple[str, ...]], datasheet_units: Sequence[str], precision: str
) -> list[Note]:
    """Return the notes on operations and units without measurements.

    Args:
        assumed: measured unit -> kinds of operations that are estimated there like others.
        datasheet_units: units that are estimated from the device's document.
        precision: precision of the estimate.
    """
    notes = []
    if assumed:
        which = "; ".join(f"{', '.join(kinds)} on {unit_title(unit)}" for unit, kinds in assumed.items())
        text = f"The calibration has no measurement of {which}: estimated by the unit's bandwidth, launches and share of the peak. "
        text += "Such estimates were checked against no measurement."
        notes.append(Note("assumed", "Not measured", text, "warning"))
    return [*notes, datasheet_note(datasheet_units, precision)] if datasheet_units else notes


def datasheet_note(datasheet_units: Sequence[str], precision: str) -> Note:
    """Return the note on units without measurements, with the error of the data sheet rule if known."""
    units = ", ".join(map(unit_title, datasheet_units))
    text = (
        f"Estimated from the data sheet ({precision}): {units}. No measurements are available; peak "
        "performance, bandwidth and power come from the device "
    )
    text += "document's. Shares of the peak are what such units reach elsewhere, of CPUs an assumption. "
    return Note("datasheet", "Not measured", text + checked_words(), "warning")


def checked_words() -> str:
    """Return a sentence on the check of the data sheet rule: rows, units, networks, precisions and error."""
    rows, parts = checked_rows(), []
    for name in ("latency", "energy"):
        factor, count = datasheet_error_factor(name), sum(row.quantity == name for row in rows)
        if factor is not None:
            parts.append(f"{name} ×/÷ {factor:.2f} ({count} rows)")
    networks = list(dict.fromkeys(row.workload for row in rows))
    sources = [
        f"{source.slug} ({source.precision})"
        for source in published_measurements().values()
        if any(row.name.endswith(f"({source.slug})") for row in rows)
    ]
    return (
        f"Checked on {len(rows)} published rows of GPUs and DLA alone, which those shares come from as well. Error band, which "
        f"holds 90 % of them: {', '.join(parts)}; {many(len(networks), 'network')} of {', '.join(sources)}. "
        "The error for other networks, other devices and CPUs is unknown."
    )
