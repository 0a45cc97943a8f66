"""The common parts of the comparisons of MaGNAS: networks, limits, reasons, and how a mapping is picked from a front."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from engines.contract.arrays import FloatArray
from engines.methods.magnas.reproduction.published import value
from engines.methods.magnas.reproduction.runs import Outcome

NETWORKS: Mapping[str, str] = MappingProxyType(
    {
        "b0": "magnas-vig-s-max-relative",
        "b1": "magnas-vig-s-edge",
        "b2": "magnas-vig-s-gin",
        "b3": "magnas-vig-s-sage",
        "a3": "magnas-cifar-100-a3",
    }
)
BASELINES = ("b0", "b1", "b2", "b3")
# Data sets of Table 2, and the column of each in the rows of the baselines.
DATA_SETS: Mapping[str, str] = MappingProxyType(
    {"CIFAR-10": "acc_C10", "CIFAR-100": "acc_C100", "Oxford-Flowers": "acc_F", "Tiny-ImageNet": "acc_Ti"}
)
SLACKS = (5, 10, 20, 40, 60, 80, 100)
BUDGETS_W = (10, 15, 20, 25, 30)
MEAN, BEST, TABLE = "default", "best mapping", "block table"
TABLE_3 = (
    "DLA-only",
    "GPU-only",
    "constr-transit1.a",
    "constr-transit1.b",
    "constr-transit2.a",
    "constr-transit2.b",
    "Ours_IOE",
)
MS, MJ = 1e3, 1e3

TOTALS = (
    "The calibration is a roofline with twelve parameters, no table per block. It is fitted to sixteen totals and "
    "two ratios; Figure 7's ratios are fitted with them."
)
A3_SHAPE = (
    "a3 is predicted: none of its rows is fitted. Its feed-forward width and the pre-processed superblock are not "
    "published."
)
FIVE_MODELS = (
    "The publication averages b0 to b3 and its own a0 to a3 on CIFAR-100. Depth and widths of a0 to a2 are not "
    "published. The computed values are therefore b0 to b3 and a3. The publication does not say over which mappings "
    "a share is averaged."
)
BUDGET = (
    "The publication meets a power limit by lower clocks, fewer CPU cores and slower memory. It does not state the "
    "settings. The computed value limits average power over mapping and the 24 clock settings of Table 1. "
    + FIVE_MODELS
)
NO_SAVING = (
    "In the cost model, lower clocks lose by longer leakage and launches about as much as they save in switching. "
    "It was fitted to the publication's own MinN over MaxN. By this ratio the lowest clocks need 3 % more energy "
    "than the highest. None of the 24 settings between comes near the published third less energy at 4 % more time."
)
GOVERNORS = (
    "The governors are a rule at rest (1.25 times the load, from schedutil's documentation). They are not a trace "
    "of the device; see docs/engines/soc-mapping.md."
)
ACCURACY_TOO = (
    "The publication measures volume over accuracy, latency and energy of all architectures of its search. The "
    "computed volume covers the five networks here with the accuracies of Table 2 on CIFAR-100."
)
OTHER_MEAN = (
    "The text does not say how it is averaged or compared. The rows of Table 2 do not give it to the published digits."
)
EXACT_LIMITED = (
    "The computed values are the best mappings within the limit on transitions, found exactly and no slower. The "
    "publication states the two mappings of its search with the nearest latency; one of them is slower."
)


def fitness(one: Outcome) -> FloatArray:
    """Return the value of equation 13 with equal weights, up to a factor."""
    product: FloatArray = one.latency_s * one.energy_j
    return product


def share_of(one: Outcome, reading: str, rank: Callable[[Outcome], FloatArray]) -> float:
    """Return the share of blocks on the GPU under a reading: mean over the front, or of the mapping that `rank` puts first."""
    return float(one.gpu_share[rank(one).argmin()] if reading == BEST else one.gpu_share.mean())


def published_units(name: str) -> list[str]:
    """Return the units of the blocks of a mapping that Table 3 prints."""
    letters = {"G": "gpu", "D": "dla"}
    graphers, ffns = (value(f"table3.4.{name}.{part}").split("-") for part in ("grapher", "ffn"))
    middle = [unit for pair in zip(graphers, ffns, strict=True) for unit in pair]
    return [letters[x] for x in (value(f"table3.4.{name}.stem"), *middle, value(f"table3.4.{name}.cls"))]
