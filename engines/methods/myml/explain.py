"""Explanation of one design: layers, energy, pruning by block, the system over time. Imported only where torch is needed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from engines.contract.results import Breakdown, LayerGraph, LayerNode, Result, Table, TableColumn
from engines.methods.myml.bench import Bench
from engines.methods.myml.choices import ORIGINAL, Choice
from engines.methods.myml.costs import stage_cost
from engines.methods.myml.instance import MymlInstance
from engines.methods.myml.layers import GROUPS, LayerRemainder
from engines.methods.myml.scoring import NetworkMeasurement
from engines.methods.myml.stages import stages_of
from engines.methods.myml.system import Life


def explained(bench: Bench, choice: Choice) -> tuple[Result, ...]:
    """Return grid, tables, breakdowns and notes that explain one design."""
    measured, instance = bench.measured(choice), bench.instance
    results: list[Result] = [_energy(instance, choice, measured), _layers(instance, choice, measured), _graph(measured)]
    if choice.order != ORIGINAL:
        results.append(_stages(instance, choice, measured))
    if choice.specific:
        results += Life(bench, choice).results()
    return tuple(results)


def _energy(instance: MymlInstance, choice: Choice, measured: NetworkMeasurement) -> Breakdown:
    device = instance.device
    values = [[device.inference([each], choice.platform).joules for each in measured.kept]]
    titles = tuple(each.layer.title for each in measured.kept)
    return Breakdown("energy", "Energy of an image by layer", ("Image",), titles, np.array(values), "J")


def _layers(instance: MymlInstance, choice: Choice, measured: NetworkMeasurement) -> Table:
    dense = choice.platform == "accelerator"

    def column(title: str, values: list[float], unit: str = "") -> TableColumn:
        return TableColumn(title, np.array(values), unit)

    kept: tuple[LayerRemainder, ...] = measured.kept
    return Table(
        "layers", "Remaining weights of each layer",
        (
            TableColumn("Layer", tuple(each.layer.title for each in kept)),
            column("Group", [float(each.layer.group) for each in kept]),
            column("Channels", [float(each.channels) for each in kept]),
            column("of", [float(each.layer.channels) for each in kept]),
            column("Filters", [float(each.filters) for each in kept]),
            column("of ", [float(each.layer.filters) for each in kept]),
            column("Channels of all filters", [each.pairs / (each.layer.channels * each.layer.filters) for each in kept], "of one"),
            column("Size", [float(each.size_bytes(dense)) for each in kept], "B"),
            column("Pointers", [0.0 if dense else float(each.pointer_bytes) for each in kept], "B"),
            column("Time", [instance.device.inference([each], choice.platform).seconds for each in kept], "s"),
        ),
    )  # fmt: skip


def _graph(measured: NetworkMeasurement) -> LayerGraph:
    nodes = [
        LayerNode(
            each.layer.title, each.layer.title, f"Group {each.layer.group}",
            (
                ("Channels", float(each.channels), ""), ("Filters", float(each.filters), ""),
                ("Operations", float(each.macs), ""),
            ),
        )
        for each in measured.kept
    ]  # fmt: skip
    edges = tuple((before.id, after.id) for before, after in pairwise(nodes))
    return LayerGraph("network", "Network", tuple(nodes), edges)


def _stages(instance: MymlInstance, choice: Choice, measured: NetworkMeasurement) -> Table:
    params = instance.params
    classes = len(instance.user.classes) if choice.specific else len(measured.classes)
    images = params.images_per_class * classes
    stages = stages_of(choice, params.extra_epochs)
    costs = [stage_cost(stage, choice, instance.whole, measured.kept, instance.device, images) for stage in stages]
    words = [", ".join(map(str, stage.pruned)) or "none" for stage in stages]
    updated = ["all" if len(stage.updated) == GROUPS else ", ".join(map(str, stage.updated)) for stage in stages]
    return Table(
        "stages", "Pruning by epoch",
        (
            TableColumn("Groups pruned", tuple(words)), TableColumn("Groups updated", tuple(updated)),
            TableColumn("Learning rate", np.array([stage.learning_rate for stage in stages])),
            TableColumn("Images", np.full(len(stages), float(images))),
            TableColumn("Time", np.array([cost.seconds for cost in costs]), "s"),
            TableColumn("Energy", np.array([cost.joules for cost in costs]), "J"),
        ),
    )  # fmt: skip
