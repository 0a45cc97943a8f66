"""Inception-V3 and ResNet-50 by shape, as the cost model takes them, with rates that reach a published size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from engines.documents.builtin import get_builtin
from engines.methods.myml.choices import Choice, published
from engines.methods.myml.costs import Device, device_of, pruning_cost
from engines.methods.myml.instance import PUBLISHED_RATES
from engines.methods.myml.layers import GROUPS, Layer, LayerRemainder, whole
from engines.methods.myml.params import MymlParams
from engines.workloads.loader import builtin_network
from hardware.soc.family import SOC

USER_CLASSES, STAGE_IMAGES, EXTRA_EPOCHS, IMAGES = 5, 200, 1, 1000
_UNTOUCHED = GROUPS + 1  # the layers before all groups are passed alone
# Groups from the output on. The publication names the first of Inception-V3 alone; the others are assumed.
_GROUPS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "inception-v3": (
        ("Mixed_7",), ("Mixed_6c", "Mixed_6d", "Mixed_6e"), ("Mixed_6a", "Mixed_6b"), ("Mixed_5",),
    ),
    "resnet50": (("layer4",), ("layer3.3", "layer3.4", "layer3.5"), ("layer3.0", "layer3.1", "layer3.2"), ("layer2", "layer1")),
}  # fmt: skip


@cache
def layers_of(slug: str) -> tuple[Layer, ...]:
    """Return the convolutions and the classifier."""
    found = []
    for each in builtin_network(slug).operations:
        if each.kind in ("conv", "gemm"):
            group = next((place + 1 for place, names in enumerate(_GROUPS[slug]) if each.name.startswith(names)), 0)
            last = each.kind == "gemm"
            size_in, size_out = ((1, 1), (1, 1)) if last else ((each.y, each.x), (each.oy, each.ox))
            found.append(
                Layer(
                    each.name, 1 if last else group or _UNTOUCHED, each.c, each.k, (each.r, each.s), size_in, size_out
                )
            )
    return tuple(found)


def kept_at(slug: str, size_ratio: float, asymmetric: bool) -> tuple[LayerRemainder, ...]:
    """Return the remaining shares, (1 - rate)^a of the straight line of rates, with `a` for weights `size_ratio` times less.

    Symmetric pruning takes the same share of channels and of the filters before them.
    """
    layers = layers_of(slug)
    total = sum(layer.weights for layer in layers) / size_ratio
    low, high = 0.0, 20.0
    for _ in range(60):
        middle = (low + high) / 2
        weights = sum(each.weights for each in _kept(layers, middle, asymmetric))
        low, high = (middle, high) if weights > total else (low, middle)
    return _kept(layers, high, asymmetric)


def _kept(layers: Sequence[Layer], power: float, asymmetric: bool) -> tuple[LayerRemainder, ...]:
    found = []
    for layer in layers:
        share = 1.0 if layer.group == _UNTOUCHED else (1 - 0.01 * PUBLISHED_RATES[layer.group - 1]) ** power
        last = layer.size_out == (1, 1) and layer.kernel == (1, 1)
        filters = USER_CLASSES if last else layer.filters
        if asymmetric:
            pairs = max(1, round(share * layer.channels * filters))
            found.append(LayerRemainder(layer, layer.channels, filters, pairs, share < 1))
        else:
            channels = max(1, round(share * layer.channels))
            left = filters if last else max(1, round(share * filters))
            found.append(LayerRemainder(layer, channels, left, channels * left))
    return tuple(found)


@cache
def device(host_elements_per_s: float = 2e9) -> Device:
    """Return Snapdragon 855 with an array of 64 x 64 at 500 MHz."""
    soc = SOC.load(get_builtin("hardware", "snapdragon-855").content)
    found = device_of(soc, MymlParams(host_elements_per_s=host_elements_per_s))
    assert found is not None  # it has clocks, peak and power
    return found


def throughput(slug: str, size_ratio: float, platform: str, host_elements_per_s: float = 2e9) -> float:
    """Return the images per second while the network is pruned to that size as published."""
    choice: Choice = published(platform, PUBLISHED_RATES)
    before = tuple(whole(layer) for layer in layers_of(slug))
    after = kept_at(slug, size_ratio, choice.granularity == "asymmetric")
    cost = pruning_cost(choice, before, after, device(host_elements_per_s), STAGE_IMAGES, EXTRA_EPOCHS)
    return IMAGES / cost.seconds


@cache
def fitted_host(slug: str, size_ratio: float, images_per_s: float) -> float:
    """Return the values prepared a second with which the accelerator prunes so many images per second."""
    low, high = 1e6, 1e13
    for _ in range(80):
        middle = (low * high) ** 0.5
        low, high = (
            (middle, high) if throughput(slug, size_ratio, "accelerator", middle) < images_per_s else (low, middle)
        )
    return high
