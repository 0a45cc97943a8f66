"""The engine seesaw: how long a battery lasts, and how far the output is off, when cheap sensors set the rate of a costly one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from engines.contract.certainty import Certainty, estimate_certainty
from engines.contract.designs import Decision, Decisions, Designs, Origin
from engines.contract.engine import (
    Context,
    Engine,
    File,
    Infeasibility,
    InputKind,
    MetricBreakdown,
    Plan,
    Problem,
    Recorder,
    Step,
    require,
)
from engines.contract.fronts.non_dominated import non_dominated
from engines.contract.integer_format import counted
from engines.contract.limits import beyond
from engines.contract.questions import CONTROL
from engines.contract.results import Breakdown, Curve, LayerGraph, Note, Result, Table, Trace
from engines.documents.input_kinds import measured_slot, slot
from engines.methods.seesaw.evaluation import Instance, build_instance, columns_of, to_designs
from engines.methods.seesaw.explain.c_code import code_of
from engines.methods.seesaw.explain.design_results import explain_design
from engines.methods.seesaw.outcome import correlation_results, notes, sensor_words, sweep_curve
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.planning import make_plan
from engines.methods.seesaw.predictor.correlation import Correlation, correlation, cross_validation_error, sensor_sets
from engines.methods.seesaw.predictor.decision import Design, FixedRate, Predictor, decode
from engines.methods.seesaw.predictor.sweep import fixed_rates, predictors, tested_tolerance, tolerances_percent
from engines.methods.seesaw.predictor.tree import train
from engines.methods.seesaw.quantities import QUANTITIES
from engines.recordings.family import RECORDING
from hardware.sensor_node.family import SENSOR_NODE

MOST_FILES = 20
_CORRELATIONS = 0.1  # of a run, roughly

_UNCHANGED = 1e-6  # deviation of the best rate, as a share of the range, below which it does not change


class SeesawEngine(Engine[SeesawParams, Instance]):
    """Correlation finder, tolerance sweep, regression trees with error feedback; exhaustive over what is swept."""

    name = "seesaw"
    title = "Adaptive sensing"
    summary = "Cheap sensors set the rate of the one that takes the power: battery life against error, and the predictor as C code."
    source = "goyal-2023 (dissertation), chapter 3 (Seesaw)"
    question = CONTROL
    version = 4
    tags = ("battery", "sensing", "trees")
    inputs: ClassVar[Mapping[str, InputKind]] = {
        "hardware": slot(
            SENSOR_NODE,
            "A device with one sensor whose rate can be set, and a battery.",
            preferred="fitness-tracker",
        ),
        "data": slot(
            RECORDING,
            "Routes (GPX, CSV) or series: what the sensors say. Its first tracks train, the others test.",
            preferred="synthetic-routes",
        ),
        "measured": measured_slot("the simulated battery"),
    }  # fmt: skip
    Params = SeesawParams
    quantities = QUANTITIES
    result_types = (Trace, Curve, LayerGraph, Breakdown, Table, Note)
    breakdowns = (MetricBreakdown("mean_power_w", "power", "by part", "parts", bar="This design"),)

    def prepare(self, problem: Problem[SeesawParams]) -> Instance:
        """Refuse what does not fit together: rates and steps, a missing battery, feedback without an error to measure."""
        params = problem.params
        least, largest = params.least_tolerance_percent, params.largest_tolerance_percent
        require(
            largest >= least, "params.largest_tolerance_percent", largest, f"at least the least tolerance, {least:g} %"
        )
        instance = build_instance(problem)
        impossible = params.feedback == "on" and instance.task.kind == "frames"
        accepted = "both or off: the error of a video cannot be measured while it is taken"
        require(not impossible, "params.feedback", params.feedback, accepted)
        steps = sum(map(len, (*instance.task.train, *instance.task.test)))
        require(
            steps <= 2_000_000,
            "inputs.data",
            f"{counted(steps)} steps",
            f"a recording of at most {counted(2_000_000)} steps",
        )
        return instance

    def plan(self, problem: Problem[SeesawParams], instance: Instance) -> Plan:
        """Tracks, designs, time, and the lives between which every design lies."""
        return make_plan(instance, problem.params)

    def estimator(self, problem: Problem[SeesawParams]) -> tuple[str, Certainty]:
        """Which calibration of the node gives the power."""
        if problem.params.power == "shares":
            return "power by measured life and shares of the node (goyal-2023 eq. 3.2 and 3.3)", estimate_certainty(
                calibrated=True
            )
        return "power by the printed figures of the board (goyal-2023 eq. 3.1 to 3.3)", "predicted"

    def run(self, problem: Problem[SeesawParams], instance: Instance, record: Recorder) -> Iterator[Step]:
        """Correlations, one set of sensors after the other, and fixed rates first, then tolerance by tolerance."""
        sweep = _Sweep(problem.params, instance, record)
        if record.state is None:
            yield record.step(0.0, f"Reads the recording {problem.inputs['data'].slug}")
        sets = sensor_sets(instance.task.signal_names, problem.params.most_sensors)
        for sensors in sets[len(sweep.found) :]:
            if record.context.stop_requested():
                return
            yield sweep.correlate(sensors, len(sets))
        if not record.evaluations:
            yield sweep.begin()
        largest = problem.params.largest_cross_validation_percent / 100
        if not any(each.accepted(largest) for each in sweep.found):
            yield record.infeasible(*_infeasible(problem, sweep.found, record.designs))
            return
        values = tolerances_percent(problem.params)
        while sweep.done < len(values):
            if record.context.stop_requested():
                return
            yield sweep.advance(values[sweep.done], len(values))

    def evaluate(
        self, problem: Problem[SeesawParams], instance: Instance, decisions: Decisions, context: Context
    ) -> Designs:
        """The same numbers again, with origin "user"."""
        designs = [decode(decision, instance.task) for decision in decisions]
        sets = {design.sensors for design in designs if isinstance(design, Predictor)}
        params = problem.params
        tolerance = tested_tolerance(instance.task, params)
        percent = {
            each: 100 * cross_validation_error(instance.task, each, tolerance, params.most_leaves, params.folds)
            for each in sets
        }
        items = [(design, percent[design.sensors] if isinstance(design, Predictor) else 0.0) for design in designs]
        return to_designs(designs, context.executor.map(columns_of, instance, items))

    def explain(
        self, problem: Problem[SeesawParams], instance: Instance, decision: Decision, context: Context
    ) -> tuple[Result, ...]:
        """Traces of rate, error, feedback and charge, routes by curvature, the tree, power by part, and its cost."""
        return explain_design(instance, problem, decode(decision, instance.task), context)


def _infeasible(
    problem: Problem[SeesawParams], found: Sequence[Correlation], fixed: Designs
) -> tuple[Infeasibility, str]:
    """No sensors are accepted; `fixed` are the fixed rates, which tell whether the lowest of them is good enough."""
    best = min(found, key=lambda each: each.error)
    limit = problem.params.largest_cross_validation_percent
    demand, bound = 100 * best.error, min(limit, 95 * best.guess_error)
    if best.guess_error < _UNCHANGED:
        remedies = [
            ("Allow less error: at a lower tolerance the best rate may change.", "params.least_tolerance_percent"),
            ("Take a recording with more changes.", "inputs.data"),
        ]
        words = f"deviation of the best rate over {problem.inputs['data'].slug}, which sensors could predict"
        none = beyond(words, 100 * _UNCHANGED, 0.0, "%", remedies)
        return none, "One rate is the best everywhere: there is nothing to predict."
    remedies = [("Use a recording whose cheap sensors say something about the costly one.", "inputs.data")]
    lowest = int(fixed.columns["battery_life_h"].argmax())
    error = float(fixed.columns["error_percent"][lowest])
    if error < problem.params.least_tolerance_percent:
        words = f"Allow less error: {fixed.label[lowest]} is off by {error:.2g} % on average, less than the least tolerance."
        remedies.insert(0, (words, "params.least_tolerance_percent"))
    if bound == limit:
        remedies.insert(
            0, (f"Allow a cross-validation error of {demand:.3g} %.", "params.largest_cross_validation_percent")
        )
    words = f"cross-validation error of the best sensors ({sensor_words(best.sensors)})"
    none = beyond(words, demand, bound, "%", remedies)
    return none, "No cheap sensor predicts the rate of the costly one."


class _Sweep:
    """Correlations found so far, and how many tolerances are done."""

    def __init__(self, params: SeesawParams, instance: Instance, record: Recorder) -> None:
        self.params, self.instance, self.record = params, instance, record
        state = record.state or {"done": 0, "correlations": []}
        self.done = int(state["done"])
        self.found = [Correlation(tuple(s), tuple(e), g) for s, e, g in state["correlations"]]

    def correlate(self, sensors: tuple[str, ...], total: int) -> Step:
        """How well one set of sensors, of `total`, tells the best rate."""
        task, params = self.instance.task, self.params
        random = self.record.context.random("correlation", *sensors)
        tolerance = tested_tolerance(task, params)
        self.found.append(correlation(task, sensors, tolerance, params.most_leaves, params.folds, random))
        done = len(self.found)
        words = f"Correlation of {sensor_words(sensors)}: {done} of {total}"
        return self._step(_CORRELATIONS * (done / total), words)

    def begin(self) -> Step:
        """All correlations, and the fixed rates as baselines."""
        fixed = fixed_rates(self.instance.task)
        self._evaluate(fixed, "baseline", [design.words for design in fixed])
        results = (*correlation_results(self.found, self.params), *notes(self.instance, self.params))
        return self._step(_CORRELATIONS, "Correlations and fixed rates", results)

    def advance(self, tolerance_percent: float, total: int) -> Step:
        """All predictors of one tolerance; after the last one the sweep as a curve and the files."""
        designs = predictors(self.instance.task, self.params, self.found, tolerance_percent)
        self._evaluate(designs, "search")
        self.done += 1
        words = f"tolerance {tolerance_percent:g} %: {len(designs)} predictors"
        if self.done == total:
            return self._step(1.0, words, (sweep_curve(self.record.designs),), self._files())
        return self._step(_CORRELATIONS + (1 - _CORRELATIONS) * self.done / total, words)

    def _evaluate(self, designs: Sequence[Design], origin: Origin, labels: Sequence[str] = ()) -> None:
        errors = {each.sensors: 100 * each.error for each in self.found}
        items = [(design, 0.0 if isinstance(design, FixedRate) else errors[design.sensors]) for design in designs]
        columns = self.record.context.executor.map(columns_of, self.instance, items)
        self.record.add(to_designs(designs, columns, labels), origin)

    def _step(self, fraction: float, words: str, results: Sequence[Result] = (), files: Sequence[File] = ()) -> Step:
        found = [[list(e.sensors), list(e.errors), e.guess_error] for e in self.found]
        return self.record.step(fraction, words, results, files, {"done": self.done, "correlations": found})

    def _files(self) -> tuple[File, ...]:
        """C code of the predictors on the front, evenly picked where there are many."""
        designs = self.record.designs
        points = designs.matrix(("battery_life_h", "error_percent"))
        trees = [(decision, row) for row, decision in enumerate(designs.decisions) if "tolerance_percent" in decision]
        front = non_dominated(points, ("maximise", "minimise"))
        wanted = [decision for decision, row in trees if front[row]] or [decision for decision, _ in trees]
        every = -(-len(wanted) // MOST_FILES)
        return tuple(self._file(decision) for decision in wanted[::every])

    def _file(self, decision: Mapping[str, Any]) -> File:
        task = self.instance.task
        design = decode(decision, task)
        assert isinstance(design, Predictor)
        tree = train(task, design.sensors, design.tolerance_percent / 100.0, design.leaves)
        return File(design.file_name, "text/x-c", code_of(task, design, tree).encode())
