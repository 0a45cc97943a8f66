"""What tests of this folder share."""

from __future__ import annotations

from itertools import product

import numpy as np

from engines.methods.map_and_conquer.search.genome import Genome


def every_configuration(genome: Genome) -> np.ndarray:
    return np.array(list(product(*(range(count) for count in genome.alleles.counts.tolist()))), dtype=np.int64)
