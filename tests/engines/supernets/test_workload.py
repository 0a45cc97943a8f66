from __future__ import annotations

import numpy as np

from engines.supernets.spaces import vig_s_space
from engines.supernets.workload import network_rows
from engines.workloads.vision_graph import Superblock, superblock_operations


def test_a_subnet_of_the_published_space_is_the_catalogues_network() -> None:
    space = vig_s_space(100)
    for seed in range(5):
        architecture = space.random(np.random.default_rng(seed))
        superblocks = [
            Superblock(each.operator, each.depth, each.preprocessed, each.hidden if each.feed_forward else None)
            for each in architecture
        ]
        assert network_rows(space, architecture) == superblock_operations(superblocks, classes=100)
