"""The built-in networks and scenarios: totals against the public figures, layers against the tables."""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from engines.workloads import builtins
from engines.workloads.builtins import builtin_network_hash, builtin_networks, builtin_scenarios
from engines.workloads.loader import builtin_network, load_network, load_scenario
from engines.workloads.network import Network
from hardware.documents import load_yaml

TOTALS = load_yaml(Path(__file__).parents[2] / "data" / "workloads" / "totals.yaml")
NAMES = [name for name in TOTALS if name != "_meta"]

# Compute rows of the tables: GPT-2 36 x (4 GEMMs + 2 attention products) + head; BERT 24 (12) x (6 + 2) + pooler;
# ResNet-50 53 convolutions + 1; GoogLeNet 57 + 1; U-Net 18 + 4 transposed + 1; MAESTRO's by its own files.
LAYERS = {
    "gpt2-large-128": 217,
    "bert-large-128": 193,
    "bert-base-128": 97,
    "resnet50": 54,
    "googlenet": 58,
    "unet-512": 23,
    "resnet50-maestro": 66,
    "unet-maestro": 23,
}
# odema-2024 Table 4.2
SCENARIOS = {
    1: {"gpt2-large-128": 1, "bert-large-128": 3},
    2: {"gpt2-large-128": 1, "bert-large-128": 3, "resnet50": 1},
    3: {"gpt2-large-128": 1, "bert-large-128": 3, "resnet50": 32},
    4: {"gpt2-large-128": 8, "bert-large-128": 24, "unet-512": 1, "resnet50": 32},
    5: {"gpt2-large-128": 8, "bert-large-128": 24, "bert-base-128": 24, "unet-512": 1, "resnet50": 32, "googlenet": 32},
}


@pytest.mark.parametrize("slug", NAMES)
def test_macs_are_the_public_total(slug: str) -> None:
    network, totals = builtin_network(slug), TOTALS[slug]
    gmacs = network.macs / 1e9
    if slug == "unet-512":
        gmacs += 2 * 64 * 9 * 512 * 512 / 1e9  # the public figure has three input channels, the zoo has one
    assert gmacs == pytest.approx(totals["gmacs"], abs=5.1e-5)
    without = sum(layer.macs for layer in network.layers if layer.kind != "matmul") / 1e9
    if slug != "unet-512":
        assert without == pytest.approx(totals["gmacs_without_attention_products"], abs=5.1e-5)


@pytest.mark.parametrize("slug", NAMES)
def test_parameters_are_the_public_total(slug: str) -> None:
    network = builtin_network(slug)
    parameters = network.weight_elements + network.lookup_elements
    if slug == "unet-512":
        parameters += 2 * 64 * 9
    if slug == "gpt2-large-128":
        # The head shares the embedding table: one set of parameters, but the layer must load them as weights.
        parameters -= network.layers[-1].weight_elements
    assert parameters / 1e6 == pytest.approx(TOTALS[slug]["parameters_m"], abs=5.1e-4)


@pytest.mark.parametrize(("slug", "count"), LAYERS.items())
def test_schedulable_layers_are_the_compute_rows(slug: str, count: int) -> None:
    assert len(builtin_network(slug).layers) == count


@pytest.mark.parametrize("slug", LAYERS)
def test_dimensions_and_macs_of_every_layer_agree(slug: str) -> None:
    for layer in builtin_network(slug).layers:
        rows, columns = (layer.y - layer.r) // layer.stride + 1, (layer.x - layer.s) // layer.stride + 1
        assert layer.macs == layer.k * layer.c * layer.r * layer.s * rows * columns * layer.groups * layer.repeats


@pytest.mark.parametrize("slug", ["gpt2-large-128", "bert-large-128", "bert-base-128", "resnet50", "unet-512"])
def test_what_a_layer_gives_out_is_enough_for_the_next(slug: str) -> None:
    layers = builtin_network(slug).layers
    known = {layers[0].input_elements}
    for layer, following in itertools.pairwise(layers):
        known.add(layer.output_elements)
        # Straight chains hand on exactly their output; branches (query, key, value; downsampling) read an earlier one,
        # the first attention product reads several, the pooler one token.
        straight = following.input_elements in known
        assert straight or following.kind == "matmul" or following.name == "pooler.dense"


def test_unet_starts_with_one_channel() -> None:
    first = builtin_network("unet-512").layers[0]
    assert (first.c, first.k, first.y, first.input_elements) == (1, 64, 514, 512 * 512)
    assert first.macs == 64 * 9 * 512 * 512


def test_attention_products_have_one_repeat_per_head() -> None:
    heads = {"gpt2-large-128": 20, "bert-large-128": 16, "bert-base-128": 12}
    for slug, count in heads.items():
        products = [layer for layer in builtin_network(slug).layers if layer.kind == "matmul"]
        assert {layer.repeats for layer in products} == {count}
        assert all(layer.weight_elements == 0 for layer in products)


def test_maestros_layers_are_kept_as_maestro_counts_them() -> None:
    layers = builtin_network("resnet50-maestro").layers
    depthwise = [layer for layer in layers if layer.depthwise]
    assert len(depthwise) == 16 and all(layer.name.endswith("Residual") for layer in depthwise)
    assert layers[0].macs == 111776448  # (224 - 7) // 2 + 1 = 109 rows: no padding
    assert builtin_network("unet-maestro").macs == 151583856896


@pytest.mark.parametrize(("number", "models"), SCENARIOS.items())
def test_scenarios_are_those_of_the_table(number: int, models: dict[str, int]) -> None:
    scenario = load_scenario(builtin_scenarios()[f"mlperf-scenario-{number}"])
    assert {model.network.slug: model.batch for model in scenario.models} == models
    assert list(models) == [model.network.slug for model in scenario.models]


def test_built_in_scenarios_pin_their_networks() -> None:
    for content in builtin_scenarios().values():
        for model in content["models"]:
            assert model["network_sha256"] == builtin_network_hash(model["network"])


def test_every_built_in_network_loads_and_has_a_name_for_narrow_places() -> None:
    titles = {slug: load_network(content).short_title for slug, content in builtin_networks().items()}
    assert set(titles) == set(LAYERS)
    assert len(set(titles.values())) == len(titles)


def test_reading_the_zoo_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    contents: dict[str, Network] = {}
    for cached in (
        builtins.builtin_networks,
        builtins.builtin_scenarios,
        builtins.builtin_network_hash,
        builtin_network,
    ):
        cached.cache_clear()
    started = time.perf_counter()
    builtin_scenarios()
    for slug in builtin_networks():
        contents[slug] = builtin_network(slug)
    # About 50 ms on one core; the rest is for a busy machine.
    assert time.perf_counter() - started < 0.4
    assert len(contents) == len(LAYERS)
