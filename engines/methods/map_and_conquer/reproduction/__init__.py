"""Published results of Map-and-Conquer, computed again.

The costs of whole networks on single units went into the calibration `xavier-map-and-conquer` (fitted), and two accuracies into
what width is worth (fitted). Cut networks are predicted by the engine's search. What puts printed figures together is arithmetic.
"""

from __future__ import annotations

from engines.methods.map_and_conquer.reproduction import published_tables, searches
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("map-and-conquer",),
    headline="Visformer, no limit on reuse: energy of the model of least energy",
    parts=(
        Part("Table 2.3: single units", searches.single_units, quick=True),
        Part("accuracy by reuse", lambda _: published_tables.fitted_accuracy(), quick=True),
        Part("Table 2.3: cut networks", searches.cut_networks, quick=True),
        Part("Figures 2.10 and 2.11: gains", searches.gains),
        Part("published values combined", lambda _: published_tables.arithmetic(), quick=True),
    ),
)
