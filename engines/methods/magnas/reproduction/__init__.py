"""Published results of MaGNAS, computed again, as far as costs and mappings go.

Published: `published.yaml`. Ours: the engine soc-mapping under the calibration `xavier-magnas`, which is fitted to Table 2's
baselines and to Figure 7's clocks; everything else is predicted. Three accelerators: the dataflow cost model. No accuracy is
computed here. `quick` is Tables 2 to 5 and Figure 7 under the default reading.
"""

from __future__ import annotations

from engines.methods.magnas.reproduction import accelerators, figures, searches, shares
from engines.methods.magnas.reproduction.common import BEST, MEAN, TABLE
from engines.methods.magnas.reproduction.limits import table_4, table_5
from engines.methods.magnas.reproduction.searches import BOTH, KEPT_SUMS, OFF_CHIP_RULE
from engines.methods.magnas.reproduction.tables import table_2, table_3
from engines.reproduction.frame import Part, Reproduction

REPRODUCTION = Reproduction(
    engines=("soc-mapping",),
    headline="Latency at most 20 % above GPU alone",
    readings={
        MEAN: "Shares under a limit are means over the front; DSA-y is MAESTRO's ykp_os; costs of the calibration xavier-magnas",
        BEST: "Shares under a limit are those of one mapping: of least equation 13 (Table 4), or the fastest (Table 5)",
        TABLE: "Costs per block from the publication's totals by share of the multiply-accumulates, instead of the calibration",
        KEPT_SUMS: "DSA-y keeps partial sums in its elements (not checked against MAESTRO)",
        OFF_CHIP_RULE: "MAESTRO's off-chip rule at its example hardware: on-chip network 1000, off-chip 50 elements a cycle",
        BOTH: "Both: sums kept and the off-chip rule",
    },
    parts=(
        Part("Table 2", table_2, quick=True),
        Part("Table 3", table_3, quick=True),
        Part("Table 4", lambda look: table_4(look, MEAN), quick=True),
        Part(f"Table 4, {BEST}", lambda look: table_4(look, BEST)),
        Part(f"Table 4, {TABLE}", searches.table_4_by_blocks),
        Part("Table 5", lambda look: table_5(look, MEAN), quick=True),
        Part(f"Table 5, {BEST}", lambda look: table_5(look, BEST)),
        Part("Figure 7", figures.figure_7, quick=True),
        Part("Figure 1", figures.figure_1),
        Part("Figure 5", figures.figure_5),
        Part("Figure 8", searches.figure_8),
        *(accelerators.part(reading) for reading in accelerators.DEVICES),
        Part("searches on GPU and DLA", shares.engine_rows),
        Part("searches on accelerators", shares.accelerator_rows),
        Part("searches by block table", shares.block_rows),
    ),
)
