"""Published results of EExNAS, computed again.

Arithmetic rows put published figures together. Predicted rows are ratios: of binary networks over 32-bit ones by the cost model,
and of what an exit changes, of networks that are trained here on generated signals; what the text says of searches,
exits and binary networks is looked for in more of them, and no number is compared. Accuracies on PTB and w-HAR are not reached:
neither comes with the product, and the published networks are not printed.
"""

from __future__ import annotations

from engines.methods.eexnas.reproduction.exits import exits
from engines.methods.eexnas.reproduction.tables import arithmetic, binary
from engines.methods.eexnas.reproduction.trends import trends
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("eexnas",),
    headline="Binary network over 32-bit network: RAM",
    parts=(
        Part("gains of model c", lambda _: arithmetic(), quick=True),
        Part("binary networks", binary, quick=True),
        Part("exits of networks trained on generated signals", exits),
        Part("trends, on networks trained here", trends),
    ),
)
