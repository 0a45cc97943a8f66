"""A network on a package of chiplets: each chiplet alone, and the best pipeline over a few, in one window.

Both start on the chiplets that SCAR's rule allows. Pipelines are searched exactly on packages of up to 12 chiplets; pipelines
over more than `MOST_CHIPLETS` are left to the engines that search packages at length.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from engines.chiplets.costs.scoring import MEMORY, placement_costs
from engines.chiplets.params import ScheduleParams
from engines.chiplets.problem.decision import Placement
from engines.chiplets.problem.objectives import Goal
from engines.chiplets.problem.starts import start_chiplets
from engines.chiplets.problem.tables import ScenarioTables, build_tables
from engines.chiplets.windows.chains import ExactSearch, build_window_problem, window_options
from engines.chiplets.windows.provision import provisioned_nodes
from engines.chiplets.windows.reconfig import assign_windows
from engines.cost.estimators.registry import cost_model_words
from engines.cost.memory_capacity import (
    MEMORY_UNKNOWN,
    TooLittleMemoryError,
    memory_demand,
    memory_is_known,
    require_memory,
)
from engines.cost.soc.model import counted_bits
from engines.survey.survey_result import (
    WAY_ON,
    DeviceEstimate,
    DeviceMapping,
    SurveyOptions,
    UnsupportedNetworkError,
    front_of,
)
from engines.workloads.network import Network, Scenario, ScenarioModel
from engines.workloads.weight_bits import weight_bits_words
from hardware.package.model import ChipletPackage
from hardware.package.summary import DATAFLOW_TITLES

MOST_CHIPLETS = 4
_GOAL = Goal("edp")
_USUAL = SurveyOptions()


def price_package(package: ChipletPackage, network: Network, options: SurveyOptions = _USUAL) -> DeviceEstimate:
    """Return the network, one sample, on the package; energy-delay product decides how layers are cut and where they go.

    Every layer has a cost on every chiplet.

    Raises:
        UnsupportedNetworkError: a power mode is asked for, or the network does not fit into the package's memory.
    """
    if options.power_mode:
        raise UnsupportedNetworkError("No estimate: packages have no power modes")
    bits = counted_bits(package.bits, options.bits)
    scenario = Scenario(network.slug, network.title, (ScenarioModel(network, 1),), network.source)
    try:
        require_memory(package, memory_demand(scenario.models, stated=not options.bits), bits)
    except TooLittleMemoryError as error:
        raise UnsupportedNetworkError(f"{error.sentence}. {WAY_ON}") from error
    tables = build_tables(package, scenario, _params(options.bits, options.cost_model))
    ranges = assign_windows(tables, 0)[0]
    nodes = [min(MOST_CHIPLETS, most) for most in provisioned_nodes(tables, ranges, _GOAL)]
    starts = start_chiplets(tables)
    problem = build_window_problem(tables, ranges, [MEMORY], starts, nodes)
    offers, choice = ExactSearch(problem, _GOAL.value).run()
    best = window_options(offers, choice, (int((choice.latency_s * choice.energy_j).argmin()),))[0]
    pipeline = DeviceMapping(best.latency_s, best.energy_j, _mapped(tables, best.window[0]))
    alone = placement_costs(tables, tables.models[0], 0, (tables.models[0].layers,), np.array(starts)[:, None], MEMORY)
    place = int((alone.latency_s * alone.energy_j).argmin())
    single = DeviceMapping(
        float(alone.latency_s[place]), float(alone.energy_j[place]), f"{_dataflow(tables, starts[place])} chiplet alone"
    )
    way = min(single, pipeline, key=lambda each: each.edp_js)  # sums of the same parts differ in their last digit
    latency = np.append(choice.latency_s, alone.latency_s)
    energy = np.append(choice.energy_j, alone.energy_j)
    words = f"{bits.name}, dataflow cost model, no measurement"
    words += cost_model_words(options.cost_model)
    words += "; MACs assumed at the array's own rate" if options.bits else ""
    words += "" if memory_is_known(package) else f"; {MEMORY_UNKNOWN}"
    proven = problem.all_paths and choice.complete
    stated = any(each.weight_bits for each in network.operations)
    note = "" if stated else weight_bits_words(network.weight_bits, network.title, bits.weights)
    return DeviceEstimate(
        way,
        single,
        front_of(latency, energy),
        proven,
        "dataflow",
        words,
        note=note,
        bits=bits.name,
        params=options.asked("bits", "cost_model"),
    )


@cache
def _params(bits: str, cost_model: str) -> ScheduleParams:
    """Return one window: with one network there is nothing to take turns with; of any bits, also of those that no form offers."""
    return ScheduleParams(n_splits=0, cost_model=cost_model).model_copy(update={"bits": bits})


def _mapped(tables: ScenarioTables, placement: Placement) -> str:
    """Return the layers in the order of the pipeline, counted from 1: "layers 1–12 on Shi-diannao, 13–54 on NVDLA"."""
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
