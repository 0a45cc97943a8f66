"""Which networks can be built, and what is said of others."""

from __future__ import annotations

import pytest

from engines.contract.errors import ProblemError
from engines.methods.map_and_conquer.problem.instance import instance_of
from engines.methods.map_and_conquer.staged.chain import Chain, ConvLayer
from tests.engines.methods.map_and_conquer.problems import chain, cut_problem


def test_the_chain_for_digits_is_built_as_its_document_says() -> None:
    real = instance_of(cut_problem({"finalists": 1, "clocks": "fixed"}, "digits-chain")).real
    assert real is not None and real.data.slug == "digits"
    layers = (ConvLayer(32, 3, 1, 1, True), ConvLayer(64, 3, 1, 1, True, 2), ConvLayer(64, 3, 1, 1, True))
    assert real.chain == Chain(1, 8, 8, layers, 10)


def test_nothing_is_built_where_nothing_is_asked_for() -> None:
    assert instance_of(cut_problem({"clocks": "fixed"}, "visformer-small")).real is None


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


def test_data_that_do_not_fit_are_named() -> None:
    with pytest.raises(ProblemError, match="3 x 28 x 28 and 10 classes") as refused:
        instance_of(cut_problem({"finalists": 1, "clocks": "fixed"}, chain()))
    assert refused.value.field == "inputs.data"
