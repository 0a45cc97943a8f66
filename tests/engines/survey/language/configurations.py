"""Configurations of language models for tests."""

from __future__ import annotations

from typing import Any

# config.json of Qwen/Qwen3-4B (Apache-2.0), the fields that shapes follow from.
QWEN3_4B: dict[str, Any] = {
    "model_type": "qwen3", "hidden_size": 2560, "intermediate_size": 9728, "num_hidden_layers": 36, "num_attention_heads": 32,
    "num_key_value_heads": 8, "head_dim": 128, "vocab_size": 151936, "tie_word_embeddings": True, "attention_bias": False,
    "max_position_embeddings": 40960, "use_sliding_window": False,
}  # fmt: skip
# config.json of google/gemma-3-1b-it (Gemma terms of use), the fields that shapes follow from: five layers of six see 512 tokens.
GEMMA3_1B: dict[str, Any] = {
    "model_type": "gemma3_text", "hidden_size": 1152, "intermediate_size": 6912, "num_hidden_layers": 26, "num_attention_heads": 4,
    "num_key_value_heads": 1, "head_dim": 256, "vocab_size": 262144, "sliding_window": 512, "sliding_window_pattern": 6,
    "max_position_embeddings": 32768,
}  # fmt: skip
