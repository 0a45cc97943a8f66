"""The results of one design."""

from __future__ import annotations

import numpy as np

from engines.contract.engine import Problem
from engines.contract.results import (
    Breakdown,
    Curve,
    Event,
    LayerGraph,
    LayerNode,
    Note,
    Result,
    Series,
    Table,
    TableColumn,
    Threshold,
    Trace,
)  # fmt: skip
from engines.methods.seesaw.costs.tree_cost import cortex_m4
from engines.methods.seesaw.evaluation import EvaluationOutcome, Instance, evaluate_design
from engines.methods.seesaw.explain.battery_trace import battery_results
from engines.methods.seesaw.explain.c_code import code_of
from engines.methods.seesaw.outcome import sensor_words
from engines.methods.seesaw.params import SeesawParams
from engines.methods.seesaw.predictor.decision import Design, FixedRate, Predictor
from engines.methods.seesaw.predictor.tree import LEAF, RateTree

_MOST_EVENTS = 6
_MOST_POINTS = 3000


def explain_design(instance: Instance, problem: Problem[SeesawParams], design: Design) -> tuple[Result, ...]:
    """Return all results of one design; power by part adds up to the mean power, the trace's last error is that of its track."""
    found = evaluate_design(instance, (design, 0.0))
    results: list[Result] = [*battery_results(instance, problem, design, found.run, found.columns["mean_power_w"])]
    results += [_at_work(instance, found), _by_track(instance, found), _power(instance, found)]
    if found.tree is not None:
        results += [_tree(instance, found.tree), _cost(instance, found), _code(instance, design, found.tree)]
    return tuple(results)


def _at_work(instance: Instance, found: EvaluationOutcome) -> Trace:
    """Return rate, error and feedback on the test track of largest error."""
    task, run = instance.task, found.run
    row = int(run.error_shares.argmax())
    length = min(int(run.lengths[row]), _MOST_POINTS)
    rates = task.rates_hz[run.rates[row, :length]]
    series = [Series("Rate", rates, "Hz", style="step")]
    events: list[Event] = []
    limits: tuple[Threshold, ...] = ()
    if found.tree is not None and isinstance(found.design, Predictor):
        levels = run.levels[row, :length]
        if found.design.feedback:
            series.append(Series("Least rate", task.rates_hz[found.tree.least_rates[levels]], "Hz", style="step"))
            moved = np.flatnonzero(np.diff(levels)) + 1
            for step in moved[:_MOST_EVENTS]:
                words = "down" if levels[step] > levels[step - 1] else "up"
                events.append(Event(float(step) * task.period_s, f"start node {words}"))
        name = found.design.sensors[0]
        column = task.signal_names.index(name)
        signal = task.test[row].signals[:length, column].astype(np.float64)
        series.append(Series(sensor_words((name,)).capitalize(), signal, _unit_words(task.signal_units[column])))
        limits = (Threshold("Tolerance", found.design.tolerance_percent, "%"),)
    series.append(Series("Error so far", 100.0 * run.errors[row, :length], "%"))
    title = f"Example on {task.test[row].title}, the test track of largest error"
    times = np.arange(length, dtype=np.float64) * task.period_s
    return Trace("at-work", title, times, tuple(series), limits, tuple(events))


def _unit_words(unit: str) -> str:
    return {"deg": "°", "degC": "°C", "m/s2": "m/s²", "deg/s": "°/s"}.get(unit, unit)


def _by_track(instance: Instance, found: EvaluationOutcome) -> Curve:
    """Test tracks in the order of their curvature or motion (goyal-2023 Figures 3.7, 3.8, 3.11)."""
    task, run = instance.task, found.run
    order = np.argsort([track.irregularity for track in task.test], kind="stable")
    if task.kind == "frames":
        pace = Series("Mean frame rate", run.mean_rates_hz[order], "Hz")
    else:
        pace = Series("Mean interval", 1.0 / run.mean_rates_hz[order], "s")
    series = (pace, Series("Error", 100.0 * run.error_shares[order], "%"))
    measure = "curvature" if task.kind == "route" else "mean of what is measured"
    places = np.arange(1.0, len(order) + 1)
    return Curve("by-track", f"Test tracks by {measure}", places, f"Test track, by {measure}", "", series)


