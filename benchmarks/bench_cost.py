"""The dataflow cost model: evaluations per second on one core, and its agreement with MAESTRO's tables."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from statistics import median

import numpy as np

from benchmarks.report import Figure, show
from engines.cost.dataflow.model import MAPPINGS, ArrayFigures, LayerShapes, grid_costs, mapping_costs
from tests.engines.cost.maestro_tables import COMPARABLE, Rows

BATCH = 100_000
REPEATS = 7
LOWEST_RATE = 1_000_000.0
LARGEST_MEDIAN_ERROR_PERCENT = 5.0
SIZES = (256, 1024, 4096, 16384)
BANDWIDTHS = (16.0, 64.0, 256.0)


def random_layers(count: int) -> LayerShapes:
    """Return `count` convolutions, no two alike: strides 1 and 2, one kernel in four 1 x 1, up to 1,024 channels."""
    rng = np.random.default_rng(1)
    return LayerShapes(
        k=rng.integers(1, 1025, count),
        c=rng.integers(1, 1025, count),
        r=rng.choice(np.array([1, 3, 5, 7]), count),
        s=rng.choice(np.array([1, 3, 5, 7]), count),
        y=rng.integers(7, 230, count),
        x=rng.integers(7, 230, count),
        stride=rng.choice(np.array([1, 1, 2]), count),
        depthwise=np.zeros(count, dtype=bool),
        copies=np.ones(count, dtype=np.int64),
    )


def per_second(evaluations: int, action: Callable[[], object]) -> float:
    """Return the evaluations per second of processor time; the model uses one thread."""
    action()
    seconds = []
    for _ in range(REPEATS):
        begin = time.process_time()
        action()
        seconds.append(time.process_time() - begin)
    return evaluations / median(seconds)


def rates() -> list[Figure]:
    """Return the rates of each mapping on arrays of their own, and of a grid."""
    shapes, rng = random_layers(BATCH), np.random.default_rng(2)
    array = ArrayFigures(rng.choice(np.array(SIZES), BATCH), rng.choice(np.array(BANDWIDTHS), BATCH))
    figures = []
    for name, mapping in MAPPINGS.items():
        rate = per_second(BATCH, lambda name=name: mapping_costs(name, shapes, array))  # type: ignore[misc]
        note = "" if mapping.checked else " (not checked)"
        figures.append(Figure(f"{name}, {BATCH:,} layers, an array each{note}", rate, "/s", LOWEST_RATE, True))
    checked = [name for name, mapping in MAPPINGS.items() if mapping.checked]
    points = len(checked) * len(SIZES)
    some = shapes.take(slice(0, BATCH // points))
    rate = per_second(len(some) * points, lambda: grid_costs(checked, some, SIZES, [64.0]))
    figures.append(
        Figure(
            f"grid of {len(some):,} layers x {len(checked)} mappings x {len(SIZES)} sizes",
            rate,
            "/s",
            LOWEST_RATE,
            True,
        )
    )
    return figures


def agreement() -> list[Figure]:
    """Print the table of agreement; returns the share of stride 1 that is exact and the medians above it."""
    print("  agreement with MAESTRO (rows of tests/data/maestro without off-chip limit)")
    print(
        "  mapping  stride  rows  cycles exact  energy exact  median error (cycles, energy)  worst error (cycles, energy)"
    )
    every = Rows.read(*COMPARABLE)
    exact_values, values, strided_cycles, strided_energy = 0, 0, [], []
    for name in (name for name, mapping in MAPPINGS.items() if mapping.checked):
        for stride in sorted({row["stride"] for row in every.where(mapping=name).rows}):
            rows = every.where(mapping=name, stride=stride)
            cycles, energy = rows.errors(name)
            print(agreement_line(name, stride, rows, cycles, energy))
            if stride == "1":
                exact_values += np.count_nonzero(cycles == 0) + np.count_nonzero(energy == 0)
                values += len(cycles) + len(energy)
            else:
                strided_cycles.append(np.abs(cycles))
                strided_energy.append(np.abs(energy))
    medians = [100 * float(np.median(np.concatenate(errors))) for errors in (strided_cycles, strided_energy)]
    return [
        Figure("stride 1: cycles and energies that are exact", 100 * exact_values / values, "%", 100.0, True),
        Figure("stride above 1: median error of cycles", medians[0], "%", LARGEST_MEDIAN_ERROR_PERCENT),
        Figure("stride above 1: median error of energy", medians[1], "%", LARGEST_MEDIAN_ERROR_PERCENT),
    ]


def agreement_line(name: str, stride: str, rows: Rows, cycles: np.ndarray, energy: np.ndarray) -> str:
    """Return one line of the table; a row that is not exact is named."""
    text = f"  {name:<8} {stride:>6} {len(rows):>5} {exact(cycles):>13} {exact(energy):>13}"
    text += f" {percent(np.median(np.abs(cycles))):>16}, {percent(np.median(np.abs(energy)))}"
    text += f" {percent(np.abs(cycles).max()):>22}, {percent(np.abs(energy).max())}"
    worst = int(np.argmax(np.abs(cycles) + np.abs(energy)))
    if cycles[worst] or energy[worst]:
        text += f" ({rows.rows[worst]['network']} {rows.rows[worst]['layer']})"
    return text


def exact(errors: np.ndarray) -> str:
    """Return how many are 0."""
    return f"{np.count_nonzero(errors == 0)}/{len(errors)}"


def percent(error: float) -> str:
    """Return a relative error for people."""
    return f"{100 * error:.3g}%"


def main() -> int:
    """Measure and print."""
    return show([*rates(), *agreement()])


if __name__ == "__main__":
    sys.exit(main())
