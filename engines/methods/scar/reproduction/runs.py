"""Runs of the engine whose figures a reproduction compares: what is run, and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.chiplets.costs.scoring import MEMORY, Scorer
from engines.chiplets.problem.decision import PackageSchedule, decode
from engines.contract.engine import Document, Problem
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.scar.course.report import tables_of
from engines.methods.scar.params import ScarParams
from engines.registry import get_engine
from engines.reproduction import frame
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import plan

BASELINES = ("Simba NVDLA", "Simba Shi-diannao", "Standalone NVDLA", "Standalone Shi-diannao")
METRICS = ("latency_s", "energy_j", "edp_js")
MAESTRO_LAYERS = "mlperf-scenario-4 with MAESTRO's layers"
_SCENARIO_4 = "mlperf-scenario-4"
_NETWORKS_OF_MAESTRO = {"resnet50": "resnet50-maestro", "unet-512": "unet-maestro"}
_EVALUATIONS = 100  # the schedule of the chosen search and the baselines come first; no more is compared
_SEED = 1

Figures = Mapping[str, float]


@dataclass(frozen=True)
class ModelWindows:
    """One model of a schedule.

    Attributes:
        title: title of the model.
        layers: in all.
        seconds, window_layers: its own time and its layers per window, 0 where it has none.
    """

    title: str
    layers: int
    seconds: tuple[float, ...]
    window_layers: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """The result of a run.

    Attributes:
        package: figures of the best schedule of the chosen search.
        baselines: figures of each baseline that could run.
        models: the best schedule, model by model.
        least_edp_js: no schedule on the package has less (bounds of latency and energy, each by itself).
    """

    package: Figures
    baselines: Mapping[str, Figures]
    models: tuple[ModelWindows, ...]
    least_edp_js: float

    def figures(self, name: str) -> Figures:
        """Return the metrics of a baseline, or of the package under any other name; NaN where a baseline could not run."""
        if name in BASELINES:
            return self.baselines.get(name, _NO_FIGURES)
        return self.package


_NO_FIGURES: Figures = dict.fromkeys(METRICS, float("nan"))


@dataclass(frozen=True)
class Case(frame.Case[Outcome]):
    """A run of the engine as far as its baselines.

    Attributes:
        workload: slug of a built-in scenario, or `MAESTRO_LAYERS`.
        hardware: slug of a built-in package.
        params: parameters as (name, value) pairs.
    """

    workload: str
    hardware: str
    params: tuple[tuple[str, Any], ...]

    def run(self) -> Outcome:
        """Return the schedule of the chosen search and the baselines."""
        return _run(self)

    def blank(self) -> Outcome:
        """Return a run without results."""
        return Outcome(_NO_FIGURES, {}, (), float("nan"))


def _run(case: Case) -> Outcome:
    problem = _problem(case)
    engine = get_engine("scar")
    metric = engine.primary_metric(problem)
    best: tuple[float, Figures, PackageSchedule] | None = None
    baselines: dict[str, Figures] = {}
    for step in drive(engine, problem, LocalContext(problem)):
        designs = step.designs
        for row in range(0 if designs is None else len(designs)):
            assert designs is not None
            figures = {name: float(designs.columns[name][row]) for name in METRICS}
            if designs.origin[row] == "baseline":
                baselines[designs.label[row]] = figures
            elif best is None or figures[metric] < best[0]:
                best = (figures[metric], figures, decode(designs.decisions[row]))
        if len(baselines) == len(BASELINES):
            break
    assert best is not None  # the first step of a feasible run is its schedule
    bounds = {bound.column: bound.value for bound in plan(problem).bounds}
    return Outcome(best[1], baselines, _models(problem, best[2]), bounds["latency_s"] * bounds["energy_j"])


def _problem(case: Case) -> Problem[ScarParams]:
    inputs = {"hardware": get_builtin("hardware", case.hardware), "workload": _workload(case.workload)}
    return make_problem("scar", inputs, {"evaluations": _EVALUATIONS, **dict(case.params)}, seed=_SEED)


def _workload(name: str) -> Document:
    if name != MAESTRO_LAYERS:
        return get_builtin("workload", name)
    scenario = get_builtin("workload", _SCENARIO_4)
    models = [
        {"network": _NETWORKS_OF_MAESTRO.get(model["network"], model["network"]), "batch": model["batch"]}
        for model in scenario.content["models"]
    ]
    return Document("workload", "mlperf-scenario-4-maestro", 1, {**scenario.content, "models": models})


def _models(problem: Problem[ScarParams], schedule: PackageSchedule) -> tuple[ModelWindows, ...]:
    tables = tables_of(problem)
    scorer, location = Scorer(tables), [MEMORY] * len(tables.models)
    count = len(schedule.windows)
    seconds, layers = [[0.0] * count for _ in tables.models], [[0] * count for _ in tables.models]
    for w, window in enumerate(schedule.windows):
        for placement, score in zip(window, scorer.window(window, location), strict=True):
            seconds[placement.model][w] = score.latency_s
            layers[placement.model][w] = placement.cuts[-1] - placement.first_layer
        for placement in window:
            location[placement.model] = placement.path[-1]
    return tuple(
        ModelWindows(model.title, model.layers, tuple(own_s), tuple(own_layers))
        for model, own_s, own_layers in zip(tables.models, seconds, layers, strict=True)
    )
