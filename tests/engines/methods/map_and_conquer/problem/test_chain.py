"""Which networks can be built, and what is said of others."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.methods.map_and_conquer.problem.chain import Chain, ConvLayer
from engines.methods.map_and_conquer.problem.instance import instance_of
from tests.engines.methods.map_and_conquer.problems import cut_problem


def test_the_chain_for_digits_is_built_as_its_document_says() -> None:
    real = instance_of(cut_problem({"finalists": 1, "clocks": "fixed"}, "digits-chain")).real
    assert real is not None and real.data.slug == "digits"
    layers = (ConvLayer(32, 3, 1, 1, True), ConvLayer(64, 3, 1, 1, True, 2), ConvLayer(64, 3, 1, 1, True))
    assert real.chain == Chain(1, 8, 8, layers, 10)


@pytest.mark.parametrize(
    ("workload", "field", "words"),
    [
        ("visformer-small", "inputs.workload", "a chain that can be trained"),
        ("vgg19", "inputs.workload", r"classifier.0 \(gemm\)"),
    ],
)
def test_what_cannot_be_built_is_named(workload: str, field: str, words: str) -> None:
    with pytest.raises(ProblemError) as refused:
        instance_of(cut_problem({"finalists": 1, "clocks": "fixed"}, workload))
    assert refused.value.field == field
    refused.match(words)
