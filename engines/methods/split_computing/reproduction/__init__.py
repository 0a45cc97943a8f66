"""Published results of split computing with a run-time controller, computed again."""

from __future__ import annotations

from engines.methods.split_computing.reproduction import tables
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("split-computing",),
    headline="R-agnostic: energy saved",
    parts=(
        Part("Figure 5.8: bandwidths that are enough", tables.thresholds, quick=True),
        Part("Table 5.4: actions of R-agnostic and oracle", tables.actions, quick=True),
        Part("Table 5.4: actions of the double DQN", tables.learnt_actions),
        Part("Table 5.3: quality of windows by action", tables.quality, quick=True),
        Part("Table 5.3: quality of windows by action, double DQN", tables.learnt_quality),
        Part("Table 5.5: energy and risk", tables.energy, quick=True),
        Part("Table 5.5: energy and risk, double DQN", tables.learnt_energy),
        Part("published values combined", tables.arithmetic, quick=True),
    ),
)
