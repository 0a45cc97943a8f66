"""Charge and power of many devices that follow a design until their batteries are empty."""

from __future__ import annotations

import numpy as np

from engines.contract.engine import Problem
from engines.contract.numeric.random_streams import random_stream
from engines.contract.results import Event, Result, Series, Table, TableColumn, Threshold, Trace
from engines.methods.seesaw.evaluation import Instance
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.decision import Design, FixedRate
from engines.methods.seesaw.predictor.run_time import RunTime, run_fixed
from engines.recordings.recording import Recording
from engines.simulation.fleet import Fleet, GivenSurroundings, Modes, Policy, varied_fleet
from engines.simulation.outcome import QUANTILES, Outcome
from engines.simulation.recorded_overlay import overlay
from engines.simulation.simulate import Clock, simulate
from hardware.sensor_node.model import SensorNode

_MOST_STEPS = 60_000
_CYCLE_STEPS = 100  # in use and asleep take turns in so many steps
_LOW, _MEDIAN, _HIGH = 0, 2, len(QUANTILES) - 1
_LONGER = 1.3  # than the expected life, so that most batteries are seen to end


def battery_results(
    instance: Instance, problem: Problem[SeesawParams], design: Design, run: RunTime, mean_power_w: float
) -> tuple[Result, ...]:
    """Return the trace of charge and power next to that of the highest rate, and when batteries end."""
    params, battery = problem.params, problem.value("hardware", SensorNode).battery
    assert battery is not None  # else there would be no instance
    life_s = instance.power.capacity_j / mean_power_w
    clock = _clock(life_s * _LONGER, instance.task.period_s)
    spread = params.spread_percent / 100.0
    random = random_stream(problem.seed, "fleet")
    fleet = varied_fleet(battery, params.devices, random, capacity_spread=spread, power_spread=spread)
    outcome = _simulated(instance, fleet, run, clock, design)
    highest = FixedRate(float(instance.task.rates_hz[-1]))
    baseline_run = run_fixed(instance.task, instance.task.test, instance.task.rates_hz.size - 1)
    baseline = _simulated(instance, fleet, baseline_run, clock, highest)
    trace = _trace(outcome, baseline, battery.minimum_share, params.devices)
    if "measured" not in problem.inputs:
        return trace, _lives(outcome, baseline, clock)
    laid, more = overlay(trace, problem.value("measured", Recording))
    return laid, *more, _lives(outcome, baseline, clock)


def _clock(duration_s: float, period_s: float) -> Clock:
    step_s = period_s * max(1, int(np.ceil(duration_s / period_s / _MOST_STEPS)))
    return Clock(step_s, max(1, round(duration_s / step_s)), kept=361)


def _simulated(instance: Instance, fleet: Fleet, run: RunTime, clock: Clock, design: Design) -> Outcome:
    """Simulate the fleet: device d follows test track d, and the tracks after it, over and over."""
    task, asleep = instance.task, instance.task.rates_hz.size
    following = np.concatenate([row[:length] for row, length in zip(run.rates, run.lengths, strict=True)]).astype(
        np.int8
    )
    starts = np.concatenate(([0], np.cumsum(run.lengths)[:-1]))
    steps = np.arange(clock.steps)
    # Twice in a row, so that neither the place in it nor the sum with a start has to be wrapped for every device.
    along = (steps * round(clock.step_s / task.period_s) % following.size).astype(np.int32)
    twice = np.concatenate((following, following))
    levels = np.stack([twice[start:][along] for start in starts.tolist()])[np.arange(len(fleet)) % len(starts)]
    levels[:, (steps % _CYCLE_STEPS) >= round(instance.activity * _CYCLE_STEPS)] = asleep
    powers = np.append(instance.power.active_w.sum(axis=0), instance.power.asleep_w.sum())
    if isinstance(design, FixedRate) and not design.sleep:
        powers[:] = instance.power.without_sleep_w
    modes = Modes((*(f"{rate:g} Hz" for rate in task.rates_hz), "asleep"), powers)
    policy = Policy(np.arange(asleep + 1)[:, None])
    return simulate(fleet, modes, policy, GivenSurroundings(levels, asleep + 1), clock)


def _trace(outcome: Outcome, baseline: Outcome, minimum_share: float, devices: int) -> Trace:
    charge, power = 100.0 * outcome.charge_quantiles, outcome.power_quantiles_w
    held = np.concatenate((power, power[:, -1:]), axis=1)
    others = 100.0 * baseline.charge_quantiles[_MEDIAN]
    beside = baseline.power_quantiles_w[_MEDIAN]
    series = (
        Series("Charge", charge[_MEDIAN], "%", charge[_LOW], charge[_HIGH]),
        Series("Charge at the highest rate", others, "%"),
        Series("Power", held[_MEDIAN], "W", held[_LOW], held[_HIGH], style="step"),
        Series("Power at the highest rate", np.append(beside, beside[-1]), "W", style="step"),
    )
    ended = np.sort(outcome.ended_at_s[np.isfinite(outcome.ended_at_s)])
    middle = ended[devices // 2] if ended.size > devices // 2 else None
    events = () if middle is None else (Event(float(middle), "half of the batteries are empty"),)
    thresholds = (Threshold("Minimum level", 100.0 * minimum_share, "%"),) if minimum_share else ()
    title = f"Charge and power of {devices} devices: median, band from 5 to 95 %"
    return Trace("battery", title, outcome.time_s, series, thresholds, events)


def _lives(outcome: Outcome, baseline: Outcome, clock: Clock) -> Table:
    end_s = clock.steps * clock.step_s
    lives = [np.quantile(each.life_s(end_s), QUANTILES) / 3600.0 for each in (outcome, baseline)]
    return Table(
        "lives",
        "When batteries end",
        (
            TableColumn("Devices that have ended", tuple(f"{quantile:.0%}" for quantile in QUANTILES)),
            TableColumn("This design", lives[0], "h"),
            TableColumn("Highest rate", lives[1], "h"),
        ),
    )
