"""Networks of a search space in torch: built from their nodes, with weights as numpy arrays in and out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engines.methods.sbrs.graph import Graph, Node

if TYPE_CHECKING:
    import torch

Array = npt.NDArray[np.float32]
Weights = Mapping[str, Array]  # "<node>.weight", "<node>.bias", with batch normalisation "<node>.norm.weight" and so on
_MOMENTS = ("weight", "bias", "running_mean", "running_var")


def initial_weights(graph: Graph, random: np.random.Generator) -> dict[str, Array]:
    """Return the fresh weights: He et al. 2015 for what an activation follows, biases 0."""
    found: dict[str, Array] = {}
    for node in graph.nodes:
        if node.weight_shape:
            fan_in = int(np.prod(node.weight_shape[1:]))
            scale = np.sqrt((2.0 if node.activated else 1.0) / fan_in)
            found[f"{node.name}.weight"] = (scale * random.standard_normal(node.weight_shape)).astype(np.float32)
            found[f"{node.name}.bias"] = np.zeros(node.weight_shape[0], np.float32)
    return found


def inherited_weights(graph: Graph, before: Weights, random: np.random.Generator) -> dict[str, Array]:
    """Return the weights of a changed network: fresh ones, overwritten by those of the network before wherever both have a place.

    Kernels of different sizes are laid over each other by their centres.
    """
    found = initial_weights(graph, random)
    for name, fresh in found.items():
        old = before.get(name)
        if old is not None and old.ndim == fresh.ndim:
            new_part, old_part = zip(
                *(_overlap(f, o, axis > 1) for axis, (f, o) in enumerate(zip(fresh.shape, old.shape, strict=True))),
                strict=True,
            )
            fresh[new_part] = old[old_part]
    return found


def _overlap(new: int, old: int, centred: bool) -> tuple[slice, slice]:
    both = min(new, old)
    first, second = ((new - both) // 2, (old - both) // 2) if centred else (0, 0)
    return slice(first, first + both), slice(second, second + both)


def build(graph: Graph, weights: Weights, *, normalised: bool = False) -> torch.nn.Module:
    """Return the network as a module: images or signals of shape `n x channels x height x width` to `n x classes`.

    Args:
        graph: the network.
        weights: weights of every node that has some.
        normalised: whether batch normalisation follows every convolution; its moments are taken from `weights` where they are.
    """
    import torch
    from torch import nn

    class Network(nn.Module):  # type: ignore[misc, unused-ignore]  # torch is optional: without it this is Any
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.ModuleDict({_key(node): _layer(node) for node in graph.nodes if node.weight_shape})
            normal = [node for node in graph.nodes if normalised and node.operator == "conv"]
            self.norms = nn.ModuleDict({_key(node): nn.BatchNorm2d(node.shape[0]) for node in normal})

        def forward(self, features: torch.Tensor) -> torch.Tensor:
            values: list[Any] = []
            for node in graph.nodes:
                before = [values[number] for number in node.inputs]
                if node.operator == "input":
                    out = features
                elif node.weight_shape:
                    out = self.layers[_key(node)](before[0].flatten(1) if node.operator == "fc" else before[0])
                    out = self.norms[_key(node)](out) if _key(node) in self.norms else out
                else:
                    out = plain(node, before)
                values.append(torch.relu(out) if node.activated else out)
            return values[-1]

    network = Network()
    _load(network, graph, weights)
    return network


def plain(node: Node, before: list[Any]) -> Any:
    """Return the result of a node without weights, its activation left out."""
    from torch.nn import functional

    if node.operator == "add":
        return before[0] + before[1]
    if node.operator == "max_pool":
        return functional.max_pool2d(before[0], node.kernel)
    if node.operator == "global_avg_pool":
        return before[0].mean(dim=(2, 3), keepdim=True)
    return before[0].amax(dim=(2, 3), keepdim=True)


def weights_of(network: torch.nn.Module, graph: Graph) -> dict[str, Array]:
    """Return the weights of a module that `build` made."""
    found: dict[str, Array] = {}
    layers: Any = network.layers
    norms: Any = network.norms
    for node in graph.nodes:
        if not node.weight_shape:
            continue
        for name in ("weight", "bias"):
            found[f"{node.name}.{name}"] = getattr(layers[_key(node)], name).detach().numpy().copy()
        if _key(node) in norms:
            for name in _MOMENTS:
                found[f"{node.name}.norm.{name}"] = getattr(norms[_key(node)], name).detach().numpy().copy()
    return found


def folded_weights(weights: Weights) -> dict[str, Array]:
    """Return the weights with batch normalisation taken into the convolution before it, as a deployed network has them."""
    found = {name: array for name, array in weights.items() if ".norm." not in name}
    for name in [name.removesuffix(".norm.weight") for name in weights if name.endswith(".norm.weight")]:
        scale = weights[f"{name}.norm.weight"] / np.sqrt(weights[f"{name}.norm.running_var"] + 1e-5)
        found[f"{name}.weight"] = (weights[f"{name}.weight"] * scale[:, None, None, None]).astype(np.float32)
        bias = (weights[f"{name}.bias"] - weights[f"{name}.norm.running_mean"]) * scale + weights[f"{name}.norm.bias"]
        found[f"{name}.bias"] = bias.astype(np.float32)
    return found


def pack_weights(weights: Weights) -> bytes:
    """Pack weights as a safetensors file."""
    from safetensors.numpy import save

    return save({name: np.ascontiguousarray(array) for name, array in weights.items()})


def unpack_weights(data: bytes) -> dict[str, Array]:
    """Return the weights of a safetensors file."""
    from safetensors.numpy import load

    return dict(load(data))


def _load(network: Any, graph: Graph, weights: Weights) -> None:
    import torch

    with torch.no_grad():
        for node in graph.nodes:
            if not node.weight_shape:
                continue
            for name in ("weight", "bias"):
                getattr(network.layers[_key(node)], name).copy_(torch.from_numpy(weights[f"{node.name}.{name}"].copy()))
            if _key(node) in network.norms and f"{node.name}.norm.weight" in weights:
                for name in _MOMENTS:
                    getattr(network.norms[_key(node)], name).copy_(
                        torch.from_numpy(weights[f"{node.name}.norm.{name}"].copy())
                    )


def _layer(node: Node) -> Any:
    from torch import nn

    if node.operator == "fc":
        return nn.Linear(node.weight_shape[1], node.weight_shape[0])
    padding = (node.kernel[0] // 2, node.kernel[1] // 2)
    return nn.Conv2d(node.weight_shape[1], node.weight_shape[0], node.kernel, padding=padding)


def _key(node: Node) -> str:
    return node.name.replace(".", "_")
