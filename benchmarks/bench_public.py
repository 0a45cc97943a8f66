"""Public measurements: errors of networks that a fit has not seen, whether the bands hold, and what each kind of work is worth.

Every network is left out of all fits of its family in turn. A band is the quantile of the errors of the other networks.
"""

from __future__ import annotations

import sys
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

import numpy as np

from benchmarks.report import Figure, show, tell
from engines.contract.arrays import FloatArray
from engines.survey.measurements.fit import Pool
from engines.survey.measurements.fits import FITS, LEAST_ROWS, NEAR_SHARE, band_of
from engines.survey.measurements.microcontrollers import left_out_errors
from engines.survey.measurements.pools import RowPool, row_pools
from engines.survey.measurements.rows import DATA, all_measured_rows
from engines.survey.measurements.work import KINDS
from engines.survey.survey import survey
from engines.workloads.loader import builtin_network
from hardware.soc.loader import builtin_socs, load_soc

LARGEST_MEDIAN, LEAST_NEAR, LEAST_PAIRS, LEAST_VENDORS = 10.0, 80.0, 20, 3
LEAST_COVERED, MOST_COVERED = 85.0, 95.0
LARGEST_TINY = {"latency": 15.0, "energy": 25.0}
MOST_DATA_MB, LONGEST_SURVEY_S = 3.0, 3.0
LEAST_PAIR_ROWS = 8
# Kinds of work that were told apart after residuals pointed to them.
ADDED = (
    "smooth activation function",
    "operators on one pixel",
    "beyond the buffer",
    "depthwise",
    "product of activations",
    "layout",
)
_PER_CENT, _MEGA = 100.0, 1e6
Pair = tuple[str, str, str]


def errors(found: RowPool, predicted_ms: FloatArray) -> FloatArray:
    """Return absolute relative errors of the measured quantity, shape `rows`."""
    ratios = predicted_ms / found.pool.times_ms
    return np.abs((1 / ratios if found.key.quantity == "throughput" else ratios) - 1)


def coverage(found: RowPool, predicted_ms: FloatArray) -> tuple[int, int]:
    """Return how many rows lie in bands made of the errors of other networks, and how many there are."""
    ratios, networks = predicted_ms / found.pool.times_ms, found.pool.row_networks
    covered = 0
    for group in found.pool.groups:
        own = found.pool.of_group(group)
        enough = own.sum() >= LEAST_ROWS
        for row in np.flatnonzero(own):
            others = (networks != networks[row]) & (own if enough else True)
            covered += abs(np.log(ratios[row])) <= np.log(band_of(ratios[others].tolist()))
    return int(covered), len(ratios)


def pairs_of(pools: Sequence[RowPool], left_out: Mapping[int, FloatArray]) -> dict[Pair, list[float]]:
    """Return (family, device, runtime) -> errors of its rows in any precision and batch."""
    pairs: dict[Pair, list[float]] = defaultdict(list)
    for place, found in enumerate(pools):
        for row, error in zip(found.rows, errors(found, left_out[place]).tolist(), strict=True):
            pairs[found.key.family, row.device, row.runtime].append(error)
    return {pair: each for pair, each in pairs.items() if len(each) >= LEAST_PAIR_ROWS}


def _near(values: Sequence[float]) -> float:
    return _PER_CENT * sum(value <= NEAR_SHARE for value in values) / len(values)


def _keeps(values: Sequence[float]) -> bool:
    return _PER_CENT * median(values) <= LARGEST_MEDIAN and _near(values) >= LEAST_NEAR


def pool_figures(found: RowPool, left_out: FloatArray) -> list[Figure]:
    """Return the errors of a pool: networks left out, and devices left out as well."""
    key = found.key
    name = f"{key.family} {key.bits} {key.quantity} x{key.batch}, {len(found.rows)} rows, {len(found.pool.networks)} networks"
    own, unknown = errors(found, left_out), errors(found, found.unknown_device_ms())
    covered, rows = coverage(found, left_out)
    return [
        Figure(f"{name}: median error", _PER_CENT * float(np.median(own)), "%"),
        Figure("  rows within 25 %", _near(own.tolist()), "%"),
        Figure("  rows in the band", _PER_CENT * covered / rows, "%"),
        Figure("  device left out too: median error", _PER_CENT * float(np.nanmedian(unknown)), "%"),
    ]


