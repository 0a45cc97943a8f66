import numpy as np

from engines.mapping.solver.genetic import published_children
from engines.search.choice_operators import Alleles, survivors, tuned_children
from engines.search.nsga2 import Rating


def test_genes_are_drawn_and_flipped_within_what_is_allowed() -> None:
    allowed = np.array([[True, False, True], [False, True, False], [True, True, True]])
    alleles, random = Alleles.of(allowed, 2), np.random.default_rng(1)
    genes = alleles.draw(random, 500)
    assert {tuple(set(column)) for column in genes.T[:2].tolist()} == {(0, 2), (1,)}
    flipped = alleles.flip(genes, np.ones(genes.shape, dtype=bool), random)
    assert allowed[np.arange(3), flipped[:, :3]].all() and set(flipped[:, 3]) == {0, 1}
    several = alleles.counts > 1
    assert (flipped[:, several] != genes[:, several]).all() and (flipped[:, ~several] == genes[:, ~several]).all()


def test_of_equal_mappings_one_survives() -> None:
    rated = Rating(
        np.array([[0], [0], [1], [2]]), np.array([[1.0, 1.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), np.zeros(4)
    )
    assert survivors(rated, 2).tolist() == [0, 2]
    assert survivors(rated, 4).tolist() == [0, 1, 2, 3], "where there are no others"


def test_published_mutation_changes_four_genes_in_ten_and_tuned_one_per_child() -> None:
    alleles = Alleles.of(np.ones((50, 2), dtype=bool), 1)
    same = np.zeros((20, 51), dtype=np.int64)
    parents = Rating(same, np.ones((20, 2)), np.zeros(20))
    published = published_children(parents, alleles, np.random.default_rng(0), 2000)[:, :50]
    assert abs(published.mean() - 0.4) < 0.01
    tuned = tuned_children(parents, alleles, np.random.default_rng(0), 2000)[:, :50]
    assert abs(tuned.sum(axis=1).mean() - 50 / 51) < 0.1
