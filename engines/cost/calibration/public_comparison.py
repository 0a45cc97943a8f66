"""Public measurements of the same network on the same device, compared with the estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from engines.contract.results import Note
from hardware.soc.model import Soc
from hardware.soc.public_measurements import PublicMeasurement, measured_in_public
from hardware.soc.summary import unit_title

MEASURED_IN_PUBLIC = "Measured in public: "  # how such words begin
_MILLISECONDS = 1e3


def public_words(soc: Soc, network: str, batch: int, estimates_s: Mapping[str, float], precision: str) -> str:
    """Return public measurements next to estimates for the same unit, in words; "" without measurements.

    Args:
        soc: the device; a copy of a device shows the measurements of the original, marked as such.
        network: slug of the network.
        batch: batch size.
        estimates_s: unit -> estimated latency of the whole network on this unit alone, in s, if known.
        precision: precision of the estimates.
    """
    rows = measured_in_public(soc.names, network, batch)
    return " ".join(
        _unit_words(soc, unit, list(found), estimates_s.get(unit), precision)
        for unit, found in groupby(sorted(rows, key=lambda row: row.unit), key=lambda row: row.unit)
    )


def public_notes(soc: Soc, network: str, batch: int, estimates_s: Mapping[str, float], precision: str) -> list[Note]:
    """Return `public_words` as a note of a run or plan; no note without measurements."""
    text = public_words(soc, network, batch, estimates_s, precision)
    return [Note("public-measurements", "Measured in public", text, "warning")] if text else []


def _unit_words(
    soc: Soc, unit: str, rows: Sequence[PublicMeasurement], estimate_s: float | None, precision: str
) -> str:
    first = rows[0]
    values = " and ".join(
        f"{row.latency_s * _MILLISECONDS:.3g} ms ({row.precision}, {row.runtime}, {row.version})" for row in rows
    )
    copied = "" if first.device == soc.slug else f" of {first.device}, which this device was copied from"
    text = f"{MEASURED_IN_PUBLIC}{first.measured_network} on the {unit_title(unit)}{copied}, batch {first.batch}: {values}, "
    text += f"{first.statistic}. Sources: {'; '.join(dict.fromkeys(row.source for row in rows))}."
    if estimate_s is None:
        return text
    ratios = sorted(estimate_s / row.latency_s for row in rows)
    times = f"{ratios[0]:.1f}" if f"{ratios[0]:.1f}" == f"{ratios[-1]:.1f}" else f"{ratios[0]:.1f} to {ratios[-1]:.1f}"
    estimate = f"{estimate_s * _MILLISECONDS:.3g} ms in {precision}"
    text += f" Estimated here for the {unit_title(unit)} alone: {estimate}, {times} times that."
    if any(row.precision != precision for row in rows):
        text += " The precisions differ, and so may the runtimes; how much of the gap is theirs was not measured."
    return text
