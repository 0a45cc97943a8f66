import numpy as np

from engines.contract.arrays import IntArray
from engines.methods.package_search.search.genetic import offspring, survivors
from engines.search.nsga2 import Rating


def rated(genes: list[list[int]], costs: list[list[float]], violation: list[float] | None = None) -> Rating:
    return Rating(np.array(genes), np.array(costs), np.array(violation or [0.0] * len(genes)))


def draw(random: np.random.Generator, position: int) -> int:
    return int(random.integers(position + 2))


def ascending(genes: IntArray) -> IntArray:
    return np.sort(genes, axis=1)


PARENTS = rated([[0, 1, 2], [0, 0, 3], [1, 1, 1], [0, 2, 2]], [[1, 4], [2, 3], [3, 2], [4, 1]])


def test_children_are_new_different_mended_and_of_allowed_genes() -> None:
    children = offspring(PARENTS, draw, ascending, np.random.default_rng(1))
    rows = [tuple(row) for row in children.tolist()]
    assert 0 < len(rows) <= 4 and len(set(rows)) == len(rows)
    assert not set(rows) & {tuple(row) for row in PARENTS.genes.tolist()}
    assert all(list(row) == sorted(row) and max(row) <= 3 for row in rows)


def test_the_same_numbers_give_the_same_children() -> None:
    first, second = (offspring(PARENTS, draw, ascending, np.random.default_rng(7)) for _ in range(2))
    assert first.tolist() == second.tolist()
    assert offspring(PARENTS, draw, ascending, np.random.default_rng(8)).tolist() != first.tolist()


def test_the_non_dominated_survive() -> None:
    one = rated([[0], [1], [2], [3]], [[1, 2], [2, 1], [3, 3], [2, 2]])
    assert survivors(one, 2).tolist() == [0, 1]
    assert survivors(one, 3).tolist() == [0, 1, 3]


def test_who_breaks_limits_goes_first_the_worse_the_sooner() -> None:
    one = rated([[0], [1], [2]], [[9, 9], [0, 0], [0, 0]], [0.0, 2.0, 1.0])
    assert survivors(one, 1).tolist() == [0]
    assert survivors(one, 2).tolist() == [0, 2]


def test_where_nothing_new_exists_there_are_no_children() -> None:
    only = rated([[0]], [[1, 1]])
    assert offspring(only, lambda random, position: 0, lambda genes: genes, np.random.default_rng(1)).shape == (0, 1)
