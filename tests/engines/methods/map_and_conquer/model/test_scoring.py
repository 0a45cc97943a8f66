"""Whole configurations scored."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.designs import whole_networks
from engines.methods.map_and_conquer.model.scoring import score, sublayer_costs
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from engines.methods.map_and_conquer.search.rating import genome_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"clock_steps": 2}))


def test_one_stage_is_the_whole_network_on_one_unit(instance: CutInstance) -> None:
    population, units = whole_networks(instance)
    scores = score(instance.costs, instance.accuracy, population)
    model = instance.pricing.model.costs(
        instance.pricing.operations, instance.settings, units=units, workload=instance.workload.network.slug
    )
    assert scores.latency_s == pytest.approx(model.latency_s[:, :, instance.reference].sum(axis=0))
    assert scores.energy_j == pytest.approx(model.energy_j[:, :, instance.reference].sum(axis=0))
    assert scores.accuracy_percent == pytest.approx(88.09)


def test_rows_do_not_depend_on_each_other(instance: CutInstance) -> None:
    genome = genome_of(instance)
    genes = genome.alleles.draw(np.random.default_rng(0), 40)
    whole = score(instance.costs, instance.accuracy, genome.population(genes))
    alone = score(instance.costs, instance.accuracy, genome.population(genes[7:8]))
    assert alone.latency_s[0] == whole.latency_s[7] and alone.energy_j[0] == whole.energy_j[7]


def test_what_must_hold_of_any_configuration(instance: CutInstance) -> None:
    genome = genome_of(instance)
    population = genome.population(genome.alleles.draw(np.random.default_rng(1), 500))
    scores, parts = score(instance.costs, instance.accuracy, population), sublayer_costs(instance.costs, population)
    assert (scores.whole_latency_s >= parts.latency_s.sum(axis=2).max(axis=1) - 1e-15).all()
    assert (scores.latency_s <= scores.whole_latency_s + 1e-15).all()
    assert (scores.energy_j <= scores.whole_energy_j + 1e-15).all()
    assert scores.leaving.sum(axis=1) == pytest.approx(1.0)
    assert (scores.union_percent >= scores.stage_accuracy_percent.max(axis=1) - 1e-9).all()
    assert (scores.accuracy_percent <= 88.09).all()


def test_reuse_adds_energy_memory_and_accuracy(instance: CutInstance) -> None:
    genome = genome_of(instance)
    genes = genome.alleles.draw(np.random.default_rng(2), 50)
    layers = instance.network.layers
    none, every = genes.copy(), genes.copy()
    none[:, -layers:], every[:, -layers:] = 0, len(genome.reuses) - 1
    low, high = (score(instance.costs, instance.accuracy, genome.population(each)) for each in (none, every))
    assert (low.reuse_percent == 0).all() and (high.reuse_percent == 100).all()
    assert (low.feature_bytes == 0).all() and (high.feature_bytes > 0).all()
    assert (high.accuracy_percent > low.accuracy_percent).all()
    assert (high.whole_latency_s >= low.whole_latency_s).all()
    assert (high.whole_energy_j > low.whole_energy_j).all()
