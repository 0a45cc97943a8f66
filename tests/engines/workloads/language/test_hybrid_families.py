"""Caches, states, work and refusals of hybrids, chunked attention, and models with sound or actions."""

from __future__ import annotations

from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.workloads.language.mixers import Attention
from engines.workloads.language.reader import read_language_model
from engines.workloads.language.stages import action_network, decode_network
from engines.workloads.language.totals import answer_totals
from tests.engines.workloads.language.configurations import SMALL_HYBRIDS, public_model, rows, small_hybrid, small_model
from tests.support.work import calls_of

_PAIR = 2 * 2 * 8  # keys and values of two heads of eight features


@pytest.mark.parametrize(("kind", "layers"), [("jamba", 2), ("bamba", 1), ("granitemoehybrid", 1), ("falcon_h1", 4)])
def test_layers_of_attention_alone_have_a_cache_that_grows(kind: str, layers: int) -> None:
    model = small_hybrid(kind)
    assert model.cache_bytes(100, 8) == 100 * layers * _PAIR
    assert model.state_bytes(8) == small_hybrid(kind, vocab_size=7).state_bytes(8) > 0


def test_states_are_those_of_the_equations() -> None:
    # Each of two Mamba layers of 64 features: 8 states of each, and three inputs of the convolution.
    assert small_hybrid("jamba").state_bytes(8) == 2 * (64 * 8 + 64 * 3)
    # Four layers of four heads of six features; the convolution reads both vectors of the selection as well.
    assert small_hybrid("falcon_h1").state_bytes(8) == 4 * (24 * 8 + (24 + 2 * 8) * 3)


def test_a_shared_block_counts_once_and_is_read_and_computed_at_each_use() -> None:
    one, two = small_hybrid("zamba2"), small_hybrid("zamba2", num_mem_blocks=2)
    # Queries, keys and values of twice the width, result; three maps; normalisations.
    shared = 64 * 64 + 2 * 64 * 32 + 64 * 32 + 3 * 32 * 48 + 64 + 32
    assert two.parameters() - one.parameters() == shared == two.active_parameters() - one.active_parameters()
    assert answer_totals(one, 5, 3) == answer_totals(two, 5, 3)
    assert one.decoder and one.decoder.depth == 4
    read = [sum(each.weight_elements for each in decode_network(model, 5).operations) for model in (one, two)]
    assert read[0] == read[1] > one.parameters()
    # Both uses keep keys and values of their own: two heads of 16 features.
    assert one.cache_bytes(10, 8) == 2 * 10 * 2 * 2 * 16


def test_parallel_mixers_share_one_normalisation_and_both_compute() -> None:
    network = decode_network(small_hybrid("falcon_h1"), 5)
    names = [each.name for each in network.operations]
    first = [name.removeprefix("layer0.") for name in names if name.startswith("layer0.")]
    assert first.count("norm") == 1
    assert {"query", "state_update", "values"} <= set(first)
    assert first.count("output") == 2


def test_chunked_attention_begins_anew_and_keeps_one_chunk() -> None:
    model = small_hybrid("llama4")
    decoder = model.decoder
    assert decoder is not None
    kinds = [(each.window_tokens, each.chunked) for each in decoder.mixers if isinstance(each, Attention)]
    assert kinds == [(5, True)] * 3 + [(None, False)]
    assert model.cache_bytes(12, 8) == (3 * 5 + 12) * _PAIR
    # The 11th token is the first of the third chunk: three layers see one token, the last sees eleven.
    pairs = 3 * 1 + 11
    assert answer_totals(model, 10, 2, cache_bits=8).decode.cache_bytes_read == pairs * _PAIR


def test_infinity_is_no_end_of_a_range_alone() -> None:
    assert small_hybrid("bamba", time_step_limit=[0.0, float("inf")]).parameters() == small_hybrid("bamba").parameters()
    with pytest.raises(ProblemError, match="finite"):
        small_hybrid("bamba", rope_theta=float("inf"))


def test_newer_names_of_layers_mean_the_same() -> None:
    newer = ["linear_attention", "full_attention", "linear_attention", "linear_attention"]
    assert (
        small_hybrid("granitemoehybrid", layer_types=newer).parameters()
        == small_hybrid("granitemoehybrid").parameters()
    )


