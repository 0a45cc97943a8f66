"""Runs of the reproduction: the published ranking, schedule and flight, and applications drawn from the published spaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import numpy as np

from engines.contract.arrays import FloatArray, IntArray
from engines.contract.numeric.random_streams import random_stream
from engines.cost.soc_networks import NetworkPricer, usual_calibration
from engines.documents.builtin import get_builtin
from engines.methods.sbrs.mission import POLICIES, Mission, MissionResult, Scenario, budget_of, fly
from engines.methods.sbrs.search.genotype import Genotype, published_spaces
from engines.methods.sbrs.supergraph import derive
from engines.methods.sbrs.transition import analyse, analyse_switch, naive, schedule
from engines.reproduction.rows import Publication
from engines.workloads.loader import load_network
from hardware.battery.loader import load_battery
from hardware.environment.loader import load_environment
from hardware.soc.loader import load_soc

PUBLICATION = Publication(Path(__file__).parent, "minakova-2022")
APPLICATIONS = {"voc": "Pascal VOC", "pamap2": "PAMAP2", "cifar10": "CIFAR-10"}
DEFAULT, PRINTED = "ranks of the values", "printed ranks"
OBJECTIVES = ("accuracy", "throughput", "memory", "energy")
DRAWS = 5
# Inputs: ImageNet's crop for Pascal VOC (not printed), CIFAR's own, 100 samples of the 40 channels of PAMAP2's three IMUs.
INPUTS: Mapping[str, tuple[int, int, int]] = {"voc": (3, 224, 224), "pamap2": (40, 100, 1), "cifar10": (3, 32, 32)}
CLASSES: Mapping[str, int] = {"voc": 20, "pamap2": 12, "cifar10": 10}
SETS: Mapping[str, int] = {"voc": 5, "pamap2": 4, "cifar10": 4}
TABLES: Mapping[str, str] = {"voc": "table7", "pamap2": "table8", "cifar10": "table9"}
ADAPTIVE: Mapping[str, tuple[str, ...]] = {"A_IOpar": ("I", "O", "par"), "A_IO": ("I", "O")}
# Figure 8 prints its two totals, not its layers. These times of l1 to l6 give both.
FIGURE_8_S: Mapping[int, float] = {1: 1.0, 2: 2.0, 3: 4.0, 4: 2.0, 5: 1.0, 6: 1.0}
FIGURE_8_OLD, FIGURE_8_NEW, FIGURE_8_ARRIVAL = (1, 2, 4, 5, 6), (1, 2, 3, 4, 5, 6), 0.5
_BYTES = 4
_MB = 1e6


def value(key: str) -> float:
    """Return a published number."""
    return float(PUBLICATION.value(key))


def figure_6() -> tuple[tuple[str, ...], FloatArray, IntArray]:
    """Return names, values and printed ranks of the six networks, shape `6 x 4` each."""
    names = tuple(f"CNN_{number}" for number in range(1, 7))
    values = np.array([[value(f"fig6.{name}.{objective}") for objective in OBJECTIVES] for name in names])
    printed = np.array([[value(f"fig6.{name}.R_{letter}") for letter in "ATME"] for name in names])
    return names, values, printed.astype(np.int64)


def scenario_values(application: str) -> FloatArray:
    """Return accuracy, throughput, memory, energy of the printed scenarios (Tables 7 to 9), shape `scenarios x 4`."""
    return np.array([value(key) for key in scenario_keys(application)]).reshape(-1, len(OBJECTIVES))


def scenario_keys(application: str) -> list[str]:
    """Return the names of those values, scenario by scenario."""
    first = "pr_auc" if application == "voc" else "accuracy"
    names = (first, *OBJECTIVES[1:])
    rows = [f"{TABLES[application]}.{application}.r{number}" for number in range(1, SETS[application] + 1)]
    return [f"{row}.{name}" for row in rows for name in names]


def figure_8() -> tuple[float, float, tuple[int, ...]]:
    """Return the response delays, naive and under SBRS-TP, and the set X."""
    old, new = ([FIGURE_8_S[layer] for layer in steps] for steps in (FIGURE_8_OLD, FIGURE_8_NEW))
    delays = analyse(FIGURE_8_OLD, FIGURE_8_NEW)
    found = naive(old, new).response_s, schedule(old, new, delays).response_s
    return found[0] - FIGURE_8_ARRIVAL, found[1] - FIGURE_8_ARRIVAL, delays


def flights(seed: int = 0) -> Mapping[str, MissionResult]:
    """Return the flight of Figure 2 by policy: networks of 11.2 W (82 %) and 31.0 W (89 %)."""
    environment = load_environment(get_builtin("environment", "uav-two-hour-flight").content)
    battery = load_battery(get_builtin("hardware", "uav-example-battery").content)
    complexity = random_stream(seed, "complexity of inputs").random(8)
    mission = Mission(environment, budget_of(environment, ""), battery, 0.0, complexity, 900.0)
    scenario = Scenario(("low", "high"), np.array([11.2, 31.0]), np.array([82.0, 89.0]))
    return {policy: fly(mission, scenario, policy) for policy in POLICIES}


@dataclass(frozen=True)
class SampledApplication:
    """An application of networks drawn from a published space: memory by set A, and mean delays over all pairs."""

    naive_mb: float
    shared_mb: Mapping[str, float]
    naive_ms: float
    delay_ms: Mapping[str, float]


def drawn_application(application: str, seed: int) -> SampledApplication:
    """Draw as many networks as the application has requirement sets, on the Jetson TX2."""
    genotype = Genotype(published_spaces()[application], INPUTS[application], CLASSES[application])
    random = random_stream(seed, application)
    graphs = [genotype.graph(genotype.draw(random), f"network-{number}") for number in range(SETS[application])]
    networks = [load_network(graph.document()) for graph in graphs]
    soc = load_soc(get_builtin("hardware", "jetson-tx2").content)
    pricer = NetworkPricer(soc, usual_calibration(soc, networks), "", "fp32", None)
    pricer.choose_unit(networks)
    times = [(0.0, *pricer.price(network).latency_s.tolist()) for network in networks]
    shared = {name: derive([graph.cnn() for graph in graphs], adaptive) for name, adaptive in ADAPTIVE.items()}
    pairs = list(permutations(range(len(graphs)), 2))
    delays = {
        name: 1e3
        * float(np.mean([schedule(times[o], times[n], analyse_switch(graph, o, n)).response_s for o, n in pairs]))
        for name, graph in shared.items()
    }
    return SampledApplication(
        naive_mb=next(iter(shared.values())).naive_memory_bytes(_BYTES) / _MB,
        shared_mb={name: graph.memory_bytes(_BYTES) / _MB for name, graph in shared.items()},
        naive_ms=1e3 * float(np.mean([naive(times[old], times[new]).response_s for old, new in pairs])),
        delay_ms=delays,
    )
