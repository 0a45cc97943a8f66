from typing import ClassVar

import numpy as np
import pytest

from engines.contract.arrays import IntArray
from engines.search.choice_operators import ChoiceOperators, survivors
from engines.search.generations import Generations
from engines.search.nsga2 import Nsga2, Rating, best_first, crowding, ranks


def test_who_keeps_limits_ranks_before_who_breaks_them() -> None:
    costs = np.array([[1.0, 4.0], [2.0, 2.0], [3.0, 3.0], [0.0, 0.0], [0.0, 0.0]])
    rated = Rating(np.arange(5)[:, None], costs, np.array([0.0, 0.0, 0.0, 0.2, 0.1]))
    assert ranks(rated).tolist() == [0, 0, 1, 3, 2]


def test_crowding_is_that_of_deb_by_hand() -> None:
    costs = np.array([[0.0, 4.0], [1.0, 3.0], [4.0, 0.0], [9.0, 9.0]])
    distance = crowding(costs, np.array([0, 0, 0, 1]))
    assert np.isinf(distance[[0, 2, 3]]).all() and distance[1] == 4 / 4 + 4 / 4


def test_an_objective_that_is_the_same_for_all_crowds_nobody() -> None:
    distance = crowding(np.array([[0.0, 5.0], [1.0, 5.0], [2.0, 5.0], [4.0, 5.0]]), np.zeros(4, np.int64))
    assert distance[2] == 3 / 4


def test_fronts_come_first_and_the_lonely_before_the_crowded() -> None:
    costs = np.array([[2.0, 2.0], [0.0, 4.0], [1.9, 2.2], [4.0, 0.0], [5.0, 5.0]])
    assert best_first(costs, np.array([0, 0, 0, 0, 1])).tolist() == [1, 3, 0, 2, 4]


class Counting:
    """One gene, the less the better; a child is its parent or one less."""

    def first(self, random: np.random.Generator, count: int) -> IntArray:
        return random.integers(50, 100, size=(count, 1))

    def children(self, parents: Rating, random: np.random.Generator, count: int) -> IntArray:
        return parents.genes[:count] - random.integers(2, size=(count, 1))

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        both = children if parents is None else Rating.joined(parents, children)
        return both.take(best_first(both.costs, ranks(both))[:4])


def rated(genes: IntArray) -> Rating:
    return Rating(genes, genes.astype(float), np.zeros(len(genes)))


def search() -> Nsga2[Rating]:
    return Nsga2(Counting(), lambda generation: np.random.default_rng([7, generation]))


def test_parents_stay_until_better_children_come() -> None:
    one, best = search(), []
    for _ in range(30):
        one.tell(rated(one.ask(4)))
        assert one.parents is not None
        best.append(int(one.parents.genes.min()))
    assert best == sorted(best, reverse=True) and best[-1] < best[0] - 10


def test_a_continued_search_makes_the_same_generations() -> None:
    one, other = search(), search()
    for _ in range(5):
        one.tell(rated(one.ask(4)))
    assert one.ask(4).tolist() == one.ask(4).tolist(), "as nothing was told in between"
    assert one.parents is not None
    other.generation, other.parents = one.generation, rated(one.parents.genes)
    assert other.ask(4).tolist() == one.ask(4).tolist()


class PymooSurvival(ChoiceOperators):
    """Our operators with the survivors of pymoo; `differing` has the ranks and distances of those that only one of both keeps."""

    differing: ClassVar[list[set[tuple[int, float]]]] = []

    def survivors(self, parents: Rating | None, children: Rating) -> Rating:
        from pymoo.algorithms.moo.nsga2 import RankAndCrowdingSurvival
        from pymoo.core.population import Population
        from pymoo.core.problem import Problem

        both = children if parents is None else Rating.joined(parents, children)
        count = min(self.population, len(both.genes))
        problem = Problem(n_var=both.genes.shape[1], n_obj=both.costs.shape[1], n_ieq_constr=1)
        population = Population.new(X=both.genes, F=both.costs, G=np.maximum(both.violation, 0)[:, None])
        population.set("number", np.arange(len(both.genes)))
        random = np.random.default_rng(0)
        found = RankAndCrowdingSurvival().do(problem, population, n_survive=count, random_state=random)
        kept = found.get("number").astype(int)
        rank = ranks(both)
        distance = crowding(both.costs, rank)
        self.differing.append(
            {
                (int(rank[row]), float(distance[row]))
                for row in set(survivors(both, count).tolist()) ^ set(kept.tolist())
            }
        )
        return both.take(np.sort(kept))


@pytest.mark.parametrize("steps", [8, 0])
def test_pymoo_keeps_others_only_of_equal_rank_and_distance_yet_designs_of_a_search_differ(steps: int) -> None:
    def rated(genes: IntArray) -> Rating:
        share = genes / 7
        slope = 1 + 9 * share[:, 1:].mean(axis=1)
        costs = np.column_stack([share[:, 0], slope * (1 - np.sqrt(share[:, 0] / slope))])  # ZDT1
        tie_break = 1e-9 * (genes @ np.arange(1, 11) ** 2.3)[:, None]
        costs = np.round(costs * steps) / steps if steps else costs + tie_break
        return Rating(genes, costs, np.maximum(0, 2 - share[:, 1:].sum(axis=1)))

    evaluated = []
    PymooSurvival.differing.clear()
    for operators in (ChoiceOperators, PymooSurvival):
        search = operators.over((8,) * 10, 40)
        generations = Generations(search, 40, 800, lambda number: np.random.default_rng([0, number]))
        for genes in generations.asked(lambda: False):
            evaluated.append(genes)
            search.seen.update(map(tuple, genes.tolist()))
            generations.tell(rated(genes))
    assert PymooSurvival.differing and all(len(each) <= 1 for each in PymooSurvival.differing)
    ours, theirs = np.concatenate(evaluated[:20]), np.concatenate(evaluated[20:])
    assert (ours[:40] == theirs[:40]).all() and (ours != theirs).any()
