"""The built-in networks and scenarios: totals against the public figures, layers against the tables."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

from engines.workloads import builtins, tables
from engines.workloads.builtins import builtin_network_hash, builtin_networks, builtin_scenarios
from engines.workloads.loader import builtin_network, load_network, load_scenario
from hardware.documents import load_yaml

TOTALS = load_yaml(Path(__file__).parents[2] / "data" / "workloads" / "totals.yaml")
NAMES = [name for name in TOTALS if name != "_meta"]

# Compute rows of the tables: GPT-2 36 x (4 GEMMs + 2 attention products) + head; BERT 24 (12) x (6 + 2) + pooler;
# ResNet-50 53 convolutions + 1; GoogLeNet 57 + 1; U-Net 18 + 4 transposed + 1; Emformer 24 x (5 + 2); HRViT 212 convolutions,
# 211 GEMMs and 140 products; MAESTRO's and XRBench's by their own files.
LAYERS = {
    "gpt2-large-128": 217,
    "bert-large-128": 193,
    "bert-base-128": 97,
    "resnet50": 54,
    "googlenet": 58,
    "unet-512": 23,
    "resnet50-maestro": 66,
    "unet-maestro": 23,
    "midas-small-192x256": 97,
    "emformer-128": 168,
    "hrvit-b1": 563,
    "fbnet-c-160x100": 66,
    "sparse-to-dense": 34,
    "d2go-xrbench": 138,
    "plane-rcnn-xrbench": 153,
    "hand-graph-cnn-xrbench": 224,
    "attentivenas-a0": 80,
    "attentivenas-a1": 80,
    "attentivenas-a2": 85,
    "attentivenas-a3": 95,
    "attentivenas-a4": 93,
    "attentivenas-a5": 100,
    "attentivenas-a6": 103,
    "attentivenas-max": 167,
    "attentivenas-min": 80,
    "bert-large-384": 193,
    "ed-tcn-xrbench": 4,
    "emformer-xrbench": 120,
    "fbnet-c-224": 66,
    "fbnet-c-xrbench": 63,
    "hrvit-b1-xrbench": 423,
    "inception-v3": 95,
    "midas-small-256": 97,
    "midas-small-xrbench": 92,
    "mobilenet-v2": 53,
    "pvig-m": 140,
    "pvig-s": 80,
    "magnas-vig-s-max-relative": 103,
    "magnas-vig-s-edge": 103,
    "pvig-s-edge": 80,
    "pvig-m-edge": 140,
    "magnas-vig-s-gin": 103,
    "pvig-s-gin": 80,
    "pvig-m-gin": 140,
    "magnas-vig-s-sage": 119,
    "pvig-s-sage": 92,
    "pvig-m-sage": 162,
    "magnas-cifar-100-a3": 53,
    "res8-narrow-xrbench": 8,
    "ritnet-xrbench": 42,
    "sparse-to-dense-xrbench": 34,
    "vgg16": 16,
    "vgg19": 19,
    "vig-b": 103,
    "vig-s": 103,
    "vig-ti": 79,
    "visformer-small": 74,
    "visformer-tiny": 74,
}
# odema-2024 Table 4.2
MLPERF = {
    1: {"gpt2-large-128": 1, "bert-large-128": 3},
    2: {"gpt2-large-128": 1, "bert-large-128": 3, "resnet50": 1},
    3: {"gpt2-large-128": 1, "bert-large-128": 3, "resnet50": 32},
    4: {"gpt2-large-128": 8, "bert-large-128": 24, "unet-512": 1, "resnet50": 32},
    5: {"gpt2-large-128": 8, "bert-large-128": 24, "bert-base-128": 24, "unet-512": 1, "resnet50": 32, "googlenet": 32},
}
XRBENCH = {
    6: {"d2go-xrbench": 10, "plane-rcnn-xrbench": 15, "midas-small-192x256": 30, "emformer-128": 3, "hrvit-b1": 10},
    7: {"plane-rcnn-xrbench": 15, "hand-graph-cnn-xrbench": 45, "midas-small-192x256": 30},
    8: {"d2go-xrbench": 30, "emformer-128": 3},
    9: {"fbnet-c-160x100": 60, "hand-graph-cnn-xrbench": 30, "sparse-to-dense": 30},
    10: {"fbnet-c-160x100": 60, "hand-graph-cnn-xrbench": 45},
}
SCENARIOS = {
    f"{name}-scenario-{n}": models for name, t in (("mlperf", MLPERF), ("xrbench", XRBENCH)) for n, models in t.items()
}


@pytest.mark.parametrize("slug", NAMES)
def test_macs_are_the_public_total(slug: str) -> None:
    network, totals = builtin_network(slug), TOTALS[slug]
    gmacs = network.macs / 1e9
    if slug == "unet-512":
        gmacs += 2 * 64 * 9 * 512 * 512 / 1e9  # the public figure has three input channels, the zoo has one
    assert gmacs == pytest.approx(totals["gmacs"], abs=5.1e-5)


@pytest.mark.parametrize("slug", [slug for slug in NAMES if "gmacs_without_attention_products" in TOTALS[slug]])
def test_macs_without_attention_products_are_the_public_total(slug: str) -> None:
    layers = [layer for layer in builtin_network(slug).layers if layer.kind != "matmul"]
    if slug == "hrvit-b1":  # the total takes these linear layers for products, as the network's own code writes them
        layers = [layer for layer in layers if not layer.name.endswith("ffn.fc2:matmul")]
    gmacs = sum(layer.macs for layer in layers) / 1e9
    if slug == "unet-512":
        gmacs += 2 * 64 * 9 * 512 * 512 / 1e9
    assert gmacs == pytest.approx(TOTALS[slug]["gmacs_without_attention_products"], abs=5.1e-5)


@pytest.mark.parametrize("slug", NAMES)
def test_parameters_are_the_public_total(slug: str) -> None:
    network = builtin_network(slug)
    parameters = network.parameters
    if slug == "unet-512":
        parameters += 2 * 64 * 9
    # What a network's file holds but no sample runs through: the total counts it, the zoo has nothing to run.
    parameters += TOTALS[slug].get("never_executed_parameters", 0)
    assert parameters / 1e6 == pytest.approx(TOTALS[slug]["parameters_m"], abs=5.1e-4)


@pytest.mark.parametrize(("slug", "count"), LAYERS.items())
def test_schedulable_layers_are_the_compute_rows(slug: str, count: int) -> None:
    assert len(builtin_network(slug).layers) == count


@pytest.mark.parametrize("slug", builtin_networks())
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


@pytest.mark.parametrize(("slug", "models"), SCENARIOS.items())
def test_scenarios_are_those_of_the_table(slug: str, models: dict[str, int]) -> None:
    scenario = load_scenario(builtin_scenarios()[slug])
    assert {model.network.slug: model.batch for model in scenario.models} == models
    assert list(models) == [model.network.slug for model in scenario.models]


def test_scenarios_are_listed_in_the_order_of_the_table() -> None:
    assert [slug for slug in builtin_scenarios() if "scenario" in slug] == list(SCENARIOS)


def test_usage_scenarios_have_the_rates_of_xrbench() -> None:
    loaded = {slug: load_scenario(content) for slug, content in builtin_scenarios().items()}
    usage = {slug: scenario for slug, scenario in loaded.items() if scenario.source.startswith("XRBench")}
    assert len(usage) == 7
    assistant = usage["xrbench-ar-assistant"].models
    assert [(model.network.slug, model.rate_fps) for model in assistant] == [
        ("res8-narrow-xrbench", 3),
        ("emformer-128", 3),
        ("hrvit-b1", 10),
        ("midas-small-192x256", 30),
        ("plane-rcnn-xrbench", 15),
        ("d2go-xrbench", 10),
    ]
    assert (assistant[1].probability, assistant[1].depends_on) == (0.5, "res8-narrow-xrbench")
    assert all(model.batch == 1 and model.rate_fps for scenario in usage.values() for model in scenario.models)


def test_built_in_scenarios_pin_their_networks() -> None:
    for content in builtin_scenarios().values():
        for model in content["models"]:
            assert model["network_sha256"] == builtin_network_hash(model["network"])


def test_every_built_in_network_loads_and_has_a_name_for_narrow_places() -> None:
    titles = {slug: load_network(content).short_title for slug, content in builtin_networks().items()}
    assert set(LAYERS) <= set(titles)
    assert len(set(titles.values())) == len(titles)


@pytest.mark.parametrize(
    "convolution",
    [
        # "same" padding of an even kernel, written out by XRBench for a transposed convolution of twice the size
        ("plane-rcnn-xrbench", "conv141", (15, 19, 4, 4)),
        ("d2go-xrbench", "conv1", (226, 301, 3, 3)),
    ],
)
def test_xrbench_s_layers_keep_their_output_size(convolution: tuple[str, str, tuple[int, ...]]) -> None:
    slug, name, padded = convolution
    (layer,) = (layer for layer in builtin_network(slug).layers if layer.name == name)
    assert (layer.y, layer.x, layer.r, layer.s) == padded


def test_a_pooling_between_xrbench_s_layers_is_folded() -> None:
    first, second, *_ = builtin_network("plane-rcnn-xrbench").layers
    assert first.folded == ("conv1:pool",)
    assert first.output_elements == second.input_elements == 64 * 40 * 40


def test_slugs_are_the_names_of_the_files() -> None:
    for contents in (builtin_networks(), builtin_scenarios()):
        assert [content["slug"] for content in contents.values()] == list(contents)


def test_a_document_is_read_when_it_is_wanted_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: Path) -> list[dict[str, Any]]:
        read.append(path.stem)
        return tables.read_table(path)

    monkeypatch.setattr(builtins, "read_table", noted)
    fresh = builtins.builtin_networks.__wrapped__()
    both = builtin_scenarios() | fresh
    assert "resnet50" in both and "resnet51" not in both and len(both) == len(fresh) + len(builtin_scenarios())
    assert read == []
    assert both["resnet50"] is fresh["resnet50"]
    assert [content["title"] for content in fresh.values()] and read == []
    assert fresh["resnet50"]["operations"] is both["resnet50"]["operations"]
    assert read == ["resnet50"]
    with pytest.raises(KeyError):
        fresh["resnet51"]
