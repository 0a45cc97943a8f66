"""The results of an application: shared layers, switching, the requirement sets that it serves, and a mission."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engines.contract.results import Breakdown, LayerGraph, LayerNode, Matrix, Note, Result, Table, TableColumn
from engines.methods.sbrs.explain_mission import mission_results
from engines.methods.sbrs.instance import Candidate, Instance
from engines.methods.sbrs.ranking import Choice, choose, ranks, tied_with
from engines.methods.sbrs.scoring import Application, build
from engines.methods.sbrs.supergraph import Supergraph
from engines.methods.sbrs.switch_schedule import switch_schedule
from engines.workloads.assumed_chain import chain_notes

_CHAIN_KEEPS_LESS = "A tensor that is kept for a residual addition is counted once less than it is needed."
SEPARATE, SHARED = "Separate networks", "Application"


def explain_application(instance: Instance, candidate: Candidate) -> tuple[Result, ...]:
    """Return all results of one design."""
    application = build(instance, candidate)
    word = instance.bytes_per_element
    switches = _switches(instance, application) if len(application.members) > 1 else ()
    return (
        *switches,
        memory_breakdown(application.graph, word),
        supergraph_picture(application.graph, word),
        component_table(application.graph, word),
        *served(instance, application),
        *mission_results(instance, application.members),
        *_edge_note(application),
    )


def _edge_note(application: Application) -> tuple[Note, ...]:
    names = [network.cnn.name for network in application.networks if network.assumed_chain]
    return chain_notes(", ".join(names), _CHAIN_KEEPS_LESS)


def memory_breakdown(graph: Supergraph, bytes_per_element: int) -> Breakdown:
    """Return the parameters and buffers, apart and shared."""
    word = bytes_per_element
    apart = (sum(cnn.parameter_elements for cnn in graph.cnns), sum(cnn.buffer_elements for cnn in graph.cnns))
    values = np.array([apart, (graph.parameter_elements, graph.buffer_elements)], dtype=np.float64) * word
    return Breakdown("memory", "Memory by what it holds", (SEPARATE, SHARED), ("Parameters", "Buffers"), values, "B")


def supergraph_picture(graph: Supergraph, bytes_per_element: int) -> LayerGraph:
    """Return the supergraph, coloured by who uses a layer; edges that lead back to an earlier layer are left out of the picture."""
    names, count = [cnn.name for cnn in graph.cnns], len(graph.cnns)

    def group(users: tuple[int, ...]) -> str:
        if len(users) == 1:
            return f"only {names[users[0]]}"
        return "all networks" if len(users) == count else f"{len(users)} of {count} networks"

    nodes = tuple(
        LayerNode(
            f"L{number}",
            layer_title(graph, number),
            group(layer.scenarios),
            (
                ("networks", float(len(layer.scenarios)), ""),
                ("layers captured", float(len(layer.captured)), ""),
                ("parameters", float(sum(size for _, size in layer.parameter_sets) * bytes_per_element), "B"),
            ),
        )
        for number, layer in enumerate(graph.layers)
    )
    edges = sorted({(edge.source, edge.target) for edge in graph.edges if edge.source < edge.target})
    pairs = tuple((f"L{source}", f"L{target}") for source, target in edges)
    return LayerGraph("supergraph", "Supergraph: what the networks share", nodes, pairs)


def layer_title(graph: Supergraph, number: int) -> str:
    """Return the name of the first layer that it represents."""
    scenario, layer = graph.layers[number].captured[0]
    return graph.cnns[scenario].layers[layer].name


def component_table(graph: Supergraph, bytes_per_element: int) -> Table:
    """Return every layer of the supergraph with what is reused and what is set at run time (as Table 1 of the paper)."""
    layers = graph.layers
    controls = [" ".join(f"{attribute} = {name}" for attribute, name in layer.controls) for layer in layers]
    reused = [_reused(layer.reused, {attribute for attribute, _ in layer.controls}) for layer in layers]
    members = [
        ", ".join(f"{graph.cnns[scenario].name}: {graph.cnns[scenario].layers[number].name}" for scenario, number in layer.captured)
        for layer in layers
    ]  # fmt: skip
    sizes = [sum(size for _, size in layer.parameter_sets) * bytes_per_element for layer in layers]
    return Table(
        "components",
        "Layers of the supergraph",
        (
            TableColumn("Layer", tuple(layer_title(graph, number) for number in range(len(layers)))),
            TableColumn("Operator", tuple(layer.operator for layer in layers)),
            TableColumn("Hyper-parameters", tuple(" ".join(map("=".join, layer.hyperparameters)) for layer in layers)),
            TableColumn("Represents", tuple(text if len(text) <= 400 else f"{text[:400]} …" for text in members)),
            TableColumn("Reused", tuple(reused)),
            TableColumn("Set at run time", tuple(controls)),
            TableColumn("Parameter sets", np.array([len(layer.parameter_sets) for layer in layers], dtype=np.float64)),
            TableColumn("Parameters", np.array(sizes, dtype=np.float64), "B"),
        ),
    )


def _reused(reused: bool, controlled: set[str]) -> str:
    if not reused:
        return ""
    return " ".join(attribute for attribute in ("op", "hyp", "par", "I", "O") if attribute not in controlled)


def delay_matrices(application: Application) -> tuple[Matrix, Matrix]:
    """Return the response delay of every pair, under SBRS-TP and naive."""
    names = tuple(network.cnn.name for network in application.networks)
    old, new = tuple(f"from {name}" for name in names), tuple(f"to {name}" for name in names)
    return (
        Matrix("response", "Response delay, SBRS-TP", old, new, application.delays_s, "s", "Delay"),
        Matrix("response-naive", "Response delay, naive switching", old, new, application.naive_s, "s", "Delay"),
    )


def _switches(instance: Instance, application: Application) -> tuple[Result, ...]:
    old, new = np.unravel_index(int(np.nanargmax(application.delays_s)), application.delays_s.shape)
    longest = switch_schedule(application.graph, application.networks, int(old), int(new), instance.params.protocol)
    return (longest, *delay_matrices(application))


def _best(choice: Choice, names: Sequence[str]) -> str:
    others = tied_with(choice, names)
    return f"{names[choice.network]}, tied with {others}" if others else names[choice.network]


def served(instance: Instance, application: Application) -> tuple[Result, ...]:
    """Return a table of the networks with their metrics and the requirement sets that each one serves."""
    own, members = ranks(instance.values), list(application.members)
    within = [choose(instance.values, each, among=members) for each in instance.requirements]
    inside = [choice.network for choice in within]
    names, choices = instance.names, instance.choices
    rows = Table(
        "requirements",
        "Requirement sets and the networks that serve them; of tied ones the most accurate, then fastest, smallest, thriftiest",
        (
            TableColumn("Requirement set", tuple(each.name for each in instance.requirements)),
            *(
                TableColumn(title, np.array([each.weights[place] for each in instance.requirements]))
                for place, title in enumerate(("Accuracy", "Throughput", "Memory", "Energy"))
            ),
            TableColumn("Served by", tuple(names[number] for number in inside)),
            TableColumn(
                "Weighted rank",
                np.array([float(choice.sums[number]) for choice, number in zip(choices, inside, strict=True)]),
            ),
            TableColumn("Tied with", tuple(tied_with(choice, names) for choice in within)),
            TableColumn("Best of all networks", tuple(_best(choice, names) for choice in choices)),
        ),
    )
    known = np.array([np.nan if each.accuracy_percent is None else each.accuracy_percent for each in instance.networks])
    places = {number: place for place, number in enumerate(members)}
    figures = Table(
        "networks",
        "Networks of the workload",
        (
            TableColumn("Network", names),
            TableColumn(
                "In the application", tuple("yes" if number in places else "no" for number in range(len(names)))
            ),
            TableColumn("Accuracy", known, "%"),
            TableColumn("Throughput", instance.values[:, 1], "fps"),
            TableColumn("Memory", instance.values[:, 2], "B"),
            TableColumn("Energy", instance.values[:, 3], "J"),
            TableColumn("Power", np.array([instance.powers_w[name] for name in names]), "W"),
            *(
                TableColumn(f"{title} rank", own[:, place].astype(np.float64))
                for place, title in enumerate(("Accuracy", "Throughput", "Memory", "Energy"))
            ),
        ),
    )
    return rows, figures
