"""A problem made ready: model, device, link, servers, battery and accuracies."""

from __future__ import annotations

from dataclasses import dataclass

from engines.contract.engine import Problem, require
from engines.contract.limits import Allowed, allowed_by
from engines.methods.duet.costs import FITTED_EDGE_FACTOR, NEAR_MEMORY, Edge, Link, Server
from engines.methods.duet.params import DuetParams
from engines.methods.duet.quantities import LIMITS, chosen_objectives
from engines.methods.duet.recommender import (
    Recommender,
    built_in,
    recommender_from_yaml,
    recommender_of,
    widths_of,
)
from engines.methods.duet.space import Space, space_of
from hardware.battery.model import Battery
from hardware.radio.model import Radio
from hardware.soc.model import Soc

_MBIT, _NS, _GIGA = 1e6, 1e-9, 1e9
_ACCURACIES = ("rm1", "rm2", "rm3")


@dataclass(frozen=True)
class Losses:
    """Points of accuracy that choices cost, in per cent.

    Attributes:
        split: all layers that the publication splits.
        int8: each part in 8-bit numbers.
        history: all of the history left out.
        ratio: per unit off the user's share of the features.
        measured: whether `split` and `int8` were measured of this model.
    """

    split: float
    int8: float
    history: float
    ratio: float
    measured: bool


@dataclass(frozen=True, eq=False)
class DuetInstance:
    """The prepared problem that searches and pages share."""

    model: Recommender
    params: DuetParams
    soc: Soc
    edge: Edge
    link: Link
    server: Server
    battery: Battery
    losses: Losses
    space: Space
    allowed: Allowed


def instance_of(problem: Problem[DuetParams]) -> DuetInstance:
    """Return everything of a problem.

    Raises:
        ProblemError: widths that do not fit, a radio without an uplink, a device without CPU cores, a history that is longer than
            the scratchpad, a link that cannot carry any result within the limit of latency.
    """
    params = problem.params
    model, soc = model_of(params), problem.value("hardware", Soc)
    link = _link(problem.value("radio", Radio), params)
    peak = sum(unit.count * unit.peak_operations_per_s("fp32") for unit in soc.units.values() if _counts(unit))
    ways = ["Add these values to a copy of the device."]
    for known, what in ((peak > 0, "clocks and fp32 operations of a CPU"), (soc.memory is not None, "memory")):
        require(known, "inputs.hardware", soc.slug, f"a system on a chip with known {what}", remedies=ways)
    assert soc.memory is not None
    factor = FITTED_EDGE_FACTOR if params.edge_energy == "published" else 1.0
    edge = Edge(
        params.edge_efficiency * peak, soc.memory.bandwidth_bytes_per_s(), params.edge_row_ns * _NS, params.edge_power_w, factor
    )  # fmt: skip
    require(bool(chosen_objectives(params)), "params.aim_latency", False, "on, unless another objective is on")
    instance = DuetInstance(
        model, params, soc, edge, link, server_of(params), problem.value("battery", Battery), losses_of(model, params),
        space_of(model, params), allowed_by(LIMITS, params),
    )  # fmt: skip
    _refuse_slow_links(instance)
    return instance


def model_of(params: DuetParams) -> Recommender:
    """Return the recommender of a problem."""
    if params.model != "own":
        return built_in(params.model)
    if params.own_yaml.strip():
        return recommender_from_yaml(params.own_yaml, "params.own_yaml")
    sides = (("user", params.own_user_tables), ("item", params.own_item_tables), ("shared", params.own_shared_tables))
    bottom = widths_of(params.own_bottom_mlp, "params.own_bottom_mlp")
    top = widths_of(params.own_top_mlp, "params.own_top_mlp")
    require(bool(top), "params.own_top_mlp", params.own_top_mlp, 'widths as "256-64-1"')
    require(any(count for _, count in sides), "params.own_user_tables", 0, "at least one table of the user")
    content = {
        "title": "Own model", "bottom_mlp": bottom, "top_mlp": top, "embedding_dimension": params.own_dimension,
        "tables": [{"side": side, "count": count, "lookups": params.own_lookups} for side, count in sides if count],
        "static_inputs_share": params.own_static_share,
    }  # fmt: skip
    return recommender_of(content, "params.own")


def server_of(params: DuetParams) -> Server:
    """Return the server of the datacentre by the parameters."""
    return Server(
        params.server_efficiency * params.server_peak_gflops * _GIGA, params.server_bandwidth_gb_per_s * _GIGA,
        params.lookup_ns * _NS, params.server_power_w, params.batch_overhead_us * 1e-6,
    )  # fmt: skip


def losses_of(model: Recommender, params: DuetParams) -> Losses:
    """Return the losses of Table 5.3 where no others are given."""
    known = [model.accuracy] if model.accuracy else [built_in(name).accuracy for name in _ACCURACIES]
    pairs = [
        (each.monolithic_percent - each.split_percent, each.split_percent - each.split_int8_percent)
        for each in known
        if each is not None
    ]
    split, int8 = (round(sum(pair[place] for pair in pairs) / len(pairs), 6) for place in (0, 1))
    own = params.loss_split_percent is not None and params.loss_int8_percent is not None
    return Losses(
        split if params.loss_split_percent is None else params.loss_split_percent,
        int8 if params.loss_int8_percent is None else params.loss_int8_percent,
        params.loss_history_percent, params.loss_ratio_percent, own or model.accuracy is not None,
    )  # fmt: skip


def speedups(names: tuple[str, ...]) -> list[float]:
    """Return the speed-ups of lookups by near-memory processing."""
    return [NEAR_MEMORY[name] for name in names]


def _counts(unit: object) -> bool:
    return (
        getattr(unit, "kind", "") == "cpu"
        and "fp32" in getattr(unit, "operations_per_cycle", {})
        and bool(getattr(unit, "frequencies_hz", ()))
    )


def _link(radio: Radio, params: DuetParams) -> Link:
    ways = ["Add this power to a copy of the wireless link."]
    accepted = "a wireless link whose document has the power of the uplink (transfer_power.uplink_mw_per_mbps)"
    require(radio.uplink_j_per_bit is not None, "inputs.radio", radio.slug, accepted, remedies=ways)
    typical = radio.typical_bits_per_s.get("uplink")
    known = params.upload_mbps is not None or typical is not None
    reason = f"The document of {radio.slug} has no typical throughput of the uplink."
    require(known, "params.upload_mbps", None, "given", reason=reason)
    rate = params.upload_mbps * _MBIT if params.upload_mbps is not None else typical
    assert rate is not None
    return Link(radio, rate, (radio.round_trip_s or 0.0) if params.delay_ms is None else params.delay_ms * 1e-3)


def _refuse_slow_links(instance: DuetInstance) -> None:
    limit_s = instance.params.latency_limit_s
    if limit_s is None:
        return
    least = min(instance.space.payloads)
    needed = instance.link.delay_s + instance.link.seconds(least)
    if needed > limit_s:
        left = limit_s - instance.link.delay_s
        accepted = f"at least {8 * least / left / _MBIT:.4g} Mbit/s" if left > 0 else f"below {1e3 * limit_s:.4g} ms"
        field = "params.upload_mbps" if left > 0 else "params.delay_ms"
        got = instance.link.bits_per_s / _MBIT if left > 0 else 1e3 * instance.link.delay_s
        needs = f"The smallest result of {least:.4g} B has {1e3 * limit_s:.4g} ms."
        reason = needs if left > 0 else "The delay alone exceeds the limit on the latency."
        require(False, field, got, accepted, reason=reason)
