"""Lookup tables of blocks as the publication uses them, made from what it prints.

The publication's tables per block are not published (odema-2023 section 4.3.2). Here every block of a network has the share of a
published total on a unit alone that it has of the network's multiply-accumulates: Grapher, FFN, stem and head of Tables 2 and 3. A
change of unit takes 0.1 ms and 0.8 mJ: Table 3 fits equations 6 and 7 only up to about 0.109 ms and 5.1 mJ.
"""

from __future__ import annotations

import numpy as np

from engines.mapping.solver.unit_mapping import UnitCosts
from engines.workloads.network import Network

UNITS = ("gpu", "dla")
CHANGE_S, CHANGE_J = 1e-4, 0.8e-3


def block_names(network: Network) -> tuple[str, ...]:
    """Return the blocks in order: the first part of the operations' names ("stem", "grapher1", "ffn1", ..., "head")."""
    return tuple(dict.fromkeys(operation.name.partition(".")[0] for operation in network.operations))


def block_table(network: Network, totals: dict[str, tuple[float, float]]) -> UnitCosts:
    """Return the costs of the blocks of a network on GPU and DLA.

    Args:
        network: whose blocks.
        totals: unit -> published latency (s) and energy (J) of the whole network on that unit alone.
    """
    names = block_names(network)
    macs = np.zeros(len(names))
    for operation in network.operations:
        macs[names.index(operation.name.partition(".")[0])] += operation.macs
    share = macs / macs.sum()
    latency = np.stack([share * totals[unit][0] for unit in UNITS], axis=1)[:, :, None]
    energy = np.stack([share * totals[unit][1] for unit in UNITS], axis=1)[:, :, None]
    change = np.ones((len(names) - 1, 1))
    return UnitCosts(latency, energy, CHANGE_S * change, CHANGE_J * change)