def test_policies_have_actions_that_read_the_language_part() -> None:
    model = public_model("smolvla-lerobot")
    macs = [action_network(model, 50, context=context).macs for context in (0, 241)]
    # Half of the layers map keys and values of the 241 tokens in each pass, the others read the cache.
    assert macs[1] - macs[0] == 8 * 50 * 241 * 2 * 15 * 64
    assert "241 tokens" in " ".join(model.notes)
    later = read_language_model({"type": "pi05"})
    # 37 normalisations by time in place of a scale, no map of the state, and half of one map.
    width = 1024
    more = 37 * ((width + 1) * 3 * width - width) - 33 * width - width * width
    assert later.parameters() - public_model("pi0-lerobot").parameters() == more


@pytest.mark.parametrize(
    ("kind", "changes", "field"),
    [
        ("jamba", {"attn_layer_offset": 2}, "attn_layer_offset"),
        ("jamba", {"expert_layer_period": 0}, "expert_layer_period"),
        ("jamba", {"mamba_dt_rank": "big"}, "mamba_dt_rank"),
        ("jamba", {"intermediate_size": None}, "intermediate_size"),
        ("bamba", {"attn_layer_indices": [4]}, "attn_layer_indices"),
        ("bamba", {"num_attention_heads": 5}, "num_attention_heads"),
        ("bamba", {"mamba_n_heads": 7}, "mamba_n_heads"),
        ("granitemoehybrid", {"layer_types": ["mamba"]}, "layer_types"),
        ("falcon_h1", {"mamba_n_heads": 7}, "mamba_n_heads"),
        ("falcon_h1", {"mamba_d_head": 7}, "mamba_d_head"),
        ("falcon_h1", {"vocab_size": None}, "vocab_size"),
        ("zamba2", {"layers_block_type": None}, "layers_block_type"),
        ("zamba2", {"num_attention_heads": 7}, "num_attention_heads"),
        ("zamba2", {"n_mamba_heads": 7}, "n_mamba_heads"),
        ("llama4", {"no_rope_layers": [1]}, "no_rope_layers"),
        ("llama4", {"intermediate_size_mlp": None}, "intermediate_size_mlp"),
        ("llama4", {"num_experts_per_tok": 5}, "num_experts_per_tok"),
        ("minicpm3", {"num_attention_heads": None}, "num_attention_heads"),
        ("minicpm3", {"num_hidden_layers": 10**12}, "num_hidden_layers"),
    ],
)
def test_missing_and_contradictory_fields_are_named(kind: str, changes: dict[str, Any], field: str) -> None:
    def refuse() -> None:
        with pytest.raises(ProblemError) as caught:
            small_hybrid(kind, **changes)
        assert caught.value.field == field
        assert "\n" not in str(caught.value)

    assert calls_of(refuse) < 5_000


@pytest.mark.parametrize(
    ("name", "section", "changes", "field"),
    [
        ("openvla-7b", "", {"timm_model_ids": ["resnet50"]}, "timm_model_ids"),
        ("openvla-7b", "", {"image_sizes": [224, 384]}, "image_sizes"),
        ("openvla-7b", "", {"text_config": None}, "text_config"),
        ("pi0-lerobot", "", {"paligemma_variant": "gemma_27b"}, "paligemma_variant"),
        ("smolvla-lerobot", "", {"vlm_model_name": "other"}, "vlm_model_name"),
        ("smolvla-lerobot", "", {"num_vlm_layers": 0}, "num_vlm_layers"),
        ("qwen2.5-omni-thinker", "audio_config", {"encoder_attention_heads": 7}, "audio_config.d_model"),
        ("qwen2.5-omni-thinker", "text_config", {"hidden_size": None}, "text_config.hidden_size"),
        ("voxtral-mini-3b", "", {"audio_config": None}, "audio_config"),
        ("mistral-small-3.1-24b", "vision_config", {"patch_size": 0}, "vision_config.patch_size"),
        ("llama-4-scout", "vision_config", {"image_size": 7}, "vision_config.image_size"),
        ("moonshine-tiny", "", {"encoder_num_attention_heads": 7}, "encoder_num_attention_heads"),
        ("dinov3-s", "", {"num_attention_heads": 7}, "num_attention_heads"),
    ],
)
def test_sections_of_composed_models_are_named(name: str, section: str, changes: dict[str, Any], field: str) -> None:
    configuration = next(row["configuration"] for row in rows() if row["name"] == name)
    changes = {section: {**configuration[section], **changes}} if section else changes
    with pytest.raises(ProblemError) as caught:
        small_model(configuration, **changes)
    assert caught.value.field == field


def test_each_family_is_known_by_its_name() -> None:
    for kind in SMALL_HYBRIDS:
        assert small_hybrid(kind).architecture == kind
