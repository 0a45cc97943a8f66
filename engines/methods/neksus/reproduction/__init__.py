"""Published results of Neksus, computed again: costs, yields, micro-bumps, networks, applications; our simulation next to BookSim.

Published: `published.yaml`. Ours: the silicon costs and the packages that the engine searches. The traces of applications that the
publication ran are not available, and its power table has lost its labels: what depends on them is marked.
"""

from __future__ import annotations

from engines.methods.neksus.reproduction.applications import applications
from engines.methods.neksus.reproduction.booksim import booksim
from engines.methods.neksus.reproduction.common import READINGS
from engines.methods.neksus.reproduction.costs import costs
from engines.methods.neksus.reproduction.networks import bandwidths, networks
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("neksus",),
    headline="Paid once, monolithic die over package, 90 % bought, perfect yield",
    readings=READINGS,
    parts=(
        Part("costs, yields, micro-bumps", lambda _: costs(), quick=True),
        Part("networks by their bounds", networks),
        Part("bandwidth of a transfer", bandwidths, quick=True),
        Part("applications", applications),
        Part("network simulation compared with BookSim", booksim),
    ),
)
