"""Families of decoders whose layers are attention and a feed-forward part, with the defaults of their configurations.

Shapes and defaults are facts read from the configuration and modelling files of huggingface/transformers (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal


@dataclass(frozen=True)
class Family:
    """The differences between families of dense decoders.

    Attributes:
        defaults: fields that a configuration may leave out.
        input_bias, output_bias, feed_forward_bias: whether the maps have a bias; a text names the field that says it.
        gated: whether the feed-forward part has a gate.
        norms: normalisations of a layer over its width.
        norm_parts: vectors of each: 1 scale; 2 scale and shift; 0 none.
        query_key_norm: normalisation of queries and keys: of each head alike, of all features, or none.
        every_full: one layer in so many sees all tokens, the others a window; 0: see `sliding_window`.
        head_bias: whether the head has a bias; a text names the field that says it.
        positions: rows of the table of positions beyond those of the context; None: no table.
        inner_norms: whether results of attention and gate are normalised before their last map.
    """

    defaults: Mapping[str, Any] = field(default_factory=dict)
    input_bias: bool | str = False
    output_bias: bool | str = False
    feed_forward_bias: bool | str = False
    gated: bool = True
    norms: int = 2
    norm_parts: int = 1
    query_key_norm: Literal["", "head", "all"] = ""
    every_full: int = 0
    head_bias: bool | str = False
    positions: int | None = None
    inner_norms: bool = False


def _tied(**defaults: Any) -> dict[str, Any]:
    return {"tie_word_embeddings": True, **defaults}


_ALL_BIASES: dict[str, Any] = {"input_bias": True, "output_bias": True, "feed_forward_bias": True, "norm_parts": 2}
_ATTENTION_BIAS: dict[str, Any] = {"input_bias": "attention_bias", "output_bias": "attention_bias"}
LLAMA_7B = {"hidden_size": 4096, "intermediate_size": 11008, "num_hidden_layers": 32, "num_attention_heads": 32,
            "vocab_size": 32000}  # fmt: skip
_QWEN3 = Family({"head_dim": 128}, query_key_norm="head", **_ATTENTION_BIAS)
_LLAMA = Family({}, feed_forward_bias="mlp_bias", **_ATTENTION_BIAS)
_MISTRAL = Family({"num_key_value_heads": 8, "sliding_window": 4096})
_GEMMA3 = Family(
    _tied(head_dim=256, vocab_size=262208, num_attention_heads=8, num_key_value_heads=4, sliding_window=4096),
    norms=4, query_key_norm="head", every_full=6, **_ATTENTION_BIAS,
)  # fmt: skip

FAMILIES: dict[str, Family] = {
    "llama": _LLAMA,
    "minicpm": replace(_LLAMA, defaults=_tied()),
    "mistral": _MISTRAL,
    "ministral": _MISTRAL,
    "ministral3": Family({"num_key_value_heads": 8}),
    "mixtral": Family({"num_key_value_heads": 8, "num_local_experts": 8, "num_experts_per_tok": 2}),
    "qwen2": Family({}, input_bias=True),
    "qwen2_moe": Family(
        {
            "num_experts": 60,
            "num_experts_per_tok": 4,
            "moe_intermediate_size": 1408,
            "shared_expert_intermediate_size": 5632,
        },
        input_bias=True,
    ),
    "qwen3": _QWEN3,
    "qwen3_moe": Family(
        {"num_experts": 128, "num_experts_per_tok": 8, "moe_intermediate_size": 768},
        query_key_norm="head",
        **_ATTENTION_BIAS,
    ),
    "gemma": Family(_tied(head_dim=256), **_ATTENTION_BIAS),
    "gemma2": Family(_tied(head_dim=256, sliding_window=4096), norms=4, every_full=2, **_ATTENTION_BIAS),
    "gemma3_text": _GEMMA3,
    "phi": Family({}, gated=False, norms=1, head_bias=True, **_ALL_BIASES),
    "phi3": Family(),
    "smollm3": Family(_tied(num_key_value_heads=4), feed_forward_bias="mlp_bias", **_ATTENTION_BIAS),
    "mimo": Family({"attention_bias": True}, input_bias="attention_bias"),
    "gpt_oss": Family(
        {
            "head_dim": 64,
            "attention_bias": True,
            "sliding_window": 128,
            "num_local_experts": 128,
            "num_experts_per_tok": 4,
        },
        every_full=2,
        **_ATTENTION_BIAS,
    ),
    "olmo": Family({}, norm_parts=0, **_ATTENTION_BIAS),
    "olmo2": Family({}, query_key_norm="all", **_ATTENTION_BIAS),
    "olmo3": Family({"sliding_window": 4096}, query_key_norm="all", every_full=4, **_ATTENTION_BIAS),
    "olmoe": Family({"num_experts": 64, "num_experts_per_tok": 8}, query_key_norm="all", **_ATTENTION_BIAS),
    "stablelm": Family({"use_parallel_residual": False}, input_bias="use_qkv_bias", norm_parts=2),
    "starcoder2": Family(
        _tied(use_bias=True, num_key_value_heads=2),
        gated=False,
        norm_parts=2,
        input_bias="use_bias",
        output_bias="use_bias",
        feed_forward_bias="use_bias",
    ),
    "internlm2": Family({}, input_bias="bias", output_bias="bias"),
    "glm": Family({"head_dim": 128, "num_key_value_heads": 2}, input_bias="attention_bias"),
    "granite": Family({}, feed_forward_bias="mlp_bias", **_ATTENTION_BIAS),
    "granitemoe": Family({"num_local_experts": 8, "num_experts_per_tok": 2}, **_ATTENTION_BIAS),
    "cohere": Family(_tied(), norms=1, **_ATTENTION_BIAS),
    "cohere2": Family(_tied(sliding_window=4096), norms=1, every_full=4, **_ATTENTION_BIAS),
    "nemotron": Family({}, gated=False, norm_parts=2, feed_forward_bias="mlp_bias", **_ATTENTION_BIAS),
    "glm4": Family({"head_dim": 128, "num_key_value_heads": 2}, norms=4, input_bias="attention_bias"),
    "ernie4_5": Family(
        _tied(head_dim=128), input_bias="use_bias", output_bias="use_bias", feed_forward_bias="use_bias"
    ),
    "phimoe": Family(
        {"num_local_experts": 16, "num_experts_per_tok": 2, "attention_bias": True},
        norm_parts=2,
        head_bias="lm_head_bias",
        **_ATTENTION_BIAS,
    ),
    "bitnet": Family(_tied(), inner_norms=True, **_ATTENTION_BIAS),
    "arcee": Family({}, gated=False, feed_forward_bias="mlp_bias", **_ATTENTION_BIAS),
    "hunyuan_v1_dense": Family({}, query_key_norm="head", **_ATTENTION_BIAS),
    "exaone4": Family({}, query_key_norm="head", every_full=4),
    "gpt_neox": Family(
        {"attention_bias": True},
        input_bias="attention_bias",
        output_bias="attention_bias",
        feed_forward_bias=True,
        gated=False,
        norm_parts=2,
    ),
    "gpt2": Family(_tied(), gated=False, positions=0, **_ALL_BIASES),
    "opt": Family(_tied(enable_bias=True), gated=False, positions=2, **_ALL_BIASES),
    "falcon": Family(
        _tied(bias=False, multi_query=True, parallel_attn=True, new_decoder_architecture=False),
        gated=False,
        norm_parts=2,
        input_bias="bias",
        output_bias="bias",
        feed_forward_bias="bias",
    ),
}
FAMILIES |= {
    "phi-msft": FAMILIES["phi"],
    "gptj": Family({}, gated=False, norms=1, norm_parts=2, feed_forward_bias=True, head_bias=True),
    "gpt_bigcode": FAMILIES["gpt2"],
    "qwen": FAMILIES["qwen2"],
    "baichuan": _LLAMA,
    "internlm": FAMILIES["internlm2"],
    "orion": Family({}, norm_parts=2),
    "stablelm_epoch": FAMILIES["stablelm"],
    "mistral3": FAMILIES["ministral3"],
    "qwen2_vl": FAMILIES["qwen2"],
    "qwen2_5_vl": FAMILIES["qwen2"],
    "qwen2_5_omni": FAMILIES["qwen2"],
    "qwen3_omni_moe": FAMILIES["qwen3_moe"],
    "qwen3_vl": _QWEN3,
    "qwen3_vl_moe": FAMILIES["qwen3_moe"],
    "gemma3": _GEMMA3,
}
