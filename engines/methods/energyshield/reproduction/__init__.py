"""Published results of EnergyShield, computed again.

Published: `published.yaml`. Ours: the published shield (sigma 0.28, rbar 4 m, rho 2 m), radio, queue and detector, on a
straight road with a path follower that does not see obstacles, where the publication drives a trained controller in CARLA.
Nothing is fitted.
"""

from __future__ import annotations

from engines.methods.energyshield.reproduction import tables
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("energyshield",),
    headline="Energy saved beyond 20 m, uniform",
    parts=(
        Part("Constants of the code", lambda _: tables.constants(), quick=True),
        Part("Figure 6.6", tables.figure_6_6),
        Part("Mean energies of the code's results", tables.mean_energies),
        Part("Figure 6.8", tables.figure_6_8, quick=True),
        Part("Figures 6.9 and 6.10", tables.figures_6_9_and_6_10),
    ),
)
