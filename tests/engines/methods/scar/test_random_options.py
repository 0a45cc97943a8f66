"""Whole runs with options drawn at random: nothing is better than its lower bound, and everything scores the same again."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from engines.contract.designs import Designs
from engines.contract.errors import ProblemError
from engines.contract.results import Table
from engines.methods.scar.engine import ScarEngine
from engines.running.context import LocalContext
from engines.running.driver import drive
from engines.running.inspection import evaluate, explain
from engines.running.prepared_problems import ready_of
from tests.engines.methods.scar.problems import scar_problem
from tests.support.sampling import seeds

ENGINE = ScarEngine()
CHOICES: dict[str, tuple[Any, ...]] = {
    "objective": ("edp", "latency", "energy", "weighted", "expression"),
    "objective_expression": ("latency_s**2 * energy_j", "max(latency_s, energy_j * 100)", "sqrt(edp_js) + latency_s"),
    "search": ("exact", "exact", "greedy", "evolutionary"),
    "n_splits": (0, 1, 2, 3),
    "n_splits_search": ("fixed", "range"),
    "packing": ("greedy", "uniform"),
    "latency_reading": ("fill_drain", "pipelined_maximum", "end_to_end"),
    "mini_batch": (1, 2),
    "weight_loading": ("once_per_window", "every_mini_batch"),
    "output_stationary_mapping": ("ykp_os", "ykp_os_rows", "ykp_os_kept", "yxp_os"),
    "cost_model": ("dataflow", "dataflow", "ideal-array"),
    "dram_rule": ("package", "maestro"),
    "contention": ("none", "between_models"),
    "root_rule": ("published", "free"),
    "node_rule": ("provisioned", "free"),
    "model_chiplets": ("", "", "0: 1 2", "0: not 3; 1: 2 3", "0: 0; 1: 0"),
    "joint_states": (0, 1_000, 100_000_000),
}


@pytest.mark.parametrize("seed", seeds(40, at_every_change=12))
def test_no_run_is_below_its_bound(seed: int) -> None:
    draw = random.Random(seed)
    params = {name: draw.choice(values) for name, values in CHOICES.items()}
    problem = scar_problem({**params, "baselines": False}, models=draw.randint(2, 4))
    if params["model_chiplets"] == "0: 0; 1: 0" and params["n_splits"] == 0:
        with pytest.raises(ProblemError, match="model_chiplets"):
            ready_of(ENGINE, problem)
        return
    try:
        ready_of(ENGINE, problem)
    except ProblemError:
        assert params["model_chiplets"]
        return
    steps = list(drive(ENGINE, problem, LocalContext(problem)))
    proof = next(result for result in steps[-1].results if result.name == "schedule-proof")
    assert isinstance(proof, Table)
    values = {column.title: column.values[0] for column in proof.table_columns}
    assert values["Gap"] >= 0
    assert values["Proven optimal"] == "no" or values["Gap"] == pytest.approx(0, abs=1e-6)
    found = Designs.concatenate([step.designs for step in steps if step.designs is not None]).take([0, -1])
    again = evaluate(problem, found.decisions)
    for name, column in found.columns.items():
        np.testing.assert_array_equal(again.columns[name], column, name)
    assert explain(problem, found.decisions[0])
