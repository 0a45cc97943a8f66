"""Configurations of public models with their published counts, and a small model that tests vary."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from engines.workloads.language.model import LanguageModel
from engines.workloads.language.reader import read_language_model

CONFIGURATIONS = Path(__file__).parents[3] / "data/language_models/configurations.json"
SMALL: dict[str, Any] = {
    "model_type": "gemma3_text", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "vocab_size": 100, "sliding_window": 5, "sliding_window_pattern": 2,
}  # fmt: skip
SMALL_MIXTURE: dict[str, Any] = {
    "model_type": "deepseek_v3", "hidden_size": 32, "intermediate_size": 64, "moe_intermediate_size": 16, "num_hidden_layers": 3,
    "num_attention_heads": 4, "n_routed_experts": 8, "n_shared_experts": 1, "num_experts_per_tok": 2, "q_lora_rank": 16,
    "kv_lora_rank": 8, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8, "first_k_dense_replace": 1,
    "vocab_size": 100,
}  # fmt: skip
SMALL_HYBRID: dict[str, Any] = {
    "model_type": "qwen3_5", "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4,
    "num_key_value_heads": 2, "head_dim": 8, "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8,
    "linear_value_head_dim": 8, "vocab_size": 100,
}  # fmt: skip
_HYBRID: dict[str, Any] = {
    "hidden_size": 32, "intermediate_size": 48, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2,
    "vocab_size": 100, "mamba_d_state": 8,
}  # fmt: skip
SMALL_HYBRIDS: dict[str, dict[str, Any]] = {
    "jamba": {**_HYBRID, "attn_layer_period": 2, "attn_layer_offset": 1, "num_experts": 4, "num_experts_per_tok": 2},
    "bamba": {**_HYBRID, "attn_layer_indices": [2], "mamba_n_heads": 4},
    "falcon_h1": {**_HYBRID, "mamba_n_heads": 4, "mamba_d_ssm": 24},
    "granitemoehybrid": {**_HYBRID, "layer_types": ["mamba", "attention", "mamba", "mamba"], "mamba_n_heads": 4},
    "zamba2": {**_HYBRID, "layers_block_type": ["mamba", "hybrid", "mamba", "hybrid"], "adapter_rank": 4,
               "use_shared_attention_adapter": True},
    "llama4": {**_HYBRID, "intermediate_size_mlp": 64, "interleave_moe_layer_step": 2, "num_local_experts": 4,
               "attention_chunk_size": 5, "head_dim": 8},
    "minicpm3": {**_HYBRID, "q_lora_rank": 16, "kv_lora_rank": 8, "qk_nope_head_dim": 8, "qk_rope_head_dim": 4, "v_head_dim": 8},
}  # fmt: skip


def small_hybrid(kind: str, **changes: Any) -> LanguageModel:
    """Return a small model of a family, with changed fields."""
    return read_language_model({"model_type": kind, **SMALL_HYBRIDS[kind], **changes}, kind)


@cache
def rows() -> tuple[dict[str, Any], ...]:
    """Return the public models, each with name, configuration, published and computed counts, and sources."""
    return tuple(json.loads(CONFIGURATIONS.read_text(encoding="utf-8")))


@cache
def public_model(name: str) -> LanguageModel:
    """Return a public model by its name."""
    row = next(row for row in rows() if row["name"] == name)
    return read_language_model(row["configuration"], name)


def small_model(configuration: dict[str, Any], **changes: Any) -> LanguageModel:
    """Return a small model with changed fields."""
    return read_language_model({**configuration, **changes}, "small")
