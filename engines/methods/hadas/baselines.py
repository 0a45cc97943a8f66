"""What a search is compared with: networks without exits, and the space's own networks with the same search of exits and clocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engines.contract.designs import Designs
from engines.contract.fronts.non_dominated import non_dominated_costs
from engines.methods.hadas.backbone import Backbone
from engines.methods.hadas.scoring import designs_of
from engines.methods.hadas.setup import Setup


def static_designs(setup: Setup, backbone: Backbone) -> Designs:
    """Return a backbone without exits at the highest clocks, and at those settings that no other beats."""
    latency, energy = (each.static() for each in backbone.costs(setup.prices))
    best = np.flatnonzero(non_dominated_costs(np.column_stack([latency, energy])))
    best = best[best != setup.reference]
    setting = np.concatenate([[setup.reference], best])
    chosen = np.zeros((len(setting), backbone.ends), bool)
    chosen[:, -1] = True
    designs = designs_of(setup, backbone, chosen, setting)
    words = [f"{backbone.title} without exits", *[f"{backbone.title} without exits, clocks searched"] * len(best)]
    return replace(designs, label=words)
