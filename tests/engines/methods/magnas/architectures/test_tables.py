from __future__ import annotations

import numpy as np
import pytest

from engines.methods.magnas.architectures.tables import CHANGE_J, CHANGE_S, block_names, block_table
from engines.workloads.loader import builtin_network


def test_blocks_share_the_published_totals_by_their_work() -> None:
    network = builtin_network("magnas-vig-s-max-relative")
    totals = {"gpu": (0.04, 1.0), "dla": (0.06, 0.5)}
    found = block_table(network, totals)
    assert found.latency_s.shape == (len(block_names(network)), 2, 1)
    assert found.latency_s.sum(axis=0)[:, 0] == pytest.approx([0.04, 0.06])
    assert found.energy_j.sum(axis=0)[:, 0] == pytest.approx([1.0, 0.5])
    # A block with twice the work of another takes twice its time, on either unit.
    work = np.array(
        [sum(o.macs for o in network.operations if o.name.startswith(f"{name}.")) for name in block_names(network)]
    )
    assert found.latency_s[:, 0, 0] / found.latency_s[:, 0, 0].sum() == pytest.approx(work / work.sum())
    assert (CHANGE_S, CHANGE_J) == (1e-4, 8e-4)
