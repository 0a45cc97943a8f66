"""The network simulation: compiling, flit-hops on a mesh, a curve over the load, bounds, and an application on the hub."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time

from benchmarks.report import Figure, median_ms, show
from engines.simulation.noc.application import Application, Flow, MemoryController, Stage, run_application
from engines.simulation.noc.bounds import channel_load, zero_load_latency
from engines.simulation.noc.curve import latency_curve
from engines.simulation.noc.networks import crossbar_hub, mesh
from engines.simulation.noc.simulation import Simulation
from engines.simulation.noc.traffic import uniform

HALF_OF_SATURATION = 0.195  # flits per cycle and terminal of an 8x8 mesh
CYCLES = 30_000
LEAST_FLIT_HOPS_PER_S, MOST_COMPILE_S, MOST_CURVE_S = 3e6, 10.0, 10.0
FIRST_CYCLE = """
import time
import numba
from engines.simulation.noc.networks import crossbar
from engines.simulation.noc.simulation import Simulation
from engines.simulation.noc.traffic import uniform
simulation = Simulation(crossbar(2), uniform(2, 0.1))
start = time.process_time()
simulation.advance(1)
print(time.process_time() - start)
"""


def first_cycle_s(cache: str) -> float:
    """Return the processor seconds of a new process until its first cycle is over, with what numba keeps in that folder."""
    command = [sys.executable, "-c", f"import os; os.environ['NUMBA_CACHE_DIR'] = {cache!r}\n{FIRST_CYCLE}"]
    return float(subprocess.run(command, capture_output=True, check=True, text=True).stdout)


def flit_hops_per_s() -> float:
    """Return the flit hops of an 8x8 mesh at half of saturation, per processor second."""
    simulation = Simulation(mesh(8, 8), uniform(64, HALF_OF_SATURATION))
    simulation.advance(2000)
    hops, start = simulation.flit_hops, time.process_time()
    simulation.advance(CYCLES)
    return (simulation.flit_hops - hops) / (time.process_time() - start)


def curve_s() -> float:
    """Return the ten loads of an 8x8 mesh, up to saturation, on two threads."""
    factors = [0.05 * step for step in range(1, 8)] + [0.375, 0.4, 0.45]
    start = time.perf_counter()
    latency_curve(mesh(8, 8), uniform(64, 1.0), factors, threads=2)
    return time.perf_counter() - start


def main() -> int:
    """Measure, and compare with the limits."""
    with tempfile.TemporaryDirectory() as cache:
        fresh, kept = first_cycle_s(cache), first_cycle_s(cache)
    network, load = crossbar_hub(64), uniform(64, 0.1)
    flow = Flow("video", (Stage(0, 64), Stage(1, 64)), "via memory")
    application = Application((flow,), MemoryController(63))

    def bounds() -> None:
        channel_load(network, load)
        zero_load_latency(network, load)

    def work() -> None:
        run_application(network, application)

    return show([
        Figure("compiled, once", fresh, "s", MOST_COMPILE_S),
        Figure("the next process, from disk", kept, "s"),
        Figure("8x8 mesh at half of saturation", flit_hops_per_s(), "flit-hops/s", LEAST_FLIT_HOPS_PER_S, higher_is_better=True),
        Figure("ten loads of an 8x8 mesh, two threads", curve_s(), "s", MOST_CURVE_S),
        Figure("bounds of a hub with 64 chiplets", median_ms(bounds), "ms"),
        Figure("50,000 cycles of a chain over memory on it", median_ms(work, repeats=3), "ms"),
    ])  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
