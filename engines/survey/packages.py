"""A network on a package of chiplets: every chiplet alone, and the best pipeline over a few, in one window.

The pipelines are searched exactly; longer ones than `MOST_CHIPLETS` are left to the engines that search packages at length.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engines.chiplets.costs.scoring import MEMORY, placement_costs
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.tables import ScenarioTables, build_tables
from engines.chiplets.windows.chains import ExactSearch, build_window_problem, window_options
from engines.chiplets.windows.greedy import root_chiplets
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import assign_windows
from engines.survey.found import Priced, Way, front_of
from engines.workloads.network import Network, Scenario, ScenarioModel
from hardware.package.model import ChipletPackage
from hardware.package.summary import DATAFLOW_TITLES

MOST_CHIPLETS = 4
_GOAL = Goal("edp")


def price_package(package: ChipletPackage, network: Network) -> Priced:
    """The network, one sample, on the package; energy-delay product decides how layers are cut and where they go.

    Every layer has a cost on every chiplet, so that no package refuses a network.
    """
    scenario = Scenario(network.slug, network.title, (ScenarioModel(network, 1),), network.source)
    tables = build_tables(package, scenario, _params())
    ranges = assign_windows(tables, 0)[0]
    nodes = [min(MOST_CHIPLETS, most) for most in provisioned_nodes(tables, ranges, _GOAL)]
    problem = build_window_problem(tables, ranges, [MEMORY], root_chiplets(tables, ()), nodes)
    offers, choice = ExactSearch(problem, _GOAL.value).run()
    best = window_options(offers, choice, (int((choice.latency_s * choice.energy_j).argmin()),))[0]
    single = _single(tables)
    way = Way(best.latency_s, best.energy_j, _mapped(tables, best.window[0]))
    latency = np.append(choice.latency_s, single.latency_s)
    energy = np.append(choice.energy_j, single.energy_j)
    words = f"int{8 * package.word_bytes}, dataflow cost model, no measurement"
    proven = problem.all_paths and choice.complete
    return Priced(way, single, front_of(latency, energy), proven, "dataflow", words)


@cache
def _params() -> ScheduleParams:
    """One window: with one network there is nothing to take turns with."""
    return ScheduleParams(n_splits=0)


def _single(tables: ScenarioTables) -> Way:
    """The chiplet that runs all of the network with the least energy-delay product."""
    paths = np.arange(tables.chiplets)[:, None]
    model = tables.models[0]
    costs = placement_costs(tables, model, 0, (model.layers,), paths, MEMORY)
    best = int((costs.latency_s * costs.energy_j).argmin())
    return Way(float(costs.latency_s[best]), float(costs.energy_j[best]), f"{_dataflow(tables, best)} chiplet alone")


def _mapped(tables: ScenarioTables, placement: Placement) -> str:
    """Layers in the order of the pipeline, counted from 1: "layers 1–12 on Shi-diannao, 13–54 on NVDLA"."""
    if len(placement.path) == 1:
        return f"{_dataflow(tables, placement.path[0])} chiplet alone"
    parts = [
        f"{first + 1}–{end} on {_dataflow(tables, chiplet)}"
        if end - first > 1
        else f"{end} on {_dataflow(tables, chiplet)}"
        for first, end, chiplet in placement.segments
    ]
    return f"layers {', '.join(parts)}"


def _dataflow(tables: ScenarioTables, chiplet: int) -> str:
    return DATAFLOW_TITLES[tables.package_model.package.chiplets[chiplet].dataflow]
