"""Against every configuration of a small network, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engines.contract.fronts.non_dominated import non_dominated
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from engines.methods.map_and_conquer.search.generations import genome_of, rate
from engines.methods.map_and_conquer.search.layer_by_layer import LayerByLayer
from tests.engines.methods.map_and_conquer.problems import chain, cut_problem
from tests.engines.methods.map_and_conquer.search.cases import every_configuration

_MINIMISED = ("minimise",) * 3


def front_of_all(instance: CutInstance) -> np.ndarray:
    genome = genome_of(instance)
    rated, _ = rate(instance, genome, every_configuration(genome))
    costs = rated.costs[rated.violation <= 0]
    return np.unique(costs[non_dominated(costs, _MINIMISED)].round(12), axis=0)


def front_by_layers(instance: CutInstance, labels: int = 5000) -> tuple[np.ndarray, int]:
    search = LayerByLayer(instance, labels)
    pieces = list(search.pieces())
    genes = np.concatenate([piece.genes for piece in pieces])
    costs = rate(instance, search.genome, genes)[0].costs
    front = np.unique(costs[non_dominated(costs, _MINIMISED)].round(12), axis=0)
    return front, sum(piece.thinned for piece in pieces)


# Four layers on two units in three ratios: 2 x 3^4 x 2^4 configurations.
SMALL: dict[str, Any] = {"partition_steps": 4, "clocks": "fixed"}


@pytest.mark.parametrize(
    "limits",
    [
        {},
        {"reuse_most_percent": 50.0},
        {"reuse_least_percent": 50.0},
        {"memory_limit_mb": 0.03},
        {"accuracy_least_percent": 86.0, "latency_limit_s": 1.05e-3},
    ],
)
def test_the_front_is_that_of_all_configurations(limits: dict[str, float]) -> None:
    instance = instance_of(cut_problem({**SMALL, **limits}))
    front, thinned = front_by_layers(instance)
    assert thinned == 0
    np.testing.assert_array_equal(front, front_of_all(instance))


def test_the_front_over_clocks_is_that_of_all_configurations() -> None:
    params = {"partition_steps": 3, "clock_choices": "gpu: 520 1377; dla: 550 1395"}
    instance = instance_of(cut_problem(params, chain(3)))
    np.testing.assert_array_equal(front_by_layers(instance)[0], front_of_all(instance))


def test_what_is_left_out_is_counted() -> None:
    instance = instance_of(cut_problem(SMALL))
    front, thinned = front_by_layers(instance, labels=10)
    assert thinned > 0 and len(front)


def test_limits_below_the_bounds_leave_nothing_to_search() -> None:
    instance = instance_of(cut_problem({**SMALL, "latency_limit_s": 1e-9}))
    assert not len(LayerByLayer(instance, 10).order)
