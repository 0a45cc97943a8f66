"""Published results of HADAS, computed again.

Published: `published.yaml`. Ours: the engine hadas. The calibration of TX2 is fitted to the energies of a0 and a6 without exits,
and the correlation of ends to the accuracy of a0 with exits; everything else is predicted. Ratios of printed energies are
arithmetic.
"""

from __future__ import annotations

from engines.methods.hadas.reproduction import searches, tables
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("hadas",),
    headline="a6: accuracy gained by all exits",
    parts=(
        Part("Table 2.1", tables.table_2_1, quick=True),
        Part("Table 2.2", tables.table_2_2, quick=True),
        Part("Section 2.3.4: ratios of Table 2.2", lambda _: tables.ratios(), quick=True),
        Part("Figures 2.3 and 2.4", searches.figures_2_3_and_2_4),
        Part("Figure 2.5", searches.figure_2_5),
    ),
)
