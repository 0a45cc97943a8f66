"""Designs of a problem under several cost models of layers: a question of `engines.running.runner.questions`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.tables import array_units as chiplet_units
from engines.contract.arrays import FloatArray
from engines.contract.designs import Decision
from engines.contract.engine import Engine, Problem
from engines.contract.errors import ProblemError
from engines.contract.quantities import by_name, objectives_of
from engines.cost.estimators.layer_comparison import LayerComparison, compare_layers
from engines.cost.estimators.protocol import ComputeUnit
from engines.cost.estimators.registry import array_estimator, array_estimator_names
from engines.cost.soc.dataflow import array_units as accelerator_units
from engines.registry import engine_path as path_of_engine
from engines.registry import get_engine
from engines.running.inspection import evaluate
from engines.running.runner.frame_parts import pack_problem, unpack_problem
from engines.running.runner.protocol import Start
from engines.search.robustness import RobustDesigns, robust_designs
from engines.workloads.network import Network, Scenario
from hardware.package.model import ChipletPackage
from hardware.soc.model import Soc

COST_MODEL, COST_TABLE = "cost_model", "cost_table"


def has_cost_models(engine: Engine) -> bool:
    """Return whether an engine takes the cost model of layers as a parameter."""
    return COST_MODEL in engine.Params.model_fields


def cost_models_of(problem: Problem[Any]) -> tuple[str, ...]:
    """Return the cost models that designs of a problem can be compared under, that of the problem first."""
    own, table = getattr(problem.params, COST_MODEL), getattr(problem.params, COST_TABLE)
    others = [name for name in array_estimator_names() if name != own and (table or name != "table")]
    return (own, *others)


def with_cost_model(problem: Problem[Any], name: str) -> Problem[Any]:
    """Return the same problem under another cost model.

    Raises:
        ProblemError: its engine takes none, or there is no such model.
    """
    if COST_MODEL not in type(problem.params).model_fields:
        raise ProblemError("run", problem.engine, "a run of an engine that takes a cost model of layers")
    array_estimator(name, field="estimators")
    return replace(problem, params=problem.params.model_copy(update={COST_MODEL: name}))


def question_of(
    problem: Problem[Any], decisions: Sequence[Decision], models: Sequence[str], memory_mb: float
) -> dict[str, Any]:
    """Return the request to `answer` as JSON values; the documents of the problem may be unloaded."""
    start = pack_problem(problem, path_of_engine(problem.engine), memory_limit_mb=memory_mb)
    return {"problem": vars(start), "decisions": [dict(each) for each in decisions], "models": [*models]}


def answer(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the designs and the layers of a problem under several cost models, as `compare_models` has them.

    Raises:
        ProblemError: the engine refuses the problem, or takes no cost model of layers.
    """
    return compare_models(unpack_problem(Start(**asked["problem"])), asked["decisions"], asked["models"])


def compare_models(problem: Problem[Any], decisions: Sequence[Decision], models: Sequence[str]) -> dict[str, Any]:
    """Return the designs and the layers of a problem under several cost models, as JSON-able data.

    Args:
        problem: with its documents loaded.
        decisions: decisions of at least one design.
        models: names of cost models; the first is what layers are compared with.

    Raises:
        ProblemError: as `answer`; or the device has no arrays, or a model lacks a layer.
        DecisionError: a decision does not describe a design of the problem.
    """
    pairs = costed_layers(problem)
    if not pairs:
        accepted = "a device with arrays of processing elements"
        reason = "The costs of this device come from measurements or its data sheet."
        raise ProblemError("run", problem.inputs["hardware"].slug, accepted, reason=reason)
    engine = get_engine(problem.engine)
    quantities = engine.quantities_of(problem.params)
    primary = by_name(quantities)[engine.primary_metric(problem)]
    objectives = objectives_of(quantities)
    shown = [each.name for each in dict.fromkeys((*objectives, primary))]
    values: dict[str, dict[str, FloatArray]] = {}
    for name in models:
        designs = evaluate(with_cost_model(problem, name), decisions)
        feasible = designs.feasible(quantities)
        values[name] = {column: np.where(feasible, designs.columns[column], np.nan) for column in shown}
    robust = robust_designs(
        {name: np.column_stack([columns[each.name] for each in objectives]) for name, columns in values.items()},
        [each.sense for each in objectives],
        {name: columns[primary.name] for name, columns in values.items()},
        primary.sense,
    )
    table = getattr(problem.params, COST_TABLE)
    layers = compare_layers(pairs, {name: array_estimator(name, table) for name in models})
    plain = {name: {column: finite(each) for column, each in columns.items()} for name, columns in values.items()}
    return {
        "metric": primary.name,
        "metric_title": primary.title,
        "values": plain,
        **_robust_json(robust),
        "layers": _layers_json(layers),
    }


def costed_layers(problem: Problem[Any]) -> list[tuple[Network, ComputeUnit]]:
    """Return each network of a problem with each kind of array of its device; numbers of bits are the device's."""
    units: tuple[ComputeUnit, ...] = ()
    for value in problem.values.values():
        if isinstance(value, ChipletPackage):
            shared = {name: getattr(problem.params, name) for name in ("output_stationary_mapping", "dram_rule")}
            units = chiplet_units(value, ScheduleParams(**shared))
        elif isinstance(value, Soc) and value.by_dataflow:
            units = accelerator_units(value)
    networks = [
        model.network for value in problem.values.values() if isinstance(value, Scenario) for model in value.models
    ]
    return [(network, unit) for network in dict.fromkeys(networks) for unit in units]


def finite(values: FloatArray) -> list[float | None]:
    """Return the values as JSON has them: None for what is not finite."""
    return [value if np.isfinite(value) else None for value in values.tolist()]


def _robust_json(robust: RobustDesigns) -> dict[str, Any]:
    return {
        "models": [*robust.models],
        "optimal": {name: row.tolist() for name, row in zip(robust.models, robust.optimal, strict=True)},
        "regret": {name: finite(row) for name, row in zip(robust.models, robust.regret, strict=True)},
        "always": np.flatnonzero(robust.always).tolist(),
        "sometimes": np.flatnonzero(robust.sometimes).tolist(),
        "least_regret": robust.least_regret,
        "largest_regret": finite(robust.largest_regret),
        "agreement": [[one, other, tau] for (one, other), tau in robust.agreement.items()],
    }


def _layers_json(found: LayerComparison) -> dict[str, Any]:
    return {
        "network": found.networks, "layer": found.layers, "unit": found.units, "kind": found.kinds,
        "latency_s": {name: values.tolist() for name, values in found.latency_s.items()},
        "energy_j": {name: values.tolist() for name, values in found.energy_j.items()},
        "by_kind": {
            name: [[kind, unit, ratio] for (kind, unit), ratio in found.by_kind(name).items()]
            for name in found.disagreements
        },
        "disagreements": {name: [vars(each) for each in rows] for name, rows in found.disagreements.items()},
        "notes": {name: [*notes] for name, notes in found.notes.items()},
    }  # fmt: skip
