"""Rows of choices: none twice, all found where there are few."""

import numpy as np

from engines.search.choice_operators import Alleles, ChoiceOperators
from engines.search.nsga2 import Rating

# Two, three and one choices: six rows.
ALLELES = Alleles(np.tile(np.arange(3), (3, 1)), np.array([2, 3, 1]))


def operators(seen: set[tuple[int, ...]] | None = None, population: int = 2) -> ChoiceOperators:
    return ChoiceOperators(ALLELES, population, seen or set())


def rated(rows: list[list[int]], costs: list[list[float]]) -> Rating:
    return Rating(np.array(rows), np.array(costs), np.zeros(len(rows)))


def test_the_first_rows_differ_and_are_choices() -> None:
    rows = operators().first(np.random.default_rng(0), 5)
    assert len(np.unique(rows, axis=0)) == len(rows) == 5
    assert (rows < ALLELES.counts).all() and (rows >= 0).all()


def test_nothing_that_was_scored_comes_again() -> None:
    every = {(a, b, 0) for a in range(2) for b in range(3)}
    left = {(1, 2, 0), (0, 0, 0)}
    random = np.random.default_rng(1)
    parents = rated([[0, 1, 0], [1, 1, 0]], [[1.0, 2.0], [2.0, 1.0]])
    children = operators(every - left).children(parents, random, 4)
    assert {tuple(row) for row in children.tolist()} == left
    assert operators(every).children(parents, random, 4).shape == (0, 3)
    assert operators(every).first(random, 4).shape == (0, 3)


def test_the_best_of_both_generations_stay() -> None:
    parents = rated([[0, 0, 0], [0, 1, 0]], [[1.0, 1.0], [9.0, 9.0]])
    children = rated([[1, 0, 0], [1, 1, 0]], [[5.0, 5.0], [0.5, 3.0]])
    kept = operators().survivors(parents, children)
    assert {tuple(row) for row in kept.genes.tolist()} == {(0, 0, 0), (1, 1, 0)}
    assert len(operators(population=9).survivors(None, children).genes) == 2
