"""A million packages priced in money, and a search of ten thousand with bounds."""

from __future__ import annotations

import math
import sys
import time

import numpy as np

from benchmarks.report import Figure, median_ms, show
from engines.contract.engine import Document
from engines.cost.silicon.costs import Chiplets, package_money
from engines.documents.builtin import get_builtin
from engines.documents.problems import make_problem
from engines.methods.neksus.engine import NeksusEngine
from engines.methods.neksus.instance import instance_of
from engines.running.context import LocalContext
from engines.running.driver import drive
from hardware.silicon.loader import builtin_silicon_costs, load_silicon_costs

DESIGNS, LEAST_PER_S = 1_000_000, 1e6
PACKAGES, MOST_S = 10_000, 60.0


def documents() -> dict[str, Document]:
    """Return the blocks of a phone and what its silicon costs."""
    return {"hardware": get_builtin("hardware", "neksus-phone"), "costs": get_builtin("hardware", "neksus-28nm")}


def main() -> int:
    """Measure, and compare with the limits."""
    costs = load_silicon_costs(builtin_silicon_costs()["neksus-28nm"])
    random = np.random.default_rng(0)
    count = random.integers(1, 64, (DESIGNS, 3)).astype(np.float64)
    chiplets = Chiplets(
        ("28nm",) * 3, random.uniform(1, 20, count.shape), count, random.integers(0, 2, count.shape) * 1.0
    )
    priced_ms = median_ms(lambda: package_money(costs, chiplets).per_system_usd(1e6), repeats=5)
    problem = make_problem("neksus", documents(), {"applications": "photo-capture", "orders": 7})
    packages = math.prod(instance_of(problem).space.sizes)
    assert packages >= PACKAGES
    begun = time.perf_counter()
    steps = list(drive(NeksusEngine(), problem, LocalContext(problem)))
    search_s = time.perf_counter() - begun
    return show([
        Figure("a million packages of three kinds of chiplets priced", priced_ms, "ms", DESIGNS / LEAST_PER_S * 1e3),
        Figure(f"{packages:,} packages searched with bounds for one application", search_s, "s", MOST_S),
        Figure("of them priced in full", steps[-1].metrics["evaluations"], ""),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
