"""The explanation of one controller: maps over channel and queue, shares of actions, energy by part, a drive."""

from __future__ import annotations

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, Matrix, Result, Series, Table, TableColumn, Threshold, Trace
from engines.methods.split_computing.controllers import Controller
from engines.methods.split_computing.instance import WINDOW_S, ControlInstance
from engines.methods.split_computing.scoring import Bench
from engines.methods.split_computing.windows import states

_DRIVE = 100
_RATES, _DELAYS = 15, 11
_LEVELS = (0.1, 0.5, 0.9)
_MBIT = 1e6


def explain_controller(bench: Bench, controller: Controller) -> tuple[Result, ...]:
    """Return all results of one controller."""
    actions = controller(bench.windows)
    return (
        energy_of(bench, actions),
        shares(bench.instance, actions),
        *policy_maps(bench, controller),
        outcomes(bench, actions),
        drive(bench, actions),
    )


def words_of(instance: ControlInstance) -> tuple[str, ...]:
    """Return the actions in words."""
    return tuple(f"{count} offloaded" if count else "All in the car" for count in instance.system.counts)


def energy_of(bench: Bench, actions: IntArray) -> Breakdown:
    """Return the mean energy of a window by part."""
    windows, system = bench.windows, bench.instance.system
    counts, each = np.array(system.counts)[actions], np.arange(len(actions))
    encoders = system.pipelines * system.encoder_s * system.local_power_w
    tails = float((windows.energy_j[actions, each] - counts * system.radio_j(windows.bits_per_s)).mean()) - encoders
    base = float((counts * system.payload_bits * system.base_w / windows.bits_per_s).mean())
    rate = float(counts.mean()) * system.payload_bits * system.joules_per_bit
    parts = ("Encoders", "Rest of the pipelines", "Radio, base", "Radio, by throughput")
    return Breakdown("energy", "Energy of a window", ("Mean",), parts, np.array([[encoders, tails, base, rate]]), "J")


def shares(instance: ControlInstance, actions: IntArray) -> Breakdown:
    """Return a table of the shares of the actions."""
    taken = np.bincount(actions, minlength=len(instance.system.counts)) / len(actions)
    return Breakdown("actions", "Action", ("This controller",), words_of(instance), taken[None, :], SHARE)


def policy_maps(bench: Bench, controller: Controller) -> tuple[Matrix, ...]:
    """Return maps of the number of offloaded pipelines over bandwidth and server delay, at low, medium and high belief."""
    instance = bench.instance
    rates, delays = map_axes(instance)
    beliefs = np.unique(np.quantile(bench.windows.belief, _LEVELS, method="lower"))
    found = []
    for number, belief in enumerate(beliefs.tolist()):
        rate, delay = (each.ravel() for each in np.meshgrid(rates, delays))
        seen = states(instance.system, rate, delay, np.full(len(rate), belief))
        counts = np.array(instance.system.counts, dtype=np.float64)[controller(seen)]
        title = f"Pipelines offloaded where the scene is robust with {100 * belief:.0f} %"
        found.append(Matrix(
            f"policy-{number}", title, tuple(f"{1e3 * each:.3g} ms" for each in delays),
            tuple(f"{each / _MBIT:.3g} Mbit/s" for each in rates), counts.reshape(len(delays), len(rates)), "",
            "Pipelines offloaded",
        ))  # fmt: skip
    return tuple(found)


def map_axes(instance: ControlInstance) -> tuple[FloatArray, FloatArray]:
    """Return the bandwidths and delays of maps: up to three times the typical bandwidth, and to the deadline."""
    top = 3 / instance.channel.mean_s_per_bit
    return np.linspace(top / _RATES, top, _RATES), np.linspace(0.0, instance.system.deadline_s, _DELAYS)


def outcomes(bench: Bench, actions: IntArray) -> Table:
    """Return a table of share, quality, energy, latency and risk of windows by action."""
    windows, system = bench.windows, bench.instance.system
    rows: list[list[float]] = []
    for action in range(len(system.counts)):
        taken = actions == action
        each = np.flatnonzero(taken)
        means = [float(values[each].mean()) if len(each) else np.nan for values in (
            windows.quality, windows.energy_j[action], windows.latency_s[action]
        )]  # fmt: skip
        risky = float((taken & ~windows.robust).mean()) if action else 0.0
        rows.append([float(taken.mean()), *means, risky, float((taken & windows.missed[action]).mean())])
    table = np.array(rows)
    titles = ("Share of windows", "Mean mAP", "Energy", "Latency", "Risky, of all windows", "Too late, of all windows")
    units = (SHARE, "", "J", "s", SHARE, SHARE)
    columns = [
        TableColumn(title, table[:, place], unit) for place, (title, unit) in enumerate(zip(titles, units, strict=True))
    ]
    return Table(
        name="outcomes", title="Windows by action", table_columns=(TableColumn("Action", words_of(bench.instance)), *columns)
    )  # fmt: skip


def drive(bench: Bench, actions: IntArray) -> Trace:
    """Return the first windows, one after the other."""
    windows, system = bench.windows, bench.instance.system
    count = min(_DRIVE, len(windows))
    each, taken = np.arange(count), actions[:count]
    series = (
        Series("Bandwidth", windows.bits_per_s[:count] / _MBIT, "Mbit/s"),
        Series("Latency", windows.latency_s[taken, each], "s"),
        Series("Delay of the server", windows.delay_s[:count], "s"),
        Series("Pipelines offloaded", np.array(system.counts, dtype=np.float64)[taken], "pipelines", style="step"),
        Series("Belief that it is robust", windows.belief[:count], ""),
        Series("Robust: 1, or not: 0", windows.robust[:count].astype(np.float64), "", style="step"),
    )
    return Trace(
        "drive", f"A drive of {count * WINDOW_S:g} s", WINDOW_S * each.astype(np.float64), series,
        (Threshold("Deadline", system.deadline_s, "s"),),
    )  # fmt: skip
