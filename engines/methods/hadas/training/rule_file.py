"""A network with trained exits and a rule of leaving in one ONNX file. Imported only where torch is needed.

Every stage is a branch (`If`) that runs only while the image is still inside, so that a runtime computes no more than it needs.
Stages follow one another and are not nested: nested ones of 32 blocks would be deeper than readers of protobuf allow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
import torch
from onnx import NodeProto, TensorProto, ValueInfoProto, helper, numpy_helper
from torch import Tensor, nn

from engines.methods.hadas.training.export import OPSET, exported, image_of
from engines.methods.hadas.training.network import MultiExit
from engines.methods.hadas.training.shapes import BackboneShape
from engines.search.ends.confidence import Rule

_IR_VERSION = 8  # the first with opset 17
_STATE = ("map", "outputs", "end", "done")  # what one stage hands to the next


class _OwnEnd(nn.Module):
    """The backbone's own end on the last map."""

    def __init__(self, classifier: nn.Module) -> None:
        super().__init__()
        self.classifier = classifier

    def forward(self, features: Tensor) -> Tensor:
        """Return the outputs before the softmax, shape `b x classes`."""
        found: Tensor = self.classifier(features.mean((2, 3)))
        return found


@dataclass(frozen=True)
class _Part:
    """Nodes of a block or of an end, and their weights, under names that no other part has."""

    nodes: Sequence[NodeProto]
    weights: Sequence[TensorProto]


class RuleFile:
    """Makes the files of one network: its blocks and ends are exported once.

    Args:
        network: with trained exits.
        shape: shape of the backbone.
        temperatures: by which the outputs of each end are divided, shape `n`.
    """

    def __init__(self, network: MultiExit, shape: BackboneShape, temperatures: Sequence[float]) -> None:
        network = network.cpu().eval()
        self._shape, self._temperatures = shape, temperatures
        self._blocks, self._heads, self._maps = list[_Part](), list[_Part](), list[tuple[int, ...]]()
        features = image_of(shape)
        for number, block in enumerate(network.backbone.blocks, 1):
            last = number > len(network.exits)
            head = _OwnEnd(network.backbone.classifier) if last else network.exits[number - 1]
            self._blocks.append(_part(block, features, f"map{number - 1}", f"inside_map{number}"))
            with torch.no_grad():
                features = block(features)
            self._maps.append(tuple(features.shape))
            self._heads.append(_part(head, features, f"inside_map{number}", f"head{number}"))

    def onnx_bytes(self, rule: Rule) -> bytes:
        """Return the file.

        Inputs are `images` (1 x channels x side x side, values within 0..1) and `thresholds` (one per exit, in the order of the
        network): how sure an exit must be, above 1 where it is not used and so not computed. Outputs are `outputs` (1 x classes)
        of the end where the image leaves, and `end`, the number of that end from 1.
        """
        shape, ends = self._shape, len(self._heads)
        nodes = [
            helper.make_node("Identity", ["images"], ["map0"]),
            _constant("outputs0", np.zeros((1, shape.classes), np.float32)),
            _constant("end0", np.array(0, np.int64)),
            _constant("done0", np.array(False)),
            *(self._stage(number, rule) for number in range(1, ends + 1)),
            helper.make_node("Identity", [f"outputs{ends}"], ["outputs"]),
            helper.make_node("Identity", [f"end{ends}"], ["end"]),
        ]
        inputs = [
            helper.make_tensor_value_info("images", TensorProto.FLOAT, [1, shape.channels, shape.side, shape.side]),
            helper.make_tensor_value_info("thresholds", TensorProto.FLOAT, [ends - 1]),
        ]
        outputs = [
            helper.make_tensor_value_info("outputs", TensorProto.FLOAT, [1, shape.classes]),
            helper.make_tensor_value_info("end", TensorProto.INT64, []),
        ]
        weights = [weight for part in (*self._blocks, *self._heads) for weight in part.weights]
        graph = helper.make_graph(nodes, "network_with_exits", inputs, outputs, weights)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=_IR_VERSION)
        return bytes(model.SerializeToString())

    def _stage(self, number: int, rule: Rule) -> NodeProto:
        """Run from one end to the next, only where the image did not leave before."""
        left = [helper.make_node("Identity", [f"{name}{number - 1}"], [f"left_{name}{number}"]) for name in _STATE[1:]]
        inside = [*self._blocks[number - 1].nodes, _constant(f"inside_end{number}", np.array(number, np.int64))]
        if number == len(self._heads):
            inside += self._heads[-1].nodes
            inside += [helper.make_node("Identity", [f"head{number}"], [f"inside_outputs{number}"])]
            inside += [_constant(f"inside_done{number}", np.array(True))]
        else:
            inside += self._exit(number, rule)
        return helper.make_node(
            "If",
            [f"done{number - 1}"],
            [f"{name}{number}" for name in _STATE],
            then_branch=helper.make_graph(
                [_zeros(f"left_map{number}", self._maps[number - 1]), *left],
                f"left_before_{number}",
                [],
                self._given("left", number),
            ),
            else_branch=helper.make_graph(inside, f"stage_{number}", [], self._given("inside", number)),
        )

    def _exit(self, number: int, rule: Rule) -> list[NodeProto]:
        """Return whether the image leaves at an exit; one that is not used is not computed."""
        name, classes = f"threshold{number}", self._shape.classes
        given = [f"inside_outputs{number}", f"inside_done{number}"]
        used = [
            *self._heads[number - 1].nodes,
            *_sure(rule, f"head{number}", number, float(self._temperatures[number - 1]), classes),
            helper.make_node("GreaterOrEqual", [f"sure{number}", name], [f"used_done{number}"]),
            helper.make_node("Identity", [f"head{number}"], [f"used_outputs{number}"]),
        ]
        unused = [
            _zeros(f"unused_outputs{number}", (1, classes)),
            _constant(f"unused_done{number}", np.array(False)),
        ]
        return [
            _constant(f"place{number}", np.array(number - 1, np.int64)),
            _constant(f"most{number}", np.array(1.0, np.float32)),
            helper.make_node("Gather", ["thresholds", f"place{number}"], [name]),
            helper.make_node("LessOrEqual", [name, f"most{number}"], [f"is_used{number}"]),
            helper.make_node(
                "If",
                [f"is_used{number}"],
                given,
                then_branch=helper.make_graph(
                    used, f"exit_{number}", [], self._given("used", number, ("outputs", "done"))
                ),
                else_branch=helper.make_graph(
                    unused, f"no_exit_{number}", [], self._given("unused", number, ("outputs", "done"))
                ),
            ),
        ]

    def _given(self, branch: str, number: int, names: Sequence[str] = _STATE) -> list[ValueInfoProto]:
        kinds = {
            "map": (TensorProto.FLOAT, self._maps[number - 1]),
            "outputs": (TensorProto.FLOAT, (1, self._shape.classes)),
            "end": (TensorProto.INT64, ()),
            "done": (TensorProto.BOOL, ()),
        }
        return [helper.make_tensor_value_info(f"{branch}_{name}{number}", *kinds[name]) for name in names]


