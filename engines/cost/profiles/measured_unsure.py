"""Which networks a measured device's calibration is least sure of: a question of `engines.running.runner.questions`.

What the fit is off by on each kind of operation, weighted by the share of a network's time that it estimates for that kind. It is
what the network would be off by if no errors cancelled, so that it orders networks; it is no interval.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from engines.cost.profiles.measured_operators import operator_report
from engines.cost.profiles.measured_profile import Profile
from engines.cost.soc.clocks import highest_clocks
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network, load_network
from engines.workloads.network import Network
from engines.workloads.runnable.build import unwritten
from hardware.calibration.loader import load_calibration
from hardware.calibration.model import SocCalibration
from hardware.soc.loader import load_soc

_UNIT = "cpu"


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the candidates, the least sure first.

    Args:
        asked: `soc` and `calibration` as documents, `profiles` (`network` and `result` as an agent answers) that were fitted,
            `networks` (slug -> document) of these, `candidates`: slugs of built-in networks.

    Returns:
        `networks`: of each candidate that can be run its `network`, `title`, `unknown` kinds that no fitted network has,
        `off` (a share; None where a kind is unknown), and the `kind` with most of it, its `kind_off` and `kind_share`.
    """
    soc, calibration = load_soc(asked["soc"]), load_calibration(asked["calibration"])
    networks = {slug: load_network(content) for slug, content in asked["networks"].items()}
    profiles = [Profile.of(each["network"], each["result"]) for each in asked["profiles"]]
    report = operator_report(profiles, networks, soc, calibration, _UNIT)
    off = {each["kind"]: float(each["off"]) for each in report}
    usual = sum(each["off"] * each["share"] for each in report)
    model = SocCostModel(soc, calibration)
    found = [network for slug in asked["candidates"] if not unwritten(network := builtin_network(slug))]
    told = [_told(network, model, calibration, off, usual) for network in found]
    return {"networks": sorted(told, key=lambda each: -(float("inf") if each["off"] is None else each["off"]))}


def _told(
    network: Network, model: SocCostModel, calibration: SocCalibration, off: Mapping[str, float], usual: float
) -> dict[str, Any]:
    """Return kinds that profiles tell only together with a heavier operation are off by as much as all are in the mean, `usual`."""
    table = operation_table(network.operations)
    about: dict[str, Any] = {"network": network.slug, "title": network.title}
    covered = calibration.covered[_UNIT]
    unknown = sorted(set(table.running_kinds) - set(covered))
    if unknown:
        return {**about, "unknown": unknown, "off": None, "kind": unknown[0], "kind_off": None, "kind_share": None}
    costs = model.costs(table, highest_clocks(model.soc), units=[_UNIT], partial=True).latency_s[:, 0, 0]
    shares: dict[str, float] = {}
    for kind, runs, cost in zip(table.kinds, table.runs, np.asarray(costs), strict=True):
        if runs:
            shares[kind] = shares.get(kind, 0.0) + float(cost)
    whole = sum(shares.values())
    parts = {kind: seconds / whole * off.get(kind, usual) for kind, seconds in shares.items()}
    worst = max(parts, key=lambda kind: parts[kind])
    return {
        **about, "unknown": [], "off": sum(parts.values()), "kind": worst, "kind_off": off.get(worst, usual),
        "kind_share": shares[worst] / whole,
    }  # fmt: skip
