"""A search space from a baseline network: consecutive layers of one type and one size of feature map make a cluster.

Source: minakova-2022 section 6 ("Genotype Creation", Figure 4). How wide the bounds are is not said; as in the figure (three layers
of 32 neurons become 2 to 4 layers of 16 to 64) a cluster may have one layer fewer or more, and half to twice the neurons. A layer
with a stride is a pooling before it. Convolutions of one pixel next to larger ones (shortcuts, bottlenecks) are none of their own,
and depthwise convolutions are part of the cluster around them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from engines.contract.errors import ProblemError
from engines.methods.sbrs.search.genotype import Cluster
from engines.workloads.network import Network, Operation

_LARGEST_KERNEL = 7


@dataclass
class _Group:
    """Layers of one cluster while it is read."""

    kind: str
    side: int = 0
    layers: list[Operation] = field(default_factory=list)
    residual: bool = False


def clusters_of(network: Network, largest_kernel: int, width_percent: float) -> tuple[Cluster, ...]:
    """Return the clusters of a baseline, its last linear layer left out: every network of the space ends with one of its own.

    Args:
        network: the baseline.
        largest_kernel: upper bound of kernels, odd.
        width_percent: neurons as a share of the baseline's, for data that needs less.

    Raises:
        ProblemError: the baseline has no convolution and no second linear layer.
    """
    groups = _groups(network.operations)
    found = [_cluster(group, largest_kernel, width_percent / 100) for group in groups]
    if not any(cluster.neurons[1] for cluster in found):
        raise ProblemError("inputs.workload", network.slug, "a network of convolutions, or of several linear layers")
    return tuple(found)


def _groups(operations: Sequence[Operation]) -> list[_Group]:
    groups: list[_Group] = []
    linear = [operation for operation in operations if operation.kind == "gemm"]
    side = operations[0].y
    for operation in operations:
        if operation.kind in ("conv", "depthwise"):
            if operation.oy < side and groups:
                groups.append(_Group("max_pool"))
            side = operation.oy
            if not groups or groups[-1].kind != "conv" or groups[-1].side != side:
                groups.append(_Group("conv", side))
            groups[-1].layers.append(operation)
        elif operation.kind == "eltwise" and groups and groups[-1].kind == "conv":
            groups[-1].residual = True
        elif operation.kind in ("pool", "reduce") and groups and groups[-1].kind == "conv":
            channels = groups[-1].layers[-1].k
            to_one_place = 0 < operation.output_elements <= channels
            groups.append(_Group("global_avg_pool" if to_one_place else "max_pool"))
            side = 1 if to_one_place else max(1, side // 2)
        elif operation.kind == "gemm" and operation is not linear[-1]:
            if not groups or groups[-1].kind != "fc":
                groups.append(_Group("fc"))
            groups[-1].layers.append(operation)
    return groups


def _cluster(group: _Group, largest_kernel: int, width: float) -> Cluster:
    if not group.layers:
        return Cluster(group.kind)
    layers = [each for each in group.layers if each.kind != "depthwise"] or group.layers
    if any(each.r > 1 for each in layers):
        layers = [each for each in layers if each.r > 1]
    count = len(layers)
    neurons = [each.k if each.kind != "depthwise" else each.c for each in layers]
    bounds = (max(1, int(min(neurons) * width / 2)), max(1, int(max(neurons) * width * 2)))
    if group.kind == "fc":
        return Cluster("fc", (max(1, count - 1), count + 1), bounds)
    least = min(largest_kernel, *(each.r | 1 for each in layers))
    kernels = (least, max(least, min(largest_kernel, _LARGEST_KERNEL)))
    kind = "conv_res" if group.residual else "conv"
    return Cluster(kind, (max(1, count - 1), count + 1), bounds, kernels)
