import numpy as np

from engines.methods.map_and_conquer.search.evolution import PublishedOperators, TunedOperators
from engines.search.choice_operators import Alleles
from engines.search.nsga2 import Rating

ALLELES = Alleles(np.repeat(np.arange(5)[None], 3, axis=0), np.array([5, 5, 5]))


def rated(performance: list[float], violation: list[float]) -> Rating:
    count = len(performance)
    costs = np.column_stack([np.zeros((count, 3)), performance])
    return Rating(np.arange(3 * count).reshape(count, 3) % 5, costs, np.array(violation))


def test_the_published_evolution_ranks_by_broken_limits_then_by_p() -> None:
    operators = PublishedOperators(ALLELES, 10)
    first = operators.survivors(None, rated([3.0, 1.0, 2.0], [0.0, 0.5, 0.0]))
    assert first.costs[:, 3].tolist() == [2.0, 3.0, 1.0]
    both = operators.survivors(first, rated([2.5, 9.0], [0.0, 0.0]))
    assert both.costs[:, 3].tolist() == [2.0, 2.5, 9.0], "one of ten stays"


def test_even_cuts_begin_half_of_the_first_generation() -> None:
    known = np.full((2, 3), 4)
    genes = TunedOperators(ALLELES, 8, known).first(np.random.default_rng(1), 8)
    assert genes.shape == (8, 3) and (genes[:2] == 4).all() and (genes < 5).all()
    children = PublishedOperators(ALLELES, 8).children(rated([1.0] * 4, [0.0] * 4), np.random.default_rng(1), 6)
    assert children.shape == (6, 3) and (children >= 0).all()
