"""The application that runs: a torch module of the supergraph, which stores every set of parameters once and switches scenarios.

Layers compute with what their control parameters say at each step: parameter set, input edges, output edges. Every edge has one
buffer, as the supergraph says. A switch follows the schedule of SBRS-TP: in a step the old scenario's layer runs, then the new
one's; buffers that the new scenario would write before the old one has read them have a second copy until the switch is over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engines.methods.sbrs.graph import Graph
from engines.methods.sbrs.supergraph import Supergraph
from engines.methods.sbrs.transition import NOTHING, Switch, clashes

if TYPE_CHECKING:
    import torch

Parameters = Mapping[str, tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]]  # identity -> weights and bias


@dataclass
class _Pass:
    """One input on its way through a scenario: the next step, and where its edges are kept."""

    scenario: int
    features: Any
    second: frozenset[int] = frozenset()
    copies: dict[int, Any] = field(default_factory=dict)
    step: int = 0
    output: Any = None


class Application:
    """Scenarios of a supergraph, ready to run.

    Args:
        supergraph: supergraph of networks made by `Graph.cnn`.
        parameters: every set of parameters by its identity.
    """

    def __init__(self, supergraph: Supergraph, parameters: Parameters) -> None:
        import torch
        from torch import nn

        self.supergraph = supergraph
        identities = [identity for layer in supergraph.layers for identity, _ in layer.parameter_sets]
        self._places = {identity: place for place, identity in enumerate(dict.fromkeys(identities))}
        self.module = nn.Module()
        self.module.weights = nn.ParameterList([torch.from_numpy(parameters[i][0].copy()) for i in self._places])
        self.module.biases = nn.ParameterList([torch.from_numpy(parameters[i][1].copy()) for i in self._places])
        self._buffers: dict[int, Any] = {}

    @property
    def parameter_elements(self) -> int:
        """Elements of all stored parameters."""
        return sum(parameter.numel() for parameter in self.module.parameters())

    def run(self, scenario: int, features: torch.Tensor) -> torch.Tensor:
        """Return one input through one scenario.

        Args:
            scenario: number of the scenario.
            features: `n x channels x height x width`.
        """
        moving = _Pass(scenario, features)
        for _ in self.supergraph.sequences[scenario]:
            self._step(moving)
        return moving.output

    def switch(self, switch: Switch, old: int, new: int, features: Sequence[torch.Tensor]) -> list[torch.Tensor]:
        """Carry a switch out: the old scenario ends its input while the new one begins with the next ones.

        Args:
            switch: the schedule, for a request in the first step.
            old: number of the running scenario.
            new: number of the next one.
            features: inputs: the old scenario's, then those of the new one, as many as the schedule begins.

        Returns:
            The old scenario's output, then those of the new one that the schedule ends.
        """
        second = clashes(self.supergraph, old, new, switch)
        running, later = _Pass(old, features[0]), list(features[1:])
        following = _Pass(new, later[0], second)
        outputs: list[Any] = []
        for step in switch.steps:
            if step.old != NOTHING:
                self._step(running)
            if step.new != NOTHING:
                if step.round and step.new == 0:
                    following = _Pass(new, later[step.round], second)
                self._step(following)
                if following.output is not None:
                    outputs.append(following.output)
        return [running.output, *outputs]

    def _step(self, moving: _Pass) -> None:
        """Run the next computational step of a pass."""
        graph, number = self.supergraph, moving.step
        scenario = moving.scenario
        cnn = graph.cnns[scenario]
        edges = graph.edge_of[scenario]
        step = graph.sequences[scenario][number]
        layer = graph.layers[step.layer]
        read = [self._read(moving, edges[edge]) for edge in cnn.inputs[number]]
        controls, values = dict(layer.controls), dict(step.values)
        identity = values[controls["par"]] if "par" in controls else next((i for i, _ in layer.parameter_sets), "")
        out = self._compute(
            layer.operator, dict(layer.hyperparameters), identity, [moving.features] if not number else read
        )
        for edge in cnn.outputs[number]:
            store = moving.copies if edges[edge] in moving.second else self._buffers
            store[edges[edge]] = out
        moving.step += 1
        if moving.step == len(graph.sequences[scenario]):
            moving.output = out

    def _read(self, moving: _Pass, edge: int) -> Any:
        return moving.copies[edge] if edge in moving.second else self._buffers[edge]

    def _compute(self, operator: str, hyper: Mapping[str, str], identity: str, read: list[Any]) -> Any:
        import torch
        from torch.nn import functional

        name, _, activation = operator.partition("+")
        if identity:
            place = self._places[identity]
            weight, bias = self.module.weights[place], self.module.biases[place]
        if name == "input":
            out = read[0]
        elif name == "conv":
            rows, columns = (int(side) for side in hyper["kernel"].split("x"))
            out = functional.conv2d(read[0], weight, bias, padding=(rows // 2, columns // 2))
        elif name == "fc":
            out = functional.linear(read[0].flatten(1), weight, bias)
        elif name == "add":
            out = read[0] + read[1]
        elif name == "max_pool":
            rows, columns = (int(side) for side in hyper["kernel"].split("x"))
            out = functional.max_pool2d(read[0], (rows, columns))
        elif name == "global_avg_pool":
            out = read[0].mean(dim=(2, 3), keepdim=True)
        else:
            out = read[0].amax(dim=(2, 3), keepdim=True)
        return torch.relu(out) if activation else out


def parameters_of(graph: Graph, weights: Mapping[str, npt.NDArray[np.float32]], identity: str = "") -> Parameters:
    """Return the sets of parameters by the identities that `Graph.cnn` gives them."""
    return {
        f"{identity or graph.name}:{node.name}": (weights[f"{node.name}.weight"], weights[f"{node.name}.bias"])
        for node in graph.nodes
        if node.weight_shape
    }
