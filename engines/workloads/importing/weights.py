"""Which weights each row of an operator holds, by their identity."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from engines.workloads.importing.graph import Node, Tensor
from engines.workloads.importing.rows import Row
from engines.workloads.network import COMPUTE_KINDS

Held = tuple[tuple[str, int], ...]  # identity and elements of each weight of a row


def with_weights(node: Node, rows: list[Row]) -> tuple[list[Row], tuple[Held, ...]]:
    """Return the rows with all weights of the operator, and which each of them holds.

    Weights stand in the order of the inputs: those that the rows count come first. What is left (the bias table of attention, the
    first state of a recurrent layer, a bias per element) belongs to a folded row, or is one that adds it.
    """
    weights = node.weights
    counted = [row.get("weight_elements", 0) for row in rows]
    sums = [0, *accumulate(tensor.elements for tensor in weights)]
    if sum(counted) not in sums:  # packed, or other than its shape tells
        return rows, tuple(_jointly(weights, rows))
    first = sums.index(sum(counted))
    held = [_each(weights[:first])] if len(rows) == 1 else _jointly(weights[:first], rows)
    if first == len(weights):
        return rows, tuple(held)
    left = weights[first:]
    place = next((number for number, row in enumerate(rows) if row["kind"] not in COMPUTE_KINDS), len(rows))
    if place == len(rows):
        sizes = {"input_elements": node.output_elements, "output_elements": node.output_elements}
        rows = [*rows, {"name": f"{node.name}.bias", "kind": "eltwise", **sizes}]
        held = [*held, ()]
    rows = [*rows]
    elements = rows[place].get("weight_elements", 0) + sum(tensor.elements for tensor in left)
    rows[place] = {**rows[place], "weight_elements": elements}
    held[place] += _each(left)
    return rows, tuple(held)


def _each(weights: Sequence[Tensor]) -> Held:
    return tuple((tensor.weight, tensor.elements) for tensor in weights)


def _jointly(weights: Sequence[Tensor], rows: Sequence[Row]) -> list[Held]:
    """Return the rows that have the weights together: each part is the same where all of them are."""
    name = " + ".join(tensor.weight for tensor in weights)
    elements = [row.get("weight_elements", 0) for row in rows]
    several = sum(map(bool, elements)) > 1
    return [((f"{name} ({number})" if several else name, count),) if count and name else ()
            for number, count in enumerate(elements)]  # fmt: skip
