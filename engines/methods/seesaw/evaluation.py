"""Designs of the engine seesaw: trained, run on the test tracks, and turned into columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engines.contract.engine import Problem
from engines.methods.seesaw.costs.power import NodePower, node_power
from engines.methods.seesaw.costs.tree_cost import decision_s, flash_bytes
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.decision import Design, FixedRate, Predictor
from engines.methods.seesaw.predictor.run_time import RunTime, run_fixed, run_tree
from engines.methods.seesaw.predictor.task import Task, build_task
from engines.methods.seesaw.predictor.tree import RateTree, train
from engines.recordings.recording import ROUTE, Recording
from hardware.sensor_node.model import SensorNode

# Of a receiver between updates: fitted to the published gains of the tracker at full activity (goyal-2023 Figure 3.13).
ROUTE_STANDBY_SHARE = 0.31


@dataclass(frozen=True, eq=False)
class Instance:
    """A problem made ready: the task, the device's power, and what the parameters say of both."""

    task: Task
    power: NodePower
    activity: float
    largest_error_percent: float

    @property
    def baseline_w(self) -> float:
        """Mean power at the highest rate with sleep."""
        return float(self.power.mean_w(float(self.task.rates_hz[-1]), self.activity))


@dataclass(frozen=True, eq=False)
class EvaluationOutcome:
    """A design that runs on the test tracks."""

    design: Design
    tree: RateTree | None
    run: RunTime
    columns: dict[str, float]


def build_instance(problem: Problem[SeesawParams]) -> Instance:
    """Return the instance of a problem.

    Raises:
        ProblemError: recording and device do not fit each other or the parameters.
    """
    params, node = problem.params, problem.value("hardware", SensorNode)
    recording = problem.value("data", Recording)
    task = build_task(recording, node.rated_sensor, params.train_share, params.motion_scale_pixels)
    standby = params.standby_share
    if standby is None:
        standby = ROUTE_STANDBY_SHARE if task.kind == ROUTE else 0.0
    power = node_power(node, params.power, standby, params.processor_sleep_share)
    return Instance(task, power, params.activity, params.largest_error_percent)


def evaluate_design(instance: Instance, item: tuple[Design, float]) -> EvaluationOutcome:
    """Train and run one design; `item` is the design and the cross-validation error of its sensors in per cent."""
    design, validation_percent = item
    task = instance.task
    if isinstance(design, FixedRate):
        run = run_fixed(task, task.test, task.rates_hz.tolist().index(design.rate_hz))
        return EvaluationOutcome(design, None, run, _columns(instance, design, run, None, validation_percent))
    tolerance = design.tolerance_percent / 100.0
    tree = train(task, design.sensors, tolerance, design.leaves)
    run = run_tree(task, task.test, tree, tolerance, design.feedback)
    return EvaluationOutcome(design, tree, run, _columns(instance, design, run, tree, validation_percent))


def columns_of(instance: Instance, item: tuple[Design, float]) -> dict[str, float]:
    """Return the columns of one design: what processes send back."""
    return evaluate_design(instance, item).columns


def mean_power_w(instance: Instance, design: Design, run: RunTime) -> float:
    """Return the mean power of the whole device, over the test tracks by their lengths."""
    if isinstance(design, FixedRate) and not design.sleep:
        return instance.power.without_sleep_w
    rate = float(np.average(run.mean_rates_hz, weights=run.lengths))
    return float(instance.power.mean_w(rate, instance.activity))


def _columns(
    instance: Instance, design: Design, run: RunTime, tree: RateTree | None, validation: float
) -> dict[str, float]:
    task, power_w = instance.task, mean_power_w(instance, design, run)
    rate = float(np.average(run.mean_rates_hz, weights=run.lengths))
    hours = float(run.lengths.sum()) * task.period_s / 3600.0
    largest = 100.0 * float(run.error_shares.max())
    if isinstance(design, FixedRate) and not design.sleep:
        gains = np.array([instance.baseline_w / power_w])
    else:
        gains = instance.baseline_w / instance.power.mean_w(run.mean_rates_hz, instance.activity)
    return {
        "battery_life_h": instance.power.capacity_j / power_w / 3600.0,
        "error_percent": 100.0 * float(run.error_shares.mean()),
        "error_slack_percent": instance.largest_error_percent - largest,
        "largest_error_percent": largest,
        "gain_percent": 100.0 * (float(gains.mean()) - 1.0),
        "mean_power_w": power_w,
        "mean_rate_hz": rate,
        "mean_interval_s": float((1.0 / run.mean_rates_hz).mean()),
        "cross_validation_percent": validation,
        "moves_per_hour": float(run.moves.sum()) / hours,
        "tree_nodes": float(len(tree)) if tree else 0.0,
        "flash_bytes": float(flash_bytes(tree, task.rates_hz.size)) if tree else 0.0,
        "decision_s": decision_s(tree) if tree else 0.0,
        "tolerance_percent": design.tolerance_percent if isinstance(design, Predictor) else 0.0,
    }
