"""The stages of a pruning: which group loses channels when, what is updated, what only passes values or errors on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engines.contract.arrays import BoolArray
from engines.methods.myml.choices import Choice, kept_channels
from engines.methods.myml.layers import GROUPS, Layer, LayerRemainder, whole

_FIRST_BLOCKS = 2  # with the higher learning rate


@dataclass(frozen=True)
class Stage:
    """An epoch.

    Attributes:
        pruned: groups that lose channels at its begin.
        updated: groups whose weights change.
        learning_rate: learning rate of its updates.
    """

    pruned: tuple[int, ...]
    updated: tuple[int, ...]
    learning_rate: float


def stages_of(choice: Choice, extra_epochs: int) -> tuple[Stage, ...]:
    """Return one for each block, then the further epochs of the last (goyal-2023 section 4.6)."""
    later = choice.learning_rate / choice.reduction
    everything = tuple(range(1, GROUPS + 1))
    found = []
    for number in range(GROUPS + extra_epochs):
        rate = choice.learning_rate if number < _FIRST_BLOCKS else later
        group = number + 1 if choice.order == "bottom-up" else GROUPS - number
        if choice.order in ("bottom-up", "top-down") and number < GROUPS:
            done = range(1, group + 1) if choice.order == "bottom-up" else range(group, GROUPS + 1)
            found.append(Stage((group,), tuple(done), rate))
        else:
            at_once = number == 0 and choice.order not in ("bottom-up", "top-down")
            found.append(Stage(everything if at_once else (), everything, rate))
    return tuple(found)


def kept_of(layers: Sequence[Layer], masks: Sequence[BoolArray], asymmetric: bool) -> tuple[LayerRemainder, ...]:
    """Return the kept layers by masks `filters x channels`: unused filters are removed, then channels without a filter.

    Where filters keep different channels, those of a layer without any zero need no pointers.
    """
    found, used = list[LayerRemainder](), np.ones(len(masks[-1]), dtype=bool)
    for layer, mask in zip(reversed(layers), reversed(masks), strict=True):
        rows = mask[used]
        columns: BoolArray = np.asarray(rows.any(axis=0))
        if layer.first:
            columns[:] = True
        pairs, dense = int(rows.sum()), len(rows) * int(columns.sum())
        found.append(LayerRemainder(layer, int(columns.sum()), len(rows), pairs, asymmetric and pairs < dense))
        used = columns
    return tuple(reversed(found))


def expected_kept(layers: Sequence[Layer], choice: Choice) -> tuple[LayerRemainder, ...]:
    """Return same from rates alone, without weights: asymmetric as if every filter and every channel stayed in use somewhere."""
    rates = {group + 1: rate for group, rate in enumerate(choice.rates_percent)}
    channels = [
        layer.channels if layer.first else kept_channels(layer.channels, rates[layer.group]) for layer in layers
    ]
    found = []
    for number, layer in enumerate(layers):
        if choice.granularity == "symmetric":
            filters = channels[number + 1] if number + 1 < len(layers) else layer.filters
            found.append(LayerRemainder(layer, channels[number], filters, channels[number] * filters))
        else:
            share = channels[number] / layer.channels
            pairs = round(share * layer.channels * layer.filters)
            found.append(
                LayerRemainder(layer, layer.channels, layer.filters, pairs, pairs < layer.channels * layer.filters)
            )
    return tuple(found)


def unpruned(layers: Sequence[Layer]) -> tuple[LayerRemainder, ...]:
    """Return the layers without pruning."""
    return tuple(whole(layer) for layer in layers)
