"""The explanation of one network: its layers by end, energy, the RAM plan, calibration, every threshold."""

from __future__ import annotations

import numpy as np

from engines.contract.quantities import SHARE
from engines.contract.results import Breakdown, LayerGraph, LayerNode, Note, Result, Table, TableColumn
from engines.methods.eexnas.architecture import Layer, SizedNetwork
from engines.methods.eexnas.instance import EexnasInstance
from engines.methods.eexnas.params import THRESHOLDS
from engines.methods.eexnas.scoring import NetworkOutputs

_OPERATIONS = {"mac": "32-bit", "add": "add or subtract", "word": "word of bits"}
_ALL, _STAY = "Every window", "Windows that stay"


def explained(instance: EexnasInstance, judged: NetworkOutputs, threshold: float) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    laid = judged.laid
    text = f"{laid.architecture.name}: filters, kernel, stride, pooling and its stride of each block, and the hidden layer. "
    text += "Where the network is on the front, networks.zip of the run has its C code under that name."
    return (
        _graph(laid),
        _energy(instance, judged, threshold),
        _plan(instance, laid),
        _ends(judged),
        _thresholds(instance, judged),
        Note("name", "Name of the network", text),
    )


def _graph(laid: SizedNetwork) -> LayerGraph:
    nodes, edges, before = [], [], ""
    for number, layer in enumerate(laid.layers):
        nodes.append(_node(layer, _ALL if number < laid.exit_at else _STAY))
        if before:
            edges.append((before, layer.title))
        before = layer.title
    nodes.append(_node(laid.exit, _ALL))
    edges.append((laid.layers[laid.exit_at - 1].title, laid.exit.title))
    return LayerGraph("network", "Network and exit", tuple(nodes), tuple(edges))


def _node(layer: Layer, group: str) -> LayerNode:
    figures = (
        ("Channels", float(layer.shape_out[0]), ""),
        ("Samples", float(layer.shape_out[1]), ""),
        ("Operations", float(layer.work), ""),
    )
    return LayerNode(layer.title, layer.title, group, figures)


def _energy(instance: EexnasInstance, judged: NetworkOutputs, threshold: float) -> Breakdown:
    laid, device = judged.laid, instance.device
    staying = 1 - judged.validation.answered(threshold, judged.temperature)[1]
    layers = (*laid.before, laid.exit, *laid.after)
    joules = np.array([device.power_w * device.layer_s(layer) for layer in layers])
    early = np.arange(len(layers)) <= len(laid.before)
    values = np.array([np.where(early, joules, 0.0), np.where(early, 0.0, staying * joules)])
    return Breakdown(
        "energy", "Energy of a window, mean", (_ALL, _STAY), tuple(layer.title for layer in layers), values, "J"
    )


def _plan(instance: EexnasInstance, laid: SizedNetwork) -> Table:
    layers = (*laid.layers, laid.exit)

    return Table(
        "ram-plan", f"RAM plan: {laid.arena_bytes} B for activations, {laid.static_bytes} B with window and outputs",
        (
            TableColumn("Layer", tuple(layer.title for layer in layers)),
            TableColumn("Input", np.array([float(layer.bytes_in) for layer in layers]), "B"),
            TableColumn("Output", np.array([float(layer.bytes_out) for layer in layers]), "B"),
            TableColumn("Weights", np.array([float(layer.weight_bytes) for layer in layers]), "B"),
            TableColumn("Operations", np.array([float(layer.work) for layer in layers])),
            TableColumn("Kind", tuple(_OPERATIONS[layer.operation] for layer in layers)),
            TableColumn("Time", np.array([instance.device.layer_s(layer) for layer in layers]), "s"),
        ),
    )  # fmt: skip


def _ends(judged: NetworkOutputs) -> Table:
    before = [judged.calibration_percent(end, 1.0) for end in (0, 1)]
    after = [judged.calibration_percent(0, judged.temperature), np.nan]
    return Table(
        "ends", "Ends by themselves",
        (
            TableColumn("End", ("Exit", "Last layer")),
            TableColumn("Right, to choose by", judged.validation.right.mean(axis=0), SHARE),
            TableColumn("Right, test", judged.test.right.mean(axis=0), SHARE),
            TableColumn("Temperature", np.array([judged.temperature, np.nan])),
            TableColumn("ECE before, test", np.array(before), "%"),
            TableColumn("ECE after, test", np.array(after), "%"),
        ),
    )  # fmt: skip


def _thresholds(instance: EexnasInstance, judged: NetworkOutputs) -> Table:
    columns = judged.columns(instance, THRESHOLDS)
    return Table(
        "thresholds", "Every threshold",
        (
            TableColumn("Threshold", np.array(THRESHOLDS)),
            TableColumn("Leave early", columns["left_early_fraction"], SHARE),
            TableColumn("Accuracy", columns["accuracy_percent"], "%"),
            TableColumn("Accuracy (test)", columns["test_accuracy_percent"], "%"),
            TableColumn("Energy", columns["energy_j"], "J"),
        ),
    )  # fmt: skip
