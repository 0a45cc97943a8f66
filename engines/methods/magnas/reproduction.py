"""Published results of MaGNAS beside ours, as far as costs and mappings go.

Published: `published.yaml`. Ours: the engine soc-mapping under the calibration `xavier-magnas`, which is fitted to Table 2's
baselines and to Figure 7's clocks; everything else is predicted. Three accelerators: the dataflow cost model. No accuracy is
computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from engines.contract import Executor
from engines.methods.magnas import reproduction_searches as searches
from engines.methods.magnas import reproduction_xavier as xavier
from engines.methods.magnas.reproduction_runs import Case, Outcome, run_all
from engines.methods.magnas.reproduction_searches import KEPT_SUMS
from engines.methods.magnas.reproduction_xavier import BEST, MEAN, TABLE
from engines.reproductions import Comparison

READINGS: Mapping[str, str] = MappingProxyType({
    MEAN: "Shares under a limit are means over the front; DSA-y is MAESTRO's ykp_os; costs of the calibration xavier-magnas",
    BEST: "Shares under a limit are those of one mapping: of least equation 13 (Table 4), or the fastest (Table 5)",
    TABLE: "Costs per block from the publication's totals by share of the multiply-accumulates, instead of the calibration",
    KEPT_SUMS: "DSA-y keeps partial sums in its elements (not checked against MAESTRO)",
})  # fmt: skip

Group = Callable[[Callable[[Case], Outcome]], Iterator[Comparison]]


def comparisons(quick: bool, executor: Executor) -> Iterator[Comparison]:
    """Every table and figure that is about costs; `quick`: Tables 2 to 5 and Figure 7 under the default reading."""
    groups: list[Group] = [
        xavier.table_2, xavier.table_3, lambda look: xavier.table_4(look, MEAN), lambda look: xavier.table_5(look, MEAN),
        xavier.figure_7,
    ]  # fmt: skip
    if not quick:
        groups[3:3] = [lambda look: xavier.table_4(look, BEST), lambda _: searches.table_4_by_blocks()]
        groups[6:6] = [lambda look: xavier.table_5(look, BEST)]
        groups += [xavier.figure_1, xavier.figure_5, searches.figure_8]
    found = run_all(_cases(groups), executor)
    for group in groups:
        yield from group(found.__getitem__)
    if quick:
        return
    yield from searches.figures_9_and_10(executor)
    yield from searches.shares_of_hypervolume(executor)


def _cases(groups: list[Group]) -> list[Case]:
    """What the groups look at."""
    wanted: list[Case] = []

    def note(case: Case) -> Outcome:
        wanted.append(case)
        return _NOTHING

    for group in groups:
        for _ in group(note):
            pass
    return wanted


_ONE = np.ones(1)
_NOTHING = Outcome(_ONE, _ONE, _ONE, ({"units": ["gpu"] * 34},), (1.0, 1.0), (1.0, 1.0), 100.0)
