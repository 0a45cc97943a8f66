"""What no configuration can be below."""

from __future__ import annotations

from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.search.bounds import bounds_of
from engines.methods.map_and_conquer.search.generations import genome_of, rate
from tests.engines.methods.map_and_conquer.problems import cut_problem
from tests.engines.methods.map_and_conquer.search.cases import every_configuration


def test_no_configuration_is_below_the_bounds() -> None:
    instance = instance_of(cut_problem({"partition_steps": 4, "clock_choices": "gpu: 520 1377"}))
    genome = genome_of(instance)
    genes = every_configuration(genome)
    _, scores = rate(instance, genome, genes)
    bounds = bounds_of(genome, instance.costs, instance.accuracy.base_percent)
    own = tuple(genes[:, :2].T)
    assert (scores.latency_s >= bounds.latency_s[own] - 1e-15).all()
    assert (scores.energy_j >= bounds.energy_j[own] - 1e-15).all()
    # They are of use: the best is not far above.
    assert scores.latency_s.min() < 1.5 * bounds.least_latency_s
    assert scores.energy_j.min() < 1.5 * bounds.least_energy_j
