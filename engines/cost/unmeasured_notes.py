"""What a reader of figures must know that nobody measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engines.cost.calibration_datasheet import checked_rows, datasheet_error_factor
from engines.results import Note
from hardware.soc_summary import unit_title


def unmeasured_notes(assumed: Mapping[str, tuple[str, ...]], datasheet_units: Sequence[str]) -> list[Note]:
    """Which operations and which units nobody measured."""
    notes = []
    if assumed:
        which = "; ".join(f"{', '.join(kinds)} on {unit_title(unit)}" for unit, kinds in assumed.items())
        text = f"The calibration has no measurement of {which}: estimated by the unit's bandwidth, launches and share of the peak."
        notes.append(Note("assumed", "Not measured", text, "warning"))
    return [*notes, datasheet_note(datasheet_units)] if datasheet_units else notes


def datasheet_note(datasheet_units: Sequence[str]) -> Note:
    """Which units nobody measured, and what the rule is worth where that can be told."""
    units = ", ".join(map(unit_title, datasheet_units))
    text = f"Predicted (data sheet): {units}. Nobody measured them; peak, bandwidth and power are the device document's. Shares of "
    text += "the peak are what such units reach elsewhere, of CPUs an assumption. "
    rows = checked_rows()
    factors = [(name, datasheet_error_factor(name)) for name in ("latency", "energy")]
    off = ", ".join(f"{name} by a factor of {factor:.2f}" for name, factor in factors if factor is not None)
    text += (
        f"On {len(rows)} published rows of GPUs and DLA, which those shares come from as well, the rule is off: {off}. "
    )
    return Note("datasheet", "Not measured", text + "Of other devices and of CPUs nothing is known.", "warning")
