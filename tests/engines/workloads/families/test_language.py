"""BERT and GPT-2 of any length."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engines.workloads.builtins import builtin_networks
from engines.workloads.families.language import LanguageModel, bert, gpt2
from engines.workloads.families.network_builder import Row
from engines.workloads.loader import builtin_network
from tests.engines.workloads.families.shapes import figures_of, moved, network

BERT_BASE = LanguageModel(12, 768, 12, 30522, 512)
BERT_LARGE = LanguageModel(24, 1024, 16, 30522, 512)
GPT2_LARGE = LanguageModel(36, 1280, 20, 50257, 1024)


@pytest.mark.parametrize(
    ("slug", "draw", "model", "tokens"),
    [
        ("bert-base-128", bert, BERT_BASE, 128),
        ("bert-large-128", bert, BERT_LARGE, 128),
        ("bert-large-384", bert, BERT_LARGE, 384),
        ("gpt2-large-128", gpt2, GPT2_LARGE, 128),
    ],
)
def test_the_definition_gives_the_traced_layers_exactly(
    slug: str, draw: Callable[[LanguageModel, int], list[Row]], model: LanguageModel, tokens: int
) -> None:
    rows, traced = draw(model, tokens), builtin_network(slug)
    drawn = network(rows)
    assert [figures_of(layer) for layer in drawn.layers] == [figures_of(layer) for layer in traced.layers]
    assert drawn.lookup_elements == traced.lookup_elements
    assert moved(rows) == moved(builtin_networks()[slug]["operations"])


def test_products_grow_with_the_square_of_the_length_and_the_rest_with_the_length() -> None:
    short, long = network(bert(BERT_BASE, 64)), network(bert(BERT_BASE, 128))
    products = [sum(layer.macs for layer in each.layers if layer.kind == "matmul") for each in (short, long)]
    pooler = 768**2
    rest = [each.macs - square - pooler for each, square in zip((short, long), products, strict=True)]
    assert products[1] == 4 * products[0]
    assert rest[1] == 2 * rest[0]
    assert long.weight_elements == short.weight_elements


@pytest.mark.parametrize(
    ("slug", "millions"), [("gpt2-128", 124.44), ("gpt2-medium-128", 354.82), ("gpt2-xl-128", 1557.61)]
)
def test_gpt2_has_its_published_parameters(slug: str, millions: float) -> None:
    model = builtin_network(slug)
    assert model.layers[-1].weight_elements > 3e7  # the head loads the table
    assert model.parameters / 1e6 == pytest.approx(millions, abs=0.0051)
