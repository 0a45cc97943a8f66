"""A problem of the search made ready: space, data, costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engines.contract.engine import Problem, require
from engines.contract.errors import ProblemError
from engines.contract.limits import LIMIT_SLACK, Allowed, allowed_by, minimum_slack
from engines.cost.calibration.unmeasured import CalibrationCoverage
from engines.cost.memory_capacity import within_capacity
from engines.cost.soc.calibration_lineage import inherited
from engines.cost.soc.model import bits_of
from engines.cost.soc_networks import NetworkPricer, usual_calibration
from engines.data.documents import ImageData
from engines.data.training_data import image_data_of
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.graph import Graph
from engines.methods.sbrs.ranking import Requirements
from engines.methods.sbrs.search.baseline import clusters_of
from engines.methods.sbrs.search.genotype import LAYERED, SMALL, Cluster, Genome, Genotype, published_spaces
from engines.methods.sbrs.search.params import SearchParams
from engines.methods.sbrs.search.quantities import LIMITS, MEMORY
from engines.methods.sbrs.texts import requirement_sets
from engines.workloads.loader import load_network
from engines.workloads.network import Scenario
from hardware.calibration.model import SocCalibration
from hardware.soc.model import Soc

NAME = "network"


@dataclass(frozen=True, eq=False)
class SearchContext:
    """The context of a search: material, data and measurement of networks; `chosen`: whether the calibration was by the device."""

    genotype: Genotype
    data: ImageData
    pricer: NetworkPricer
    covered: CalibrationCoverage
    requirements: tuple[Requirements, ...]
    params: SearchParams
    chosen: bool

    @property
    def costs_words(self) -> str:
        """Where costs are from."""
        return self.covered.words()

    @property
    def bytes_per_element(self) -> int:
        """On the device."""
        return int(bits_of(self.params.precision).weight_bytes)

    def timed(self, graph: Graph, identity: str = "", accuracy_percent: float | None = None) -> TimedCnn:
        """Return a network with the costs of its layers."""
        costs = self.pricer.price(load_network(graph.document()))
        latency, energy = (0.0, *costs.latency_s.tolist()), (0.0, *costs.energy_j.tolist())
        return TimedCnn(graph.cnn(identity), latency, energy, accuracy_percent)

    def figures(self, genome: Genome) -> dict[str, float]:
        """Return everything but accuracy."""
        graph = self.genotype.graph(genome, NAME)
        timed = self.timed(graph)
        memory = float(timed.cnn.memory_bytes(self.bytes_per_element))
        found = {
            "throughput_fps": timed.throughput_fps,
            "memory_bytes": memory,
            "energy_j": timed.frame_j,
            "power_w": timed.power_w,
            "parameters": float(graph.parameter_elements),
            "layers": float(len(graph.nodes) - 1),
        }
        return {**found, LIMIT_SLACK.name: float(minimum_slack(self.allowed(memory), found))}

    def allowed(self, memory_bytes: float) -> Allowed:
        """Return the limits of the parameters, and the memory of the device where a network of `memory_bytes` exceeds it."""
        return within_capacity(allowed_by(LIMITS, self.params), MEMORY, self.covered.soc, memory_bytes)

    def smallest(self) -> Genome:
        """Return the network of fewest layers, neurons and smallest kernels."""
        return smallest_genome(self.genotype)


def laboratory(problem: Problem[SearchParams]) -> SearchContext:
    """Return everything of a problem.

    Raises:
        ProblemError: a space without its baseline, a device without calibration, texts that cannot be read.
    """
    params = problem.params
    data = image_data_of(problem)
    genotype = Genotype(_clusters(problem), (data.channels, data.height, data.width), len(data.classes))
    soc = problem.value("hardware", Soc)
    smallest = load_network(_smallest_graph(genotype).document())
    given = "calibration" in problem.inputs
    calibration = problem.value("calibration", SocCalibration) if given else usual_calibration(soc, [smallest])
    calibration = inherited(calibration, soc)
    pricer = NetworkPricer(soc, calibration, params.unit.strip(), params.precision, params.power_mode.strip() or None)
    pricer.choose_unit([smallest])
    requirements = requirement_sets(params.requirements)
    covered = CalibrationCoverage(soc, calibration, bits=params.precision)
    return SearchContext(genotype, data, pricer, covered, requirements, params, not given)


def scenario_document(names: Mapping[str, str], graphs: Mapping[str, Graph]) -> dict[str, Any]:
    """Return the chosen networks as a `scenario/1` document, for the engine sbrs; `names` are their titles."""
    networks = [graphs[name].document(title=title) for name, title in names.items()]
    return {
        "schema": "scenario/1", "slug": "sbrs-search-scenarios", "title": "Scenarios of a network search",
        "source": "engine sbrs-search", "models": [{"network": network, "batch": 1} for network in networks],
    }  # fmt: skip


def _clusters(problem: Problem[SearchParams]) -> tuple[Cluster, ...]:
    params = problem.params
    if params.space == "small":
        return SMALL
    if params.space != "baseline":
        return published_spaces()[params.space]
    reason = "The search space is made from the baseline network."
    require("workload" in problem.inputs, "inputs.workload", None, "a baseline network", reason=reason)
    require(params.largest_kernel % 2 == 1, "params.largest_kernel", params.largest_kernel, "an odd number")
    scenario = problem.value("workload", Scenario)
    return clusters_of(scenario.models[0].network, params.largest_kernel, params.width_percent)


def _smallest_graph(genotype: Genotype) -> Graph:
    if not genotype.layered:
        raise ProblemError("params.space", "no cluster with layers", "a space that contains a cluster with layers")
    return genotype.graph(smallest_genome(genotype), NAME)


def smallest_genome(genotype: Genotype) -> Genome:
    """Return the network of fewest layers, neurons and smallest kernels."""
    return tuple(
        ((cluster.neurons[0], cluster.kernel[0]),) * cluster.layers[0] if cluster.kind in LAYERED else ()
        for cluster in genotype.clusters
    )
