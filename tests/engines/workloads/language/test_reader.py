"""Published counts of public models, defaults of families, and refusals of configurations."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engines.contract.errors import ProblemError
from engines.workloads.language.mixers import Attention
from engines.workloads.language.reader import KNOWN, is_language_model, read_language_model
from tests.engines.workloads.language.configurations import SMALL, public_model, rows, small_model
from tests.support.work import calls_of

ONE_OF_EACH = list({str(row["configuration"].get("model_type", row["name"])): row for row in rows()}.values())
COMPUTED = [row for row in rows() if row["computed"]]
# Computed for layers with heads of one size; the files of Gemma 4 have global heads of 512 features (global_head_dim).
OTHER_SHAPES = ("gemma-4-e2b",)


@pytest.mark.parametrize("row", COMPUTED, ids=[row["name"] for row in COMPUTED])
def test_counts_equal_those_of_the_reference(row: dict[str, Any]) -> None:
    model = public_model(row["name"])
    if row["name"] in OTHER_SHAPES:
        assert model.parameters() == pytest.approx(row["computed"], rel=0.01)
    else:
        assert model.parameters() == row["computed"]
    if row["computed_active"]:
        assert model.active_parameters() == row["computed_active"]


def test_exact_published_counts_are_met_to_the_digit() -> None:
    exact = {row["name"]: row for row in rows() if row["precision"] == "exact"}
    differ = {name for name, row in exact.items() if public_model(name).parameters() != row["published"]}
    # Another vocabulary, a classifier token, encoders that the file lacks, or weights that Keras alone stores.
    assert differ == {"internvl3-1b-text", "smollm3-3b", "gemma-3n-e2b", "paligemma-3b-224", "deit-s-16-224"}


def test_rounded_published_counts_are_met_within_one_per_cent() -> None:
    rounded = [row for row in rows() if row["precision"] == "rounded"]
    differ = {
        row["name"] for row in rounded if abs(public_model(row["name"]).parameters() / row["published"] - 1) > 0.01
    }
    # Gemma 4 E2B is published with encoders, SmolVLA with all weights of its policy, Whisper tiny is rounded to a million.
    assert differ == {"gemma-4-e2b", "whisper-tiny", "smolvla"}
    assert len(rounded) > 15


@pytest.mark.parametrize(
    ("parameters", "configuration"),
    [
        # Counts of the weights on huggingface.co; each configuration leaves out what its family's defaults say.
        (4300079472, {
            "model_type": "gemma3", "mm_tokens_per_image": 256,
            "text_config": {"hidden_size": 2560, "intermediate_size": 10240, "num_hidden_layers": 34,
                            "model_type": "gemma3_text", "sliding_window": 1024},
            "vision_config": {"hidden_size": 1152, "image_size": 896, "intermediate_size": 4304, "patch_size": 14,
                              "model_type": "siglip_vision_model", "num_attention_heads": 16, "num_hidden_layers": 27,
                              "vision_use_head": False}}),
        (15706484224, {
            "model_type": "deepseek_v2", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
            "num_hidden_layers": 27, "num_attention_heads": 16, "n_routed_experts": 64, "n_shared_experts": 2,
            "num_experts_per_tok": 6, "q_lora_rank": None, "first_k_dense_replace": 1, "vocab_size": 102400}),
        (14315784192, {
            "model_type": "qwen2_moe", "hidden_size": 2048, "intermediate_size": 5632, "num_hidden_layers": 24,
            "num_attention_heads": 16, "vocab_size": 151936}),
        (354483968, {
            "model_type": "lfm2", "hidden_size": 1024, "block_ff_dim": 6656, "num_hidden_layers": 16, "num_attention_heads": 16,
            "num_key_value_heads": 8, "vocab_size": 65536, "full_attn_idxs": [2, 5, 8, 10, 12, 14]}),
        (877960498, {
            "model_type": "siglip",
            "text_config": {"hidden_size": 1152, "intermediate_size": 4304, "num_attention_heads": 16, "num_hidden_layers": 27},
            "vision_config": {"hidden_size": 1152, "image_size": 384, "intermediate_size": 4304, "num_attention_heads": 16,
                              "num_hidden_layers": 27, "patch_size": 14}}),
        (151277313, {"model_type": "clip", "text_config": {}, "vision_config": {"patch_size": 32}}),
        (7063427072, {
            "model_type": "llava", "text_config": {"model_type": "llama", "vocab_size": 32064},
            "vision_config": {"hidden_size": 1024, "image_size": 336, "intermediate_size": 4096, "patch_size": 14,
                              "model_type": "clip_vision_model", "num_attention_heads": 16, "num_hidden_layers": 24}}),
        (450822656, {
            "model_type": "lfm2_vl",
            "text_config": {"hidden_size": 1024, "block_ff_dim": 6656, "num_hidden_layers": 16, "num_attention_heads": 16,
                            "num_key_value_heads": 8, "vocab_size": 65536, "full_attn_idxs": [2, 5, 8, 10, 12, 14]},
            "vision_config": {"num_patches": 256}}),
        (129135360, {
            "model_type": "mamba", "hidden_size": 768, "num_hidden_layers": 24, "vocab_size": 50280}),
        (1484916736, {
            "model_type": "olmo2", "hidden_size": 2048, "intermediate_size": 8192, "num_hidden_layers": 16,
            "num_attention_heads": 16, "vocab_size": 100352}),
        (2779683840, {
            "model_type": "phi-msft", "n_embd": 2560, "n_head": 32, "n_head_kv": None, "n_inner": None, "n_layer": 32,
            "vocab_size": 51200}),
        (4146621440, {
            "model_type": "phi3_v", "hidden_size": 3072, "intermediate_size": 8192, "num_attention_heads": 32,
            "num_hidden_layers": 32, "vocab_size": 32064, "img_processor": {"name": "clip_vision_model"}}),
        (5574460384, {
            "model_type": "phi4mm", "hidden_size": 3072, "intermediate_size": 8192, "num_attention_heads": 24,
            "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 200064, "tie_word_embeddings": True,
            "vision_lora": {"r": 256}, "speech_lora": {"r": 320}}),
        (16375728128, {
            "model_type": "deepseek", "hidden_size": 2048, "intermediate_size": 10944, "moe_intermediate_size": 1408,
            "num_hidden_layers": 28, "num_attention_heads": 16, "n_routed_experts": 64, "n_shared_experts": 2,
            "num_experts_per_tok": 6, "first_k_dense_replace": 1, "vocab_size": 102400}),
        (1836828672, {
            "model_type": "qwen", "hidden_size": 2048, "intermediate_size": 11008, "num_hidden_layers": 24,
            "num_attention_heads": 16, "vocab_size": 151936}),
        (521411104, {
            "model_type": "falcon_h1", "hidden_size": 1024, "intermediate_size": 2048, "num_hidden_layers": 36,
            "num_attention_heads": 8, "num_key_value_heads": 2, "head_dim": 64, "mamba_d_ssm": 1536, "mamba_n_heads": 24,
            "mamba_d_state": 128, "vocab_size": 32784}),
        (6921720704, {
            "model_type": "falcon", "hidden_size": 4544, "num_hidden_layers": 32, "num_attention_heads": 71,
            "vocab_size": 65024}),
        (999885952, {
            "dim": 1152, "hidden_dim": 6912, "n_heads": 4, "head_dim": 256, "n_kv_heads": 1, "n_layers": 26,
            "norm_type": "gemma3", "post_attention_norm": True, "use_qk_norm": True, "vocab_size": 262144}),
    ],
    ids=["gemma-3-4b", "deepseek-v2-lite", "qwen1.5-moe", "lfm2-350m", "siglip-so400m", "clip-b-32", "llava-1.5-7b", "lfm2-vl-450m",
         "mamba-130m",
         "olmo-2-1b", "phi-2", "phi-3.5-vision", "phi-4-multimodal", "deepseek-moe-16b", "qwen-1.8b", "falcon-h1-0.5b",
         "falcon-7b", "gemma-3-1b-executorch"],
)  # fmt: skip
def test_fields_left_out_take_the_defaults_of_the_family(parameters: int, configuration: dict[str, Any]) -> None:
    assert read_language_model(configuration).parameters() == parameters


def test_cache_of_qwen3_4b_at_640_tokens() -> None:
    model = public_model("qwen3-4b")
    assert model.parameters() == 4022468096
    assert model.cache_bytes(640, 16) == 94371840
    assert model.tied
    assert model.vocabulary == 151936
    assert model.context_tokens == 40960


def test_windows_and_shared_layers_limit_the_cache() -> None:
    small = small_model(SMALL)
    per_layer = 2 * 2 * 8  # keys and values, two heads of eight features
    # Two layers see 5 tokens, two see all.
    assert small.cache_bytes(20, 8) == 2 * 5 * per_layer + 2 * 20 * per_layer
    decoder = public_model("gemma-4-e2b").decoder
    assert decoder is not None
    attention = [layer.mixer for layer in decoder.layers if isinstance(layer.mixer, Attention)]
    assert sum(each.shares_cache_of_earlier_layer for each in attention) == 20
    assert sum(each.cache_elements_per_token > 0 for each in attention) == 15


def test_null_is_no_window_and_a_missing_window_is_the_default_of_the_family() -> None:
    mistral = next(row["configuration"] for row in rows() if row["name"] == "mistral-7b-v0.3")
    assert mistral["sliding_window"] is None
    whole = read_language_model(mistral)
    assert whole.cache_bytes(10_000) == 2 * whole.cache_bytes(5_000)
    default = read_language_model({key: value for key, value in mistral.items() if key != "sliding_window"})
    assert default.cache_bytes(10_000) == default.cache_bytes(4096)
    assert default.notes == ("sliding_window = 4096: assumed, as the family's default.",)


def test_state_does_not_grow_with_tokens() -> None:
    model = public_model("mamba2-130m")
    assert model.cache_bytes(10**6) == 0
    # 24 layers: 24 heads of 64 x 128, and three inputs of a convolution over 1536 + 2 x 128 channels.
    assert model.state_bytes(16) == 24 * (24 * 64 * 128 + 3 * (1536 + 2 * 128)) * 2


@pytest.mark.parametrize(
    ("changes", "field", "accepted"),
    [
        ({"hidden_size": None}, "hidden_size", "a whole number from 1"),
        ({"vocab_size": "100"}, "vocab_size", "a whole number from 0"),
        ({"num_hidden_layers": 10**12}, "num_hidden_layers", "from 1 to 1,000"),
        ({"num_attention_heads": 5}, "num_attention_heads", "a multiple of 2"),
        ({"num_attention_heads": 12, "num_key_value_heads": None, "head_dim": None, "model_type": "llama"}, "num_attention_heads",
         "a divisor of hidden_size, as head_dim is not given (32)"),
        ({"tie_word_embeddings": "yes"}, "tie_word_embeddings", "true or false"),
        ({"layer_types": ["full_attention"]}, "layer_types", "a list of 4 kinds"),
        ({"rope_theta": float("nan")}, "configuration", "finite numbers"),
        ({"model_type": "transformer9000"}, "model_type", "llama"),
        ({"model_type": 3}, "model_type", "a text"),
    ],
)  # fmt: skip
def test_wrong_fields_are_named(changes: dict[str, Any], field: str, accepted: str) -> None:
    with pytest.raises(ProblemError) as caught:
        small_model(SMALL, **changes)
    assert caught.value.field == field
    assert accepted in caught.value.accepted
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ["[" * 100_000, '{"a":' * 100_000, '{"model_type": NaN}', "[]", "{", '{"x": 1e400}', b"\xff\xfe", '{"a": ' + "9" * 5000 + "}",
     json.dumps({"model_type": "llama", "x": [[[[[[]]]]]] * 1000}), "{}"],
)  # fmt: skip
def test_text_that_is_no_configuration_is_refused_with_little_work(text: str | bytes) -> None:
    def refuse() -> None:
        with pytest.raises(ProblemError):
            read_language_model(text)

    assert calls_of(refuse) < 50_000


def _places(values: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in values.items() if isinstance(values, dict) else ():
        yield (*place, key)
        yield from _places(value, (*place, key))


def _with(values: dict[str, Any], place: tuple[str, ...], value: Any) -> dict[str, Any]:
    first, *rest = place
    return {**values, first: _with(values[first], tuple(rest), value) if rest else value}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", [row["name"] for row in ONE_OF_EACH])
def test_any_value_of_a_field_is_read_or_refused_with_its_place(name: str) -> None:
    configuration = next(row["configuration"] for row in ONE_OF_EACH if row["name"] == name)
    changed = [
        _with(configuration, place, value) for place in _places(configuration) for value in (None, -1, 10**9, "x", [])
    ]
    refusals = []
    for each in changed:
        try:
            read_language_model(each)
        except ProblemError as error:
            refusals.append(error)
    assert refusals
    assert all(error.field and "\n" not in str(error) for error in refusals)


def test_unknown_architecture_lists_those_that_are_known() -> None:
    with pytest.raises(ProblemError) as caught:
        read_language_model({"model_type": "unheard_of"})
    assert all(name in caught.value.accepted for name in KNOWN)
    assert {"llama", "gemma4", "whisper", "siglip", "paligemma", "rwkv7", "nemotron_h"} <= set(KNOWN)


def test_notes_say_what_was_left_out() -> None:
    notes = " ".join(public_model("deepseek-v3").notes)
    assert "auto_map is ignored" in notes
    assert "predict several tokens" in notes
    assert "text part alone" in " ".join(public_model("gemma-4-26b-a4b").notes)
    assert not public_model("llama-3.1-8b").notes


def test_parts_are_refused_within_parts() -> None:
    with pytest.raises(ProblemError, match="parts"):
        read_language_model({"parts": [{"parts": []}]})


def test_configurations_are_told_from_other_documents() -> None:
    assert is_language_model(SMALL)
    assert not is_language_model({"schema": "network/1", "model_type": "llama"})
    assert not is_language_model({"layers": []})
    assert not is_language_model([1])
