"""Whole configurations scored."""

from __future__ import annotations

import numpy as np
import pytest

from engines.methods.map_and_conquer.decision import whole_networks
from engines.methods.map_and_conquer.model.accuracy import AssumedAccuracy, linear_importance
from engines.methods.map_and_conquer.model.cut_costs import CutCosts
from engines.methods.map_and_conquer.model.scoring import Population, score, sublayer_costs
from engines.methods.map_and_conquer.problem.instance import CutInstance, instance_of
from engines.methods.map_and_conquer.search.generations import genome_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


@pytest.fixture(scope="module")
def instance() -> CutInstance:
    return instance_of(cut_problem({"clock_steps": 2}))


def test_one_stage_is_the_whole_network_on_one_unit(instance: CutInstance) -> None:
    units, whole = zip(*whole_networks(instance).items(), strict=True)
    population = Population.joined([population for population, _ in whole])
    scores = score(instance.costs_at(instance.highest_clocks), instance.accuracy, population)
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


def test_three_stages_of_two_layers_by_hand() -> None:
    random = np.random.default_rng(4)
    latency, energy = random.random((2, 3, 3, 1, 5, 5))
    transfer_s, transfer_j = random.random((2, 2, 1, 5))
    costs = CutCosts(("a", "b", "c"), latency, energy, transfer_s, transfer_j, np.array([[0.0, 1, 2, 3, 4]] * 2), {})
    partition, reuse = np.array([[1, 2], [2, 1], [1, 1]]), np.array([[True, False], [True, True], [False, False]])
    units = (2, 0, 1)
    population = Population(np.array([units]), np.array([0]), partition[None], reuse[None])
    parts = sublayer_costs(costs, population)
    joules = np.zeros(3)
    for stage, unit in enumerate(units):
        # What a stage has of a layer: its own part and those of earlier stages that are reused.
        has = [partition[stage, n] + sum(partition[each, n] for each in range(stage) if reuse[each, n]) for n in (0, 1)]
        at = [(0, unit, 0, partition[stage, 0], 4), (1, unit, 0, partition[stage, 1], has[0]), (2, unit, 0, 4, has[1])]
        assert parts.latency_s[0, stage].tolist() == [latency[each] for each in at]
        assert parts.energy_j[0, stage].tolist() == [energy[each] for each in at]
        received = [
            sum(transfer_j[n, 0, partition[each, n]] for each in range(stage) if reuse[each, n]) for n in (0, 1)
        ]
        assert parts.received_j[0, stage] == pytest.approx(received)
        joules[stage] = sum(energy[each] for each in at) + sum(received)
    accuracy = AssumedAccuracy(90.0, 10.0, linear_importance(2, 4))
    scores = score(costs, accuracy, population)
    assert scores.energy_up_to_j[0] == pytest.approx(np.cumsum(joules))
    assert scores.union_percent[0] == pytest.approx(scores.stage_accuracy_percent.max())
    assert scores.reuse_percent[0] == pytest.approx(100 * 3 / 4)
    assert scores.feature_bytes[0] == 1 + 2 + 1


def test_one_layer_of_two_stages_is_reused_altogether_or_not_at_all() -> None:
    tables = np.ones((2, 2, 1, 5, 5)), np.ones((2, 2, 1, 5, 5)), np.ones((1, 1, 5)), np.ones((1, 1, 5))
    costs = CutCosts(("a", "b"), *tables, np.ones((1, 5)), {})
    population = Population(
        np.array([[0, 1]] * 2),
        np.zeros(2, int),
        np.array([[[2], [2]]] * 2),
        np.array([[[True], [False]], [[False]] * 2]),
    )
    scores = score(costs, AssumedAccuracy(90.0, 10.0, linear_importance(1, 4)), population)
    assert scores.reuse_percent.tolist() == [100.0, 0.0]
