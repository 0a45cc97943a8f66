from __future__ import annotations

import numpy as np

from engines.supernets.genome import Genome
from engines.supernets.spaces import vig_s_space


def test_codes_tell_architectures_apart() -> None:
    genome = Genome(vig_s_space(10))
    genes = genome.random(np.random.default_rng(0), 500)
    assert len(np.unique(genome.codes(genes))) == len(np.unique(genes, axis=0))
    corner = genome.codes(np.array([[0, 0, 0, 0], (genome.counts - 1).tolist()]))
    assert corner.tolist() == [0, 96**4 - 1]
