"""Flash and time of a predictor on a Cortex-M4, counted by instructions (`cortex_m4.yaml`); an estimate, not a measurement."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from engines.methods.seesaw.predictor.tree import RateTree
from hardware.documents import load_yaml

# feature 1, right 1, rate 1, threshold 4; per level: start node 1, least rate 1; per rate 4.
_BYTES_PER_NODE, _BYTES_PER_LEVEL, _BYTES_PER_RATE = 7, 2, 4


@cache
def cortex_m4() -> dict[str, Any]:
    """Return the constants of the estimate."""
    return load_yaml(Path(__file__).with_name("cortex_m4.yaml"))


def flash_bytes(tree: RateTree, rates: int) -> int:
    """Return the tables and code of the exported predictor."""
    tables = len(tree) * _BYTES_PER_NODE + tree.levels * _BYTES_PER_LEVEL + rates * _BYTES_PER_RATE
    return tables + int(cortex_m4()["code_bytes"])


def decision_s(tree: RateTree) -> float:
    """Return the time of a decision, by the comparisons that one takes on average."""
    constants = cortex_m4()
    cycles = constants["cycles_per_decision"] + tree.mean_depth() * constants["cycles_per_comparison"]
    return float(cycles / (constants["clock_mhz"] * 1e6))
