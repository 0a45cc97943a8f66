"""Which results are read: those that the document names, else the newest of that size that nothing is folded into."""

from __future__ import annotations

from tests.engines.workloads.runnable.networks import MAP, STEM, graph_of

NORM = {"kind": "batchnorm", "weight_elements": 16, **MAP}
CONV = {"kind": "conv", "k": 8, "c": 8, "r": 1, "s": 1, "y": 16, "x": 16}
ADD = {"name": "add", "kind": "eltwise", "input_elements": 4096, "output_elements": 2048}


def read_by(graph: object, name: str) -> list[str]:
    return next(list(node.input) for node in graph.node if node.name == name)  # type: ignore[attr-defined]


def test_a_sum_reads_no_result_that_something_is_folded_into() -> None:
    rows = [STEM, {"name": "relu", "kind": "activation", **MAP}, {"name": "a", **CONV}, {"name": "a.norm", **NORM}, ADD]
    assert read_by(graph_of(*rows), "add") == ["a.norm:0", "relu:0"]


def test_what_the_document_names_comes_first() -> None:
    rows = [STEM, {"name": "a", **CONV}, {"name": "b", **CONV, "reads": [0]}, {**ADD, "reads": [0, 2]}]
    graph = graph_of(*rows)
    assert read_by(graph, "b")[0] == "stem:0"
    assert set(read_by(graph, "add")) == {"stem:0", "b:0"}


def test_the_first_tokens_are_taken_where_one_is_wanted() -> None:
    rows = [STEM, {"name": "head", "kind": "gemm", "k": 10, "c": 512}]
    names = [node.name for node in graph_of(*rows).node]
    assert names == ["stem", "head//flat", "head//first", "head"]


def test_a_gate_is_a_sigmoid() -> None:
    rows = [
        STEM,
        {"name": "mean", "kind": "pool", "input_elements": 2048, "output_elements": 8},
        {"name": "fc", "kind": "conv", "k": 8, "c": 8, "y": 1, "x": 1},
        {"name": "gate", "kind": "activation", "input_elements": 8, "output_elements": 8},
        {"name": "scale", "kind": "eltwise", "input_elements": 2056, "output_elements": 2048, "reads": [0, 3]},
    ]
    nodes = {node.name: node.op_type for node in graph_of(*rows).node}
    assert (nodes["gate"], nodes["scale"]) == ("Sigmoid", "Mul")