def _part(module: nn.Module, example: Tensor, given: str, gives: str) -> _Part:
    """Return a module as nodes from the value `given` to the value `gives`."""
    graph = onnx.load_from_string(exported(module, example, "given", ["gives"])).graph
    fixed = {"given": given, "gives": gives, "": ""}

    def named(name: str) -> str:
        return fixed.get(name, f"{gives}/{name}")

    for node in graph.node:
        node.name = ""
        node.input[:] = [named(name) for name in node.input]
        node.output[:] = [named(name) for name in node.output]
    for weight in graph.initializer:
        weight.name = named(weight.name)
    return _Part(list(graph.node), list(graph.initializer))


def _sure(rule: Rule, outputs: str, number: int, temperature: float, classes: int) -> list[NodeProto]:
    """Return the confidence of an end, from 0 to 1, as in `engines.search.ends.confidence`."""
    made = helper.make_node
    nodes = [
        _constant(f"temperature{number}", np.array(temperature, np.float32)),
        made("Div", [outputs, f"temperature{number}"], [f"scaled{number}"]),
        made("Softmax", [f"scaled{number}"], [f"share{number}"], axis=-1),
    ]
    if rule == "largest_probability":
        return [*nodes, made("ReduceMax", [f"share{number}"], [f"sure{number}"], keepdims=0)]
    # Of a probability of 0 the product is 0, as in the limit.
    return [
        *nodes,
        _constant(f"least{number}", np.array(np.finfo(np.float32).tiny, np.float32)),
        _constant(f"of_all{number}", np.array(math.log(classes), np.float32)),
        _constant(f"whole{number}", np.array(1.0, np.float32)),
        made("Max", [f"share{number}", f"least{number}"], [f"positive{number}"]),
        made("Log", [f"positive{number}"], [f"logarithm{number}"]),
        made("Mul", [f"share{number}", f"logarithm{number}"], [f"product{number}"]),
        made("ReduceSum", [f"product{number}"], [f"negative_entropy{number}"], keepdims=0),
        made("Div", [f"negative_entropy{number}", f"of_all{number}"], [f"relative{number}"]),
        made("Add", [f"whole{number}", f"relative{number}"], [f"sure{number}"]),
    ]


def _constant(name: str, value: npt.NDArray[Any]) -> NodeProto:
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(value))


def _zeros(name: str, shape: Sequence[int]) -> NodeProto:
    """Return a constant of zeros where nothing is computed; both branches of an `If` give the same shapes."""
    return _constant(name, np.zeros(tuple(shape), np.float32))
