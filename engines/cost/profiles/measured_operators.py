"""Rates of each kind of operation on a measured device, and the error of the model on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engines.cost.profiles.measured_profile import Profile, operation_times
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.network import Network
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

_OPERATIONS_PER_MAC = 2


@dataclass
class _Sum:
    """Sum over the operations of one kind."""

    count: int = 0
    measured_s: float = 0.0
    estimated_s: float = 0.0
    macs: float = 0.0
    off_s: float = 0.0
    networks: set[str] = field(default_factory=set)


def operator_report(
    profiles: Sequence[Profile],
    networks: Mapping[str, Network],
    soc: Soc,
    calibration: SocCalibration,
    unit: str = "cpu",
) -> list[dict[str, Any]]:
    """Return one entry for each kind of operation, told apart as a processor executes them, that with the most time first.

    Returns:
        `kind`, `operations`, `networks` (how many had it), `share` of all measured time, `gmac_per_s`, `of_peak` (None where
        nothing is computed), `estimated_over_measured`, and `off`: the mean distance of the estimate, as a share of the time.
    """
    model, clocks = SocCostModel(soc, calibration), highest_clocks(soc)
    sums: dict[str, _Sum] = {}
    for profile in profiles:
        network = networks[profile.network]
        table = operation_table(network.operations)
        costs = model.costs(table, clocks, units=[unit], partial=True, workload=profile.network).latency_s[:, 0, 0]
        for one in operation_times(profile, network):
            running = [place for place in one.places if table.runs[place]]
            if not running:
                continue
            heaviest = max(running, key=lambda place: (table.macs[place], table.activation_elements[place]))
            found, estimated = sums.setdefault(table.finer_kinds[heaviest], _Sum()), float(costs[running].sum())
            found.count += 1
            found.measured_s += one.latency_s
            found.estimated_s += estimated
            found.off_s += abs(estimated - one.latency_s)
            found.macs += float(table.macs[running].sum())
            found.networks.add(profile.network)
    whole_s = sum(each.measured_s for each in sums.values())
    precision = calibration.precision
    peak = soc.units[unit].operations_per_cycle[precision] * soc.units[unit].frequencies_hz[-1]
    ordered = sorted(sums.items(), key=lambda item: -item[1].measured_s)
    return [_entry(kind, found, whole_s, peak) for kind, found in ordered]


def _entry(kind: str, found: _Sum, whole_s: float, peak_operations_per_s: float) -> dict[str, Any]:
    per_s = found.macs / found.measured_s
    return {
        "kind": kind,
        "operations": found.count,
        "networks": len(found.networks),
        "share": found.measured_s / whole_s,
        "gmac_per_s": per_s / 1e9,
        "of_peak": _OPERATIONS_PER_MAC * per_s / peak_operations_per_s if found.macs else None,
        "estimated_over_measured": found.estimated_s / found.measured_s,
        "off": found.off_s / found.measured_s,
    }
