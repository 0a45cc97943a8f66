"""When two layers are one and the same component (minakova-2022 eqs. 6 and 7).

Two layers are equal where every attribute that is not run-time adaptive matches. op, hyp and par are compared by themselves. I and
O are sets of edges, and edges are equal where their ends are (eq. 7): the definition leads in a circle. It is read as the coarsest
division into classes that agrees with itself: classes by op, hyp and par are split by the classes that their inputs come from
(where I is not adaptive) and their outputs lead to (where O is not) until nothing changes.

par matches where two layers hold the very same values ("values": with separate training no two layers with weights do), or where
the shapes agree ("shapes", the reading of the first author's published tool, SvetlanaMinakova/espamAI at f22db77: one set of
weights then serves all).
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Literal

from engines.methods.sbrs.cnn import Cnn, CnnLayer

ADAPTABLE = ("I", "O", "par")
ParameterEquality = Literal["values", "shapes"]
Classes = tuple[tuple[int, ...], ...]


def layer_classes(
    cnns: Sequence[Cnn], adaptive: Collection[str], parameter_equality: ParameterEquality = "values"
) -> Classes:
    """Return the class of every layer of every network; equal layers have equal numbers.

    Args:
        cnns: the scenarios.
        adaptive: the set A, out of `ADAPTABLE`.
        parameter_equality: what makes par match where it is not adaptive.

    Raises:
        ValueError: `adaptive` names something else.
    """
    unknown = set(adaptive) - set(ADAPTABLE)
    if unknown:
        raise ValueError(f"Adaptive attributes must be out of {ADAPTABLE}. Got {sorted(unknown)} instead.")
    classes = _numbered([[_own(layer, adaptive, parameter_equality) for layer in cnn.layers] for cnn in cnns])
    if {"I", "O"} <= set(adaptive):
        return classes
    while True:
        finer = _numbered([_neighbours(cnn, own, adaptive) for cnn, own in zip(cnns, classes, strict=True)])
        if _count(finer) == _count(classes):
            return classes
        classes = finer


def _own(layer: CnnLayer, adaptive: Collection[str], equality: ParameterEquality) -> Hashable:
    key: list[Hashable] = [layer.operator, layer.hyperparameters]
    if "par" not in adaptive:
        key.append(layer.parameters if equality == "values" else layer.parameter_shapes)
    if "O" not in adaptive:
        key.append(layer.output_elements)
    return tuple(key)


def _neighbours(cnn: Cnn, classes: Sequence[int], adaptive: Collection[str]) -> list[Hashable]:
    keys: list[Hashable] = []
    for number, own in enumerate(classes):
        sources = [(classes[cnn.edges[e][0]], _size(cnn, e)) for e in cnn.inputs[number]]
        targets = sorted((classes[cnn.edges[e][1]], _size(cnn, e)) for e in cnn.outputs[number])
        kept_sources = () if "I" in adaptive else tuple(sources)
        keys.append((own, kept_sources, () if "O" in adaptive else tuple(targets)))
    return keys


def _size(cnn: Cnn, edge: int) -> int:
    return cnn.layers[cnn.edges[edge][0]].output_elements


def _numbered(keys: Sequence[Sequence[Hashable]]) -> Classes:
    numbers: dict[Hashable, int] = {}
    return tuple(tuple(numbers.setdefault(key, len(numbers)) for key in row) for row in keys)


def _count(classes: Classes) -> int:
    return len({number for row in classes for number in row})