def _power(instance: Instance, found: EvaluationOutcome) -> Breakdown:
    power, run = instance.power, found.run
    highest = power.parts_w(float(instance.task.rates_hz[-1]), instance.activity)
    if isinstance(found.design, FixedRate) and not found.design.sleep:
        awake = power.parts_w(float(instance.task.rates_hz[-1]), 1.0)
        own = awake * (power.without_sleep_w / awake.sum())
    else:
        own = power.parts_w(float(np.average(run.mean_rates_hz, weights=run.lengths)), instance.activity)
    bars = ("This design", "Highest rate, with sleep")
    return Breakdown("power", "Mean power by part", bars, power.parts, np.stack((own, highest)), "W")


def _tree(instance: Instance, tree: RateTree) -> LayerGraph:
    """Return the tree from its root: what each node asks, and the rate of each leaf; start nodes of feedback are named."""
    starts: dict[int, list[str]] = {}
    for level, node in enumerate(tree.start_nodes.tolist()):
        starts.setdefault(node, []).append(f"{instance.task.rates_hz[tree.least_rates[level]]:g} Hz")
    nodes, edges = [], []
    for node in range(len(tree)):
        leaf = tree.feature[node] == LEAF
        if leaf:
            title = f"{instance.task.rates_hz[tree.rate[node]]:g} Hz"
        else:
            name = tree.sensors[tree.feature[node]]
            unit = _unit_words(instance.task.signal_units[instance.task.signal_names.index(name)])
            title = f"{sensor_words((name,))} ≤ {tree.threshold[node]:.3g} {unit}".rstrip()
            edges += [(str(node), str(node + 1)), (str(node), str(int(tree.right[node])))]
        mean, rows = float(tree.mean_rate_hz[node]), float(tree.rows[node])
        figures = (("Mean best rate", mean, "Hz"), ("Training steps", rows, ""))
        begun = f" (start from {', '.join(starts[node])})" if node in starts and node else ""
        group = "rate" if leaf else "start" if node in starts else "question"
        nodes.append(LayerNode(str(node), title + begun, group, figures))
    title = f"Predictor: {len(tree)} nodes, the upper branch where the answer is yes"
    return LayerGraph("tree", title, tuple(nodes), tuple(edges))


def _cost(instance: Instance, found: EvaluationOutcome) -> Table:
    assert found.tree is not None
    columns, constants = found.columns, cortex_m4()
    # A decision is charged with the power of the whole device at the highest rate.
    active_w = float(instance.power.mean_w(float(instance.task.rates_hz[-1])))
    rows = (
        ("Nodes", float(len(found.tree)), ""),
        ("Comparisons of the longest way", float(found.tree.depth), ""),
        ("Comparisons on average", found.tree.mean_depth(), ""),
        ("Flash", columns["flash_bytes"], "B"),
        ("Time of a decision", 1e6 * columns["decision_s"], "µs"),
        ("Mean power of decisions", 1e6 * columns["decision_s"] / instance.task.period_s * active_w, "µW"),
    )
    names, values, units = zip(*rows, strict=True)
    title = f"On a Cortex-M4 of {constants['clock_mhz']} MHz, counted by instructions"
    figures = (TableColumn("Figure", names), TableColumn("Value", np.array(values)))
    return Table("cortex-m4", title, (*figures, TableColumn("Unit", units, row_units=True)))


def _code(instance: Instance, design: Design, tree: RateTree) -> Note:
    """Return a file of the design: only some of the predictors are among those of the run."""
    assert isinstance(design, Predictor)
    return Note(design.file_name, "Predictor as C code", code_of(instance.task, design, tree), role="document")
