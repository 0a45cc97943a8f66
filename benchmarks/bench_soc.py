"""The SoC cost model: tables for DVFS searches, and the calibrations that ship with the product."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

from benchmarks.report import Figure, show
from engines.cost.soc.clocks import clock_grid
from engines.cost.soc.model import SocCostModel
from engines.cost.soc.operations import operation_table
from engines.workloads.loader import builtin_network
from hardware.calibration.loader import builtin_calibrations, load_calibration
from hardware.soc.loader import builtin_socs, load_soc

REPEATS = 5
DVFS_OF_MAGNAS = {
    "cpu": [1728.0, 2265.0],
    "gpu": [520.0, 900.0, 1377.0],
    "memory": [1065.0, 2133.0],
    "dla": [1050.0, 1395.0],
}
LONGEST_24_SETTINGS_MS = 10.0
LONGEST_WHOLE_GRID_S = 1.0
LARGEST_MEDIAN_PERCENT = 10.0


def seconds(action: Callable[[], object]) -> float:
    """Return the median processor time of an action."""
    action()
    measured = []
    for _ in range(REPEATS):
        begin = time.process_time()
        action()
        measured.append(time.process_time() - begin)
    return median(measured)


def tables() -> list[Figure]:
    """Return the costs of the 34 blocks of ViG-S on GPU and DLA, at the 24 settings of MaGNAS and at every published step."""
    soc = load_soc(builtin_socs()["jetson-agx-xavier"])
    model = SocCostModel(soc, load_calibration(builtin_calibrations()["xavier-magnas"]))
    operations = operation_table(builtin_network("magnas-vig-s-max-relative").operations)
    _, starts = operations.blocks()
    few, every = clock_grid(soc, DVFS_OF_MAGNAS), clock_grid(soc)
    size = f"{len(operations)} operations in {len(starts)} blocks x {len(model.units)} units"
    one = 1e3 * seconds(lambda: model.costs(operations, few, groups=starts))
    whole = seconds(lambda: model.costs(operations, every, groups=starts))
    return [
        Figure(f"{size} x {len(few)} settings", one, "ms", LONGEST_24_SETTINGS_MS),
        Figure(f"{size} x {len(every):,} settings, every step of Xavier", whole, "s", LONGEST_WHOLE_GRID_S),
    ]


def calibrations() -> list[Figure]:
    """Return the median error of the fitted rows of each calibration, the worst row and the left-out errors beside it."""
    figures = []
    for slug, content in builtin_calibrations().items():
        calibration = load_calibration(content)
        fitted, left_out = calibration.errors(), calibration.errors(left_out=True)
        if fitted is None:
            continue
        words = f"{slug}: median of {fitted.rows} fitted rows, worst {fitted.worst:.1%} ({fitted.worst_row})"
        words += f", workload left out {left_out.median:.1%} median" if left_out else ""
        figures.append(Figure(words, 100 * fitted.median, "%", LARGEST_MEDIAN_PERCENT))
    return figures


def main() -> int:
    """Measure and print."""
    return show([*tables(), *calibrations()])


if __name__ == "__main__":
    sys.exit(main())
