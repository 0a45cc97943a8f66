"""The report of a run: curves while it goes, the derived application at its end, the layers of one network."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from engines.contract.arrays import FloatArray
from engines.contract.designs import Designs
from engines.contract.engine import File
from engines.contract.integer_format import counted
from engines.contract.results import (
    Breakdown,
    Curve,
    Lane,
    LayerGraph,
    LayerNode,
    Note,
    Result,
    Schedule,
    ScheduleWindow,
    Series,
    Table,
    TableColumn,
)
from engines.contract.schedules import Bar, schedule_of
from engines.data.documents import ImageData
from engines.data.scaling import NOT_STORED
from engines.methods.sbrs.application import parameters_of
from engines.methods.sbrs.cnn import TimedCnn
from engines.methods.sbrs.explain import component_table, delay_matrices, memory_breakdown, supergraph_picture
from engines.methods.sbrs.export import to_onnx
from engines.methods.sbrs.graph import Graph
from engines.methods.sbrs.ranking import choose, in_words
from engines.methods.sbrs.scoring import Application
from engines.methods.sbrs.search.archive import OBJECTIVE_NAMES
from engines.methods.sbrs.search.genotype import Genome
from engines.methods.sbrs.search.space import NAME, SearchContext, scenario_document
from engines.methods.sbrs.supergraph import Supergraph, derive
from engines.methods.sbrs.switch_schedule import switch_schedule
from engines.methods.sbrs.torch_network import folded_weights, pack_weights, unpack_weights
from engines.methods.sbrs.transition import response_delays
from hardware.documents import dump_yaml

_SETS: Mapping[str, tuple[str, ...]] = {"io_par": ("I", "O", "par"), "io": ("I", "O"), "none": ()}


@dataclass(frozen=True, eq=False)
class Scenario:
    """A network of the derived application, the requirement sets that it serves, and its weights (safetensors)."""

    timed: TimedCnn
    graph: Graph
    serves: tuple[str, ...]
    weights: bytes


def first_results(laboratory: SearchContext) -> tuple[Result, ...]:
    """Return space, data and costs."""
    costs = laboratory.covered.notes(chosen=laboratory.chosen)
    return (space_table(laboratory), data_note(laboratory), *costs)


def accuracy_curve(accuracies_percent: FloatArray, data: str) -> Curve:
    """Return accuracy by generation, of networks of shape `generations x population`."""
    x = np.arange(1, len(accuracies_percent) + 1, dtype=np.float64)
    best, mean = accuracies_percent.max(axis=1), accuracies_percent.mean(axis=1)
    series = (Series("Best", best, "%"), Series("Mean", mean, "%"))
    return Curve("accuracy", f"Accuracy on the validation data of {data}", x, "Generation", "", series, role="progress")


def selection(laboratory: SearchContext, finals: Designs) -> tuple[dict[int, tuple[str, ...]], Table]:
    """Return final network -> requirement sets that it serves, and the choice as a table."""
    values = finals.matrix(OBJECTIVE_NAMES)
    names = [f"network {number + 1}" for number in range(len(finals))]
    serves: dict[int, tuple[str, ...]] = {}
    words, chosen = [], []
    for each in laboratory.requirements:
        choice = choose(values, each)
        serves[choice.network] = (*serves.get(choice.network, ()), each.name)
        words.append(in_words(choice, names))
        chosen.append(choice.network)
    weights = np.array([each.weights for each in laboratory.requirements])
    titles = ("Accuracy", "Throughput", "Memory", "Energy")
    table = Table(
        "requirements",
        "Requirement sets and the networks that serve them",
        (
            TableColumn("Requirement set", tuple(each.name for each in laboratory.requirements)),
            *(TableColumn(f"{title} weighs", weights[:, place]) for place, title in enumerate(titles)),
            TableColumn("Served by", tuple(names[number] for number in chosen)),
            TableColumn("Accuracy (test)", finals.columns["test_accuracy_percent"][chosen], "%"),
            TableColumn("Throughput", values[chosen, 1], "fps"),
            TableColumn("Memory", values[chosen, 2], "B"),
            TableColumn("Energy", values[chosen, 3], "J"),
            TableColumn("Why", tuple(words)),
        ),
    )
    return serves, table


def scenarios_of(
    laboratory: SearchContext, finals: Designs, serves: Mapping[int, tuple[str, ...]], files: Any
) -> list[Scenario]:
    """Return the chosen networks in the order of the requirement sets, ready to be derived from."""
    found = []
    for place, (number, sets) in enumerate(serves.items(), start=1):
        decision = finals.decisions[number]
        graph = laboratory.genotype.graph(laboratory.genotype.check(decision["clusters"]), f"scenario-{place}")
        weights = pack_weights(folded_weights(unpack_weights(files.get(decision["weights"]))))
        found.append(Scenario(laboratory.timed(graph, "", decision["test_accuracy_percent"]), graph, sets, weights))
    return found


def derived(laboratory: SearchContext, scenarios: Sequence[Scenario]) -> tuple[Supergraph, tuple[Result, ...]]:
    """Return the application of the scenarios and its pictures."""
    networks = tuple(each.timed for each in scenarios)
    graph = derive([network.cnn for network in networks], _SETS[laboratory.params.adaptive])
    word = laboratory.bytes_per_element
    results: list[Result] = [
        memory_breakdown(graph, word),
        supergraph_picture(graph, word),
        component_table(graph, word),
    ]
    if len(networks) > 1:
        delays, without = response_delays(graph, [network.latency_s for network in networks])
        old, new = np.unravel_index(int(np.nanargmax(delays)), delays.shape)
        results.append(switch_schedule(graph, networks, int(old), int(new)))
        results += delay_matrices(Application(tuple(range(len(networks))), networks, graph, delays, without))
    return graph, tuple(results)


def files_of(laboratory: SearchContext, scenarios: Sequence[Scenario], graph: Supergraph) -> tuple[File, ...]:
    """Return the application as files: parameters once, the plan, the networks as a workload, ONNX per scenario."""
    sets: dict[str, npt.NDArray[np.float32]] = {}
    for each in scenarios:
        for identity, (weight, bias) in parameters_of(each.graph, unpack_weights(each.weights)).items():
            sets |= {f"{identity}.weight": weight, f"{identity}.bias": bias}
    titles = {each.graph.name: f"Scenario for {', '.join(each.serves)}" for each in scenarios}
    document = scenario_document(titles, {each.graph.name: each.graph for each in scenarios})
    found = [
        File("application.safetensors", "application/octet-stream", pack_weights(sets)),
        File("application.json", "application/json", _plan(graph, laboratory.data).encode()),
        File("scenarios.yaml", "application/yaml", dump_yaml(document, sort_keys=False).encode()),
    ]
    if laboratory.params.export_onnx:
        found += [File(f"{each.graph.name}.onnx", "application/onnx", _onnx(laboratory, each)) for each in scenarios]
    return tuple(found)


def _onnx(laboratory: SearchContext, scenario: Scenario) -> bytes:
    return to_onnx(scenario.graph, unpack_weights(scenario.weights), laboratory.data.scaling)


def _plan(graph: Supergraph, data: ImageData) -> str:
    """Return layers, edges and execution sequences of the application as JSON, and how recorded signals become its input."""
    signals = {"scaling": data.scaling.content if data.scaling else " ".join(NOT_STORED)} if data.is_signals else {}
    return json.dumps(
        {
            **signals,
            "adaptive": sorted(graph.adaptive),
            "layers": [
                {
                    "operator": layer.operator,
                    "hyperparameters": dict(layer.hyperparameters),
                    "parameter_sets": [identity for identity, _ in layer.parameter_sets],
                    "controls": dict(layer.controls),
                }
                for layer in graph.layers
            ],
            "edges": [{"from": e.source, "to": e.target, "copy": e.copy, "elements": e.elements} for e in graph.edges],
            "sequences": {
                cnn.name: [{"layer": step.layer, "set": dict(step.values)} for step in sequence]
                for cnn, sequence in zip(graph.cnns, graph.sequences, strict=True)
            },
        },
        indent=1,
    )


def network_results(laboratory: SearchContext, genome: Genome) -> tuple[Result, ...]:
    """Return layers of one network: time, energy, memory, and how they are connected."""
    graph = laboratory.genotype.graph(genome, NAME)
    timed = laboratory.timed(graph)
    word = laboratory.bytes_per_element
    names = tuple(node.name for node in graph.nodes)
    parameters = np.array([node.parameter_elements * word for node in graph.nodes], dtype=np.float64)
    outputs = np.array(
        [node.elements * word * len(out) for node, out in zip(graph.nodes, timed.cnn.outputs, strict=True)]
    )
    clusters = list(dict.fromkeys(_cluster(name) for name in names))
    by_cluster = [[_cluster(name) == cluster for name in names] for cluster in clusters]
    energy = np.array([[float(np.sum(np.array(timed.energy_j)[row]))] for row in by_cluster])
    return (
        _layer_schedule(timed, laboratory.pricer.unit),
        Breakdown("energy", "Energy by cluster", tuple(clusters), ("Energy",), energy, "J"),
        Table(
            "layers",
            "Layers",
            (
                TableColumn("Layer", names),
                TableColumn("Operator", tuple(layer.operator for layer in timed.cnn.layers)),
                TableColumn("Output", tuple("x".join(map(str, node.shape)) for node in graph.nodes)),
                TableColumn("Kernel", tuple("x".join(map(str, node.kernel)) for node in graph.nodes)),
                TableColumn("Parameters", parameters, "B"),
                TableColumn("Output buffers", outputs.astype(np.float64), "B"),
                TableColumn("Time", np.array(timed.latency_s), "s"),
                TableColumn("Energy", np.array(timed.energy_j), "J"),
            ),
        ),
        LayerGraph(
            "network",
            "Layers and edges",
            tuple(LayerNode(node.name, node.name, _cluster(node.name)) for node in graph.nodes),
            tuple((graph.nodes[source].name, node.name) for node in graph.nodes for source in node.inputs),
        ),
    )


def _layer_schedule(timed: TimedCnn, unit: str) -> Schedule:
    """Return one frame: the layers one after the other; the input costs nothing and has no bar."""
    ends = np.cumsum(timed.latency_s)
    clusters = tuple(dict.fromkeys(_cluster(layer.name) for layer in timed.cnn.layers[1:]))
    bars = [
        Bar(0, float(start), float(end), layer.name, model=clusters.index(_cluster(layer.name)))
        for layer, start, end in zip(timed.cnn.layers[1:], ends[:-1], ends[1:], strict=True)
    ]
    lanes, window = (Lane(unit, unit.upper(), unit, 1.0),), ScheduleWindow("One frame", 0.0, float(ends[-1]))
    title, words = "One frame, layer by layer", "one bar is one layer"
    return schedule_of(bars, lanes, (window,), clusters, title=title, bar_words=words)


def _cluster(name: str) -> str:
    return name.partition(".")[0]


def space_table(laboratory: SearchContext) -> Table:
    """Return the clusters of the space."""
    clusters = laboratory.genotype.clusters
    return Table(
        "space",
        "Search space",
        (
            TableColumn("Cluster", tuple(f"C{number}" for number in range(1, len(clusters) + 1))),
            TableColumn("Type and bounds", tuple(cluster.words for cluster in clusters)),
        ),
    )


def data_note(laboratory: SearchContext) -> Note:
    """Return the note on the source of the accuracy."""
    data = laboratory.data
    counts = ", ".join(f"{counted(count)} {name}" for name, count in data.examples.items())
    text = (
        f"Accuracy is measured on {data.title}: {counts} examples. Networks learn from the training split, "
        "and the search uses the validation split. Accuracy after full training is measured on the test "
        f"split. Source: {data.source}."
    )
    return Note("data", "Data", text)
