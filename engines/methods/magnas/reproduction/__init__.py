"""Published results of MaGNAS beside ours, as far as costs and mappings go.

Published: `published.yaml`. Ours: the engine soc-mapping under the calibration `xavier-magnas`, which is fitted to Table 2's
baselines and to Figure 7's clocks; everything else is predicted. Three accelerators: the dataflow cost model. No accuracy is
computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from engines.contract.engine import Executor
from engines.methods.magnas.reproduction import accelerators, figures, searches, shares
from engines.methods.magnas.reproduction.limits import table_4, table_5
from engines.methods.magnas.reproduction.runs import Case, KnownRuns, NoRuns, NotedRuns, Outcome, Runs, run_all
from engines.methods.magnas.reproduction.searches import BOTH, KEPT_SUMS, OFF_CHIP_RULE
from engines.methods.magnas.reproduction.shared import BEST, MEAN, SLACKS, TABLE
from engines.methods.magnas.reproduction.tables import table_2, table_3
from engines.reproduction.comparisons import Comparison
from engines.reproduction.reproductions import Part

READINGS: Mapping[str, str] = MappingProxyType({
    MEAN: "Shares under a limit are means over the front; DSA-y is MAESTRO's ykp_os; costs of the calibration xavier-magnas",
    BEST: "Shares under a limit are those of one mapping: of least equation 13 (Table 4), or the fastest (Table 5)",
    TABLE: "Costs per block from the publication's totals by share of the multiply-accumulates, instead of the calibration",
    KEPT_SUMS: "DSA-y keeps partial sums in its elements (not checked against MAESTRO)",
    OFF_CHIP_RULE: "MAESTRO's off-chip rule at its example hardware: on-chip network 1000, off-chip 50 elements a cycle",
    BOTH: "Both: sums kept and the off-chip rule",
})  # fmt: skip
ENGINES = ("soc-mapping",)
HEADLINE = "Latency at most 20 % above GPU alone"

Group = Callable[[Runs], Iterator[Comparison]]


def parts(quick: bool) -> tuple[Part[Any], ...]:
    """Every table and figure that is about costs; `quick`: Tables 2 to 5 and Figure 7 under the default reading."""
    known: dict[Case, Outcome] = {}  # parts look at the same runs

    def part(title: str, group: Group) -> Part[Runs]:
        return Part(title, partial(_compute, group, known), group, NoRuns())

    found: list[Part[Any]] = [
        part("Table 2", table_2),
        part("Table 3", table_3),
        part("Table 4", lambda runs: table_4(runs, MEAN)),
        part("Table 5", lambda runs: table_5(runs, MEAN)),
        part("Figure 7", figures.figure_7),
    ]
    if quick:
        return tuple(found)
    blank_blocks: Mapping[int, float] = dict.fromkeys(SLACKS, float("nan"))
    found[3:3] = [
        part(f"Table 4, {BEST}", lambda runs: table_4(runs, BEST)),
        Part(f"Table 4, {TABLE}", searches.run_blocks, searches.table_4_by_blocks, blank_blocks),
    ]
    found[6:6] = [part(f"Table 5, {BEST}", lambda runs: table_5(runs, BEST))]
    found += [
        part("Figure 1", figures.figure_1),
        part("Figure 5", figures.figure_5),
        part("Figure 8", searches.figure_8),
    ]
    for reading in accelerators.DEVICES:
        compute, rows = (
            partial(accelerators.map_to_accelerators, reading),
            partial(accelerators.figures_9_and_10, reading),
        )
        found.append(Part(f"Figures 9 and 10, {reading}", compute, rows, accelerators.BLANK))
    return (
        *found,
        Part("searches on GPU and DLA", shares.share_of_engine, shares.engine_rows, shares.BLANK_ENGINE),
        Part(
            "searches on accelerators", shares.share_on_accelerators, shares.accelerator_rows, shares.BLANK_ACCELERATORS
        ),
        Part("searches by block table", shares.share_by_blocks, shares.block_rows, shares.BLANK_BLOCKS),
    )


def _compute(group: Group, known: dict[Case, Outcome], executor: Executor) -> Runs:
    """Run what the group looks at, as far as it is not known yet."""
    noted = NotedRuns()
    for _ in group(noted):
        pass
    known.update(run_all([case for case in noted.wanted if case not in known], executor))
    return KnownRuns(known)
