"""Configurations of language models for tests."""

from __future__ import annotations

from typing import Any

# config.json of Qwen/Qwen3-4B (Apache-2.0), the fields that shapes follow from.
QWEN3_4B: dict[str, Any] = {
    "model_type": "qwen3", "hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "num_attention_heads": 32,
    "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936, "tie_word_embeddings": True, "attention_bias": False,
    "max_position_embeddings": 40960, "use_sliding_window": False,
}  # fmt: skip
