import numpy as np

from engines.methods.map_and_conquer.search.genome import Genome

GENOME = Genome(np.array([[0, 1], [1, 0]]), settings=3, layers=2, steps=4)


def test_every_stage_has_a_step_and_the_last_hands_nothing_on() -> None:
    assert GENOME.cuts.tolist() == [[1, 3], [2, 2], [3, 1]]
    assert GENOME.reuses.tolist() == [[False, False], [True, False]]
    assert GENOME.configurations == 2 * 3 * (3 * 2) ** 2 == np.prod(GENOME.alleles.counts)


def test_genes_stand_for_units_cuts_and_what_is_reused() -> None:
    found = GENOME.population(np.array([[1, 2, 0, 2, 1, 0]]))
    assert found.units.tolist() == [[1, 0]] and found.setting.tolist() == [2]
    assert found.partition[0].tolist() == [[1, 3], [3, 1]] and found.reuse[0].tolist() == [
        [True, False],
        [False, False],
    ]


def test_even_cuts_are_the_same_in_all_layers() -> None:
    genes = GENOME.even(np.array([0, 2]))
    assert genes.shape == (2 * 2 * 3 * 2, 6) and len(np.unique(genes, axis=0)) == len(genes)
    assert (genes[:, 2] == genes[:, 3]).all() and (genes[:, 4] == genes[:, 5]).all()
