"""What is written stays apart: names, offsets of weights, outputs of everything that nothing reads."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.workloads.loader import load_network
from engines.workloads.runnable.graph import GraphWriter
from tests.engines.workloads.runnable.networks import HEAD, STEM, graph_of

OPERATION = load_network({**HEAD, "operations": [STEM]}).operations[0]


def test_names_and_weights_do_not_meet() -> None:
    writer = GraphWriter("tiny")
    first = writer.node("Relu", [writer.given((1, 4))], (1, 4), OPERATION)
    second = writer.node("Relu", [first], (1, 4), OPERATION)
    assert (first.name, second.name) == ("stem:0", "stem#2:0")
    writer.drawn((3, 3), 0.1)
    writer.drawn((5,), 0.2)
    assert [(each.elements, each.offset) for each in writer.weights] == [(9, 0), (5, 4096)]
    assert writer.file().weights_bytes == 8192


def test_another_number_of_elements_is_refused() -> None:
    writer = GraphWriter("tiny")
    with pytest.raises(ProblemError, match="12 elements for stem"):
        writer.reshaped(writer.given((3, 4)), (5,), OPERATION)


def test_maps_and_tokens_become_each_other_by_a_transposition() -> None:
    writer = GraphWriter("tiny")
    tokens = writer.reshaped(writer.given((1, 8, 4, 4)), (1, 16, 8), OPERATION)
    assert writer.reshaped(tokens, (1, 8, 4, 4), OPERATION).shape == (1, 8, 4, 4)
    kinds = [node.op_type for node in writer.model().graph.node]
    assert kinds == ["Reshape", "Transpose", "Transpose", "Reshape"]


def test_what_nothing_reads_is_an_output() -> None:
    branches = [STEM, {**STEM, "name": "other", "reads": []}]
    graph = graph_of(*branches)
    assert [each.name for each in graph.output] == ["stem:0", "other:0"]
    assert [each.name for each in graph.input] == ["input"], "both read what the network is given"
