"""The report of a run: the best cut by bandwidth and delay, a comparison of cuts, infeasible limits, and assumptions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.arrays import BoolArray, FloatArray
from engines.contract.engine import Infeasibility
from engines.contract.integer_format import counted
from engines.contract.results import Curve, Matrix, Note, Series
from engines.cost.memory_capacity import unknown_memory_notes
from engines.methods.split_network.instance import SplitInstance
from engines.methods.split_network.quantities import ENERGY, LATENCY, MEMORY
from engines.methods.split_network.scoring import CutCosts, best_cuts
from engines.workloads.assumed_chain import assumed_chains, chain_notes

BASELINES = ("All on the device", "All at the server")
_OCTAVES = np.arange(-8, 8)  # of the bandwidth
_DELAYS = 11
_POINTS = 97
_HEIGHT = 3  # times all on the device, up to which all at the server is drawn
_MBIT = 1e6
_CHAIN_SENDS_LESS = "If the network has branches or shortcuts, a cut through them sends more than stated here."


def best_cut_maps(instance: SplitInstance, cuts: CutCosts) -> tuple[Matrix, Curve]:
    """Return the best cut by bandwidth and delay, and its latency by bandwidth beside all on the device and all at the server.

    Delays go up to the latency of all on the device: beyond, nothing else is best.
    """
    rates = instance.bandwidth_bits_per_s * 2.0**_OCTAVES
    delays = np.linspace(0.0, float(instance.costs.latency_s.sum()), _DELAYS)
    number, _ = best_cuts(instance, cuts, _s_per_bit(instance, np.asarray(rates, np.float64)), delays)
    layers = np.where(number >= 0, cuts.inside.sum(axis=1)[number], np.nan)
    matrix = Matrix(
        "best-cut", "Best cut for bandwidth and delay of the server",
        tuple(f"{1e3 * delay:.3g} ms" for delay in delays), tuple(f"{float(f'{rate / _MBIT:.3g}'):g} Mbit/s" for rate in rates),
        layers, "", "Layers on the device",
    )  # fmt: skip
    fine = np.asarray(
        instance.bandwidth_bits_per_s * 2.0 ** np.linspace(_OCTAVES[0], _OCTAVES[-1], _POINTS), np.float64
    )
    seconds, delay_s = _s_per_bit(instance, fine), instance.queue.mean_s
    _, best = best_cuts(instance, cuts, seconds, np.array([delay_s]))
    last = len(instance.cuts.inside) - 1
    local, away = (np.array([cuts.latency_s(each, delay_s)[row] for each in seconds.tolist()]) for row in (last, 0))
    curve = Curve(
        "bandwidth", "Latency of the best cut by bandwidth", fine / _MBIT, "Bandwidth", "Mbit/s",
        (
            Series("Best cut", np.where(np.isfinite(best[0]), best[0], np.nan), "s"),
            Series(BASELINES[0], local, "s"),
            # A slow channel would take the whole height of the picture.
            Series(BASELINES[1], np.where(away <= _HEIGHT * local.max(), away, np.nan), "s"),
        ),
        x_log=True,
    )  # fmt: skip
    return matrix, curve


def proof_text(instance: SplitInstance) -> str:
    """Return how sure the front is."""
    count = counted(len(instance.cuts.inside))
    if instance.cuts.every:
        text = f"All {count} cuts were evaluated, those through branches included. In the stated model, no cut is better than "
        return text + "those on the front."
    text = f"The network has too many cuts through its branches to evaluate all. The search evaluated the {count} cuts that keep "
    return text + "to the order of its layers; one through a branch may be better."


def model_notes(instance: SplitInstance, chosen: bool) -> tuple[Note, ...]:
    """Return the notes on costs; `chosen` says whether the device, not the user, selected the calibration."""
    text = "One inference at a time: layers on the device, upload, round trip, server, one after the other. The answer's bits, "
    text += "what the device draws while it waits, and the states of the radio around a transfer are not counted. "
    text += instance.server
    notes = [*instance.covered.of(instance.unit).notes(chosen=chosen)]
    notes += unknown_memory_notes(instance.covered.soc)
    notes.append(Note("split-model", "Device, radio, server", text))
    notes += chain_notes(assumed_chains(instance.network), _CHAIN_SENDS_LESS)
    if instance.params.compression > 1 or instance.params.int8:
        words = (
            "The accuracy cost of a bottleneck or of 8-bit integers is not included: such a network has to be trained "
        )
        words += "and measured."
        notes.append(Note("accuracy", "Accuracy", words, "warning"))
    return tuple(notes)


def with_ways_out(instance: SplitInstance, cuts: CutCosts, found: Infeasibility) -> Infeasibility:
    """Add the least bandwidth at which a cut meets all limits to the remedies of an infeasible limit."""
    more: list[tuple[str, str]] = []
    rate = _least_bandwidth(instance, cuts, instance.queue.mean_s)
    if np.isfinite(rate):
        more.append((f"A cut meets all limits from {_up(rate / _MBIT)} Mbit/s on.", "params.bandwidth_mbps"))
    elif np.isfinite(_least_bandwidth(instance, cuts, 0.0)):
        waits = "params.queue_ms" if instance.params.queue_ms else "params.round_trip_ms"
        field = waits if instance.params.queue == "fixed" else "params.load"
        more.append(("No bandwidth is enough with this delay of the server; with a shorter one there is.", field))
    else:
        more.append(("No bandwidth and no delay is enough: a faster server may be.", "params.server_speedup"))
    return replace(found, remedies=(*more, *found.remedies))


def _least_bandwidth(instance: SplitInstance, cuts: CutCosts, delay_s: float) -> float:
    """Return the least rate in bit/s, infinite where none suffices. The slack of each limit gives the time per bit."""
    allowed, per_bit = instance.allowed, np.full(len(cuts.bits), np.inf)
    possible: BoolArray = np.ones(len(cuts.bits), dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        if LATENCY in allowed:
            left = allowed[LATENCY] - cuts.latency_s(0.0, delay_s)
            per_bit, possible = np.fmin(per_bit, left / cuts.bits), possible & (left >= 0)
        if ENERGY in allowed:
            left = allowed[ENERGY] - cuts.energy_j(0.0, 0.0, instance.joules_per_bit)
            per_bit = np.fmin(per_bit, left / (cuts.bits * instance.radio.base_power_w))
            possible = possible & (left >= 0)
    if MEMORY in allowed:
        possible = possible & (instance.memory.needed_bytes(cuts.inside) <= allowed[MEMORY] * MEMORY.scale)
    usable = per_bit[possible & cuts.remote]
    times_rate = instance.channel.mean_s_per_bit * instance.bandwidth_bits_per_s
    most = float(usable.max(initial=0.0))
    return times_rate / most if most > 0 else np.inf


def _s_per_bit(instance: SplitInstance, rates: FloatArray) -> FloatArray:
    return np.array([instance.channel_of(rate).mean_s_per_bit for rate in rates.tolist()])


def _up(value: float) -> str:
    """Return three digits, rounded up: as a bandwidth it is enough."""
    digits = 10.0 ** (np.floor(np.log10(value)) - 2)
    return f"{np.ceil(value / digits * (1 - 1e-12)) * digits:.6g}"
