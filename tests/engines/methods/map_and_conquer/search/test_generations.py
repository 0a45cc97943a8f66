"""How designs are rated, and generations of them."""

from __future__ import annotations

import numpy as np
import pytest

from engines.contract.limits import minimum_slack
from engines.methods.map_and_conquer.model.scoring import score
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.problem.limits import columns_of
from engines.methods.map_and_conquer.search.generations import CutGenerations, genome_of
from engines.running.context import LocalContext
from tests.engines.methods.map_and_conquer.problems import cut_problem


def test_room_is_the_least_to_any_limit() -> None:
    params = {
        "latency_limit_s": 1e-3,
        "energy_limit_j": 1.0,
        "reuse_most_percent": 50.0,
        "accuracy_least_percent": 40.0,
    }
    instance = instance_of(cut_problem(params))
    genome = genome_of(instance)
    population = genome.population(genome.alleles.draw(np.random.default_rng(0), 200))
    scores = score(instance.costs, instance.accuracy, population)
    room = minimum_slack(instance.allowed, columns_of(scores))
    over = scores.reuse_percent > 50
    assert over.any() and (room[over] < 0).all()
    expected = np.minimum(1 - scores.latency_s / 1e-3, 1 - scores.energy_j)
    expected = np.minimum(expected, 1 - scores.reuse_percent / 50)
    assert room[~over] == pytest.approx(np.minimum(expected, scores.accuracy_percent / 40 - 1)[~over])


@pytest.mark.parametrize(("method", "columns"), [("published", 4), ("nsga2", 3)])
def test_only_the_published_evolution_looks_at_p(method: str, columns: int) -> None:
    problem = cut_problem({"method": method, "evaluations": 24, "population": 10, "partition_steps": 4})
    search = CutGenerations(instance_of(problem), problem.params, LocalContext(problem))
    scored = []
    for genes in search.asked(lambda: False):
        rated, scores = search.rate(genes)
        assert rated.costs.shape == (len(genes), columns)
        if columns == 4:
            np.testing.assert_array_equal(rated.costs[:, 3], scores.performance_js)
        search.tell(rated)
        scored.append(len(genes))
    assert sum(scored) == search.scored == 24 and scored[0] == 10
