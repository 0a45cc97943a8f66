"""A small transformer as exporters write it: token rows, a chain of Shape for each reshape, attention, a classifier."""

from __future__ import annotations

import numpy as np
import onnx
from onnx import helper, numpy_helper

from tests.engines.workloads.importing.onnx.onnx_models import model, whole

VOCABULARY, WIDTH, HEADS = 50, 32, 4


def transformer() -> onnx.ModelProto:
    """Give the model; its tokens are open, and its weights are told by their size alone."""
    node, part = helper.make_node, WIDTH // HEADS
    nodes = [
        node("Gather", ["table", "tokens"], ["e"], "embed"),
        node("LayerNormalization", ["e", "scale", "shift"], ["n"], "norm"),
        node("Shape", ["tokens"], ["size"], "size"),
        node("Gather", ["size", "one"], ["length"], "length"),
        node("Concat", ["first", "length", "rest"], ["split"], "split", axis=0),
        node("Concat", ["first", "length", "width"], ["joined"], "joined", axis=0),
        *(node("MatMul", ["n", f"w{each}"], [each], each) for each in "qkv"),
        *(node("Reshape", [each, "split"], [f"{each}4"], f"{each}-heads") for each in "qkv"),
        node("Transpose", ["q4"], ["qt"], "q-turn", perm=[0, 2, 1, 3]),
        node("Transpose", ["k4"], ["kt"], "k-turn", perm=[0, 2, 3, 1]),
        node("Transpose", ["v4"], ["vt"], "v-turn", perm=[0, 2, 1, 3]),
        node("MatMul", ["qt", "kt"], ["s"], "scores"),
        node("Softmax", ["s"], ["p"], "soft"),
        node("MatMul", ["p", "vt"], ["o4"], "values"),
        node("Transpose", ["o4"], ["ot"], "o-turn", perm=[0, 2, 1, 3]),
        node("Reshape", ["ot", "joined"], ["o"], "o-heads"),
        node("Add", ["o", "n"], ["a"], "skip"),
        node("Gather", ["a", "zero"], ["c"], "class", axis=1),
        node("Gemm", ["c", "wh", "bh"], ["out"], "head"),
    ]
    generator = np.random.default_rng(1)
    sizes = {"table": (VOCABULARY, WIDTH), **{f"w{each}": (WIDTH, WIDTH) for each in "qkv"}, "wh": (WIDTH, 10)}
    sizes |= {"bh": (10,), "scale": (WIDTH,), "shift": (WIDTH,)}
    weights = [numpy_helper.from_array(generator.random(size, np.float32), name) for name, size in sizes.items()]
    weights += [whole("one", 1), whole("first", 1), whole("rest", HEADS, part), whole("width", WIDTH)]
    weights.append(numpy_helper.from_array(np.array(0), "zero"))
    return model(nodes, {}, weights, tokens=(1, "length"))
