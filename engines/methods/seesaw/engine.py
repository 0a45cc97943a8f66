"""The engine seesaw: how long a battery lasts, and how far the output is off, when cheap sensors set the rate of a costly one."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engines.contract.certainty import Certainty, estimate_certainty
from engines.contract.designs import Decision, Designs
from engines.contract.engine import (
    Bound,
    Context,
    File,
    Infeasibility,
    InputKind,
    MetricBreakdown,
    Plan,
    PlanCheck,
    Problem,
    Recorder,
    Step,
    require,
)  # fmt: skip
from engines.contract.estimates import around
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.integer_format import counted, many
from engines.contract.limits import Allowed, beyond
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Result, Table, Trace
from engines.documents.input_kinds import measured_slot, slot
from engines.methods.seesaw.evaluation import build_instance, columns_of
from engines.methods.seesaw.explain.c_code import code_of
from engines.methods.seesaw.explain.design_results import explain_design
from engines.methods.seesaw.outcome import correlation_results, notes, nothing_predicts, sensor_words, sweep_curve
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor import sweep
from engines.methods.seesaw.predictor.correlation import Correlation, correlation, cross_validation_error, sensor_sets
from engines.methods.seesaw.predictor.decision import Design, Predictor, decode
from engines.methods.seesaw.predictor.tree import train
from engines.methods.seesaw.quantities import QUANTITIES
from engines.recordings.family import RECORDING
from engines.search.prepared_problem import PreparedEngine, PreparedProblem
from engines.search.strategies import Beginning, Columns, Own, Search, Strategy
from hardware.sensor_node.family import SENSOR_NODE

MOST_FILES = 20
# Processor time on one core of 100 tracks of 600 steps and 60,100 rows to train on: 10 s with sets of up to two sensors (3 s of
# it for correlations), 3.5 s with one.
_START_S, _SECONDS_PER_STEP, _SECONDS_PER_CORRELATION = 0.6, 3.5e-5, 0.5  # at first scikit-learn


@dataclass(frozen=True, eq=False)
class SensingContext:
    """The context of a run, and the correlations that it found."""

    context: Context
    found: Sequence[Correlation] = ()


class PreparedSensing(PreparedProblem[SeesawParams, Design, SensingContext]):
    """A recording and a device whose costly sensor follows cheap ones."""

    share = (0.1, 0.9)
    counts_baselines = True

    def __init__(self, problem: Problem[SeesawParams]) -> None:
        """Refuse what does not fit together: rates and steps, a missing battery, feedback without an error to measure."""
        params = problem.params
        least, largest = params.least_tolerance_percent, params.largest_tolerance_percent
        accepted = f"at least the least tolerance, {least:g} %"
        require(largest >= least, "params.largest_tolerance_percent", largest, accepted)
        self.problem, self.params, self.instance = problem, params, build_instance(problem)
        self.task = task = self.instance.task
        accepted = "both or off"
        require(
            params.feedback != "on" or task.kind != "frames",
            "params.feedback",
            params.feedback,
            accepted,
            reason="The error of a video cannot be measured while the camera records it.",
        )
        steps, most = sum(map(len, (*task.train, *task.test))), 2_000_000
        accepted = f"a recording of at most {counted(most)} steps"
        require(steps <= most, "inputs.data", many(steps, "step"), accepted, remedies=["Choose a part of it."])

    def decode(self, decision: Decision) -> Design:
        """Return a predictor of the recording's signals, or a rate of the sensor."""
        return decode(decision, self.task)

    def strategy(self) -> Strategy[Design]:
        """Return the tolerance by tolerance, all predictors over the accepted sensors."""
        most = sweep.most_predictors(self.task, self.params)
        words = f"{many(most, 'combination')} of tolerance, sensors, leaves and feedback at most: all are evaluated"
        certainty = "All predictors of every tolerance over the accepted sensors were evaluated."
        return Own(most, words, certainty, self._sweep)

    def plan(self, evaluations: int) -> Plan:
        """Return tracks, time, and the lives between which every design lies."""
        task, power, activity = self.task, self.instance.power, self.params.activity
        steps, rows = max(map(len, task.test)), sum(map(len, task.train))
        seconds = _START_S + evaluations * (0.003 + steps * _SECONDS_PER_STEP + rows * 1e-7)
        seconds += len(sensor_sets(task.signal_names, self.params.most_sensors)) * _SECONDS_PER_CORRELATION
        tracks = f"{len(task.train)} tracks to train on, {len(task.test)} to test on, steps of {task.period_s:g} s"
        checks = (PlanCheck(len(task.train) >= 2 and len(task.test) >= 2, tracks),)
        lowest, highest = (float(power.mean_w(float(rate), activity)) for rate in task.rates_hz[[0, -1]])
        bounds = (
            Bound(None, "Life at the highest rate", power.capacity_j / highest / 3600.0, "h"),
            # A rate that never changes attains it whatever its error, so that a gap to it would say nothing.
            Bound(None, "Life at the lowest rate", power.capacity_j / lowest / 3600.0, "h"),
        )
        return Plan(
            evaluations, 350.0 + 2e-5 * rows * task.rates_hz.size, around(seconds), checks=checks, bounds=bounds
        )

    def facts(self) -> tuple[Result, ...]:
        """Return the notes on power, battery and error that a reader of the results needs."""
        return notes(self.instance, self.params)

    def baselines(self) -> dict[str, Design]:
        """Return the fixed rates."""
        return {design.words: design for design in sweep.fixed_rates(self.task)}

    def begin(self, record: Recorder) -> Generator[Step, None, Beginning[SensingContext] | None]:
        """Yield correlations, one set of sensors after the other."""
        task, params = self.task, self.params
        state = record.state or {"done": 0, "correlations": []}
        found = [Correlation(tuple(sensors), tuple(errors), guess) for sensors, errors, guess in state["correlations"]]
        if record.state is None:
            yield record.step(0.0, f"Reads the recording {self.problem.inputs['data'].slug}")
        sets, tolerance = sensor_sets(task.signal_names, params.most_sensors), sweep.tested_tolerance(task, params)

        def kept() -> dict[str, Any]:
            known = [[list(each.sensors), list(each.errors), each.guess_error] for each in found]
            return {"done": int(state["done"]), "correlations": known}

        for sensors in sets[len(found) :]:
            if record.context.stop_requested():
                return None
            random = record.context.random("correlation", *sensors)
            found.append(correlation(task, sensors, tolerance, params.most_leaves, params.folds, random))
            words = f"Correlation of {sensor_words(sensors)}: {len(found)} of {len(sets)}"
            yield record.step(self.share[0] * (len(found) / len(sets)), words, state=kept())
        results = correlation_results(found, params)
        return Beginning(SensingContext(record.context, found), kept(), results=results)

    def context_of(self, context: Context) -> SensingContext:
        """Return the context without correlations: sensors of single designs are cross-validated."""
        return SensingContext(context)

    def evaluate(self, designs: Sequence[Design], context: SensingContext) -> Columns:
        """Train and run the designs, on all processes."""
        task, params = self.task, self.params
        errors = {each.sensors: each.error for each in context.found}
        sensors = [design.sensors if isinstance(design, Predictor) else () for design in designs]
        for each in set(sensors) - {*errors, ()}:
            tolerance = sweep.tested_tolerance(task, params)
            errors[each] = cross_validation_error(task, each, tolerance, params.most_leaves, params.folds)
        items = [(design, 100 * errors.get(each, 0.0)) for design, each in zip(designs, sensors, strict=True)]
        rows = context.context.executor.map(columns_of, self.instance, items)
        return {name: np.array([row[name] for row in rows], np.float64) for name in rows[0]}

    def explain(self, design: Design, context: SensingContext) -> tuple[Result, ...]:
        """Return the traces of rate, error, feedback and charge, routes by curvature, the tree, power by part, and its cost."""
        return explain_design(self.instance, self.problem, design)

    def unmet(self, allowed: Allowed, designs: Designs) -> Infeasibility:
        """Return the largest error of the best design."""
        best, most = float(designs.columns["largest_error_percent"].min()), self.params.largest_error_percent
        remedies = [(f"Allow a largest error of {best:.3g} %.", "params.largest_error_percent")]
        return beyond("largest error of a test track", best, most, "%", remedies)

    def report(self, designs: Designs, context: SensingContext) -> tuple[Result, ...]:
        """Return the life and error by tolerance."""
        return (sweep_curve(designs),)

    def ending(self, designs: Designs, context: SensingContext) -> tuple[str, Sequence[File]]:
        """Return C code of the predictors on the front, evenly picked where there are many."""
        points = designs.matrix(("battery_life_h", "error_percent"))
        front = non_dominated(points, ("maximise", "minimise"))
        rows = [row for row, decision in enumerate(designs.decisions) if "tolerance_percent" in decision]
        wanted = [row for row in rows if front[row]] or rows
        return "", [self._code(designs.decisions[row]) for row in wanted[:: -(-len(wanted) // MOST_FILES)]]

    def _code(self, decision: Decision) -> File:
        design = self.decode(decision)
        assert isinstance(design, Predictor)
        tree = train(self.task, design.sensors, design.tolerance_percent / 100.0, design.leaves)
        return File(design.file_name, "text/x-c", code_of(self.task, design, tree).encode())

    def _sweep(self, search: Search[Design]) -> Iterator[Step]:
        record, found, kept = search.record, search.beginning.context.found, search.beginning.kept
        if not any(each.accepted(self.params.largest_cross_validation_percent / 100) for each in found):
            yield record.infeasible(*nothing_predicts(self.problem, found, record.designs))
            return
        values = sweep.tolerances_percent(self.params)
        for number, value in enumerate(values[kept["done"] :], kept["done"] + 1):
            if record.context.stop_requested():
                return
            designs = sweep.predictors(self.task, self.params, found, value)
            record.add(search.evaluate(designs))
            fraction = self.share[0] + self.share[1] * number / len(values) if number < len(values) else 1.0
            words = f"tolerance {value:g} %: {len(designs)} predictors"
            yield record.step(fraction, words, state={**kept, "done": number})


class SeesawEngine(PreparedEngine[SeesawParams]):
    """Correlation finder, tolerance sweep, regression trees with error feedback; exhaustive over what is swept."""

    name = "seesaw"
    title = "Adaptive sensing"
    summary = (
        "Sets the rate of a high-power sensor by cheap sensors. Trades battery life against error and writes "
        "the predictor as C code."
    )
    source = "goyal-2023 (dissertation), chapter 3 (Seesaw)"
    question = CONTROL
    version = 4
    tags = ("battery", "sensing", "trees")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": slot(
            SENSOR_NODE, "A device with one sensor whose rate can be set, and a battery.", preferred="fitness-tracker"
        ),
        "data": slot(
            RECORDING, "Recorded sensor values, as routes (GPX, CSV) or series. The first tracks train, the others test.",
            preferred="synthetic-routes",
        ),
        "measured": measured_slot("the simulated battery"),
    }  # fmt: skip
    Params = SeesawParams
    prepares = PreparedSensing
    quantities = QUANTITIES
    result_types = (Trace, Curve, LayerGraph, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("mean_power_w", "power", "by part", "parts", bar="This design"),)

    def estimator(self, problem: Problem[SeesawParams]) -> tuple[str, Certainty]:
        """Return the calibration of the node's power, and its certainty."""
        if problem.params.power == "shares":
            return "power by measured life and shares of the node (goyal-2023 eq. 3.2 and 3.3)", estimate_certainty(
                calibrated=True
            )
        return "power by the published values of the board (goyal-2023 eq. 3.1 to 3.3)", "predicted"
