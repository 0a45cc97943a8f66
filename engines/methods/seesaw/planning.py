"""What a run will take, before anything is trained."""

from __future__ import annotations

from engines.contract.engine import Bound, Plan, PlanCheck
from engines.contract.estimates import around
from engines.contract.plan import warnings_of
from engines.methods.seesaw.evaluation import Instance
from engines.methods.seesaw.outcome import notes
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.correlation import sensor_sets
from engines.methods.seesaw.predictor.sweep import most_evaluations

# Processor time on one core of 100 tracks of 600 steps and 60,100 rows to train on: 10 s with sets of up to two sensors (3 s of
# it for correlations), 3.5 s with one.
_SECONDS_PER_STEP = 3.5e-5
_SECONDS_PER_CORRELATION = 0.5
_START_S = 0.6  # scikit-learn


def make_plan(instance: Instance, params: SeesawParams) -> Plan:
    """The plan."""
    task, power = instance.task, instance.power
    evaluations = most_evaluations(task, params)
    steps = max(len(track) for track in task.test)
    rows = sum(len(track) for track in task.train)
    seconds = _START_S + evaluations * (0.003 + steps * _SECONDS_PER_STEP + rows * 1e-7)
    seconds += len(sensor_sets(task.signal_names, params.most_sensors)) * _SECONDS_PER_CORRELATION
    tracks = f"{len(task.train)} tracks to train on, {len(task.test)} to test on, steps of {task.period_s:g} s"
    lowest, highest = (float(power.mean_w(float(rate), params.activity)) for rate in task.rates_hz[[0, -1]])
    return Plan(
        evaluations=evaluations,
        memory_mb=350.0 + 2e-5 * rows * task.rates_hz.size,
        time_s=around(seconds),
        checks=(PlanCheck(len(task.train) >= 2 and len(task.test) >= 2, tracks),),
        bounds=(
            Bound(None, "Life at the highest rate", power.capacity_j / highest / 3600.0, "h"),
            # A rate that never changes attains it whatever its error, so that a gap to it would say nothing.
            Bound(None, "Life at the lowest rate", power.capacity_j / lowest / 3600.0, "h"),
        ),
        notes=warnings_of(notes(instance, params)),
    )
