import numpy as np

from engines.methods.sbrs.search.evolution import Individual, crossover_at, select, vary
from engines.methods.sbrs.search.genotype import SMALL, Genotype


def test_selection_takes_fronts_first_and_lonely_networks_before_crowded_ones() -> None:
    costs = np.array([[0.0, 4.0], [4.0, 0.0], [2.0, 2.0], [1.9, 2.2], [5.0, 5.0]])
    population = [Individual((), str(number)) for number in range(5)]
    kept = select(population, costs, 0.2, np.random.default_rng(0))
    assert {each.weights for each in kept[:2]} == {"0", "1"} and "4" not in {each.weights for each in kept[:4]}


def test_the_worst_are_replaced_by_random_ones() -> None:
    population = [Individual((), str(number)) for number in range(50)]
    costs = np.column_stack([np.arange(50.0), np.arange(50.0)])
    kept = select(population, costs, 0.02, np.random.default_rng(0))
    assert len(kept) == 50 and [each.weights for each in kept[:49]] == [str(number) for number in range(49)]
    assert select(population, costs, 0.0, np.random.default_rng(0)) == population


def test_crossover_falls_in_a_straight_line_and_unchanged_networks_stay() -> None:
    assert [crossover_at(0.3, number, 20) for number in (0, 10, 20)] == [0.3, 0.15, 0.0]
    genotype, random = Genotype(SMALL, (1, 8, 8), 10), np.random.default_rng(0)
    population = [Individual(genotype.draw(random), str(number)) for number in range(10)]
    assert vary(population, genotype, 0.0, 0.1, 0.0, random) == population
    varied = vary(population, genotype, 0.3, 0.1, 1.0, random)
    assert all(each.changed and each.donor for each in varied)
    assert {each.weights for each in varied} == {each.weights for each in population}