def pair_figures(pools: Sequence[RowPool], left_out: Mapping[int, FloatArray]) -> list[Figure]:
    """Return how many pairs of device and runtime keep the limits: in all precisions together, and in one of them."""
    pairs = pairs_of(pools, left_out)
    kept = [pair for pair, each in pairs.items() if _keeps(each)]
    best = {
        (found.key.family, group[0], group[1])
        for place, found in enumerate(pools)
        for group in found.pool.groups
        if found.pool.of_group(group).sum() >= LEAST_PAIR_ROWS
        and _keeps(errors(found, left_out[place])[found.pool.of_group(group)].tolist())
    }
    held = [coverage(found, left_out[place]) for place, found in enumerate(pools)]
    covered = _PER_CENT * sum(one for one, _ in held) / sum(rows for _, rows in held)
    words = f"pairs of device and runtime, of {len(pairs)}, with {LARGEST_MEDIAN:g} % and {LEAST_NEAR:g} % within 25 %"
    return [
        Figure(f"{words}, all precisions", len(kept), "pairs", LEAST_PAIRS, higher_is_better=True),
        Figure("  in at least one precision", len(best), "pairs", LEAST_PAIRS, higher_is_better=True),
        Figure("  of families", len({pair[0] for pair in best}), "families", LEAST_VENDORS, higher_is_better=True),
        Figure("rows in the band, at least", covered, "%", LEAST_COVERED, higher_is_better=True),
        Figure("rows in the band, at most", covered, "%", MOST_COVERED),
    ]


def improvements(found: RowPool, left_out: FloatArray) -> list[Figure]:
    """Return the median error without a kind of work, or without costs of each group."""
    own = _PER_CENT * float(np.median(errors(found, left_out)))
    figures = [Figure(f"{found.key.family} {found.key.bits}: all kinds of work", own, "%")]
    for kind in ADDED:
        work = found.pool.work.copy()
        work[:, KINDS.index(kind)] = 0
        pool = Pool(*found.pool.labels(), work, found.pool.times_ms, found.key.bits)
        without = _PER_CENT * float(np.median(errors(found, pool.left_out_ms())))
        figures.append(Figure(f"  without {kind}", without, "%"))
    return figures


def tiny_figures() -> list[Figure]:
    """Return the errors of MLPerf Tiny by task, over systems."""
    return [
        Figure(
            f"MLPerf Tiny {quantity}, {task.removeprefix('mlperf-tiny-')}: median over systems left out",
            _PER_CENT * median(abs(error) for error in left_out_errors(quantity, task)), "%", limit,
        )
        for quantity, limit in LARGEST_TINY.items()
        for task in ("mlperf-tiny-ad", "mlperf-tiny-kws")
    ]  # fmt: skip


def product_figures() -> list[Figure]:
    """Return the size of the data that ships, and the time of a survey of all boards."""
    size_mb = sum(path.stat().st_size for path in (*DATA.iterdir(), FITS)) / _MEGA
    network = builtin_network("resnet50")
    devices = [(name, load_soc(content, name)) for name, content in builtin_socs().items()]
    begin = time.perf_counter()
    survey(network, [(name, device) for name, device in devices if device.units])
    return [
        Figure("public measurements and fits that ship", size_mb, "MB", MOST_DATA_MB),
        Figure(f"survey of resnet50 on {len(devices)} boards", time.perf_counter() - begin, "s", LONGEST_SURVEY_S),
    ]


def main() -> int:
    """Print all figures."""
    figures = product_figures()
    pools = row_pools(all_measured_rows())
    left_out = {place: found.pool.left_out_ms() for place, found in enumerate(pools)}
    tell("each network is predicted by fits to the other networks")
    for place, found in enumerate(pools):
        figures += pool_figures(found, left_out[place])
    figures += [*pair_figures(pools, left_out), *tiny_figures(), *improvements(pools[0], left_out[0])]
    return show(figures)


if __name__ == "__main__":
    sys.exit(main())
