"""Published results of Duet, computed again.

The publication prints shares and gains, no seconds and no joules. Sizes are exact. Two figures of the cost model are fitted: the
time of a lookup to the latency shares of RM3 and RM4, the energy of the device to its share of RM4's energy. All else is predicted.
"""

from __future__ import annotations

from engines.methods.duet.reproduction import energy, latency, sizes
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("duet",),
    headline="Latency gained, 1024 candidates, mean of five models",
    parts=(
        Part("sizes and areas", sizes.compare, quick=True),
        Part("latency", latency.compare, quick=True),
        Part("batches and near-memory processing", latency.compare_batches, quick=True),
        Part("energy", energy.compare, quick=True),
        Part("hardware optimisations", energy.compare_hardware, quick=True),
        Part("published values combined", energy.arithmetic, quick=True),
    ),
)
